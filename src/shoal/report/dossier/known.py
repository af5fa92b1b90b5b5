"""What a dossier shows that the release itself does not know."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shoal.policy.public import PublicPolicy
    from shoal.runs.evidence import Evidence


@dataclass(frozen=True)
class FileFact:
    """A file by what it is, its name without folders, and the digest of its bytes."""

    what: str
    name: str
    sha256: str


@dataclass(frozen=True)
class Known:
    """Everything that is optional: what is not given is not shown.

    `command`: as it was typed, without folders. `made_at`: when the release was made.
    """

    output: str | None = None
    files: tuple[FileFact, ...] = ()
    evidence: Evidence | None = None
    public: PublicPolicy | None = None
    command: str | None = None
    made_at: datetime | None = None

    @property
    def made(self) -> str | None:
        """The moment in UTC, as ISO 8601 writes it."""
        if self.made_at is None:
            return None
        return self.made_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
