"""The search for lattices that are too large to chart."""

from functools import cache
from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest

import shoal
from naive import lattice as naive
from naive.adult_lattice import NINE, adult_frame, adult_table, hierarchy_of
from naive.handmade import encoded, quasi
from naive.lattice_cases import random_case
from shared_data import needs_shared
from shoal.errors import CannotSatisfy
from shoal.group.lattice import _grid, _search
from shoal.group.lattice._checker import Checker
from shoal.group.lattice._full_domain import _metric
from shoal.group.lattice.datafly import Datafly
from shoal.group.lattice.flash import Flash
from shoal.group.lattice.improved_greedy import ImprovedGreedy
from shoal.group.lattice.incognito import Incognito
from shoal.group.lattice.ola import Ola
from shoal.group.lattice.samarati import Samarati
from shoal.group.parts.threads import spread_over
from shoal.policy.policy import Policy
from shoal.privacy.k_anonymity import KAnonymity
from shoal.read.source import Source
from shoal.runs.anonymize import anonymize
from shoal.types.algorithm import Limits
from shoal.types.privacy import Privacy
from shoal.types.watch import Watch

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
        checker = Checker(table, privacy, limits, metric=_metric(metric), spread=spread)
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
@pytest.mark.parametrize("seed", range(24))
def test_it_never_ends_worse_than_improved_greedy(seed, algorithm, without_charts):
    case = random_case(seed)
    twin, table = case.twin, case.table
    metric = naive.METRICS[seed % len(naive.METRICS)]
    try:
        greedy = ImprovedGreedy(metric=metric, choice="least-loss").group(
            table, case.privacy, case.limits
        )
    except CannotSatisfy:
        greedy = None

    try:
        found = algorithm(metric=metric).group(table, case.privacy, case.limits)
    except CannotSatisfy:
        assert greedy is None
        return

    assert twin.holds(found.levels)
    assert found.trace["optimal"] is False
    cost, of_greedy = (
        float(naive.cost(twin, grouping.levels, metric)) for grouping in (found, greedy)
    )
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
    clock = iter([0.0, 0.0, 0.0, 9.0])  # the second check comes too late
    monkeypatch.setattr(_search, "time", SimpleNamespace(monotonic=lambda: next(clock)))

    grouping = Flash(seconds=1).group(table, Privacy((KAnonymity(2),)), Limits(threads=1))

    assert grouping.trace["stopped"] == "time"
    assert grouping.trace["pruned"] >= 0


@needs_shared
def test_asked_to_stop_it_ends_with_the_best_so_far(without_charts, monkeypatch):
    monkeypatch.setattr(_search, "TELL_EVERY", 0)
    table = adult_table(NINE)
    told = []

    def tell(progress):
        told.append(progress)
        if watch.may_stop:
            assert watch.ask_to_stop()

    watch = Watch(tell)
    privacy, limits = Privacy((KAnonymity(5),)), limits_for(table, 1, watch=watch)

    grouping = Flash(metric="loss-geometric").group(table, privacy, limits)

    assert grouping.trace["stopped"] == "interrupt"
    assert grouping.trace["optimal"] is False
    assert watch.is_stopped
    assert cost_at(grouping.levels, table, privacy, limits, "loss") < np.inf
    assert "nodes evaluated" in told[-1]
    assert not any(leaf in "".join(told) for leaf in ("White", "Private", "Bachelors"))


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
