"""The registry that remembers what was released of which table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from shoal.read.source import Source
    from shoal.release.release import Release
    from shoal.runs.registry import Noticed, Written
    from shoal.runs.together_columns import Earlier


class RegistryFile:
    """Where it is, None if releases are not remembered, and what it says about this one."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path
        self._noticed: Noticed | None = None

    @property
    def files(self) -> dict[str, Path]:
        return {} if self.path is None else {"the registry": self.path}

    def notice(
        self,
        release: Release,
        source: Source,
        data: Path,
        written: Written,
        earlier: Sequence[Earlier],
    ) -> Release:
        """The release with notes on others of the same table, before it is in its place."""
        from shoal.runs.registry import notice

        if self.path is None:
            return release
        self._noticed = notice(
            release, source, self.path, data=data, written=written, earlier=earlier
        )
        return replace(release, notes=release.notes + self._noticed.notes)

    def remember(self, release: Release) -> Release:
        """Note the release, once it is in its place."""
        from shoal.runs.registry import remember

        if self.path is None or self._noticed is None:
            return release
        return replace(release, notes=release.notes + remember(self.path, self._noticed))


def default_registry(data: Path) -> Path:
    """Where releases of a table are remembered: with the table, since it is as internal."""
    from shoal.read.registry import REGISTRY

    return data.parent / REGISTRY
