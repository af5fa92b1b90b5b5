"""Nobody's word is taken for it that a grouping is one: an algorithm that lies is found out."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.errors import NotVerified
from shoal.types.algorithm import Algorithm

PEOPLE = pl.DataFrame({"age": [1, 2, 3, 4, 50]})


def everybody(table):
    """One group with everybody in it."""
    from shoal.types.grouping import Grouping

    labels = np.zeros(table.n_rows, dtype=np.int32)
    low, high = table.codes.min(axis=0)[None], table.codes.max(axis=0)[None]
    return Grouping.of_rows(table, labels, low, high)


@dataclass(frozen=True)
class Liar(Algorithm):
    """Groups everybody, and then changes something."""

    lie: object

    def group(self, table, privacy, limits):
        return self.lie(everybody(table))


def reordered(grouping):
    return replace(grouping, rows=grouping.rows[::-1].copy())


def left_out(grouping):
    return replace(
        grouping, rows=grouping.rows[1:], counts=grouping.counts[1:], labels=grouping.labels[1:]
    )


def counted_twice(grouping):
    return replace(grouping, counts=grouping.counts * 2)


def in_a_box_too_small(grouping):
    return replace(grouping, high=grouping.high - 1)


def suppressed_too_many(grouping):
    return replace(grouping, labels=np.array([-1, -1, 0, 0, 0], dtype=np.int32))


@pytest.mark.parametrize(
    ("lie", "why"),
    [
        (reordered, "not sorted by row"),
        (left_out, "missing or occur twice"),
        (counted_twice, "missing or occur twice"),
        (in_a_box_too_small, "outside the box"),
        (suppressed_too_many, "more records are suppressed"),
    ],
)
def test_a_wrong_grouping_is_not_released(lie, why):
    with pytest.raises(NotVerified, match=why):
        shoal.anonymize(PEOPLE, quasi=["age"], privacy=[shoal.KAnonymity(2)], algorithm=Liar(lie))


def test_a_right_grouping_is_released():
    release = shoal.anonymize(
        PEOPLE, quasi=["age"], privacy=[shoal.KAnonymity(2)], algorithm=Liar(lambda honest: honest)
    )

    assert release.frame["age"].unique().to_list() == ["[1, 50]"]
