"""The tree over rows: its order, and searches in it against looking at everything."""

from collections import Counter

import numpy as np
import pytest

from cases.cluster import random_case
from naive import k_member as naive
from shoal.group.parts.cell_widths import diameter_ruler_of
from shoal.kernels.tree import LEAF, furthest, grow_tree, nearest, take
from shoal.types.watch import Watch
from tiers import seeds

SEEDS = seeds(4, thorough=40)


def grown(seed):
    case = random_case(seed, n_fewest=40, n_most=150)
    table = case.table
    ruler = diameter_ruler_of(table)
    return case, table, ruler, grow_tree(table.codes, table.weights, ruler, Watch().pulse())


def box_of(codes):
    return codes.min(axis=0).tolist(), codes.max(axis=0).tolist()


def assert_boxes_are_those_of_what_is_left(tree):
    for node in range(1, len(tree.begins)):
        run = slice(tree.begins[node], tree.ends[node])
        codes = tree.codes[run][tree.left[run] > 0]
        assert tree.n_left[node] == len(codes)
        if len(codes):
            assert (tree.low[node].tolist(), tree.high[node].tolist()) == box_of(codes)


@pytest.mark.parametrize("seed", SEEDS)
def test_every_row_has_one_position(seed):
    _, table, _, tree = grown(seed)

    assert sorted(tree.rows.tolist()) == list(range(table.n_rows))
    np.testing.assert_array_equal(tree.codes, table.codes[tree.rows])
    np.testing.assert_array_equal(tree.left, table.weights[tree.rows])


@pytest.mark.parametrize("seed", SEEDS)
def test_halves_are_balanced_and_leaves_are_small(seed):
    _, table, _, tree = grown(seed)
    n_leaves = len(tree.begins) // 2

    assert (tree.begins[1], tree.ends[1]) == (0, table.n_rows)
    for node in range(1, n_leaves):
        left, right = 2 * node, 2 * node + 1
        assert tree.begins[node] == tree.begins[left]
        assert tree.ends[left] == tree.begins[right]
        assert tree.ends[node] == tree.ends[right]
        sizes = [tree.ends[child] - tree.begins[child] for child in (left, right)]
        assert abs(sizes[0] - sizes[1]) <= 1 + n_leaves.bit_length()
    assert (tree.ends[n_leaves:] - tree.begins[n_leaves:]).max() <= LEAF


def next_halved(codes, costs, n_halved):
    """Of the widest columns the one halved for fewest rows; then the one most evenly spread."""

    def smaller_side(column):
        low, high = codes[:, column].min(), codes[:, column].max()
        n_low = int((codes[:, column] <= (low + high) // 2).sum())
        return min(n_low, len(codes) - n_low)

    return min(range(len(costs)), key=lambda i: (-costs[i], n_halved[i], -smaller_side(i), i))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_node_is_cut_at_the_median_of_its_widest_column(seed):
    case, _, _, tree = grown(seed)

    assert tree.left.sum() == len(case.records)
    n_halved = Counter()
    for node in range(1, len(tree.begins) // 2):
        codes = tree.codes[tree.begins[node] : tree.ends[node]]
        ends = zip(case.columns, *box_of(codes), strict=True)
        costs = [column.cost({low, high}) for column, low, high in ends]
        widest = next_halved(codes, costs, n_halved)
        if max(costs) > 0:
            n_halved[widest] += len(codes)
        left = tree.codes[tree.begins[2 * node] : tree.ends[2 * node], widest]
        right = tree.codes[tree.begins[2 * node + 1] : tree.ends[2 * node + 1], widest]
        assert left.max() <= right.min() or max(costs) == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_is_always_the_same(seed):
    _, _, _, tree = grown(seed)
    _, _, _, again = grown(seed)

    np.testing.assert_array_equal(tree.rows, again.rows)


@pytest.mark.parametrize("seed", SEEDS)
def test_searches_find_what_looking_at_everything_finds_while_records_are_taken(seed):
    case, _, ruler, tree = grown(seed)
    rng = np.random.default_rng(seed)
    codes = tree.codes.tolist()
    assert tree.left.sum() == len(case.records)
    while tree.left.sum() > 0:
        left = tree.left.tolist()
        row, other, home = rng.integers(len(codes), size=3)
        low, high = naive.grown(codes[row], codes[row], codes[other])
        box = np.array(low, dtype=np.int32), np.array(high, dtype=np.int32)

        position, cost = nearest(tree, ruler, *box, int(home))
        away = furthest(tree, ruler, tree.codes[row])

        assert position == naive.nearest(case.columns, codes, left, low, high, int(home))
        assert cost == naive.cost(case.columns, *naive.grown(low, high, codes[position]))
        assert away == naive.furthest(case.columns, codes, left, codes[row])
        for taken in {position, away, int(rng.integers(len(codes)))}:
            if tree.left[taken] > 0:
                take(tree, taken, int(rng.integers(1, tree.left[taken] + 1)))
        assert_boxes_are_those_of_what_is_left(tree)


def test_nothing_is_found_where_nothing_is_left():
    _, _, ruler, tree = grown(3)
    for position in range(len(tree.rows)):
        take(tree, position, tree.left[position])

    assert nearest(tree, ruler, tree.codes[0], tree.codes[0], 0) == (-1, np.inf)
    assert furthest(tree, ruler, tree.codes[0]) == -1
