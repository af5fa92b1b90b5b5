"""Rows rolled up from rows, against the records generalised one by one."""

from collections import Counter
from math import prod

import numpy as np
import pytest

from cases.lattice import random_case, random_paths, table_of
from naive.lattice import Ladder
from shoal.group.lattice import _rows
from shoal.group.lattice._rows import RollUp
from shoal.group.parts.threads import spread_over
from tiers import seeds

SEEDS = seeds(4, thorough=20)


def first_leaf(axis, code, level):
    """The first leaf below the node above a code: it stands for the node."""
    if axis.hierarchy is None:
        return code
    if code == axis.missing_code:
        return 0 if level == axis.hierarchy.height else code
    nodes = axis.hierarchy.nodes[level]
    return nodes.tolist().index(nodes[code])


def rows_of_table(table, node, sensitive):
    """Different rows at a node -> their records."""
    counted = Counter()
    for codes, values, weight in zip(table.codes, table.sensitive, table.weights, strict=True):
        row = [
            first_leaf(axis, int(code), level)
            for axis, code, level in zip(table.axes, codes, node, strict=True)
        ]
        counted[*row, *(int(value) for value in values[list(sensitive)])] += int(weight)
    return counted


def rows_of_roll_up(roll_up, rows):
    every = np.arange(len(rows.counts))
    columns = [roll_up.codes(rows, i, every) for i in range(len(roll_up.axes))]
    columns += [roll_up.codes_apart(rows, name) for name in roll_up.apart.names]
    found = list(zip(*(column.tolist() for column in columns), strict=True))
    assert len(set(found)) == len(found)
    return Counter(dict(zip(found, rows.counts.tolist(), strict=True)))


def shuffled_nodes(roll_up, seed):
    nodes = [roll_up.grid.node(flat) for flat in range(roll_up.grid.n_nodes)]
    assert len(nodes) == prod(axis.hierarchy.height + 1 for axis in roll_up.axes)
    return [nodes[i] for i in np.random.default_rng(seed).permutation(len(nodes))[:60]]


@pytest.mark.parametrize("most_bytes", [0, 2_000, 128_000_000])
@pytest.mark.parametrize("sensitive", [(), ("s",)])
@pytest.mark.parametrize("seed", SEEDS)
def test_rows_at_any_node_are_those_of_the_table(seed, sensitive, most_bytes, monkeypatch):
    monkeypatch.setattr(_rows, "MOST_BYTES", most_bytes)
    table = random_case(seed).table

    with spread_over(1) as spread:
        roll_up = RollUp(table, sensitive, spread)
        for node in shuffled_nodes(roll_up, seed):
            (rows,) = roll_up.at([node])

            found = rows_of_roll_up(roll_up, rows)
            assert found == rows_of_table(table, node, [0] if sensitive else [])
            assert roll_up._n_bytes <= most_bytes


@pytest.mark.parametrize("seed", SEEDS)
def test_rows_of_many_nodes_at_once_are_those_of_each(seed):
    table = random_case(seed).table

    with spread_over(2) as spread:
        roll_up = RollUp(table, ["s"], spread)
        nodes = shuffled_nodes(roll_up, seed)
        nodes += nodes[:2]  # asked twice
        together = roll_up.at(nodes)

    for node, rows in zip(nodes, together, strict=True):
        assert rows_of_roll_up(roll_up, rows) == rows_of_table(table, node, [0])


@pytest.mark.parametrize("seed", range(5))
def test_rows_of_thirty_columns_need_several_words(seed):
    rng = np.random.default_rng(seed)
    columns = []
    for _ in range(30):
        paths = random_paths(rng)
        leaves = [path[0] for path in paths] + [None]
        columns.append(Ladder([leaves[i] for i in rng.integers(0, len(leaves), 50)], paths))
    table = table_of(columns, rng.choice(list("abc"), 50).tolist())

    with spread_over(1) as spread:
        roll_up = RollUp(table, ["s"], spread)
        for _ in range(20):
            near_the_top = rng.random(30) < rng.random()
            node = tuple(
                height if is_top else int(rng.integers(0, height + 1))
                for height, is_top in zip(roll_up.grid.heights, near_the_top, strict=True)
            )
            (rows,) = roll_up.at([node])

            assert rows_of_roll_up(roll_up, rows) == rows_of_table(table, node, [0])
    assert roll_up.n_words > 1


def test_what_was_rolled_up_is_not_rolled_up_again():
    table = random_case(3).table

    with spread_over(1) as spread:
        roll_up = RollUp(table, [], spread)
        node = roll_up.grid.top
        roll_up.at([node])
        n_first = roll_up.n_rolled_up
        roll_up.at([node])

    assert n_first == len(roll_up.grid.columns)
    assert roll_up.n_rolled_up == n_first + 1  # the last step is not remembered: nothing needs it
