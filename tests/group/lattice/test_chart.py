"""What a chart knows after some checks, against what is true of every node."""

import numpy as np
import pytest

from cases.lattice import random_case
from naive import lattice as naive
from shoal.group.lattice import _chart
from shoal.group.lattice._chart import Chart
from shoal.group.lattice._checker import Checker
from shoal.group.parts.threads import spread_over
from shoal.metrics import metric_to_minimise
from tiers import seeds

SEEDS = seeds(8, thorough=24)


def charted(case, metric="loss", *, share=1.0, seed=0):
    """A chart after checks of a share of the nodes in any order, and those checks."""
    with spread_over(1) as spread:
        checker = Checker(
            case.table, case.privacy, case.limits, metric=metric_to_minimise(metric), spread=spread
        )
        chart = Chart(checker)
        order = np.random.default_rng(seed).permutation(checker.grid.n_nodes)
        nodes = [checker.grid.node(int(flat)) for flat in order[: int(len(order) * share) + 1]]
        checks = {}
        for node in nodes:
            (checks[node],) = checker.check([node])
            chart.note(checks[node])
        return chart, checks


@pytest.mark.parametrize("metric", ["loss", "dm"])
@pytest.mark.parametrize("share", [0.05, 0.3, 1.0])
@pytest.mark.parametrize("seed", SEEDS)
def test_everything_on_a_chart_is_true(seed, share, metric):
    case = random_case(seed)
    twin = case.twin

    chart, checks = charted(case, metric, share=share, seed=seed)

    for node in twin.nodes:
        place = chart.grid.place(node)
        assert not (chart.holds[place] and chart.fails[place])
        assert not chart.holds[place] or twin.holds(node)
        assert not chart.fails[place] or not twin.holds(node)
        assert chart.is_checked[place] == (node in checks)
        assert chart.is_open(node) == (not chart.holds[place] and not chart.fails[place])
        if twin.holds(node):
            cost = float(naive.cost(twin, node, metric))
            assert chart.floor_of(node) <= cost * (1 + 1e-12) + 1e-12


@pytest.mark.parametrize("seed", SEEDS)
def test_a_chart_knows_what_follows_from_the_checks(seed):
    case = random_case(seed)
    twin = case.twin

    chart, checks = charted(case, share=0.2, seed=seed)

    for node in twin.nodes:
        known = [
            check
            for other, check in checks.items()
            if node == other
            or (check.holds_above and all(map(int.__le__, other, node)))
            or (check.fails_below and all(map(int.__le__, node, other)))
        ]
        assert chart.is_open(node) == (not known)


@pytest.mark.parametrize("seed", SEEDS)
def test_unchecked_are_the_nodes_that_may_hold_at_an_unknown_cost(seed):
    case = random_case(seed)
    chart, checks = charted(case, share=0.2, seed=seed)

    unchecked = chart.unchecked()

    assert chart.grid.n_nodes == len(case.twin.nodes)
    for flat in range(chart.grid.n_nodes):
        node = chart.grid.node(flat)
        is_known_to_fail = chart.fails[chart.grid.place(node)]
        assert unchecked[flat] == (node not in checks and not is_known_to_fail)


@pytest.mark.parametrize("seed", SEEDS)
def test_nodes_come_by_rising_floor_and_equal_ones_in_their_order(seed):
    chart, _ = charted(random_case(seed), share=0.2, seed=seed)
    chosen = np.random.default_rng(seed).random(chart.grid.n_nodes) < 0.5

    order = chart.by_floor(chosen).tolist()

    floors = chart.floor.ravel()
    assert order == sorted(np.flatnonzero(chosen).tolist(), key=lambda flat: (floors[flat], flat))


@pytest.mark.parametrize("seed", SEEDS)
def test_minimal_nodes_hold_and_none_just_below_does(seed):
    case = random_case(seed)
    twin = case.twin
    chart, _ = charted(case)

    minimal = chart.minimal()

    for node in twin.nodes:
        below = [other for other in chart.grid.below(node) if twin.holds(other)]
        assert minimal[chart.grid.place(node)] == (twin.holds(node) and not below)


def test_floors_are_the_same_computed_in_parts(monkeypatch):
    case = random_case(1)
    whole, _ = charted(case, share=0)
    monkeypatch.setattr(_chart, "AT_ONCE", 3)

    parts, _ = charted(case, share=0)

    np.testing.assert_allclose(parts.floor, whole.floor, rtol=1e-15)
