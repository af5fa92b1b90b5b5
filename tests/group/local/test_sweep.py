"""Sweep: its moves against their naive twin, and what it promises."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from naive.sweep import sizes_of, total_cost
from shoal.group.local._asking import holds
from shoal.group.local._groups import move_of, near_of, parts_of, state_of
from shoal.group.local._space import space_of
from shoal.group.local.sweep import Sweep, _start
from shoal.group.parts.cell_widths import ruler_of
from shoal.kernels.sweep_anneal import next_candidate
from shoal.kernels.sweep_state import apply_move
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
    """A search at its beginning: what its kernels work on."""
    pulse = Watch().pulse()
    start = _start(table, Privacy((shoal.KAnonymity(k),)), Limits(threads=1))
    ordered = space_of(table.codes, table.weights, table.axes, ruler_of(table), pulse)
    state = state_of(start, ordered, k, 0)
    move = move_of(ordered.space, len(state.sizes))
    return ordered.space, state, near_of(ordered.space), move, np.array([seed], dtype=np.uint64)


@pytest.mark.parametrize("seed", seeds(2, thorough=20))
def test_every_move_changes_the_cost_as_the_twin_counts_it_and_leaves_groups_of_k(seed):
    table, k = small_table(seed), 3
    space, state, near, move, chance = begun(table, k, seed)
    paths = [list(axis.hierarchy.paths()) for axis in table.axes]
    rows = space.codes.tolist()
    parts = list(zip(*(column.tolist() for column in parts_of(state)), strict=True))
    cost, n_moves = total_cost(rows, paths, parts), 0

    for _ in range(60):
        if next_candidate(space, state, near, move, 0.3, 200, chance, Watch().pulse()) < 0:
            continue
        change = apply_move(space, state, move)
        parts = list(zip(*(column.tolist() for column in parts_of(state)), strict=True))
        after = total_cost(rows, paths, parts)
        n_moves += 1

        assert change == pytest.approx(after - cost, abs=1e-9)
        assert min(sizes_of(parts).values()) >= k
        assert sum(sizes_of(parts).values()) == table.n_records
        cost = after
    assert n_moves > 20


@pytest.mark.parametrize("seed", seeds(2, thorough=20))
def test_rows_list_exactly_the_groups_whose_boxes_cover_them(seed):
    table = small_table(seed)
    space, state, near, move, chance = begun(table, 3, seed)
    for _ in range(40):
        if next_candidate(space, state, near, move, 0.3, 200, chance, Watch().pulse()) >= 0:
            apply_move(space, state, move)
    alive = np.flatnonzero(state.sizes > 0)

    for row, codes in enumerate(space.codes):
        inside = (state.low[alive] <= codes) & (codes <= state.high[alive])
        listed = sorted(state.cover[row, : state.n_cover[row]].tolist())
        assert listed == alive[inside.all(axis=1)].tolist()


def cost_of(grouping, table):
    parts = zip(grouping.rows.tolist(), grouping.labels, grouping.counts.tolist(), strict=True)
    paths = [list(axis.hierarchy.paths()) for axis in table.axes]
    return total_cost(table.codes.tolist(), paths, list(parts))


@pytest.mark.parametrize("seed", seeds(2, thorough=10))
def test_it_loses_less_than_its_start(seed):
    table, privacy = small_table(seed, 200), Privacy((shoal.KAnonymity(4),))
    start = _start(table, privacy, Limits(threads=1))

    found = Sweep(effort="fast").group(table, privacy, Limits(seed=seed, threads=1))

    assert holds(found, table, privacy)
    assert cost_of(found, table) < cost_of(start, table)


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
