"""The search for lattices that are too large to chart."""

from functools import cache
from math import inf
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

import shoal
from cases.adult import NINE, adult_frame, adult_table, hierarchy_of
from cases.handmade import encoded, quasi
from cases.lattice import random_case
from naive import lattice as naive
from shared_data import needs_shared
from shoal.errors import CannotSatisfy
from shoal.group.lattice import _anytime, _grid, _search
from shoal.group.lattice._checker import Checker
from shoal.group.lattice._search import Search, take_first_of_datafly
from shoal.group.lattice.datafly import Datafly
from shoal.group.lattice.flash import Flash
from shoal.group.lattice.improved_greedy import ImprovedGreedy
from shoal.group.lattice.incognito import Incognito
from shoal.group.lattice.ola import Ola
from shoal.group.lattice.samarati import Samarati
from shoal.group.parts.threads import spread_over
from shoal.metrics import metric_to_minimise
from shoal.policy.policy import Policy
from shoal.privacy.k_anonymity import KAnonymity
from shoal.read.source import Source
from shoal.report.summarise import summarise
from shoal.runs.anonymize import anonymize
from shoal.types import watch as watch_module
from shoal.types.algorithm import Limits
from shoal.types.privacy import Privacy
from shoal.types.watch import Watch
from tiers import only_thorough, seeds

SETTINGS = pytest.mark.parametrize(
    ("k", "percent"), [(k, percent) for k in (2, 5, 10, 50, 100) for percent in (0, 1, 5)]
)


@pytest.fixture
def without_charts(monkeypatch):
    monkeypatch.setattr(_grid, "MOST_NODES", 0)


