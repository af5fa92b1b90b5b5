"""Refining partitions column by column gives the groups of equal rows."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive.risk import groups
from shoal.kernels.uniqueness import refine, tally_refined
from tiers import examples

ROWS = st.lists(st.tuples(*[st.integers(0, 3)] * 3, st.integers(1, 3)), min_size=2, max_size=25)


def figures(sizes, safe):
    return [len(sizes), sizes.count(1), sum(size for size in sizes if size < safe)]


@given(ROWS, st.integers(1, 5))
@examples(thorough=200)
def test_refined_partitions_agree_with_dictionaries(rows, safe):
    table = np.array(rows, dtype=np.int32)
    weights = table[:, 3].astype(np.int64)
    records = [row[:3] for row in rows for _ in range(row[3])]
    partition = np.arange(len(rows), dtype=np.int32), np.array([0, len(rows)])
    settled = np.zeros(3, dtype=np.int64)

    for column in range(3):
        codes = np.ascontiguousarray(table[:, column])
        tally = settled + tally_refined(*partition, codes, 4, weights, safe)
        *partition, taken_out = refine(*partition, codes, 4, weights, safe)
        settled += taken_out

        sizes = list(groups(records, range(column + 1)).values())
        assert tally.tolist() == figures(sizes, safe)
        left = [
            sum(weights[partition[0][start:end]])
            for start, end in zip(partition[1], partition[1][1:], strict=False)
        ]
        assert (settled + figures(left, safe)).tolist() == figures(sizes, safe)


def test_a_group_of_one_row_is_taken_out_and_counted_once():
    codes = np.array([0, 1, 1], dtype=np.int32)
    weights = np.array([4, 1, 1])
    everything = np.arange(3, dtype=np.int32), np.array([0, 3])

    rows, starts, tally = refine(*everything, codes, 2, weights, 5)

    assert rows.tolist() == [1, 2]
    assert starts.tolist() == [0, 2]
    assert tally.tolist() == [1, 0, 4]


@pytest.mark.parametrize("kernel", [refine, tally_refined])
def test_nothing_left_to_divide_is_no_group(kernel):
    nothing = np.zeros(0, dtype=np.int32), np.zeros(1, dtype=np.int64)

    result = kernel(*nothing, np.zeros(1, dtype=np.int32), 1, np.ones(1, dtype=np.int64), 2)

    assert (result[-1] if kernel is refine else result).tolist() == [0, 0, 0]
