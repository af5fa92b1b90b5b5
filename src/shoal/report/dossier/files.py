"""Writing a dossier: a page, or its JSON twin, by the ending of the name."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.read.steady import sha256_of
from shoal.report.dossier.embedded import twin
from shoal.report.dossier.external import external
from shoal.report.dossier.facts import dossier_facts
from shoal.report.dossier.known import FileFact, Known
from shoal.report.html import render
from shoal.report.summarise import Facts
from shoal.runs.evidence import gather_frame
from shoal.runs.public_policy import public_policy
from shoal.write.atomic import write_text

if TYPE_CHECKING:
    from shoal.release.release import Release


def text_of(facts: Facts, path: Path) -> str:
    """The page, or its twin, whichever the ending of a file says."""
    return twin(facts) if path.suffix.lower() == ".json" else render(facts)


def write_of_release(
    release: Release, path: Path, *, output: str | Path | None, original: Any, is_external: bool
) -> None:
    """A dossier with what the caller knows; of `output`, the digest if it is written already."""
    file = None if output is None else Path(output)
    is_there = file is not None and file.is_file()
    known = Known(
        output=None if output is None else str(output),
        files=(FileFact("release", file.name, sha256_of(file)),) if file and is_there else (),
        evidence=None if original is None else gather_frame(original, release),
        public=public_policy(release),
        made_at=datetime.now(UTC),
    )
    facts = dossier_facts(release, known)
    write_text(path, text_of(external(facts) if is_external else facts, path))
