"""Groups that fail a model: merged in rounds, or suppressed."""

import numpy as np
import polars as pl
import pytest

from cases.cluster import random_case
from cases.groups import groups_of
from cases.handmade import grouped
from cases.models import NoMajority
from naive import k_member as naive
from shoal.errors import CannotSatisfy
from shoal.group.parts import merging as _merging
from shoal.group.parts.cell_widths import diameter_ruler_of
from shoal.group.parts.joining import joined_parts
from shoal.group.parts.repair import place_left_over, repair
from shoal.group.parts.stats import stats_of_grouping
from shoal.group.parts.threads import spread_over
from shoal.kernels.boxes import group_boxes
from shoal.kernels.tree import grow_box_tree
from shoal.privacy.distinct_l_diversity import DistinctLDiversity
from shoal.privacy.k_anonymity import KAnonymity
from shoal.types.algorithm import Limits
from shoal.types.grouping import Grouping
from shoal.types.privacy import Privacy
from shoal.types.watch import Watch
from tiers import seeds

SEEDS = seeds(4, thorough=30)


def random_grouping(seed):
    """A case and a grouping of its rows in groups of any size."""
    case = random_case(seed, n_most=100)
    table, rng = case.table, np.random.default_rng(seed)
    labels = rng.integers(0, max(1, table.n_rows // 3), table.n_rows)
    labels = np.unique(labels, return_inverse=True)[1].astype(np.int32)
    rows = np.arange(table.n_rows, dtype=np.int32)
    low, high = group_boxes(table.codes, rows, labels, labels.max() + 1)
    return case, Grouping.of_rows(table, labels, low, high)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("n_pairs", [0, _merging.MOST_PAIRS])
def test_all_groups_hold_afterwards_and_none_is_cut(seed, n_pairs, monkeypatch):
    monkeypatch.setattr(_merging, "MOST_PAIRS", n_pairs)
    case, grouping = random_grouping(seed)
    table = case.table
    n_values = len(np.unique(table.sensitive))
    privacy = Privacy(
        (KAnonymity(min(4, table.n_records)), DistinctLDiversity("s", min(2, n_values)))
    )

    mended = repair(grouping, table=table, privacy=privacy, limits=Limits())

    assert privacy.holds(stats_of_grouping(table, mended)).all()
    before, after = groups_of(grouping), groups_of(mended)
    for group in before.values():
        assert sum(group <= other for other in after.values()) == 1
    for i, members in after.items():
        codes = table.codes[list(members)]
        assert mended.low[i].tolist() == codes.min(axis=0).tolist()
        assert mended.high[i].tolist() == codes.max(axis=0).tolist()


@pytest.mark.parametrize("seed", SEEDS)
def test_mergers_are_the_cheapest_of_each_round_and_no_group_is_merged_twice(seed):
    case, grouping = random_grouping(seed)
    table, k = case.table, min(6, case.table.n_records)

    mended = repair(grouping, table=table, privacy=Privacy((KAnonymity(k),)), limits=Limits())

    ones = np.ones(grouping.n_groups, dtype=np.int64)
    order = grow_box_tree(
        grouping.low, grouping.high, ones, diameter_ruler_of(table), Watch().pulse()
    ).rows.tolist()
    groups = [groups_of(grouping)[i] for i in range(grouping.n_groups)]
    while len(order) > 1 and any(groups[i].total() < k for i in order):
        one_round(case, groups, k, order)
    found = groups_of(mended)
    assert [found[i] for i in range(mended.n_groups)] == [groups[i] for i in sorted(order)]


def one_round(case, groups, k, order):
    """Every failing group asks for a partner; the cheapest pairs merge."""
    codes = case.table.codes
    boxes = {
        i: (
            codes[list(groups[i])].min(axis=0).tolist(),
            codes[list(groups[i])].max(axis=0).tolist(),
        )
        for i in order
    }
    sizes = {i: groups[i].total() for i in order}
    wishes = []
    for i in sorted(order):
        if sizes[i] < k:
            other, cost = naive.partner(case.columns, boxes, sizes, i, order)
            wishes.append((cost, i, other))
    is_free = dict.fromkeys(order, True)
    for _, i, other in sorted(wishes):
        if is_free[i] and is_free[other]:
            is_free[i] = is_free[other] = False
            groups[other] = groups[other] + groups[i]
            order.remove(i)


def of_ages(ages, values, groups):
    frame = pl.DataFrame({"age": ages, "s": values})
    made = grouped(frame, {"age": "quasi", "s": "sensitive"}, groups)
    return made.encoding.table, made.outcome.grouping


def test_a_group_that_fails_is_merged_with_its_nearest():
    table, grouping = of_ages([1, 2, 8, 9, 10], list("aaaaa"), [0, 0, 1, 2, 2])

    mended = repair(grouping, table=table, privacy=Privacy((KAnonymity(2),)), limits=Limits())

    assert mended.labels.tolist() == [0, 0, 1, 1, 1]
    assert mended.low.tolist() == [[0], [2]]
    assert mended.high.tolist() == [[1], [4]]


def test_groups_that_hold_stay_as_they_are():
    table, grouping = of_ages([1, 2, 8, 9], list("abab"), [0, 0, 1, 1])

    assert (
        repair(grouping, table=table, privacy=Privacy((KAnonymity(2),)), limits=Limits())
        is grouping
    )


def test_where_even_one_group_fails_the_failing_ones_are_suppressed():
    table, grouping = of_ages([1, 2, 3, 8, 9, 9], list("abaaaa"), [0, 0, 1, 1, 1, 1])

    mended = repair(
        grouping, table=table, privacy=Privacy((NoMajority("s"),)), limits=Limits(suppression=4)
    )

    assert mended.n_suppressed == 4
    assert mended.n_groups == 1
    assert mended.low.tolist() == [[0]]
    assert mended.high.tolist() == [[1]]


def test_where_even_that_is_too_much_the_error_is_about_one_group():
    table, grouping = of_ages([1, 2, 3, 8, 9, 9], list("abaaaa"), [0, 0, 1, 1, 1, 1])

    with pytest.raises(CannotSatisfy, match="6 records fails, but at most 3"):
        repair(
            grouping, table=table, privacy=Privacy((NoMajority("s"),)), limits=Limits(suppression=3)
        )


def test_suppressed_records_stay_suppressed():
    table, grouping = of_ages([1, 2, 8, 9, 10], list("aaaaa"), [-1, 0, 0, 1, 2])
    limits = Limits(suppression=1)

    mended = repair(grouping, table=table, privacy=Privacy((KAnonymity(2),)), limits=limits)

    assert mended.labels.tolist() == [-1, 0, 0, 1, 1]


def test_what_no_cluster_took_goes_where_it_costs_least():
    table, grouping = of_ages([1, 2, 3, 8, 9], list("aaaaa"), [0, 0, -1, 1, 1])

    with spread_over(1) as spread:
        placed = place_left_over(grouping, table, diameter_ruler_of(table), spread)

    assert placed.labels.tolist() == [0, 0, 0, 1, 1]
    assert placed.high.tolist() == [[2], [4]]


def test_without_any_cluster_all_records_are_one_group():
    table, grouping = of_ages([1, 2, 3], list("aaa"), [-1, -1, -1])

    nothing = np.empty((0, 1), np.int32)
    alone = Grouping(grouping.rows, grouping.counts, grouping.labels, nothing, nothing)
    with spread_over(1) as spread:
        placed = place_left_over(alone, table, diameter_ruler_of(table), spread)

    assert placed.labels.tolist() == [0, 0, 0]
    assert (placed.low.tolist(), placed.high.tolist()) == ([[0]], [[2]])


def test_parts_of_one_row_and_one_group_are_added_up():
    rows, counts = np.array([1, 0, 1, 1]), np.array([2, 1, 3, 4])
    labels, box = np.array([0, 0, 0, 1]), np.zeros((2, 1), dtype=np.int32)

    joined = joined_parts(Grouping(rows, counts, labels, box, box))

    parts = zip(joined.rows.tolist(), joined.counts.tolist(), joined.labels.tolist(), strict=True)
    assert list(parts) == [(0, 1, 0), (1, 5, 0), (1, 4, 1)]
