"""Columns before and after: only what enough people have is shown, and figures are right."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest

import naive.utility as naive
import shoal
from shoal.read.columns import read_column
from shoal.types.schema import ColumnSpec
from shoal.utility.associations import correlation, cramers_v, table_after, table_before
from shoal.utility.compared import compared
from shoal.utility.distributions import distribution
from shoal.utility.means import mean
from tiers import seeds

QUASI = ColumnSpec("quasi")


def column(before, after=None, *, spec=QUASI, people=None, least=3):
    cells = before if after is None else after
    people = np.arange(len(before)) if people is None else np.array(people)
    series = [read_column(pl.Series("x", values)) for values in (before, cells)]
    return compared(*series, spec, people, least=least)


def shares(found) -> dict[str, tuple[float, float]]:
    return {s.label: (s.before, s.after) for s in found.shares}


def test_only_values_that_enough_people_have_are_named():
    values = ["a"] * 5 + ["b"] * 4 + ["rare"] * 2 + ["one"] * 1

    found = distribution(column(values))

    assert shares(found) == {"a": (5 / 12, 5 / 12), "b": (4 / 12, 4 / 12)}
    assert found.others.before == 3 / 12


def test_a_rest_of_too_few_people_takes_the_rarest_value_with_it():
    values = ["a"] * 5 + ["b"] * 4 + ["rare"] * 2

    found = distribution(column(values))

    assert list(shares(found)) == ["a"]
    assert found.others.before == 6 / 11


def test_people_are_counted_and_not_records():
    values, people = ["a"] * 6 + ["b"] * 3 + ["c"] * 3, [0, 1, 2, 0, 1, 2, 3, 4, 5, 6, 6, 6]

    found = distribution(column(values, people=people))

    assert "c" not in shares(found)


def test_missing_values_of_few_are_not_told_by_what_is_left():
    found = distribution(column([20] * 4 + [30] * 4 + [None] * 2))

    assert found.others is None
    assert sum(s.before for s in found.shares) == pytest.approx(1)


def test_a_cell_counts_for_every_value_that_it_covers():
    work = shoal.tree({"care": ["nurse", "doctor"], "kitchen": ["cook", "baker"]})
    before = ["nurse"] * 4 + ["doctor"] * 4 + ["cook"] * 4
    after = ["care"] * 8 + ["cook"] * 2 + ["*"] * 2

    found = distribution(column(before, after, spec=ColumnSpec("quasi", work)))

    after = {label: share for label, (_, share) in shares(found).items()}
    assert after == pytest.approx({"cook": 0.2, "doctor": 0.4, "nurse": 0.4})
    assert {before for before, _ in shares(found).values()} == {1 / 3}
    assert (found.told, found.exact) == (10 / 12, 2 / 12)


def test_means_are_of_the_middles_of_cells_that_tell_one():
    found = mean(column([20, 22, 30, 50], ["[20, 22]", "[20, 22]", "[30, 50]", "*"], least=1))

    assert (found.before, found.after) == (30.5, pytest.approx((21 + 21 + 40) / 3))
    assert found.told == 0.75
    assert found.shift == pytest.approx((found.after - 30.5) / np.std([20, 22, 30, 50]))


def test_numbers_that_cannot_be_added_have_no_mean_and_no_correlation():
    huge = column([1e308, 1.5e308, -1e308, 1e308], least=1)

    assert mean(huge) is None
    assert correlation(huge.numbers_before(), huge.numbers_before()) is None


def test_text_has_no_mean():
    assert mean(column(["a", "b", "c"])) is None


def test_a_column_that_is_missing_everywhere_is_compared():
    found = distribution(column([None] * 5, least=2))

    assert (found.shares, found.others.before) == ((), 1)


@pytest.mark.parametrize("seed", seeds(8, thorough=80))
def test_associations_agree_with_those_counted_record_by_record(seed):
    rng = np.random.default_rng(seed)
    first = rng.integers(0, 3, 80)
    second = np.where(rng.random(80) < 0.5, first, rng.integers(0, 3, 80))
    a, b = (column([f"v{i}" for i in c.tolist()], least=1) for c in (first, second))

    expected = naive.cramers_v(list(zip(first.tolist(), second.tolist(), strict=True)))

    assert cramers_v(table_before(a, b)) == pytest.approx(expected)
    assert cramers_v(table_after(a, b)) == pytest.approx(expected)  # nothing was generalised
    x, y = rng.normal(size=40), rng.normal(size=40)
    pairs = list(zip(x.tolist(), y.tolist(), strict=True))
    assert correlation(x, y) == pytest.approx(naive.correlation(pairs))


def test_a_table_after_spreads_both_cells():
    before, other = ["a"] * 4 + ["b"] * 4, ["x"] * 4 + ["y"] * 4
    first = column(before, ["{a, b}"] * 4 + ["b"] * 4, least=1)
    second = column(other, ["x"] * 4 + ["{x, y}"] * 4, least=1)

    assert table_after(first, second)[:2, :2].tolist() == [[2, 0], [4, 2]]


def test_what_does_not_vary_has_no_association():
    assert cramers_v(np.array([[5.0, 3.0]])) is None
    assert correlation(np.ones(5), np.arange(5.0)) is None


@pytest.mark.parametrize("seed", seeds(10, thorough=100))
def test_no_value_of_few_people_is_ever_shown(seed):
    rng = np.random.default_rng(seed)
    n, least = int(rng.integers(4, 60)), int(rng.integers(2, 6))
    people = rng.integers(0, max(n // 2, 1), n)
    values = [f"secret-{v}" for v in rng.integers(0, 12, n)]

    found = json.dumps(distribution(column(values, people=people, least=least)).as_dict())

    counts = naive.people_with(values, people.tolist())
    few = [value for value, count in counts.items() if count < least]
    assert [value for value in few if f'"{value}"' in found] == []
