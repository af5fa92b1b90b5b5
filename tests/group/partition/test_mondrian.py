from dataclasses import dataclass

import numpy as np
import polars as pl
import pytest

from cases.handmade import encoded, quasi
from cases.without_words import WithoutWords
from shoal.errors import CannotSatisfy
from shoal.group.partition.mondrian import Mondrian
from shoal.privacy.distinct_l_diversity import DistinctLDiversity
from shoal.privacy.k_anonymity import KAnonymity
from shoal.types.algorithm import Limits
from shoal.types.privacy import Privacy


def group(frame, columns, *models, strict=True, suppression=0, **how):
    """The values of the first column that each group holds, and the grouping."""
    encoding = encoded(frame, columns, **how)
    grouping = Mondrian(strict=strict).group(
        encoding.table, Privacy(models), Limits(suppression=suppression, threads=1)
    )
    return encoding, grouping


def groups_of_ages(ages, *models, **how):
    frame = pl.DataFrame({"age": ages})
    encoding, grouping = group(frame, {"age": "quasi"}, *models, **how)
    leaves = encoding.table.axes[0].leaves
    result = {}
    for row, count, label in zip(grouping.rows, grouping.counts, grouping.labels, strict=True):
        result.setdefault(int(label), []).extend([int(leaves[row])] * int(count))
    return sorted(result.values())


def test_records_are_cut_at_the_median_until_groups_would_be_too_small():
    assert groups_of_ages([1, 2, 3, 4, 5, 6, 7, 8], KAnonymity(2)) == [
        [1, 2],
        [3, 4],
        [5, 6],
        [7, 8],
    ]


def test_strict_cuts_keep_equal_values_together():
    assert groups_of_ages([1, 1, 1, 1, 2, 2], KAnonymity(2)) == [[1, 1, 1, 1], [2, 2]]


def test_relaxed_cuts_may_separate_equal_values():
    groups = groups_of_ages([1, 1, 1, 1, 2, 2], KAnonymity(3), strict=False)

    assert groups == [[1, 1, 1], [1, 2, 2]]


def test_of_two_cuts_as_near_to_the_median_the_one_with_more_on_the_left_is_taken():
    assert groups_of_ages([1, 1, 2, 3, 3], KAnonymity(2)) == [[1, 1, 2], [3, 3]]


def test_the_widest_column_is_cut_first_and_a_weight_makes_a_column_wider():
    frame = pl.DataFrame({"a": [0, 0, 10, 10], "b": [0, 10, 0, 10]})

    _, by_first = group(frame, {"a": quasi(weight=2), "b": "quasi"}, KAnonymity(2))
    _, by_second = group(frame, {"a": "quasi", "b": quasi(weight=2)}, KAnonymity(2))

    assert by_first.low[:, 0].tolist() == by_first.high[:, 0].tolist() == [0, 1]
    assert by_second.low[:, 1].tolist() == by_second.high[:, 1].tolist() == [0, 1]


def test_the_next_widest_column_is_tried_where_the_widest_cannot_be_cut():
    frame = pl.DataFrame({"a": [0, 9, 9, 9], "b": [5, 5, 6, 6], "c": [1, 1, 1, 3]})

    _, grouping = group(frame, {"a": "quasi", "b": quasi(weight=0.1), "c": "quasi"}, KAnonymity(2))

    assert grouping.low[:, 1].tolist() == grouping.high[:, 1].tolist() == [0, 1]


def test_missing_values_are_cut_off_before_anything_else():
    frame = pl.DataFrame({"a": [1, 2, 50, None, None], "b": [0, 100, 0, 100, 0]})

    _, grouping = group(frame, {"a": "quasi", "b": "quasi"}, KAnonymity(2))

    assert sorted(zip(grouping.low[:, 0].tolist(), grouping.high[:, 0].tolist(), strict=True)) == [
        (0, 2),
        (3, 3),
    ]


def test_cuts_that_would_leave_a_side_without_enough_values_are_refused():
    frame = pl.DataFrame({"a": [1, 2, 3, 4], "s": ["x", "x", "y", "y"]})

    _, grouping = group(frame, {"a": "quasi", "s": "sensitive"}, DistinctLDiversity("s", 2))

    assert grouping.n_groups == 1


def test_a_table_that_holds_whole_is_not_cut_where_a_half_would_fail():
    frame = pl.DataFrame({"a": [1, 1, 1, 90, 90], "s": ["x", "y", "z", "x", "x"]})
    columns = {"a": "quasi", "s": "sensitive"}

    _, grouping = group(frame, columns, DistinctLDiversity("s", 2), suppression=2)

    assert grouping.n_groups == 1
    assert grouping.n_suppressed == 0


def test_a_table_that_fails_whole_is_cut_to_save_the_half_that_holds():
    @dataclass(frozen=True)
    class AtMostTwo(WithoutWords):
        """No group holds more than two 90s."""

        survives_merging = False
        is_local = True
        survives_growth = False
        smallest = 1

        def holds(self, stats):
            found = stats.counts("a")
            n_old = np.zeros(stats.n_groups, dtype=np.int64)
            is_old = found.values == 1
            np.add.at(n_old, found.groups[is_old], found.counts[is_old])
            return n_old <= 2

    frame = pl.DataFrame({"a": [1, 1, 1, 90, 90, 90]})

    _, grouping = group(frame, {"a": "quasi"}, AtMostTwo(), suppression=3)

    assert grouping.labels.tolist() == [0, -1]
    assert grouping.n_suppressed == 3
    assert grouping.low.tolist() == grouping.high.tolist() == [[0]]


def test_more_failing_records_than_may_be_suppressed_are_an_error_that_says_how_many():
    frame = pl.DataFrame({"a": [1, 2], "s": ["x", "x"]})
    columns = {"a": "quasi", "s": "sensitive"}

    with pytest.raises(CannotSatisfy, match="2 records fails, but at most 1 record may be"):
        group(frame, columns, DistinctLDiversity("s", 2), suppression=1)


def test_the_number_of_threads_does_not_change_the_groups():
    rng = np.random.default_rng(5)
    frame = pl.DataFrame({name: rng.integers(0, 400, size=30_000) for name in "abc"})
    table = encoded(frame, dict.fromkeys("abc", "quasi")).table
    privacy = Privacy((KAnonymity(3),))

    one, three = (Mondrian(strict=False).group(table, privacy, Limits(threads=n)) for n in (1, 3))

    assert table.n_rows > 10_000  # enough for several threads to be used
    for field in ("rows", "counts", "labels", "low", "high"):
        np.testing.assert_array_equal(getattr(one, field), getattr(three, field))
