"""Picking a known person out of the release."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.attacks.confidence import Estimate, share
from shoal.attacks.known import KnownPeople
from shoal.attacks.trial import Trial


@dataclass(frozen=True)
class Linkage:
    """How often an adversary who picks one of the matching rows picks one of the person's.

    The chance is the share of the matching rows that can be the person's: one of them, or none,
    where each person has one record. `in_original` is the same with the original in place of the
    release, `by_chance` is picking from all rows of the release. `smallest` and `median` are
    numbers of matching rows.
    """

    n_people: int
    n_unmatched: int  # people without a matching row
    n_only_wrong: int  # people with matching rows, none of which can be theirs
    n_singled_out: int  # people with matching rows, all of which can be theirs
    n_unique: int  # people whose known values nobody else has in the original
    smallest: int | None
    median: float | None
    success: Estimate
    in_original: Estimate
    by_chance: float

    def as_dict(self) -> dict[str, Any]:
        return {
            "people": self.n_people,
            "unmatched": self.n_unmatched,
            "only_wrong": self.n_only_wrong,
            "singled_out": self.n_singled_out,
            "unique_in_original": self.n_unique,
            "smallest_match": self.smallest,
            "median_match": self.median,
            "success": self.success.as_dict(),
            "success_in_original": self.in_original.as_dict(),
            "success_by_chance": float(f"{self.by_chance:.6g}"),
        }


def linkage(trial: Trial, people: KnownPeople, *, n_rows: int) -> Linkage:
    """From the rows of the release and the records of the original that match each person."""
    easiest = people.easiest(people.n_alike)
    n_alike, n_own_alike = people.n_alike[easiest], people.n_own_alike[easiest]
    is_matched, is_present = trial.n_matched > 0, trial.is_present
    matches, own = trial.n_matched[is_present], trial.n_own[is_present]
    return Linkage(
        n_people=people.n,
        n_unmatched=int(np.count_nonzero(~is_matched)),
        n_only_wrong=int(np.count_nonzero(is_matched & ~is_present)),
        n_singled_out=int(np.count_nonzero(matches == own)),
        n_unique=int(np.count_nonzero(n_alike == n_own_alike)),
        smallest=int(matches.min()) if len(matches) else None,
        median=float(np.median(matches)) if len(matches) else None,
        success=share(float((own / matches).sum()), people.n),
        in_original=share(float((n_own_alike / n_alike).sum()), people.n),
        by_chance=float(trial.n_released.mean()) / n_rows,
    )
