"""The parts of a cut, each by itself; tests/group compares whole partitions with the paper's."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import naive
from shoal.kernels.cell_widths import CellWidths
from shoal.kernels.cuts import (
    Cuts,
    Runs,
    Turns,
    balanced_boundary,
    cell_width,
    collect_runs,
    exact_half,
    find_straddling,
    mark_sides,
    part_segments,
    strict_cut,
    widest_first,
)
from tiers import examples

SIZES = st.lists(st.integers(1, 6), min_size=2, max_size=9)


def int32(values):
    return np.array(values, dtype=np.int32)


def int64(values):
    return np.array(values, dtype=np.int64)


@given(SIZES)
@examples(thorough=200)
def test_the_balanced_boundary_makes_the_smaller_side_largest_and_else_the_left(sizes):
    at, n_left = balanced_boundary(int64(sizes), sum(sizes))

    lefts = [sum(sizes[: i + 1]) for i in range(len(sizes) - 1)]
    best = max(lefts, key=lambda left: (min(left, sum(sizes) - left), left))
    assert n_left == best
    assert at == lefts.index(best)


@given(SIZES)
@examples(thorough=200)
def test_the_exact_half_ends_in_the_run_of_the_middle_record(sizes):
    at, n_left = exact_half(int64(sizes), sum(sizes))

    run_of_record = [run for run, size in enumerate(sizes) for _ in range(size)]
    assert n_left == sum(sizes) // 2
    assert at == run_of_record[n_left - 1]


@given(
    st.lists(
        st.tuples(st.sampled_from([0.5, 1.0]), st.sampled_from([-1.0, 0.5]), st.integers(0, 2)),
        min_size=1,
        max_size=6,
    ),
    st.integers(0, 5),
    st.randoms(),
)
@examples(thorough=200)
def test_columns_come_widest_first_then_by_what_their_cut_gains_then_by_their_turn(
    columns, first, random
):
    n = len(columns)
    places = random.sample(range(n), n)
    had = [columns[places.index(place)][2] for place in range(n)]
    dealt = np.array([[0.0] * n, had])
    turns = Turns(True, int32(places), int32([0, first % n]), int32([0, 1]), dealt)
    width, gain = (np.array([column[i] for column in columns]) for i in (0, 1))

    order = widest_first(width, gain, turns, 1)

    def rank(i):
        turn = (places[i] - first % n) % n
        return -width[i], -gain[i], turn != 0, had[places[i]] if turn else 0, turn

    assert order.tolist() == sorted(range(n), key=rank)


def ruler_of_lines(columns):
    n_codes = [len(column.positions) for column in columns]
    return CellWidths(
        nodes=int32([code for n in n_codes for code in range(n)]),
        widths=np.array([mark for column in columns for mark in column.positions]),
        begins=int64([sum(n_codes[:i]) for i in range(len(columns))]),
        n_codes=int64(n_codes),
        has_levels=np.zeros(len(columns), dtype=np.bool_),
        weights=np.array([column.weight for column in columns]),
    )


# Leaves a b | c d e | f, in two branches and a third of one leaf; code 6 is missing.
TREE = naive.Branching(
    [("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*"), ("d", "y", "*"), ("e", "y", "*"),
     ("f", "f", "*")],
    weight=1.0,
)  # fmt: skip
TREE_RULER = CellWidths(
    nodes=int32([0, 1, 2, 3, 4, 5, 6, 0, 0, 1, 1, 1, 2, 3, 0, 0, 0, 0, 0, 0, 0]),
    widths=np.array([0] * 6 + [2] + [1 / 5, 1 / 5, 2 / 5, 2 / 5, 2 / 5, 0, 2] + [1] * 6 + [2]),
    begins=int64([0]),
    n_codes=int64([7]),
    has_levels=np.array([True]),
    weights=np.array([1.0]),
)


def test_a_cell_with_a_hierarchy_is_as_wide_as_the_lowest_node_above_it():
    for low in range(7):
        for high in range(low, 7):
            assert cell_width(TREE_RULER, 0, low, high) == TREE.width([low, high])


@given(st.dictionaries(st.integers(0, 6), st.integers(1, 6), min_size=2), st.integers(1, 6))
@examples(thorough=200)
def test_a_strict_cut_is_between_branches_where_that_leaves_both_sides_large_enough(
    size_of, smallest
):
    codes, total = sorted(size_of), sum(size_of.values())
    sizes = [size_of[code] for code in codes]

    last_left, n_left = strict_cut(TREE_RULER, 0, int32(codes), int64(sizes), total, smallest)

    branch_of = TREE.branches(codes)
    cuts = [(sum(sizes[: i + 1]), codes[i], codes[i + 1]) for i in range(len(codes) - 1)]
    between = [cut for cut in cuts if branch_of[cut[1]] != branch_of[cut[2]]]

    def smaller_side(cut):
        return min(cut[0], total - cut[0])

    best_between, best = (
        max(some, key=lambda cut: (smaller_side(cut), cut[0])) for some in (between, cuts)
    )
    expected = best_between if smaller_side(best_between) >= smallest else best
    assert (n_left, last_left) == expected[:2]


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(1, 5)), min_size=1, max_size=12),
       st.sampled_from([1, 7, 100_000]))  # fmt: skip
@examples(thorough=200)
def test_runs_are_the_different_codes_whether_dense_or_far_apart(parts, stretch):
    codes = int32([[code * stretch] for code, _ in parts])
    counts = int64([count for _, count in parts])
    n = len(parts)
    heap = np.zeros(5 * n + 64, dtype=np.int64)
    runs = Runs(heap, np.empty(n, dtype=np.int32), np.empty(n, dtype=np.int64))

    n_runs = collect_runs(
        codes, np.arange(n, dtype=np.int32), counts, 0, n, 0,
        codes.min(axis=0), codes.max(axis=0), runs,
    )  # fmt: skip

    expected = {}
    for code, count in parts:
        expected[code * stretch] = expected.get(code * stretch, 0) + count
    found = zip(runs.codes[:n_runs].tolist(), runs.sizes[:n_runs].tolist(), strict=True)
    assert list(found) == sorted(expected.items())
    assert not heap.any()


def test_a_cut_through_a_part_says_how_many_of_its_records_go_left():
    codes, rows = int32([[0], [1], [1], [2]]), int32([0, 1, 2, 3])
    counts = int64([2, 3, 4, 5])
    cuts = Cuts(column=int32([0]), code=int32([1]), take=int64([5]), rank=int32([0]))

    parts, n_left = find_straddling(codes, rows, counts, int64([0]), int64([4]), int64([0]), cuts)

    assert parts.tolist() == [2]  # 3 of the 5 are taken from row 1, 2 from row 2
    assert n_left.tolist() == [2]


def test_a_cut_between_parts_goes_through_none():
    codes, rows = int32([[0], [1], [1], [2]]), int32([0, 1, 2, 3])
    counts = int64([2, 3, 4, 5])
    cuts = Cuts(column=int32([0]), code=int32([1]), take=int64([3]), rank=int32([0]))

    parts, _ = find_straddling(codes, rows, counts, int64([0]), int64([4]), int64([0]), cuts)

    assert parts.tolist() == [-1]


def test_sides_are_marked_for_the_chosen_segments_only():
    codes, rows = int32([[0], [1], [1], [2], [7], [8]]), int32([0, 1, 2, 3, 4, 5])
    counts = int64([2, 3, 4, 5, 1, 1])
    cuts = Cuts(
        column=int32([-1, 0, 0]), code=int32([0, 1, 7]), take=int64([0, 3, 1]), rank=int32([0] * 3)
    )
    labels = int32([-1] * 6)

    mark_sides(codes, rows, counts, int64([0, 0, 4]), int64([0, 4, 6]), int64([1, 2]), cuts, labels)

    assert labels.tolist() == [0, 0, 1, 1, 2, 3]


def test_a_segment_is_parted_left_side_first_in_the_old_order():
    rows, counts = int32([9, 0, 1, 2, 3, 8]), int64([1, 10, 11, 12, 13, 1])
    labels = int32([-1, 1, 0, 1, 0, -1])

    middles = part_segments(rows, counts, int64([0, 1]), int64([1, 5]), int64([1]), labels)

    assert middles.tolist() == [3]
    assert rows.tolist() == [9, 1, 3, 0, 2, 8]
    assert counts.tolist() == [1, 11, 13, 10, 12, 1]
