"""Whether a dossier is of a file: its digest, and what can be counted again."""

from __future__ import annotations

from pathlib import Path
from typing import Any, NamedTuple

from shoal import __version__
from shoal.report import words
from shoal.report.dossier.embedded import facts_of_text
from shoal.report.html import DOCTYPE, render
from shoal.report.summarise import Facts
from shoal.types.verdict import Verdict


class Comparison(NamedTuple):
    """What agrees with the file, what does not, and what could not be compared."""

    agrees: tuple[str, ...]
    differs: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def holds(self) -> bool:
        return not self.differs

    def as_dict(self) -> dict[str, Any]:
        return {
            "holds": self.holds,
            "agrees": list(self.agrees),
            "differs": list(self.differs),
            "notes": list(self.notes),
        }


def compare(facts: Facts, *, sha256: str, verdict: Verdict | None) -> Comparison:
    """Compare a dossier with the digest of a file, and with what was counted in it."""
    found = _of_digest(facts, sha256)
    if verdict is None:
        note = "The dossier has no policy that anybody can check, so nothing was counted again."
        return Comparison(found.agrees, found.differs, (note,))
    try:
        counted = _of_counts(facts, verdict)
    except (KeyError, TypeError, AttributeError):  # it was edited
        counted = Comparison((), ("Its figures are not as Shoal writes them.",))
    return Comparison(found.agrees + counted.agrees, found.differs + counted.differs, counted.notes)


def compare_page(path: Path, facts: Facts) -> Comparison:
    """Whether the page says what the JSON in it says: a page is made again, and must be equal."""
    text = path.read_text(encoding="utf-8")
    if not text.startswith(DOCTYPE):
        return Comparison((), ())
    if facts.get("versions", {}).get("shoal") != __version__:
        note = "The page was made by another version of Shoal, so that its text was not compared."
        return Comparison((), (), (note,))
    try:
        is_same = render(facts_of_text(text, path)) == text
    except (KeyError, TypeError, AttributeError, ValueError):
        is_same = False
    if is_same:
        return Comparison(("The page says what its data say.",), ())
    return Comparison((), ("The text of the page was changed after it was made.",))


def _of_digest(facts: Facts, sha256: str) -> Comparison:
    known = [f for f in facts["files"] if isinstance(f, dict) and f.get("what") == "release"]
    if not known:
        return Comparison((), ("It does not say which file it is about.",))
    if known[0].get("sha256") == sha256:
        return Comparison(("The file is the one that it is about: the SHA-256 is equal.",), ())
    return Comparison((), ("The file is not the one that it is about: the SHA-256 differs.",))


def _of_counts(facts: Facts, verdict: Verdict) -> Comparison:
    sizes = verdict.group_sizes
    counts: dict[str, tuple[Any, int | None]] = {
        "records": (facts["records"]["released"], verdict.n_records),
        "groups": (facts["groups"], verdict.n_groups),
    }
    notes: tuple[str, ...] = ()
    if facts["unit"]["many"] == verdict.unit.many:
        counts["smallest group"] = (facts["sizes"]["smallest"], min(sizes, default=None))
        counts["largest group"] = (facts["sizes"]["largest"], max(sizes, default=None))
    else:
        notes = (
            f"It counts {facts['unit']['many']}, which the file does not tell apart: the sizes of "
            "groups were not compared.",
        )
    differs = [
        f"It says {said} for the {what}; counted again: {words.number(found)}."
        for what, (said, found) in counts.items()
        if said != found
    ]
    differs += [
        f"It says that {finding.model} holds, which it does not."
        for finding in verdict.findings
        if not finding.holds and _is_said_to_hold(facts, finding.model, finding.column)
    ]
    agrees = () if differs else (f"Counted again, and equal: {', '.join(counts)}.",)
    return Comparison(agrees, tuple(differs), notes)


def _is_said_to_hold(facts: Facts, model: str, column: str | None) -> bool:
    return any(
        said["holds"] and said["model"] == model and said["column"] == column
        for said in facts["privacy"]
    )
