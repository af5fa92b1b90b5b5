"""Mondrian against its recursive twin, on single records."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from naive.examples import IS_COMPILED, examples
from naive.without_words import WithoutWords
from shoal.group.partition.mondrian import Mondrian
from shoal.privacy.distinct_l_diversity import DistinctLDiversity
from shoal.privacy.k_anonymity import KAnonymity
from shoal.types.algorithm import Limits
from shoal.types.axis import Axis
from shoal.types.hierarchy import Hierarchy
from shoal.types.model import About
from shoal.types.privacy import Privacy
from shoal.types.sensitive import SensitiveColumn
from shoal.types.table import Table

SEEDS = range(60 if IS_COMPILED else 6)
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


@dataclass(frozen=True)
class NoMajority(WithoutWords):
    """A model that a half may satisfy where the whole does not."""

    column: str
    share: float
    survives_merging = True
    is_local = True
    survives_growth = False
    smallest = 1

    def holds(self, stats):
        found = stats.counts(self.column)
        return np.maximum.reduceat(found.counts, found.starts[:-1]) <= self.share * stats.sizes

    @property
    def about(self):
        return About(column=self.column)


def axis(i, *, n_leaves, has_missing, shape, weight):
    """A column of one of three shapes: numbers on a line, a plain category, or a tree."""
    leaves = tuple(f"{leaf:06}" for leaf in range(n_leaves))
    numbers = np.arange(n_leaves) ** 2 if shape == "line" else None
    hierarchy = Hierarchy.of_paths(uneven_paths(leaves)) if shape == "tree" else None
    return Axis(
        name=f"q{i}",
        kind="integer" if shape == "line" else "text",
        leaves=hierarchy.leaves if hierarchy else leaves,
        numbers=numbers,
        hierarchy=hierarchy,
        publish={"line": "range", "plain": "set", "tree": "node"}[shape],
        has_missing=has_missing,
        weight=weight,
        domain=(0.0, float(numbers[-1])) if shape == "line" else (0.0, 0.0),
    )


def uneven_paths(leaves):
    """Twos of leaves under sixes under the root, and the last leaf of ten directly under it."""
    return [
        (leaf, leaf, leaf, "*") if i % 10 == 9 else (leaf, f"two {i // 2}", f"six {i // 6}", "*")
        for i, leaf in enumerate(leaves)
    ]


def twin_of(axis):
    if axis.hierarchy is None:
        return naive.Line(axis.positions.tolist(), axis.weight)
    return naive.Branching(list(axis.hierarchy.paths()), axis.weight)


@st.composite
def cases(draw):
    n_columns = draw(st.integers(1, 4))
    axes = tuple(
        axis(
            i,
            n_leaves=draw(st.sampled_from([1, 2, 3, 9, 1000])),
            has_missing=draw(st.booleans()),
            shape=draw(st.sampled_from(["line", "plain", "tree"])),
            weight=draw(st.sampled_from([0.5, 1.0, 1.0, 3.0])),
        )
        for i in range(n_columns)
    )
    record = st.tuples(*(st.integers(0, a.n_codes - 1) for a in axes), st.integers(0, 3))
    few_different = st.lists(record, min_size=1, max_size=8).flatmap(
        lambda pool: st.lists(st.sampled_from(pool), min_size=1, max_size=40)
    )
    records = draw(few_different | st.lists(record, min_size=1, max_size=40))
    return Case(
        records,
        axes,
        k=draw(st.integers(1, 5)),
        l=draw(st.integers(1, 3)),
        share=draw(st.sampled_from(SHARES)),
        strict=draw(st.booleans()),
    )


def random_case(seed):
    rng = np.random.default_rng(seed)
    n_columns = int(rng.integers(1, 5))
    axes = tuple(
        axis(
            i,
            n_leaves=int(rng.choice([2, 5, 30, 2000])),
            has_missing=bool(rng.integers(2)),
            shape=str(rng.choice(["line", "plain", "tree"])),
            weight=float(rng.choice([0.5, 1, 2])),
        )
        for i in range(n_columns)
    )
    n = int(rng.integers(2, 400 if IS_COMPILED else 80))
    columns = [rng.integers(0, a.n_codes, size=n) for a in axes]
    columns.append(rng.choice(4, size=n, p=[0.55, 0.2, 0.15, 0.1]))
    records = [tuple(map(int, record)) for record in zip(*columns, strict=True)]
    return Case(
        records,
        axes,
        k=int(rng.integers(1, 8)),
        l=int(rng.integers(1, 4)),
        share=float(rng.choice(SHARES)),
        strict=bool(seed % 2),
    )


def table_of(case):
    rows = Counter(case.records)
    in_order = sorted(rows)
    return Table(
        codes=np.array([row[:-1] for row in in_order], dtype=np.int32),
        sensitive=np.array([row[-1:] for row in in_order], dtype=np.int32),
        weights=np.array([rows[row] for row in in_order], dtype=np.int64),
        axes=case.axes,
        sensitive_columns=(SensitiveColumn("s", ("a", "b", "c", "d"), None, None, False),),
    )


def groups_of(grouping):
    """Group -> Counter of rows; -1 are the suppressed."""
    groups = {}
    for row, count, label in zip(grouping.rows, grouping.counts, grouping.labels, strict=True):
        groups.setdefault(int(label), Counter())[int(row)] += int(count)
    return groups


def as_multiset(groups):
    return Counter(frozenset(group.items()) for group in groups)


def assert_agrees(case):
    table = table_of(case)
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
        holds=holds,
        smallest=max(case.k, case.l),
        strict=case.strict,
    )
    good = [group for group in expected if holds(list(group.elements()))]
    bad = sum((group for group in expected if group not in good), Counter())
    assert groups.pop(-1, Counter()) == bad
    assert as_multiset(groups.values()) == as_multiset(good)


@given(cases())
@examples(400)
def test_groups_are_those_of_the_recursive_twin(case):
    assert_agrees(case)


@pytest.mark.parametrize("seed", SEEDS)
def test_groups_of_larger_random_tables_are_those_of_the_recursive_twin(seed):
    assert_agrees(random_case(seed))


@pytest.mark.parametrize("seed", SEEDS)
def test_boxes_are_the_smallest_around_the_groups(seed):
    case = random_case(seed)
    table, privacy = table_of(case), Privacy((KAnonymity(2),))

    grouping = Mondrian(strict=case.strict).group(table, privacy, Limits(threads=1))

    expected = naive.boxes(table.codes.tolist(), grouping.rows, grouping.labels)
    assert grouping.low.tolist() == [expected[g][0] for g in range(grouping.n_groups)]
    assert grouping.high.tolist() == [expected[g][1] for g in range(grouping.n_groups)]


@pytest.mark.parametrize("seed", SEEDS)
def test_every_record_of_every_row_is_placed_once(seed):
    case = random_case(seed)
    table, privacy = table_of(case), Privacy((KAnonymity(2),))

    grouping = Mondrian(strict=False).group(table, privacy, Limits(threads=1))

    placed = np.bincount(grouping.rows, weights=grouping.counts, minlength=table.n_rows)
    assert placed.tolist() == table.weights.tolist()
    assert (np.diff(grouping.rows) >= 0).all()
    parts = list(zip(grouping.rows.tolist(), grouping.labels.tolist(), strict=True))
    assert len(set(parts)) == len(parts)
