import numpy as np

from shoal.types.grouping import Grouping
from shoal.types.stats import GroupStats, ValueCounts


def grouping(rows, counts, labels, n_groups):
    box = np.arange(n_groups, dtype=np.int32).reshape(-1, 1)
    return Grouping(
        np.array(rows, np.int32), np.array(counts, np.int64), np.array(labels, np.int32), box, box
    )


def test_groups_left_out_are_suppressed_and_the_others_numbered_anew():
    before = grouping([0, 1, 2, 3, 4], [1, 2, 3, 4, 5], [2, 0, -1, 1, 2], 3)

    after = before.without(np.array([True, False, False]))

    assert after.labels.tolist() == [1, -1, -1, 0, 1]
    assert after.low.ravel().tolist() == [1, 2]
    assert after.high.ravel().tolist() == [1, 2]
    assert after.n_groups == 2
    assert (before.n_suppressed, after.n_suppressed) == (3, 5)
    assert before.labels.tolist() == [2, 0, -1, 1, 2]  # the old one is what it was


def test_a_row_in_two_parts_separates_equal_records():
    assert grouping([0, 1, 1], [1, 1, 1], [0, 0, 1], 2).separates_equal_records
    assert not grouping([0, 1, 2], [1, 1, 1], [0, 0, 1], 2).separates_equal_records


def test_values_are_counted_once_when_first_asked_for():
    asked = []

    def count():
        asked.append("s")
        return ValueCounts(np.array([0, 2, 3]), np.array([0, 2, 2]), np.array([4, 1, 5]))

    stats = GroupStats(np.array([5, 5]), {"s": count})

    assert not asked
    assert stats.counts("s").n_distinct.tolist() == [2, 1]
    assert stats.counts("s").groups.tolist() == [0, 0, 1]
    assert asked == ["s"]
