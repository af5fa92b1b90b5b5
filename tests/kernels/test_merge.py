"""Partners of groups, and groups for records, against looking at all of them."""

import numpy as np
import pytest

from cases.cluster import random_case
from naive import k_member as naive
from shoal.group.parts.cell_widths import diameter_ruler_of
from shoal.kernels.boxes import group_boxes
from shoal.kernels.merge import (
    box_costs,
    join_groups,
    locality_order,
    near_partners,
)
from shoal.kernels.tree import grow_box_tree
from shoal.types.watch import Watch
from tiers import seeds

SEEDS = seeds(4, thorough=40)


def random_groups(seed):
    """A case, boxes around two groups or more of most of its rows, their sizes, the other rows."""
    case = random_case(seed, n_fewest=20, n_most=150)
    table, rng = case.table, np.random.default_rng(seed)
    n_groups = int(rng.integers(2, max(3, table.n_rows // 3)))
    labels = rng.integers(0, n_groups, table.n_rows).astype(np.int32)
    labels[rng.random(table.n_rows) < 0.2] = -1
    labels[:2] = 0, 1
    labels = np.unique(np.append(labels, -1), return_inverse=True)[1][:-1].astype(np.int32) - 1
    rows = np.arange(table.n_rows, dtype=np.int32)
    low, high = group_boxes(table.codes, rows, labels, max(labels.max() + 1, 0))
    placed = labels >= 0
    sizes = np.bincount(labels[placed], weights=table.weights[placed], minlength=len(low))
    return case, low, high, sizes.astype(np.int64), np.flatnonzero(~placed)


def order_of(low, high, ruler):
    return grow_box_tree(
        low, high, np.ones(len(low), dtype=np.int64), ruler, Watch().pulse()
    ).rows.tolist()


def boxes(low, high):
    return list(zip(low.tolist(), high.tolist(), strict=True))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n_near", [1, 3, 1000])
def test_near_partners_are_those_of_the_least_cost_among_the_next_in_order(seed, n_near):
    case, low, high, sizes, _ = random_groups(seed)
    ruler = diameter_ruler_of(case.table)
    order = locality_order(low, high, sizes, ruler, Watch().pulse())
    place, chosen = np.argsort(order), np.arange(0, len(low), 2)

    found, costs = np.empty(len(low), dtype=np.int64), np.empty(len(low))
    own = box_costs(low, high, ruler)
    near_partners(low, high, sizes, own, ruler, order, place, n_near, found, costs, chosen)

    for group in chosen:
        begin = max(place[group] - n_near, 0)
        near = order[begin : place[group] + n_near + 1].tolist()
        twin = naive.partner(case.columns, boxes(low, high), sizes.tolist(), int(group), near)
        assert (found[group], costs[group]) == (twin[0], pytest.approx(twin[1], abs=1e-9))


@pytest.mark.parametrize("seed", SEEDS)
def test_records_join_the_groups_where_they_cost_least(seed):
    case, low, high, sizes, others = random_groups(seed)
    table, ruler = case.table, diameter_ruler_of(case.table)
    order, twin_boxes, twin_sizes = order_of(low, high, ruler), boxes(low, high), sizes.tolist()
    left_over = {int(row): int(table.weights[row]) for row in others}
    expected = naive.join(
        case.columns, table.codes.tolist(), left_over, twin_boxes, twin_sizes, order
    )

    rows, groups = join_groups(
        table.codes, others, table.weights[others], low, high, sizes, ruler, Watch().pulse()
    )

    assert list(zip(rows.tolist(), groups.tolist(), strict=True)) == expected
    assert boxes(low, high) == [tuple(map(list, box)) for box in twin_boxes]
    assert sizes.tolist() == twin_sizes


@pytest.mark.parametrize("seed", SEEDS)
def test_boxes_cost_what_their_columns_cost(seed):
    case, low, high, _, _ = random_groups(seed)

    costs = box_costs(low, high, diameter_ruler_of(case.table))

    assert costs.tolist() == [naive.cost(case.columns, *box) for box in boxes(low, high)]
