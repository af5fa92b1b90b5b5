"""A claim of a paper: what it says, when it holds, and the verdict from figures that were measured.

Judging is a pure function of the table of figures: nothing is run here.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import polars as pl

from shoal.reproduction.claims.seen import Grid, Seen

Verdict = Literal["confirmed", "confirmed in part", "refuted", "not testable"]


class Part(NamedTuple):
    """One condition of a claim, under one reading of what the paper leaves open.

    `holds` None: it was not measured. One that does not count shows another side.
    """

    says: str
    holds: bool | None
    found: str
    counts: bool = True


class Evidence(NamedTuple):
    """What a claim rests on: its parts, and tables of figures."""

    parts: list[Part]
    grids: list[Grid]
    remark: str = ""


@dataclass(frozen=True)
class Claim:
    """What a paper says in our words, the set-up, and the condition under which it passes."""

    id: str
    paper: str
    where: str
    says: str
    setup: str
    passes: str
    judge: Callable[[Seen], Evidence] = field(repr=False)
    experiments: tuple[str, ...] = ()
    assumes: tuple[str, ...] = ()
    plots: tuple[str, ...] = ()
    beside: tuple[str, ...] = ()  # experiments that are shown, and not judged
    why_not: str = ""  # it cannot be tested as it is printed

    def judged(self, frame: pl.DataFrame) -> Judged:
        evidence = self.judge(Seen(frame))
        if self.why_not:
            return Judged(self, "not testable", self.why_not, evidence)
        return Judged(self, *_verdict(evidence.parts), evidence)


class Judged(NamedTuple):
    """A claim with its verdict, a sentence on why, and what that rests on."""

    claim: Claim
    verdict: Verdict
    why: str
    evidence: Evidence


def _verdict(parts: Sequence[Part]) -> tuple[Verdict, str]:
    """All parts that count hold: confirmed; none: refuted; some: in part."""
    asked = [part for part in parts if part.counts]
    if not asked or any(part.holds is None for part in asked):
        return "not testable", "Not all figures that it needs were measured in this run."
    failing = [part for part in asked if not part.holds]
    others = [part for part in parts if not part.counts and part.holds is not None]
    more = _others(others)
    if not failing:
        return "confirmed", f"{_all(asked)} hold{'s' if len(asked) == 1 else ''}.{more}"
    if len(failing) == len(asked):
        return "refuted", f"{_all(asked)} fail{'s' if len(asked) == 1 else ''}.{more}"
    n_holding = len(asked) - len(failing)
    return "confirmed in part", f"{n_holding} of {len(asked)} conditions hold.{more}"


def _all(parts: Sequence[Part]) -> str:
    if len(parts) == 1:
        return "Its condition"
    return "Both conditions" if len(parts) == 2 else f"All {len(parts)} conditions"


def _others(others: Sequence[Part]) -> str:
    if not others:
        return ""
    n_holding = sum(bool(part.holds) for part in others)
    return f" Of the readings that do not count, {n_holding} of {len(others)} hold."
