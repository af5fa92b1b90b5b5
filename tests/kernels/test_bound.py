"""Dividing classes, and what the records of a class may pay together, against naive twins."""

import numpy as np
import pytest

from naive.bound import largest_total
from shoal.kernels.bound import (
    Classes,
    broken_limits,
    cheapest_costs,
    keep_limits,
    largest_values,
    refine,
)
from shoal.kernels.bound_ascent import Program, ascend, step_sizes
from tiers import seeds


def random_classes(rng, n=30):
    rows = rng.permutation(n).astype(np.int32)
    begins = np.unique(np.append(rng.integers(0, n, 4), [0, n])).astype(np.int64)
    return Classes(rows, begins, rng.integers(0, 9, len(begins) - 1))


def sets_of(classes):
    ends = zip(classes.begins, classes.begins[1:], classes.costs, strict=False)
    return {(frozenset(classes.rows[a:b].tolist()), int(cost)) for a, b, cost in ends}


@pytest.mark.parametrize("seed", seeds(10, thorough=60))
def test_classes_are_divided_by_blocks_and_those_that_cannot_matter_dropped(seed):
    rng = np.random.default_rng(seed)
    classes, counts = random_classes(rng), rng.integers(1, 4, 30)
    codes, values = rng.integers(0, 6, 30).astype(np.int32), rng.integers(0, 20, 30)
    blocks, block_costs = rng.integers(-1, 4, 6).astype(np.int32), rng.integers(0, 5, 4)

    found = refine(classes, codes, blocks, block_costs, counts, values, 3, 2)

    expected = set()
    for members, cost in sets_of(classes):
        for block in range(4):
            inside = frozenset(row for row in members if blocks[codes[row]] == block)
            price = cost + int(block_costs[block])
            total = sum(int(values[row] * counts[row]) for row in inside)
            largest = max((int(values[row]) for row in inside), default=0)
            n_records = sum(int(counts[row]) for row in inside)
            if n_records >= 3 and min(2 * largest, total) > 2 * price:
                expected.add((inside, price))
    assert sets_of(found) == expected


@pytest.mark.parametrize("seed", seeds(20, thorough=200))
def test_the_largest_values_are_those_of_sorting_all_records(seed):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(1, 20)), int(rng.integers(1, 8))
    counts, values = rng.integers(1, 5, n), rng.integers(0, 6, n)
    found, taken = np.empty(k, np.int32), np.empty(k, np.int64)
    rows = rng.permutation(n).astype(np.int32)

    n_found, total = largest_values(rows, counts, values, k, found, taken)

    assert total == largest_total(list(zip(values.tolist(), counts.tolist(), strict=True)), k)
    assert taken[:n_found].sum() <= k
    assert (taken[:n_found] <= counts[found[:n_found]]).all()
    assert total == (taken[:n_found] * values[found[:n_found]]).sum()


@pytest.mark.parametrize("seed", seeds(10, thorough=100))
def test_limits_are_broken_where_values_are_too_large_and_kept_after_lowering(seed):
    rng = np.random.default_rng(seed)
    classes, counts = random_classes(rng), rng.integers(1, 4, 30)
    values, k = rng.integers(0, 12, 30), 5
    ends = list(zip(classes.begins, classes.begins[1:], strict=False))

    def totals(of):
        rows = [classes.rows[a:b] for a, b in ends]
        return [largest_total(list(zip(of[r], counts[r], strict=True)), k) for r in rows]

    broken = broken_limits(classes, counts, values, k, np.zeros(30, np.int64), 10)
    lowered = values.copy()
    keep_limits(classes, counts, lowered, k)

    exceeded = [k * c for t, c in zip(totals(values), classes.costs, strict=True) if t > k * c]
    assert broken.most.tolist() == exceeded
    assert (np.array(totals(lowered)) <= k * classes.costs).all()
    assert (lowered <= values).all()
    assert (lowered >= 0).all()


def test_each_row_pays_the_least_cost_of_its_classes():
    cheapest = np.full(4, 9)

    for cost in (5, 3, 7):
        some = np.array([0, 2], np.int32)
        cheapest_costs(Classes(some, np.array([0, 2]), np.array([cost])), cheapest)

    assert cheapest.tolist() == [3, 9, 3, 9]


def test_the_ascent_reaches_the_optimum_of_a_small_program():
    """Maximise a + b + c; a + b <= 1, b + c <= 1, b <= 0.2: all of a and c, and nothing of b."""
    program = Program(
        gains=np.ones(3),
        ceilings=np.array([2, 0.2, 2]),
        items=np.array([0, 1, 1, 2], np.int32),
        factors=np.ones(4),
        begins=np.array([0, 2, 4]),
        most=np.ones(2),
    )
    values, prices = np.zeros(3), np.zeros(2)

    ascend(program, step_sizes(program), values, prices, (np.zeros(3), np.zeros(2)), 2000)

    np.testing.assert_allclose(values, [1, 0, 1], atol=1e-6)
