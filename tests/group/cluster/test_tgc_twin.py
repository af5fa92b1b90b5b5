"""TGC against its twin, which computes every cost anew from single records."""

import math
from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive as twins
from cases.groups import as_multiset, groups_of
from cases.handmade import encoded
from cases.tgc import cases, random_case
from naive import tgc as naive
from shoal.group.cluster import _diversity
from shoal.group.cluster._diversity import diversity_figures, likeness_of, measured
from shoal.group.cluster._join import join_left_over
from shoal.group.cluster._subspaces import cut_subspaces
from shoal.group.cluster._thresholds import _sample, choose_thresholds
from shoal.group.cluster.tgc import Tgc, Weights
from shoal.group.parts.threads import spread_over
from shoal.kernels.tgc import Rules
from shoal.privacy.k_anonymity import KAnonymity
from shoal.types.algorithm import Limits
from shoal.types.privacy import Privacy
from tiers import examples, seeds

SEEDS = seeds(2, thorough=6)
WEIGHTS = [(1.0, 0.0), (0.5, 0.5), (0.0, 1.0)]
DELTAS = [0.0, 0.2, 0.3, 0.5, 0.55, 0.8, 1.0]
RANGES = [1.0, 0.5, 0.25, 0.0]


def records_of(table):
    """A record for each of the rows of a table, and the row of every single record."""
    codes, values = table.codes.tolist(), table.sensitive.tolist()
    rows = np.repeat(np.arange(table.n_rows), table.weights).tolist()
    return list(zip(codes, values, strict=True)), rows


def parts_of(table, size, limit, r):
    """The rows of each part's records, as the fast version cuts them."""
    with spread_over(1) as spread:
        parts = cut_subspaces(table, size, limit, likeness=likeness_of(table, r), spread=spread)
    return [np.repeat(*parts.part(i)).tolist() for i in range(parts.n_parts)]


def assert_agrees(case, *, k, weights, r, delta, most, seed):
    table, cost = case.table, case.cost(*weights, r)
    if table.n_records < k:
        return
    algorithm = Tgc(Weights(*weights), r=r, s=2 * k, delta=delta, delta_prime=2.0, max_size=most)

    grouping = algorithm.group(table, Privacy((KAnonymity(k),)), Limits(seed=seed, threads=1))

    records, _ = records_of(table)
    draws = np.random.default_rng([seed, 1]).random(table.n_records).tolist()
    expected = naive.cluster_parts(
        cost, records, parts_of(table, 2 * k, 2.0, r),
        draws=draws, k=k, most=most or math.inf, delta=delta,
    )  # fmt: skip
    found = as_multiset(groups_of(grouping).values())
    assert found == as_multiset(map(Counter, expected))


@given(
    cases(),
    st.integers(1, 4),
    st.sampled_from(WEIGHTS),
    st.sampled_from(RANGES),
    st.sampled_from(DELTAS),
    st.booleans(),
    st.integers(0, 3),
)
@examples(10, thorough=60)
def test_groups_are_those_of_the_twin(case, k, weights, r, delta, is_capped, seed):
    most = 2 * k - 1 if is_capped else 0
    assert_agrees(case, k=k, weights=weights, r=r, delta=delta, most=most, seed=seed)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("weights", WEIGHTS)
def test_groups_of_larger_random_tables_are_those_of_the_twin(seed, weights):
    k, delta = 2 + seed % 4, DELTAS[2 + seed % 5]
    r = RANGES[seed % 3]
    assert_agrees(
        random_case(seed), k=k, weights=weights, r=r, delta=delta, most=2 * k - 1, seed=seed
    )


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("weights", WEIGHTS)
def test_left_over_records_join_the_clusters_of_the_twin(seed, weights):
    case = random_case(seed, n_most=90)
    table, r = case.table, RANGES[seed % 4]
    records, rows = records_of(table)
    rng = np.random.default_rng(seed)
    n_clusters = int(rng.integers(1, 30))
    labels = rng.integers(-len(rows), n_clusters, size=len(rows))
    labels[:n_clusters] = np.arange(min(n_clusters, len(rows)))
    labels = np.maximum(labels, -1)
    measure = measured(table, utility=weights[0], protection=weights[1], r=r)

    with spread_over(1) as spread:
        joined = join_left_over(
            measure, np.array(rows, dtype=np.int32), labels.astype(np.int32), spread
        )

    given_clusters = [
        [row for row, label in zip(rows, labels, strict=True) if label == cluster]
        for cluster in range(int(labels.max()) + 1)
    ]
    left = [row for row, label in zip(rows, labels, strict=True) if label < 0]
    cost = case.cost(*weights, r)
    expected = naive.join(cost, records, given_clusters, left)
    assert len(joined.rows) == len(rows)
    for cluster, members in enumerate(expected):
        assert Counter(joined.rows[joined.labels == cluster].tolist()) == Counter(members)
        chosen = naive.members(records, members)
        assert joined.spreads[cluster] == pytest.approx(cost.spread(chosen))
        assert joined.s_diversities[cluster] == pytest.approx(cost.s_diversity(chosen))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("bounds", [{"MOST_BUCKETS": 3}, {"ALL_BUCKETS": 1}, {"ROOM": 0}])
