"""Every cell that can be published lies in a block that costs no more than the cell."""

import numpy as np
import polars as pl
import pytest

import shoal
from cases.handmade import encoded, quasi
from naive import bound as naive
from shoal.bound.covers import ONE, covers_of, whole_cost
from shoal.encode.rare import Coded, rare_last
from shoal.types.grid import OnGrid
from tiers import seeds

KINDS = ("tree", "uneven", "range", "grid", "decimals", "set", "rare", "many", "mean")


def column_of(kind, rng, n=60):
    """Values of a column, some missing, and what it is."""
    match kind:
        case "tree":
            values, spec = rng.integers(0, 40, n), quasi(shoal.intervals(5, 10, 20))
        case "uneven":
            tree = {"a": ["b", "c"], "d": {"e": ["f", "g", "h"], "i": ["j"]}}
            values, spec = rng.choice(list("bcfghj"), n), quasi(shoal.tree(tree))
        case "grid":
            values, spec = rng.integers(0, 90, n), quasi(bounds=OnGrid(7))
        case "decimals":
            values, spec = np.round(rng.gamma(2, 3, n), 2), quasi()
        case "mean":
            values, spec = rng.integers(0, 50, n), quasi(publish="mean")
        case "range":
            values, spec = rng.integers(0, 300, n), quasi()
        case _:
            n_values = {"set": 6, "rare": 9, "many": 40}[kind]
            drawn = (n_values * rng.random(n) ** 2).astype(int)
            values, spec = np.char.add("v", drawn.astype(str)), quasi()
    gaps = pl.Series(rng.random(n) > 0.1)
    return pl.DataFrame({"c": values}).with_columns(pl.when(gaps).then("c").alias("c")), spec


def coded(kind, rng):
    frame, spec = column_of(kind, rng)
    table = encoded(frame, {"c": spec}).table
    found = Coded(table.axes[0], np.ascontiguousarray(table.codes[:, 0]))
    return rare_last(found, 4, counts=table.weights) if kind == "rare" else found


def cost_of_cell(axis, codes):
    """What a group with these codes pays, by the measure's own extent or, of sets, by the twin."""
    low, high = np.array([codes.min()], np.int32), np.array([codes.max()], np.int32)
    if axis.publish != "set":
        return float(axis.extent(low, high).share[0])
    values = [None if code == axis.missing_code else int(code) for code in codes]
    rare = set(range(axis.first_hidden, axis.missing_code))
    return naive.set_cost(len(axis.leaves), rare, values)


def cheapest_block(cover, codes):
    """The least cost of a block that has all these codes."""
    found = [
        layer.costs[layer.blocks[codes[0]]]
        for layer in cover
        if layer.blocks[codes[0]] >= 0 and len(set(layer.blocks[codes].tolist())) == 1
    ]
    return min(found)


def some_groups(axis, present, rng):
    """Codes that could be in a group: few, near each other, or any."""
    for _ in range(150):
        start, width = rng.integers(0, len(present)), rng.integers(1, len(present) + 1)
        near = present[start : start + width]
        yield np.unique(rng.choice(near, rng.integers(1, 5)))
    yield present


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", seeds(2, thorough=30))
def test_every_cell_lies_in_a_block_that_costs_no_more(kind, seed):
    rng = np.random.default_rng(seed)
    axis, codes = coded(kind, rng)

    covers = covers_of(axis, codes)

    assert len(covers) > 1
    for cover in covers:
        for group in some_groups(axis, np.unique(codes), rng):
            assert cheapest_block(cover, group) <= cost_of_cell(axis, group) * ONE + 1e-6


@pytest.mark.parametrize("kind", KINDS)
def test_covers_become_simpler_until_one_says_nothing(kind):
    axis, codes = coded(kind, np.random.default_rng(5))

    sizes = [len(cover) for cover in covers_of(axis, codes)]

    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1
    assert covers_of(axis, codes)[-1][0].costs.tolist() == [0]


@pytest.mark.parametrize("seed", seeds(3, thorough=20))
def test_nodes_of_hierarchies_and_pairs_of_values_cost_what_their_cells_cost(seed):
    rng = np.random.default_rng(seed)
    for kind in ("tree", "uneven", "set", "rare"):
        axis, codes = coded(kind, rng)
        present = np.unique(codes)
        for first in present:
            for second in present[present > first]:
                pair = np.array([first, second])
                price = cheapest_block(covers_of(axis, codes)[0], pair)
                assert price == pytest.approx(cost_of_cell(axis, pair) * ONE, abs=1)


def test_a_column_of_one_value_costs_nothing_at_all():
    table = encoded(pl.DataFrame({"c": ["a"] * 5}), {"c": quasi()}).table

    (cover,) = covers_of(table.axes[0], table.codes[:, 0])

    assert [layer.costs.tolist() for layer in cover] == [[0]]
    assert whole_cost(table.axes[0]) == 0
