"""What the checker says of a node, against the records themselves."""

import numpy as np
import pytest

from cases.lattice import (
    Case,
    at_most,
    both,
    even,
    k_anonymous,
    no_majority,
    random_case,
    random_paths,
)
from naive import lattice as naive
from shoal.group.lattice._checker import Checker
from shoal.group.parts.threads import spread_over
from shoal.metrics import metric_to_minimise, minimisable
from tiers import seeds

SEEDS = seeds(8, thorough=24)  # a multiple of the kinds of models in a random case


def checks_of(case, metric="loss"):
    with spread_over(1) as spread:
        checker = Checker(
            case.table, case.privacy, case.limits, metric=metric_to_minimise(metric), spread=spread
        )
        nodes = [checker.grid.node(flat) for flat in range(checker.grid.n_nodes)]
        return checker, dict(zip(nodes, checker.check(nodes), strict=True))


def test_the_twin_knows_all_metrics():
    assert sorted(minimisable()) == sorted(naive.METRICS)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_node_holds_where_few_enough_records_fail_and_some_are_left(seed):
    case = random_case(seed)
    twin = case.twin

    checker, checks = checks_of(case)

    assert checker.n_checks == len(checks) == len(twin.nodes)
    for node, check in checks.items():
        assert check.holds == twin.holds(node)
        assert sorted(check.sizes) == sorted(len(group) for group in twin.groups_at(node))
        if check.holds or case.rule.survives_growth:
            assert check.n_failing == twin.n_failing(node)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_said_of_nodes_above_and_below_is_true_of_them(seed):
    case = random_case(seed)
    twin = case.twin

    _, checks = checks_of(case)

    assert checks.keys() == set(twin.nodes)
    for node, check in checks.items():
        above = [other for other in twin.nodes if all(map(int.__le__, node, other))]
        below = [other for other in twin.nodes if all(map(int.__le__, other, node))]
        assert not check.holds_above or all(map(twin.holds, above))
        assert not check.fails_below or not any(map(twin.holds, below))


@pytest.mark.parametrize("metric", minimisable())
@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_node_costs_is_what_the_metric_means(seed, metric):
    case = random_case(seed)
    twin = case.twin

    _, checks = checks_of(case, metric)

    assert checks.keys() == set(twin.nodes)
    for node, check in checks.items():
        expected = float(naive.cost(twin, node, metric)) if twin.holds(node) else np.inf
        assert check.cost == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("metric", minimisable())
@pytest.mark.parametrize("seed", seeds(4, thorough=8))
def test_no_node_above_costs_less_than_the_floor(seed, metric):
    case = random_case(seed)
    twin = case.twin
    checker, checks = checks_of(case, metric)
    floors = checker.floors(np.array(twin.nodes))

    unsuppressed = {
        node: naive.cost_of_fate(twin, node, naive.Fate(twin.groups_at(node), []), metric)
        for node in twin.nodes
    }

    for node, floor in zip(twin.nodes, floors, strict=True):
        floor = max(floor, checks[node].floor)
        assert floor == pytest.approx(float(unsuppressed[node]), rel=1e-12, abs=1e-12)
        for other in twin.nodes:
            if all(map(int.__le__, node, other)):
                assert floor <= float(naive.cost(twin, other, metric)) * (1 + 1e-12) + 1e-12


@pytest.mark.parametrize(
    ("rule", "limit", "is_monotone"),
    [
        (k_anonymous(2), 0, True),
        (k_anonymous(2), 3, True),
        (no_majority(), 0, True),
        (no_majority(), 3, False),
        (both(k_anonymous(2), even()), 0, True),
        (at_most(4), 0, False),
        (both(k_anonymous(2), at_most(4)), 3, False),
    ],
)
def test_holding_lasts_upwards_where_models_outlive_what_happens_there(rule, limit, is_monotone):
    ladder = naive.Ladder(["a", "a", "b", "b"], [("a", "*"), ("b", "*")])
    case = Case((ladder,), list("xyxy"), rule, limit, already=0)

    checker, _ = checks_of(case)

    assert checker.is_monotone == is_monotone


@pytest.mark.parametrize("seed", range(5))
def test_groups_of_thirty_columns_are_told_apart(seed):
    rng = np.random.default_rng(seed)
    columns = []
    for _ in range(30):
        paths = random_paths(rng)
        leaves = [path[0] for path in paths]
        columns.append(naive.Ladder([leaves[i] for i in rng.integers(0, len(leaves), 40)], paths))
    case = Case(
        tuple(columns), rng.choice(list("abc"), 40).tolist(), no_majority(), limit=20, already=0
    )
    twin, table = case.twin, case.table
    nodes = []
    for _ in range(10):
        is_top = rng.random(30) < 0.9
        nodes.append(tuple(np.where(is_top, twin.heights, 0).tolist()))

    with spread_over(1) as spread:
        checker = Checker(
            table, case.privacy, case.limits, metric=metric_to_minimise("loss"), spread=spread
        )
        checks = checker.check(nodes)

    for node, check in zip(nodes, checks, strict=True):
        groups = [[twin.sensitive[record] for record in g] for g in twin.groups_at(node)]
        assert sorted(check.sizes) == sorted(map(len, groups))
        n_failing = sum(len(group) for group in groups if not case.rule.holds(group))
        assert check.holds == (n_failing <= 20)
