"""Mondrian against its recursive twin, on single records."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from cases.axes import random_axes, records_of, some_axes, some_codes, some_records, table_of
from cases.groups import as_multiset, groups_of
from cases.models import NoMajority
from shoal.group.partition.mondrian import Mondrian
from shoal.privacy.distinct_l_diversity import DistinctLDiversity
from shoal.privacy.k_anonymity import KAnonymity
from shoal.types.algorithm import Limits
from shoal.types.privacy import Privacy
from shoal.types.sensitive import SensitiveColumn
from tiers import IS_COMPILED, examples, seeds

SEEDS = seeds(4, thorough=60)
SENSITIVE = (SensitiveColumn("s", ("a", "b", "c", "d"), None, None, False),)
SHARES = (0.5, 0.6, 0.75, 1.0)


@dataclass(frozen=True)
class Case:
    """A small table, and what is asked of its groups."""

    records: list  # tuples of codes, the last one sensitive
    axes: tuple
    k: int
    l: int
    share: float  # no sensitive value may be that of more of a group's records
    strict: bool

    @property
    def table(self):
        return table_of(self.records, self.axes, SENSITIVE)


def twin_of(axis):
    if axis.hierarchy is None:
        return naive.Line(axis.positions.tolist(), axis.weight)
    return naive.Branching(list(axis.hierarchy.paths()), axis.weight)


@st.composite
def cases(draw):
    axes = draw(some_axes(n_leaves=(1, 2, 3, 9, 1000)))
    return Case(
        draw(some_records(some_codes((*axes, *SENSITIVE)))),
        axes,
        k=draw(st.integers(1, 5)),
        l=draw(st.integers(1, 3)),
        share=draw(st.sampled_from(SHARES)),
        strict=draw(st.booleans()),
    )


def random_case(seed):
    rng = np.random.default_rng(seed)
    axes = random_axes(rng, n_leaves=(2, 5, 30, 2000))
    n = int(rng.integers(2, 400 if IS_COMPILED else 80))
    columns = [rng.integers(0, a.n_codes, size=n) for a in axes]
    columns.append(rng.choice(4, size=n, p=[0.55, 0.2, 0.15, 0.1]))
    return Case(
        records_of(columns),
        axes,
        k=int(rng.integers(1, 8)),
        l=int(rng.integers(1, 4)),
        share=float(rng.choice(SHARES)),
        strict=bool(seed % 2),
    )


def assert_agrees(case):
    table = case.table
    privacy = Privacy(
        (KAnonymity(case.k), DistinctLDiversity("s", case.l), NoMajority("s", case.share))
    )
    everything = Limits(suppression=len(case.records), threads=1)

    groups = groups_of(Mondrian(strict=case.strict).group(table, privacy, everything))

    values = table.sensitive[:, 0].tolist()
    holds = naive.all_of(
        naive.k_anonymous(case.k),
        naive.l_diverse(values, case.l),
        naive.no_majority(values, case.share),
    )
    expected = naive.mondrian(
        table.codes.tolist(),
        table.weights.tolist(),
        columns=[twin_of(a) for a in case.axes],
        names=[axis.name for axis in case.axes],
        holds=holds,
        smallest=max(case.k, case.l, 2 if case.share < 1 else 1),
        strict=case.strict,
    )
    good = [group for group in expected if holds(list(group.elements()))]
    bad = sum((group for group in expected if group not in good), Counter())
    assert groups.pop(-1, Counter()) == bad
    assert as_multiset(groups.values()) == as_multiset(good)


@given(cases())
@examples(thorough=400)
def test_groups_are_those_of_the_recursive_twin(case):
    assert_agrees(case)


@pytest.mark.parametrize("seed", SEEDS)
def test_groups_of_larger_random_tables_are_those_of_the_recursive_twin(seed):
    assert_agrees(random_case(seed))


@pytest.mark.parametrize("seed", SEEDS)
def test_boxes_are_the_smallest_around_the_groups(seed):
    case = random_case(seed)
    table, privacy = case.table, Privacy((KAnonymity(2),))

    grouping = Mondrian(strict=case.strict).group(table, privacy, Limits(threads=1))

    expected = naive.boxes(table.codes.tolist(), grouping.rows, grouping.labels)
    assert grouping.low.tolist() == [expected[g][0] for g in range(grouping.n_groups)]
    assert grouping.high.tolist() == [expected[g][1] for g in range(grouping.n_groups)]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_record_of_every_row_is_placed_once(seed):
    case = random_case(seed)
    table, privacy = case.table, Privacy((KAnonymity(2),))

    grouping = Mondrian(strict=False).group(table, privacy, Limits(threads=1))

    placed = np.bincount(grouping.rows, weights=grouping.counts, minlength=table.n_rows)
    assert placed.tolist() == table.weights.tolist()
    assert (np.diff(grouping.rows) >= 0).all()
    parts = list(zip(grouping.rows.tolist(), grouping.labels.tolist(), strict=True))
    assert len(set(parts)) == len(parts)