def test_how_values_are_bounded_does_not_change_the_groups(seed, bounds, monkeypatch):
    table = random_case(seed).table
    algorithm, privacy = Tgc(delta=0.5), Privacy((KAnonymity(3),))

    before = algorithm.group(table, privacy, Limits(seed=seed, threads=1))
    for name, value in bounds.items():
        monkeypatch.setattr(_diversity, name, value)
    after = algorithm.group(table, privacy, Limits(seed=seed, threads=1))

    assert before.labels.tolist() == after.labels.tolist()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("limit", [0.4, 0.7, 1.0])
def test_subspaces_are_those_of_the_twin(seed, limit):
    case = random_case(seed, n_most=300)
    table, r, size = case.table, RANGES[seed % 4], 2 + seed % 7
    records, rows = records_of(table)
    cost = case.cost(0.5, 0.5, r)

    found = parts_of(table, size, limit, r)

    def holds(part):
        if len(part) < size:
            return False
        diversity = cost.s_diversity([records[row] for row in part])
        return len(part) >= 10 * size or diversity <= limit + 1e-12

    expected = [Counter(rows)]
    if holds(rows):
        expected = twins.mondrian(
            table.codes.tolist(),
            table.weights.tolist(),
            columns=[twin_of_cuts(axis) for axis in case.axes],
            names=[axis.name for axis in case.axes],
            holds=holds,
            smallest=size,
            strict=True,
        )
    assert as_multiset(map(Counter, found)) == as_multiset(expected)


@pytest.mark.parametrize("seed", SEEDS)
def test_subspaces_of_many_rows_are_divided_and_lose_no_record(seed):
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame({"a": rng.integers(0, 2, 300), "b": [7] * 300, "s": range(300)})
    table = encoded(frame, {"a": "quasi", "b": "quasi", "s": "sensitive"}).table

    parts = parts_of(table, 3, 1.0, 1.0)

    assert all(30 <= len(part) <= 60 for part in parts)
    assert sorted(row for part in parts for row in part) == list(range(300))
    for part in parts:  # equal in all but the sensitive values, and those are of the whole range
        values = table.sensitive[part, 0]
        assert len({*map(tuple, table.codes[part].tolist())}) == 1
        assert values.max() - values.min() > 200


def twin_of_cuts(axis):
    if axis.hierarchy is None:
        return twins.Line(axis.positions.tolist(), axis.weight)
    return twins.Branching(list(axis.hierarchy.paths()), axis.weight)


@pytest.mark.parametrize("seed", seeds(1, thorough=12))
@pytest.mark.parametrize("weights", WEIGHTS)
def test_thresholds_are_those_of_the_twin(seed, weights):
    case = random_case(seed, n_most=60)
    table, k, r = case.table, 2 + seed % 3, RANGES[seed % 2]
    rules = Rules(k=k, most=2 * k - 1, delta=math.inf)
    measure = measured(table, utility=weights[0], protection=weights[1], r=r)

    with spread_over(1) as spread:
        found = choose_thresholds(measure, rules, Limits(seed=seed), spread)

    random = np.random.default_rng([seed, 3])
    sample = _sample(table, k, random)
    rows = np.repeat(sample.rows, sample.counts).tolist()
    records, _ = records_of(table)
    delta, delta_prime = naive.thresholds(
        case.cost(*weights, r), records, rows,
        draws=random.random(len(rows)).tolist(), k=k, most=2 * k - 1,
    )  # fmt: skip
    assert found.delta == delta
    assert found.delta_prime == pytest.approx(delta_prime)


@pytest.mark.parametrize("seed", SEEDS)
def test_figures_are_those_of_the_definitions(seed):
    case = random_case(seed)
    table, r = case.table, RANGES[seed % 4]
    grouping = Tgc(r=r).group(table, Privacy((KAnonymity(3),)), Limits(seed=seed))

    figures = diversity_figures(grouping, table, r)

    records, _ = records_of(table)
    groups = [naive.members(records, g.elements()) for g in groups_of(grouping).values()]
    cost = case.cost(0.5, 0.5, r)
    spreads = [
        sum(c.spread([codes[i] for codes, _ in group]) for i, c in enumerate(cost.columns))
        for group in groups
    ]
    diversities, sizes = [cost.s_diversity(group) for group in groups], list(map(len, groups))
    assert figures["utility"] == pytest.approx(np.mean(spreads))
    assert figures["protection"] == pytest.approx(np.mean(diversities))
    by_record = np.average(diversities, weights=sizes)
    assert figures["protection_by_record"] == pytest.approx(by_record)
    assert figures["utility_by_record"] == pytest.approx(np.average(spreads, weights=sizes))
    assert {key: grouping.trace[key] for key in figures} == figures
