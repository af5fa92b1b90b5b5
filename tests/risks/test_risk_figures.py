"""Attackers, combinations and contributions, against their definitions."""

from __future__ import annotations

import math
from itertools import combinations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from naive import risk as naive
from shoal.datasets import adult
from shoal.types.shares import smallest_group
from tiers import examples, only_thorough

COLUMNS = ("a", "b", "c", "d")
VALUES = st.sampled_from(["x", "y", "z", None])
RECORDS = st.lists(st.tuples(*[VALUES] * 4), min_size=1, max_size=14)
THRESHOLDS = st.sampled_from([0.09, 0.2, 0.25, 1 / 3, 0.5, 1.0])


def frame(records, columns=COLUMNS):
    return pl.DataFrame(records, schema=dict.fromkeys(columns, pl.String), orient="row")


def policy(columns=COLUMNS, **settings):
    return shoal.Policy.of_roles(quasi=list(columns), privacy=[shoal.KAnonymity(2)], **settings)


def risk_of(records, columns=COLUMNS, **settings):
    return shoal.risk(frame(records, columns), policy(columns), **settings)


@given(RECORDS, THRESHOLDS)
@examples(10, thorough=60)
def test_the_prosecutor_agrees_with_the_definition(records, threshold):
    data = risk_of(records, threshold=threshold).data

    risks = naive.risks(records, range(4))
    assert data.prosecutor.highest == float(max(risks))
    assert data.prosecutor.average == pytest.approx(float(sum(risks) / len(risks)), rel=1e-15)
    assert data.prosecutor.n_at_risk == naive.n_above(risks, threshold)
    assert data.marketer == data.prosecutor.average
    assert data.n_unique == naive.n_unique(records, range(4))
    assert data.n_groups == len(naive.groups(records, range(4)))


@given(RECORDS, THRESHOLDS)
@examples(10, thorough=60)
def test_every_combination_of_up_to_three_columns_is_counted(records, threshold):
    data = risk_of(records, threshold=threshold).data

    found = {c.columns: c for c in data.combinations}
    wanted = [places for size in (1, 2, 3) for places in combinations(range(4), size)]
    assert list(found) == [tuple(COLUMNS[p] for p in places) for places in wanted]
    for places in wanted:
        combination = found[tuple(COLUMNS[p] for p in places)]
        risks = naive.risks(records, places)
        assert combination.n_unique == naive.n_unique(records, places)
        assert combination.average == float(sum(risks) / len(risks))
        assert combination.n_at_risk == naive.n_above(risks, threshold)


@given(RECORDS)
@examples(10, thorough=60)
def test_a_contribution_is_the_mean_shapley_value_over_all_triples(records):
    columns = {c.column: c for c in risk_of(records).data.columns}

    wanted = {name: naive.contribution(records, 4, i, 3) for i, name in enumerate(COLUMNS)}
    for name, contribution in wanted.items():
        assert columns[name].contribution == pytest.approx(float(contribution), abs=1e-15)
    total = sum(wanted.values())
    triples = [naive.average(records, places) for places in combinations(range(4), 3)]
    assert total == 4 * (sum(triples) / 4 - naive.average(records, ())) / 3  # as documented
    shares = sum(c.share for c in columns.values())
    assert shares == pytest.approx(1.0 if total else 0.0)


@given(RECORDS)
@examples(10, thorough=60)
def test_a_column_left_out_leaves_the_groups_of_all_others(records):
    found = risk_of(records).data.columns

    assert sorted(column.column for column in found) == sorted(COLUMNS)
    for column in found:
        others = [place for place in range(4) if COLUMNS[place] != column.column]

        assert column.left_out.n_unique == naive.n_unique(records, others)
        assert column.left_out.n_groups == len(naive.groups(records, others))
        assert column.left_out.columns == tuple(COLUMNS[place] for place in others)


@given(RECORDS, st.randoms(use_true_random=False))
@examples(10, thorough=30)
def test_neither_order_nor_threads_change_a_figure(records, random):
    shuffled = random.sample(records, len(records))

    assert risk_of(records, threads=1) == risk_of(shuffled, threads=3)


@given(RECORDS)
@examples(10, thorough=60)
def test_knowing_more_never_lowers_a_risk(records):
    found = {c.columns: c for c in risk_of(records).data.combinations}

    for columns, combination in found.items():
        for smaller in combinations(columns, len(columns) - 1):
            if smaller:
                assert found[smaller].n_unique <= combination.n_unique
                assert found[smaller].n_groups <= combination.n_groups
    assert all(c.contribution >= 0 for c in risk_of(records).data.columns)


def test_known_answers():
    records = [("30", "f"), ("30", "f"), ("30", "m"), ("40", "m"), ("40", "m")]

    risk = risk_of(records, ("age", "sex"), threshold=0.5)

    data = risk.data
    assert (data.n_records, data.n_groups, data.n_unique) == (5, 3, 1)
    assert data.prosecutor.highest == 1.0
    assert data.prosecutor.average == data.marketer == 0.6
    assert data.prosecutor.n_at_risk == 1  # groups of two are at 0.5, which is not above it
    assert data.most_identifying()[0].columns == ("age", "sex")
    # Either column halves the people, and the other then adds one group: equal shares.
    assert [(c.column, c.share) for c in data.columns] == [("age", 0.5), ("sex", 0.5)]
    assert [c.contribution for c in data.columns] == pytest.approx([0.2, 0.2])
    assert data.columns[0].left_out.n_unique == 0
    assert risk.contribution_size == 2


def test_one_column_and_one_record():
    risk = risk_of([("x",)], ("a",))

    assert (risk.data.n_unique, risk.data.prosecutor.highest) == (1, 1.0)
    assert risk.data.columns[0].contribution == 0.0  # one person is found without any column
    assert risk.data.columns[0].left_out.n_unique == 1
    assert risk.left_out == {}


def test_missing_is_a_value_like_any_other():
    risk = risk_of([(None, "x"), (None, "x"), ("", "x"), ("1", None)], ("a", "b"))

    assert (risk.data.n_groups, risk.data.n_unique) == (2, 1)  # "" is missing


@pytest.mark.parametrize("threshold", [1.0, 0.5, 1 / 3, 0.3, 0.2, 0.1, 0.09, 1 / 49, 0.01, 1e-9])
def test_the_safe_size_is_the_first_that_is_not_above_the_threshold(threshold):
    size = smallest_group(threshold)

    assert 1 / size <= threshold
    assert size == 1 or 1 / (size - 1) > threshold


def test_no_group_is_safe_below_every_threshold():
    assert risk_of([("x",)] * 5, ("a",), threshold=5e-324).data.prosecutor.n_at_risk == 5


@only_thorough
def test_all_combinations_of_adult_agree_with_polars_on_any_number_of_threads():
    people = adult(complete=True).drop("salary-class")
    rules = policy(people.columns)

    risk = shoal.risk(people, rules, threads=2)

    assert risk == shoal.risk(people, rules, threads=1)
    n = people.width
    assert len(risk.data.combinations) == n + math.comb(n, 2) + math.comb(n, 3)
    for combination in risk.data.combinations:
        sizes = people.group_by(combination.columns).len()["len"]
        assert combination.n_groups == len(sizes)
        assert combination.n_unique == (sizes == 1).sum()
        assert combination.n_at_risk == sizes.filter(sizes < 12).sum()
    for column in risk.data.columns:
        sizes = people.group_by(column.left_out.columns).len()["len"]
        assert column.left_out.n_unique == (sizes == 1).sum()
