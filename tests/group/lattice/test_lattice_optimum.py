"""Full-domain algorithms against brute force and against transcriptions of the papers."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from cases.lattice import GROWING, SIZES, cases, random_case
from naive import lattice as naive
from shoal.errors import CannotSatisfy
from shoal.group.lattice.datafly import Datafly
from shoal.group.lattice.flash import Flash
from shoal.group.lattice.improved_greedy import ImprovedGreedy
from shoal.group.lattice.incognito import Incognito
from shoal.group.lattice.ola import Ola
from shoal.group.lattice.samarati import Samarati
from tiers import examples, seeds

SEEDS = seeds(4, thorough=16)
OPTIMAL = (Flash, Ola, Incognito)
METRIC = st.sampled_from(naive.METRICS)


def about(value):
    return pytest.approx(float(value), rel=1e-12, abs=1e-12)


def grouped(algorithm, case):
    """The grouping, or None where the algorithm says that there is none."""
    try:
        return algorithm.group(case.table, case.privacy, case.limits)
    except CannotSatisfy:
        return None


@pytest.mark.parametrize("metric", naive.METRICS)
@given(case=cases())
@examples(5, thorough=20)
def test_the_optimal_searches_find_what_brute_force_finds(metric, case):
    assert_optimal(case, case.twin, metric)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_optimal_searches_find_the_optimum_of_every_metric(seed):
    case = random_case(seed)
    twin = case.twin

    for metric in naive.METRICS:
        assert_optimal(case, twin, metric)


def assert_optimal(case, twin, metric):
    optimum = twin.optimum(metric)

    for algorithm in OPTIMAL:
        grouping = grouped(algorithm(metric=metric), case)

        if optimum is None:
            assert grouping is None
            continue
        assert twin.holds(grouping.levels)
        assert float(naive.cost(twin, grouping.levels, metric)) == about(optimum)
        assert grouping.trace["optimal"] is True
        assert grouping.trace["checks"] + grouping.trace["pruned"] == len(twin.nodes)


@pytest.mark.parametrize("algorithm", OPTIMAL)
def test_no_less_general_node_costs_as_little(algorithm):
    n_compared = 0
    for seed in SEEDS:
        case = random_case(seed)
        twin = case.twin
        for metric in naive.METRICS:
            grouping = grouped(algorithm(metric=metric), case)
            if grouping is None:
                continue
            cost = float(naive.cost(twin, grouping.levels, metric))
            below = [
                node
                for node in twin.holding()
                if node != grouping.levels and all(map(int.__le__, node, grouping.levels))
            ]
            assert all(float(naive.cost(twin, node, metric)) != about(cost) for node in below)
            n_compared += len(below)
    assert n_compared > 0


@given(cases(), st.sampled_from([*OPTIMAL, Datafly, Samarati, ImprovedGreedy]))
@examples(10, thorough=30)
def test_groups_are_the_records_that_are_equal_at_the_node(case, algorithm):
    table = case.table
    grouping = grouped(algorithm(), case)
    assume(grouping is not None)

    fate = case.twin.fates[grouping.levels]
    found = {}
    for label, count in zip(grouping.labels.tolist(), grouping.counts.tolist(), strict=True):
        found[label] = found.get(label, 0) + count
    assert found.pop(-1, 0) == len(fate.suppressed)
    assert sorted(found.values()) == sorted(len(group) for group in fate.kept)
    assert grouping.counts.sum() == table.n_records


@given(cases(), METRIC)
@examples(10, thorough=40)
def test_datafly_takes_the_way_of_its_transcription(case, metric):
    walk = naive.datafly(case.twin)

    grouping = grouped(Datafly(metric=metric), case)

    if walk.node is None:  # where models do not survive growth, all nodes are looked at then
        assert_true_optimum(grouping, case.twin, metric)
    else:
        assert_same_end(grouping, walk)


@given(cases(), METRIC)
@examples(10, thorough=40)
def test_samarati_takes_the_way_of_its_transcription(case, metric):
    twin = case.twin
    walk = naive.samarati(twin, metric)

    grouping = grouped(Samarati(metric=metric), case)

    if walk.node is None:  # halving passed by what holds, if anything does
        assert grouping is None or twin.holds(grouping.levels)
    else:
        assert grouping.trace["checks"] == walk.n_checks
        assert sum(grouping.levels) == sum(walk.node)
        assert_same_cost(twin, grouping.levels, walk.node, metric)


@given(cases())
@examples(10, thorough=40)
def test_improved_greedy_takes_the_way_of_the_paper(case):
    walk = naive.improved_greedy(case.twin)

    grouping = grouped(ImprovedGreedy(), case)

    if walk.node is None:  # it may have seen a node that holds on its way
        assert (grouping is None) == (not list(case.twin.holding()))
    else:
        assert_same_end(grouping, walk)


@given(cases(GROWING), METRIC)
@examples(10, thorough=40)
def test_improved_greedy_takes_what_costs_least_among_those_that_hold(case, metric):
    twin = case.twin
    walk = naive.improved_greedy(twin, "least-loss", metric)

    grouping = grouped(ImprovedGreedy(metric=metric, choice="least-loss"), case)

    assert (grouping is None) == (walk.node is None)
    assume(grouping is not None)
    assert grouping.trace["checks"] == walk.n_checks
    assert_same_cost(twin, grouping.levels, walk.node, metric)


@given(cases(SIZES), METRIC)
@examples(10, thorough=30)
def test_by_sizes_alone_the_better_choice_never_costs_more_than_the_papers(case, metric):
    assume(case.limit < len(case.sensitive))  # where nothing is left, the paper's choice goes on
    paper = grouped(ImprovedGreedy(metric=metric), case)
    better = grouped(ImprovedGreedy(metric=metric, choice="least-loss"), case)

    assert (paper is None) == (better is None)
    assert paper is None or better.trace["cost"] <= paper.trace["cost"]


@given(cases(GROWING))
@examples(10, thorough=30)
def test_the_greedy_walks_check_no_more_nodes_than_is_proven(case):
    twin = case.twin
    r, height = len(twin.heights), sum(twin.heights)

    for algorithm, most in [(Datafly(), 1 + height), (ImprovedGreedy(), 1 + r * height)]:
        grouping = grouped(algorithm, case)

        assert grouping is None or not grouping.trace["checks"] > most


def assert_true_optimum(grouping, twin, metric):
    costs = [float(naive.cost(twin, node, metric)) for node in twin.holding()]
    assert (grouping is None) == (not costs)
    assert grouping is None or grouping.trace["cost"] == about(min(costs))


def assert_same_end(grouping, walk):
    assert grouping.levels == walk.node
    assert grouping.trace["checks"] == walk.n_checks
    assert grouping.trace["optimal"] is False


def assert_same_cost(twin, levels, node, metric):
    """The same node, or another that costs the same but for rounding."""
    assert twin.holds(levels)
    found, expected = (float(naive.cost(twin, at, metric)) for at in (levels, node))
    assert levels == node or found == about(expected)
