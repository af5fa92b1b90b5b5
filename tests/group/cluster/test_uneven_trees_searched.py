"""Searches with trees of uneven depth: what they measure is what the tree as given says."""

import numpy as np
import polars as pl
import pytest

from cases.handmade import encoded, grouped, quasi
from cases.uneven import WAYS, Case
from naive import trees
from shoal.group.cluster._diversity import likeness_of, s_diversities
from shoal.group.cluster._spanning_tree import exact_ruler
from shoal.group.parts.cell_widths import diameter_ruler_of, ruler_of
from shoal.kernels.cuts import join_siblings
from shoal.kernels.tree import cell_cost
from shoal.types.schema import ColumnSpec
from tiers import seeds


@pytest.fixture(params=WAYS)
def way(request):
    return request.param


@pytest.mark.parametrize("seed", seeds(8, thorough=50))
def test_searches_measure_by_leaves_and_by_height_and_cut_between_children(way, seed):
    case = Case(seed, way)
    table = encoded(case.frame, {"job": quasi(case.spec)}).table
    leaves, tree = table.axes[0].leaves, case.tree
    by_leaves, by_height = ruler_of(table), diameter_ruler_of(table)
    whole = exact_ruler(by_height, table.axes)
    root = cell_cost(whole, 0, 0, len(leaves) - 1)

    for low in range(len(leaves)):
        for high in range(low + 1, len(leaves)):
            below = trees.find(tree, trees.lowest_node(tree, leaves[low : high + 1]))
            n_others = (len(trees.leaves(below)) - 1) / (len(leaves) - 1)
            steep = trees.height(below) / trees.height(tree["*"])
            assert cell_cost(by_leaves, 0, low, high) == pytest.approx(n_others)
            assert cell_cost(by_height, 0, low, high) == pytest.approx(steep)
            assert cell_cost(whole, 0, low, high) / root == pytest.approx(steep)
            codes = np.arange(low, high + 1, dtype=np.int32)
            ends, _sizes = join_siblings(by_leaves, 0, codes, np.ones(len(codes), dtype=np.int64))
            covered = [set(trees.leaves({name: nodes})) for name, nodes in below.items()]
            child = [next(i for i, c in enumerate(covered) if leaves[code] in c) for code in codes]
            lasts = [i for i, c in enumerate(child) if [*child, None][i + 1] != c]
            assert ends.tolist() == codes[lasts].tolist()


@pytest.mark.parametrize("seed", seeds(6, thorough=40))
def test_values_are_alike_by_the_leaves_of_the_node_where_they_meet(way, seed):
    case = Case(seed, way)
    frame = pl.DataFrame({"ill": pl.Series(case.values, dtype=pl.String), "all": "x"})
    columns = {"ill": ColumnSpec("sensitive", case.spec), "all": "quasi"}
    outcome = grouped(frame, columns, case.groups).outcome
    groups = case.members()

    likeness = likeness_of(outcome.table, 1.0)
    found = s_diversities(outcome.stats, outcome.table, likeness, np.arange(len(groups)))

    expected = [
        float(trees.s_diversity(case.tree, g, 1, has_missing=None in case.values)) for g in groups
    ]
    assert found == pytest.approx(expected)
