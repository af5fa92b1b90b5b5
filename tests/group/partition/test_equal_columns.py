"""Columns that look alike lose alike, whatever their places in the file."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.group.parts.turns import deal, order_by_name

NAMES = [f"qi{i:02}" for i in range(20)]


def equal_columns(n_values, n_records=1000, names=NAMES):
    rng = np.random.default_rng(0)
    return pl.DataFrame({name: rng.integers(0, n_values, n_records) for name in names})


def losses(frame, **how):
    release = shoal.anonymize(
        frame, quasi=frame.columns, privacy=[shoal.KAnonymity(5)], algorithm=shoal.Mondrian(**how)
    )
    return release.loss_by_column


@pytest.mark.parametrize("n_values", [2, 6])
def test_twenty_equal_columns_lose_alike_in_mondrian(n_values):
    """But for the one that the first cut goes through: every group is on one side of it."""
    lost = sorted(losses(equal_columns(n_values)).values())

    assert lost[-1] - lost[1] < 0.35  # by their places in the file it would be more than 0.6


@pytest.mark.parametrize("n_values", [2, 6])
def test_reversed_columns_lose_what_they_lost(n_values):
    frame = equal_columns(n_values)

    lost, reversed_ = losses(frame), losses(frame.select(NAMES[::-1]))

    assert reversed_ == pytest.approx(lost, abs=1e-12)


def test_cuts_are_dealt_to_who_had_least():
    dealt = deal(np.array([1.0, 0.0, 0.5, 0.0]), 8).tolist()

    had = [1.0, 0.0, 0.5, 0.0]
    for place in dealt:
        assert had[place] == min(had)
        had[place] += 1 / 8
    assert sorted(had) == [0.5, 0.5, 0.5, 1.0]


def test_the_order_of_columns_is_made_of_their_names():
    places = dict(zip(NAMES, order_by_name(NAMES).tolist(), strict=True))
    reversed_ = dict(zip(NAMES[::-1], order_by_name(NAMES[::-1]).tolist(), strict=True))

    assert places == reversed_
    assert sorted(places.values()) == list(range(20))


@pytest.mark.parametrize("name", ["datafly", "improved-greedy", "samarati"])
def test_reversed_columns_have_their_levels_where_one_level_is_chosen_for_each(name):
    frame = pl.concat([equal_columns(2, 40, NAMES[:4])] * 2)

    def levels(names):
        release = shoal.anonymize(
            frame.select(names), quasi=names, privacy=[shoal.KAnonymity(8)], algorithm=name
        )
        return release.summary()["levels"]

    assert levels(NAMES[:4]) == levels(NAMES[3::-1])
