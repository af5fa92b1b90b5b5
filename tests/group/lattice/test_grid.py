"""Nodes as places of an array, against all vectors of levels."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.group.lattice import _grid
from shoal.group.lattice._grid import Grid, is_below
from tiers import examples

HEIGHTS = st.lists(st.integers(0, 3), min_size=1, max_size=5).map(tuple)


def all_nodes(heights):
    return list(product(*(range(height + 1) for height in heights)))


@given(HEIGHTS)
@examples(thorough=100)
def test_places_and_nodes_are_the_same_in_another_order(heights):
    grid, nodes = Grid(heights), all_nodes(heights)

    assert grid.n_nodes == len(nodes)
    assert [grid.node(flat) for flat in range(grid.n_nodes)] == nodes
    assert grid.levels(np.arange(grid.n_nodes)).tolist() == [list(node) for node in nodes]
    numbers = np.arange(grid.n_nodes).reshape(grid.shape)
    assert [int(numbers[grid.place(node)]) for node in nodes] == list(range(grid.n_nodes))


@given(HEIGHTS, st.data())
@examples(thorough=100)
def test_slices_hold_what_is_above_below_and_between(heights, data):
    grid, nodes = Grid(heights), all_nodes(heights)
    numbers = np.arange(grid.n_nodes).reshape(grid.shape)
    node = data.draw(st.sampled_from(nodes))
    high = data.draw(st.sampled_from([n for n in nodes if is_below(node, n)]))

    def those(view):
        return [nodes[number] for number in np.ravel(numbers[view])]

    assert those(grid.from_(node)) == [n for n in nodes if le(node, n)]
    assert those(grid.up_to(node)) == [n for n in nodes if le(n, node)]
    assert those(grid.between(node, high)) == [n for n in nodes if le(node, n) and le(n, high)]


@given(HEIGHTS, st.data())
@examples(thorough=100)
def test_neighbours_differ_by_one_level_of_one_column(heights, data):
    grid, nodes = Grid(heights), all_nodes(heights)
    node = data.draw(st.sampled_from(nodes))

    above = [n for n in nodes if le(node, n) and sum(n) == sum(node) + 1]
    below = [n for n in nodes if le(n, node) and sum(n) == sum(node) - 1]

    assert sorted(grid.above(node)) == above
    assert sorted(grid.below(node)) == below


@given(HEIGHTS)
@examples(thorough=100)
def test_heights_are_sums_of_levels(heights):
    grid, nodes = Grid(heights), all_nodes(heights)

    by_height = [[node for node in nodes if sum(node) == at] for at in range(sum(heights) + 1)]

    assert grid.bottom == nodes[0]
    assert grid.top == nodes[-1]
    assert grid.height == sum(heights)
    assert [grid.at_height(at) for at in range(grid.height + 1)] == by_height
    assert grid.per_height() == [len(those) for those in by_height]


def test_columns_are_generalised_in_their_order():
    assert list(Grid((2, 0, 1)).above((0, 0, 0))) == [(1, 0, 0), (0, 0, 1)]


@given(HEIGHTS, st.data())
@examples(thorough=100)
def test_a_node_is_below_another_where_no_column_is_higher(heights, data):
    node, other = data.draw(st.tuples(*[st.sampled_from(all_nodes(heights))] * 2))

    assert is_below(node, other) == le(node, other)


@pytest.mark.parametrize(("n_more", "can_be"), [(0, True), (-1, False)])
def test_a_grid_can_be_charted_up_to_a_number_of_nodes(n_more, can_be, monkeypatch):
    monkeypatch.setattr(_grid, "MOST_NODES", 12 + n_more)

    assert Grid((1, 2, 1)).can_be_charted == can_be


def test_the_size_of_a_huge_grid_is_exact():
    grid = Grid((4,) * 40)

    assert grid.n_nodes == 5**40
    assert sum(grid.per_height()) == 5**40
    assert not grid.can_be_charted


def le(node, other):
    return all(level <= most for level, most in zip(node, other, strict=True))
