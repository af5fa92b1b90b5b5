"""One-pass k-means against its twin, which looks at every cluster for every record."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases.cluster import cases, random_case
from naive import oka as naive
from shoal.group.cluster.oka import Chance, Records, best_of, root_cost
from shoal.group.parts.cell_widths import diameter_ruler_of
from shoal.types.watch import Watch
from tiers import examples, seeds

SEEDS = seeds(4, thorough=40)


def records_of(case, k):
    table = case.table
    row_of = np.repeat(np.arange(table.n_rows), table.weights)
    return Records(table.codes, row_of, diameter_ruler_of(table), k, root_cost(table))


def single(records):
    """The codes of every record, for the twin."""
    return [tuple(map(int, records.codes[row])) for row in records.row_of]


def random_chance(records, k, rng):
    n_records = len(records.row_of)
    seeds = rng.choice(n_records, n_records // k, replace=False)
    return Chance(seeds.astype(np.int64), rng.permutation(n_records))


def clusters_of(labels):
    """Cluster -> its records, as the twin lists them."""
    found = {}
    for record, label in enumerate(labels.tolist()):
        if label >= 0:
            found.setdefault(label, []).append(record)
    return found


def assert_agrees(case, k, seed, *, adjust="paper", order="random", passes=1, may_drop=0):
    records = records_of(case, k)
    if len(records.row_of) < k:
        return
    chance = random_chance(records, k, np.random.default_rng(seed))

    labels = best_of(
        records, chance, adjust, Watch(), order=order, passes=passes, may_drop=may_drop
    )

    expected = naive.oka(
        case.columns,
        single(records),
        chance.seeds.tolist(),
        chance.turns.tolist(),
        k=k,
        adjust=adjust,
        order=order,
        passes=passes,
        may_drop=may_drop,
    )
    assert clusters_of(labels) == expected


@given(
    cases(),
    st.integers(1, 5),
    st.integers(0, 9),
    st.sampled_from(["paper", "least-loss"]),
    st.sampled_from(["random", "sorted"]),
    st.integers(1, 3),
    st.sampled_from([0, 3, 20]),
)
@examples(thorough=300)
def test_clusters_are_those_of_the_twin(case, k, seed, adjust, order, passes, may_drop):
    assert_agrees(case, k, seed, adjust=adjust, order=order, passes=passes, may_drop=may_drop)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("adjust", ["paper", "least-loss"])
def test_clusters_of_larger_random_tables_are_those_of_the_twin(seed, adjust):
    case = random_case(seed, n_most=150)
    n_records = len(case.records)

    assert_agrees(case, 1 + seed % 4, seed, adjust=adjust, may_drop=seed % 3 * n_records // 20)
