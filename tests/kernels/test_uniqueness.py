"""Refining partitions column by column gives the groups of equal rows."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from naive.risk import groups
from shoal.kernels.uniqueness import refine, smallest_of_people, tally_alone, tally_refined
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
        *partition, alone = refine(*partition, codes, 4)
        settled += tally_alone(alone, weights, safe)

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

    rows, starts, alone = refine(*everything, codes, 2)

    assert rows.tolist() == [1, 2]
    assert starts.tolist() == [0, 2]
    assert alone.tolist() == [0]
    assert tally_alone(alone, weights, 5).tolist() == [1, 0, 4]


NOTHING = np.zeros(0, dtype=np.int32), np.zeros(1, dtype=np.int64)
ONE_CODE = np.zeros(1, dtype=np.int32), 1


def test_nothing_left_to_divide_is_no_group():
    weights = np.ones(1, dtype=np.int64)

    assert [part.tolist() for part in refine(*NOTHING, *ONE_CODE)] == [[], [0], []]
    assert tally_refined(*NOTHING, *ONE_CODE, weights, 2).tolist() == [0, 0, 0]
    assert tally_alone(NOTHING[0], weights, 2).tolist() == [0, 0, 0]


def test_somebody_with_several_rows_counts_once_in_a_group_and_by_the_smallest():
    rows = np.arange(5, dtype=np.int32)
    starts = np.array([0, 3, 5])
    weights = np.array([2, 1, 1, 1, 1])
    owners = np.array([-1, 0, 0, 0, 1], dtype=np.int32)  # the first row is that of two others
    n_at, smallest = np.zeros(5, dtype=np.int64), np.full(2, 4, dtype=np.int32)

    found = smallest_of_people(rows, starts, weights, owners, n_at, smallest)

    assert found[0].tolist() == [0, 0, 0, 2, 0]  # in a group of three
    assert found[1].tolist() == [2, 2]
    assert n_at.sum() == 0  # what was given is not changed
    assert smallest.tolist() == [4, 4]
