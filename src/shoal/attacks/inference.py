"""Guessing a sensitive value from the matching rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.attacks.confidence import Estimate, difference, share
from shoal.attacks.sensitive import NOTHING, Seen, Sensitive
from shoal.attacks.trial import Told
from shoal.types.arrays import Int64Array

MOST_FREQUENT = 0  # values are numbered from the most frequent of the release on


@dataclass(frozen=True)
class Inference:
    """How often the most frequent value is the person's, in one of their records.

    `matched`: of the matching rows. `without_person`: of the matching rows without the person's
    own, as if the person had not taken part. `baseline`: of the whole release, the same guess for
    everybody; it also serves where no row is left.

    What is learnt from the release, `gain`, is the sum of what is learnt about anybody with such
    values, `gain_from_others`, and of what is learnt because the person's rows are there,
    `gain_from_taking_part`.
    """

    column: str
    matched: Estimate
    without_person: Estimate
    baseline: Estimate
    gain: Estimate
    gain_from_others: Estimate
    gain_from_taking_part: Estimate

    def as_dict(self) -> dict[str, Any]:
        return {
            "column": self.column,
            "accuracy": self.matched.as_dict(),
            "accuracy_without_person": self.without_person.as_dict(),
            "accuracy_baseline": self.baseline.as_dict(),
            "gain": self.gain.as_dict(),
            "gain_from_others": self.gain_from_others.as_dict(),
            "gain_from_taking_part": self.gain_from_taking_part.as_dict(),
        }


def inference(column: Sensitive, rows: Told) -> Inference:
    """From what the matching rows tell, with and without the person's own."""
    n = len(rows.matched)
    baseline = rows.is_right(np.full(n, MOST_FREQUENT))
    with_person = rows.is_right(_guesses(rows.matched))
    without_person = rows.is_right(_guesses(rows.without_person))
    return Inference(
        column.name,
        matched=share(int(with_person.sum()), n),
        without_person=share(int(without_person.sum()), n),
        baseline=share(int(baseline.sum()), n),
        gain=difference(with_person, baseline),
        gain_from_others=difference(without_person, baseline),
        gain_from_taking_part=difference(with_person, without_person),
    )


def _guesses(rows: Sequence[Seen]) -> Int64Array:
    values = np.array([seen.value for seen in rows])
    return np.where(values == NOTHING, MOST_FREQUENT, values)
