"""Sweep: its moves against their naive twin, and what it promises."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from naive.sweep import sizes_of, total_cost
from shoal.group.local._asking import AskingByMembers, AskingByValues, holds
from shoal.group.local._groups import parts_of
from shoal.group.local._search import LocalSearch
from shoal.group.local.sweep import Sweep, _start
from shoal.group.parts.threads import spread_over
from shoal.kernels.sweep_anneal import propose
from shoal.kernels.sweep_state import CANDIDATES
from shoal.types.algorithm import Limits
from shoal.types.privacy import Privacy
from shoal.types.watch import Watch
from tiers import seeds

from cases.handmade import encoded, quasi  # isort: skip

TREES = {
    "job": {"Care": ["nurse", "doctor", "aide"], "Kitchen": ["cook", "baker"], "Sea": ["fisher"]},
    "place": {"north": {"coast": ["a", "b"], "hills": ["c", "d"]}, "south": {"plain": ["e", "f"]}},
    "sex": {"any": ["f", "m"]},
}
JOBS = ["nurse", "doctor", "aide", "cook", "baker", "fisher"]


def small_table(seed, n=60):
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "job": rng.choice(JOBS, n),
            "place": rng.choice(list("abcdef"), n),
            "sex": rng.choice(["f", "m"], n),
        }
    )
    return encoded(frame, {name: quasi(shoal.tree(tree)) for name, tree in TREES.items()}).table


def begun(table, k, seed):
    """A search at its beginning, with short rounds: what its kernels work on."""
    privacy = Privacy((shoal.KAnonymity(k),))
    start = _start(table, privacy, Limits(threads=1))
    with spread_over(1) as spread:
        search = LocalSearch(start, table, privacy, room=0, asks=False, seed=seed, spread=spread)
        search._list_all()
    return search


def one_move(search, seed, heat=0.3):
    """Propose until a move is found: its room, and that it is the only one there."""
    room, chance = search.rooms[0], np.array([seed], dtype=np.uint64)
    for _ in range(200):
        propose(
            search.ordered.space, search.state, search.near, room, heat, 1, chance, Watch().pulse()
        )
        if room.numbers[CANDIDATES]:
            return room
    return None


def parts_listed(state):
    return list(zip(*(column.tolist() for column in parts_of(state)), strict=True))


@pytest.mark.parametrize("seed", seeds(2, thorough=20))
def test_every_move_costs_at_most_what_it_says_and_leaves_groups_of_k(seed):
    table, k = small_table(seed), 3
    search = begun(table, k, seed)
    state, rows = search.state, search.ordered.space.codes.tolist()
    paths = [list(axis.hierarchy.paths()) for axis in table.axes]
    cost, n_moves = total_cost(rows, paths, parts_listed(state)), 0

    for i in range(150):
        room = one_move(search, 1000 * seed + i)
        if room is None:
            continue
        search.make(search.rooms)
        parts = parts_listed(state)
        after = total_cost(rows, paths, parts)
        n_moves += 1

        assert after - cost <= room.candidates.change[0] + 1e-9
        assert search.cost == pytest.approx(after, abs=1e-9)
        assert min(sizes_of(parts).values()) >= k
        assert sum(sizes_of(parts).values()) == table.n_records
        cost = after
    assert n_moves > 10  # few where nothing is left to improve


@pytest.mark.parametrize("seed", seeds(2, thorough=20))
def test_rows_list_exactly_the_groups_whose_boxes_cover_them(seed):
    table = small_table(seed)
    search = begun(table, 3, seed)
    for i in range(40):
        if one_move(search, 1000 * seed + i) is not None:
            search.make(search.rooms)
    state = search.state
    alive = np.flatnonzero(state.groups.n_records > 0)
    low, high = state.boxes[alive, ::2], state.boxes[alive, 1::2]

    for row, codes in enumerate(search.ordered.space.codes):
        inside = (low <= codes) & (codes <= high)
        listed = sorted(state.cover[row, : state.links.n_cover[row]].tolist())
        assert listed == alive[inside.all(axis=1)].tolist()


@pytest.mark.parametrize("seed", seeds(2, thorough=10))
def test_all_rows_within_the_radius_are_listed_nearest_first(seed):
    search = begun(small_table(seed), 3, seed)
    space, near = search.ordered.space, search.near
    rows, paths = space.codes.tolist(), [list(a.hierarchy.paths()) for a in search.table.axes]

    for row in np.flatnonzero(near.lists.asked >= 0):
        of_row = near.lists[row]
        costs = {
            other: total_cost(rows, paths, [(row, 1, 1), (other, 1, 1)]) / 2
            for other in range(len(rows))
            if other != row
        }
        wanted = sorted((cost, other) for other, cost in costs.items() if cost < of_row.radius)
        listed = near.listed[row, : of_row.n]
        assert listed.row.tolist() == [other for _, other in wanted]
        assert listed.cost.tolist() == pytest.approx([cost for cost, _ in wanted])


def cost_of(grouping, table):
    parts = zip(grouping.rows.tolist(), grouping.labels, grouping.counts.tolist(), strict=True)
    paths = [list(axis.hierarchy.paths()) for axis in table.axes]
    return total_cost(table.codes.tolist(), paths, list(parts))


@pytest.mark.parametrize("seed", seeds(2, thorough=10))
def test_it_never_loses_more_than_its_start(seed):
    table, privacy = small_table(seed, 200), Privacy((shoal.KAnonymity(4),))
    start = _start(table, privacy, Limits(threads=1))

    found = Sweep(effort="fast").group(table, privacy, Limits(seed=seed, threads=1))

    assert holds(found, table, privacy)
    assert cost_of(found, table) <= cost_of(start, table)


def test_it_loses_less_than_its_start_on_most_tables():
    """Some starts cannot be improved by single moves."""
    privacy, n_better = Privacy((shoal.KAnonymity(4),)), 0
    for seed in range(4):
        table = small_table(seed, 200)
        start = _start(table, privacy, Limits(threads=1))
        found = Sweep(effort="fast").group(table, privacy, Limits(seed=seed, threads=1))
        n_better += cost_of(found, table) < cost_of(start, table) - 1e-9

    assert n_better >= 3


def test_sensitive_values_change_nothing_where_only_sizes_are_asked_for():
    rng = np.random.default_rng(1)
    frame = pl.DataFrame({"job": rng.choice(JOBS, 90), "sex": rng.choice(["f", "m"], 90)})
    ill = frame.with_columns(illness=pl.Series(rng.choice(["x", "y"], 90)))
    columns = {name: quasi(shoal.tree(TREES[name])) for name in ("job", "sex")}
    privacy, limits = Privacy((shoal.KAnonymity(4),)), Limits(suppression=3, threads=1)

    table = encoded(ill, columns | {"illness": "sensitive"}).table
    found = Sweep(effort="fast").group(table, privacy, limits)
    plain = Sweep(effort="fast").group(encoded(frame, columns).table, privacy, limits)

    assert table.n_rows > len(set(map(tuple, table.codes.tolist())))
    assert np.array_equal(np.bincount(found.rows, found.counts), table.weights)
    for part in zip(found.rows, found.labels, strict=True):
        assert part[1] < 0 or (found.low[part[1]] <= table.codes[part[0]]).all()
    placed, alone = found.labels >= 0, plain.labels >= 0
    assert np.array_equal(
        np.bincount(found.labels[placed], found.counts[placed]),
        np.bincount(plain.labels[alone], plain.counts[alone]),
    )
    assert np.array_equal(found.low, plain.low)


MODELS = {
    "distinct": shoal.DistinctLDiversity("illness", 2),
    "alpha": shoal.AlphaK("illness", alpha=0.6, k=4),
    "t": shoal.TCloseness("illness", 0.5),
}


@pytest.mark.parametrize("model", MODELS)
def test_models_are_asked_the_same_by_values_and_by_members(model):
    rng = np.random.default_rng(4)
    frame = pl.DataFrame(
        {
            "job": rng.choice(JOBS, 150),
            "place": rng.choice(list("abcdef"), 150),
            "illness": rng.choice(["x", "y", "z"], 150, p=[0.6, 0.3, 0.1]),
        }
    )
    columns = {name: quasi(shoal.tree(TREES[name])) for name in ("job", "place")}
    table = encoded(frame, columns | {"illness": "sensitive"}).table
    privacy = Privacy((shoal.KAnonymity(4), MODELS[model]))
    start = _start(table, privacy, Limits(threads=1))
    with spread_over(1) as spread:
        search = LocalSearch(start, table, privacy, room=0, asks=True, seed=0, spread=spread)
        search._list_all()
        others = AskingByMembers(table, privacy, search.ordered, start)
        answers = []
        for _ in range(30):
            for i, room in enumerate(search.rooms):
                propose(
                    search.ordered.space, search.state, search.near, room, 0.3, 3,
                    search.chance[i], Watch().pulse(),
                )  # fmt: skip
            rooms = [room for room in search.rooms if room.numbers[CANDIDATES]]
            allowed = search.asking.allow(search.state, rooms)
            for one, other in zip(allowed, others.allow(search.state, rooms), strict=True):
                assert np.array_equal(one, other)
            answers.extend(allowed)
            search.make(search.rooms)

    assert isinstance(search.asking, AskingByValues)
    assert 0 < np.concatenate(answers).mean() < 1
    assert holds(search.grouping(), table, privacy)


def test_full_effort_tells_how_far_the_result_is_from_the_least_loss():
    rng = np.random.default_rng(0)
    frame = pl.DataFrame({"job": rng.choice(JOBS, 60)})

    release = shoal.anonymize(
        frame,
        quasi={"job": shoal.tree(TREES["job"])},
        privacy=[shoal.KAnonymity(12)],
        algorithm={"name": "best", "effort": "full"},
    )

    assert 0 < release.summary()["bound"] <= release.measures["loss"]


def test_the_same_result_for_any_number_of_threads():
    table, privacy = small_table(5, 300), Privacy((shoal.KAnonymity(4),))

    found = [Sweep().group(table, privacy, Limits(seed=1, threads=n)) for n in (1, 3)]

    for name in ("rows", "counts", "labels", "low", "high"):
        assert np.array_equal(*(getattr(grouping, name) for grouping in found))


def test_a_record_is_suppressed_only_within_the_limit():
    table, privacy = small_table(3, 100), Privacy((shoal.KAnonymity(5),))

    found = Sweep(effort="fast").group(table, privacy, Limits(suppression=4, threads=1))

    assert found.n_suppressed <= 4
    assert holds(found, table, privacy)


@pytest.mark.parametrize(("option", "value"), [("effort", "huge"), ("seconds", 0)])
def test_what_no_search_can_do_is_refused(option, value):
    with pytest.raises(ValueError, match=option):
        Sweep(**{option: value})


@pytest.mark.parametrize("effort", ["fast", "default"])
@pytest.mark.parametrize("seed", seeds(6, thorough=40))
def test_missing_values_below_hierarchies_are_covered_by_the_root(seed, effort):
    rng = np.random.default_rng(seed)
    n, share = int(rng.integers(30, 100)), rng.random() * 0.3

    def with_gaps(values):
        return [None if rng.random() < share else value for value in values]

    frame = pl.DataFrame(
        {
            "job": with_gaps(rng.choice(JOBS, n).tolist()),
            "place": with_gaps(rng.choice(list("abcdef"), n).tolist()),
            "age": with_gaps(rng.integers(0, 60, n).tolist()),
        }
    )
    trees = {name: shoal.tree(TREES[name]) for name in ("job", "place")}
    release = shoal.anonymize(
        frame, quasi=trees | {"age": shoal.intervals(5, 10, 20)}, privacy=[shoal.KAnonymity(4)],
        algorithm=Sweep(effort), seed=seed,
    )  # fmt: skip

    assert release.frame.group_by(frame.columns).len()["len"].min() >= 4
