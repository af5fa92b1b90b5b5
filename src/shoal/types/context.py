"""Why and to whom a table is released: what no program can find out."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.errors import BadOption


@dataclass(frozen=True)
class Acknowledged:
    """A warning that somebody has read and answers for.

    `note`: the warning, or how it begins. `by`: who answers for it. `date`: since when.
    """

    note: str
    by: str
    date: str = ""


@dataclass(frozen=True)
class Context:
    """What the steward says about a release. It changes nothing in it; the dossier shows it.

    `title`: of the dossier. `purpose`: what the data are released for. `legal_basis`: what allows
    the release. `recipient`: who receives it. `recipient_holds`: what the recipient can compare
    the release with. `controls`: what limits its use, such as a contract or a closed room.
    `attackers`: who could try to find people in it. `utility`: what the recipient needs the data
    for in detail. `threshold`: the highest risk of a record that is accepted. `threshold_reason`:
    why this one. `contact`: who answers questions. `expert`: who determines that the risk is very
    small. `acknowledged`: warnings of the report that somebody has read and answers for.

    >>> Context(purpose="research", threshold=0.09).purpose
    'research'
    """

    title: str = ""
    purpose: str = ""
    legal_basis: str = ""
    recipient: str = ""
    recipient_holds: str = ""
    controls: tuple[str, ...] = ()
    attackers: str = ""
    utility: str = ""
    threshold: float | None = None
    threshold_reason: str = ""
    contact: str = ""
    expert: str = ""
    acknowledged: tuple[Acknowledged, ...] = ()

    def __post_init__(self) -> None:
        if self.threshold is not None and not 0 < self.threshold <= 1:
            raise BadOption("threshold must be a risk above 0 and at most 1, such as 0.09")