def limits_for(table, percent, **more):
    return Limits(suppression=table.n_records * percent // 100, **more)


def cost_at(node, table, privacy, limits, metric):
    with spread_over(2) as spread:
        checker = Checker(table, privacy, limits, metric=metric_to_minimise(metric), spread=spread)
        (check,) = checker.check([node])
    return check.cost


@cache
def proven_optimum(k, percent):
    table = adult_table(NINE)
    privacy, limits = Privacy((KAnonymity(k),)), limits_for(table, percent)
    grouping = Flash(metric="loss-geometric").group(table, privacy, limits)
    assert grouping.trace["optimal"] is True
    return cost_at(grouping.levels, table, privacy, limits, "loss-geometric")


@needs_shared
@SETTINGS
def test_on_adult_it_finds_the_optimum_and_claims_nothing(k, percent, monkeypatch):
    table, metric = adult_table(NINE), "loss-geometric"
    privacy, limits = Privacy((KAnonymity(k),)), limits_for(table, percent)
    optimum = proven_optimum(k, percent)
    monkeypatch.setattr(_grid, "MOST_NODES", 0)

    found = Flash(metric=metric).group(table, privacy, limits)

    greedy = ImprovedGreedy(metric=metric, choice="least-loss").group(table, privacy, limits)
    cost = cost_at(found.levels, table, privacy, limits, metric)
    assert cost <= cost_at(greedy.levels, table, privacy, limits, metric)
    assert cost == pytest.approx(optimum, rel=1e-12)
    assert found.trace["optimal"] is False
    assert found.trace["stopped"] is None


@pytest.mark.parametrize("algorithm", [Flash, Ola, Incognito, Samarati])
@pytest.mark.parametrize("seed", seeds(3, thorough=24))
def test_it_never_ends_worse_than_improved_greedy(seed, algorithm, without_charts):
    case = random_case(seed)
    twin, table = case.twin, case.table
    metric = naive.METRICS[seed % len(naive.METRICS)]

    def cost_of(search):
        """What its node costs, which is no end where it finds none."""
        try:
            found = search.group(table, case.privacy, case.limits)
        except CannotSatisfy:
            return inf
        assert twin.holds(found.levels)
        assert found.trace["optimal"] is False
        return float(naive.cost(twin, found.levels, metric))

    cost = cost_of(algorithm(metric=metric))

    of_greedy = cost_of(ImprovedGreedy(metric=metric, choice="least-loss"))
    assert cost <= of_greedy * (1 + 1e-12) + 1e-12


@needs_shared
@pytest.mark.parametrize("algorithm", [Flash, Ola, Incognito, Samarati, Datafly, ImprovedGreedy])
@pytest.mark.parametrize("most_nodes", [0, 4_000_000])
def test_out_of_time_it_still_ends_at_a_node_that_holds(algorithm, most_nodes, monkeypatch):
    monkeypatch.setattr(_grid, "MOST_NODES", most_nodes)
    table = adult_table(NINE)
    privacy, limits = Privacy((KAnonymity(5),)), limits_for(table, 5)

    grouping = algorithm(seconds=1e-9).group(table, privacy, limits)

    assert grouping.trace["stopped"] == "time"
    assert grouping.trace["optimal"] is False
    assert grouping.n_suppressed <= limits.suppression
    assert cost_at(grouping.levels, table, privacy, limits, "loss") < np.inf


def test_out_of_time_what_is_pruned_is_still_counted(monkeypatch):
    frame = pl.DataFrame({"age": [1, 90]})  # of four nodes only the top holds
    table = encoded(frame, {"age": quasi(shoal.intervals(10, 20))}).table
    clock = iter([0.0, 0.0, 9.0])  # the second check comes too late
    monkeypatch.setattr(_search, "time", SimpleNamespace(monotonic=lambda: next(clock)))

    grouping = Flash(seconds=1).group(table, Privacy((KAnonymity(2),)), Limits(threads=1))

    assert grouping.trace["stopped"] == "time"
    assert grouping.trace["pruned"] >= 0


@needs_shared
def test_asked_to_stop_it_ends_with_the_best_so_far(without_charts, monkeypatch):
    monkeypatch.setattr(watch_module, "EVERY", 0)
    table = adult_table(NINE)
    told = []

    def hear(progress):
        told.append(progress)
        if watch.may_stop:
            assert watch.ask_to_stop()

    watch = Watch(hear)
    privacy, limits = Privacy((KAnonymity(5),)), limits_for(table, 1, watch=watch)

    grouping = Flash(metric="loss-geometric").group(table, privacy, limits)

    assert grouping.trace["stopped"] == "interrupt"
    assert grouping.trace["optimal"] is False
    assert watch.is_stopped
    assert cost_at(grouping.levels, table, privacy, limits, "loss") < np.inf
    assert told[-1].unit == "nodes"
    assert told[-1].done <= told[-1].total == Flash().checks
    assert told[-1].best >= grouping.trace["cost"]


def test_only_a_search_that_has_a_result_can_be_stopped(without_charts):
    case = random_case(0)
    watch = Watch()

    Flash().group(case.table, case.privacy, Limits(suppression=case.limit, watch=watch))

    assert watch.may_stop is False
    assert not watch.ask_to_stop()


@needs_shared
@pytest.mark.parametrize("most_nodes", [0, 4_000_000])
@pytest.mark.parametrize("algorithm", [Flash, Ola, Incognito])
def test_one_thread_and_two_find_the_same(algorithm, most_nodes, monkeypatch):
    monkeypatch.setattr(_grid, "MOST_NODES", most_nodes)
    table, privacy = adult_table(NINE[:6]), Privacy((KAnonymity(10),))

    one, two = (
        algorithm(metric="entropy").group(table, privacy, limits_for(table, 2, threads=n))
        for n in (1, 2)
    )

    assert one.levels == two.levels
    assert one.trace == two.trace
    assert one.labels.tolist() == two.labels.tolist()


def twenty_columns():
    """Adult's nine columns, shuffled copies of them, and of two of them once more."""
    frame, rng = adult_frame(), np.random.default_rng(0)
    columns = {name: frame[name] for name in NINE}
    for name, copy in [(name, f"{name} 2") for name in NINE] + [
        (name, f"{name} 3") for name in ("age", "education")
    ]:
        columns[copy] = frame[name].gather(rng.permutation(len(frame))).alias(copy)
    return pl.DataFrame(columns)


@only_thorough
@needs_shared
def test_of_twenty_columns_it_releases_more_than_datafly():
    frame = twenty_columns()
    hierarchies = {name: hierarchy_of(name.split(" ")[0]) for name in frame.columns}

    def release_of(algorithm):
        policy = Policy.of_roles(
            quasi=hierarchies,
            privacy=[KAnonymity(5)],
            algorithm=algorithm,
            suppression=0.05,
        )
        return anonymize(Source.of_frame(frame), policy)

    flash = release_of({"name": "flash", "checks": 1500})
    datafly = release_of("datafly")

    assert len(frame.columns) == 20
    assert flash.verdict.holds
    assert flash.measures["loss"] < datafly.measures["loss"]
    assert flash.summary()["optimal"] is False
    assert flash.summary()["stopped"] is None
    assert flash.summary()["checks"] == 1500


def test_levels_beyond_127_are_levels_too(without_charts):
    codes = ["a" * 139 + letter for letter in "bcde"] + ["x" * 140]
    frame = pl.DataFrame({"code": codes, "other": codes[::-1]})
    table = encoded(frame, dict.fromkeys(frame.columns, quasi(shoal.prefix(140)))).table

    grouping = Flash().group(table, Privacy((KAnonymity(2),)), Limits())

    assert grouping.levels == (140, 140)


def of_many_columns(n_columns: int = 12, n_rows: int = 400):
    """A lattice of 5 ** 12 nodes, and more rows than a short search can roll up often."""
    rng = np.random.default_rng(7)
    names = [f"c{i}" for i in range(n_columns)]
    frame = pl.DataFrame({name: rng.integers(0, 40, n_rows) for name in names})
    hierarchy = shoal.intervals(5, 10, 20)
    return encoded(frame, {name: quasi(hierarchy) for name in names}).table


@pytest.mark.parametrize("most_rows", [1_000, 30_000, 300_000])
def test_it_ends_after_so_much_work_with_the_best_so_far(most_rows, monkeypatch):
    monkeypatch.setattr(_anytime, "MOST_ROWS", most_rows)
    table, privacy = of_many_columns(), Privacy((KAnonymity(3),))
    search = Flash(checks=1_000)

    found, alone = (
        search.group(table, privacy, Limits(suppression=8, threads=threads)) for threads in (2, 1)
    )

    assert found.trace["stopped"] == "work"
    assert found.trace["optimal"] is False
    assert found.trace["checks"] < 1_000
    assert found.n_suppressed <= 8
    assert (found.levels, found.trace) == (alone.levels, alone.trace)


def test_more_work_never_ends_worse(monkeypatch):
    table, privacy, limits = of_many_columns(), Privacy((KAnonymity(3),)), Limits(suppression=8)
    costs = []
    for most_rows in (1_000, 300_000, 50_000_000):
        monkeypatch.setattr(_anytime, "MOST_ROWS", most_rows)
        costs.append(Flash(checks=1_000).group(table, privacy, limits).trace["cost"])

    assert costs == sorted(costs, reverse=True)


@pytest.mark.parametrize("seed", seeds(3, thorough=40))
def test_halving_dataflys_way_finds_the_first_node_that_holds(seed, without_charts):
    case = random_case(seed)
    with spread_over(1) as spread:
        search = Search(
            case.table, case.privacy, case.limits,
            metric=metric_to_minimise("loss"), seconds=None, spread=spread,
        )  # fmt: skip
        way = [search.grid.bottom]
        while (above := search.most_varied_above(way[-1])) is not None:
            way.append(above)

        take_first_of_datafly(search)

    first = next((node for node in way if case.twin.holds(node)), None)
    assert (None if search.best is None else search.best.node) == first


def test_the_summary_says_that_nothing_is_proven(without_charts, monkeypatch):
    monkeypatch.setattr(_anytime, "MOST_ROWS", 0)
    frame = pl.DataFrame({f"c{i}": range(40) for i in range(6)})
    rules = {"quasi": {name: shoal.intervals(5, 10, 20) for name in frame.columns}}

    release = shoal.anonymize(frame, **rules, privacy=[KAnonymity(3)], algorithm="flash")

    (note,) = (note for note in summarise(release)["notes"] if "ended early" in note)
    checks = release.summary()["checks"]
    assert f"(not proven optimal; stopped after {checks} checks)" in note
    assert "raise `checks`" in note
