"""Cutting segments of rows in two, for Mondrian and similar algorithms.

A *segment* is a run of parts, starts[s] to ends[s], that will become one group unless it is cut.
"""

from typing import NamedTuple

import numpy as np

from shoal.kernels._compile import kernel
from shoal.kernels.cell_widths import cell_width, meeting_level

NO_COLUMN = np.int32(-1)


class Cuts(NamedTuple):
    """One proposed cut per segment: codes below `code` go left, and `take` records at it."""

    column: np.ndarray  # int32[segments], -1: none
    code: np.ndarray  # int32
    take: np.ndarray  # int64
    rank: np.ndarray  # int32, the place of the column among the widest


class Turns(NamedTuple):
    """Who comes first where the values of a segment speak for several columns alike.

    With `TakingTurns` it is another column in each segment, with `InOrder` the first in the file.
    """

    weigh_gains: bool  # whether what a cut gains decides before turns do
    of_column: np.ndarray  # int32[columns], their places in an order of their own
    of_segment: np.ndarray  # int32[segments], the place that comes first
    depth: np.ndarray  # int32[segments], how many cuts led there
    had: np.ndarray  # float64[depths, places], how much was dealt to each place until then


class Runs(NamedTuple):
    """Room for the different codes of a segment in one column, and the records of each."""

    heap: np.ndarray  # int64, zeros
    codes: np.ndarray  # int32
    sizes: np.ndarray  # int64


@kernel
def propose_cuts(
    codes, rows, counts, starts, ends, tried, ruler, turns, smallest, strict, chosen, cuts
):
    """For each chosen segment, cut the widest column, after the `tried` widest, that can be cut.

    IN  codes int32[n,q], rows int32[p], counts int64[p], starts, ends int64[s], tried int32[s],
        chosen int64[c]: the segments to look at;  OUT  cuts, allocated by the caller.
    Both sides keep at least `smallest` records. `strict` keeps equal codes on one side.
    """
    n_columns = codes.shape[1]
    low = np.empty(n_columns, dtype=np.int32)
    high = np.empty(n_columns, dtype=np.int32)
    width = np.empty(n_columns, dtype=np.float64)
    gain = np.zeros(n_columns, dtype=np.float64)
    longest = 1
    for segment in chosen:
        longest = max(longest, ends[segment] - starts[segment])
    runs = Runs(
        np.zeros(5 * longest + 64, dtype=np.int64),
        np.empty(longest, dtype=np.int32),
        np.empty(longest, dtype=np.int64),
    )
    for segment in chosen:
        start, end = starts[segment], ends[segment]
        total = measure_box(codes, rows, counts, start, end, low, high)
        cuts.column[segment] = NO_COLUMN
        if total < 2 * smallest:
            continue
        for column in range(n_columns):
            width[column] = ruler.weights[column] * cell_width(
                ruler, column, low[column], high[column]
            )
        for column in range(n_columns):
            gain[column] = 0.0
            if turns.weigh_gains and has_equal(width, column):
                n_runs = collect_runs(codes, rows, counts, start, end, column, low, high, runs)
                gain[column] = gain_of_cut(ruler, column, runs, n_runs, total, smallest, strict)
        order = widest_first(width, gain, turns, segment)
        for rank in range(tried[segment], n_columns):
            column = order[rank]
            if low[column] == high[column]:
                continue
            n_runs = collect_runs(codes, rows, counts, start, end, column, low, high, runs)
            code, n_left = best_cut(ruler, column, runs, n_runs, total, smallest, strict)
            take = total
            if not strict:
                take = n_left
                for run in range(n_runs):
                    if runs.codes[run] < code:
                        take -= runs.sizes[run]
            if min(n_left, total - n_left) >= smallest:
                cuts.column[segment] = column
                cuts.code[segment] = code
                cuts.take[segment] = take
                cuts.rank[segment] = rank
                break


@kernel
def measure_box(codes, rows, counts, start, end, low, high):
    """Write the box of a segment to low, high; return its number of records."""
    n_columns = codes.shape[1]
    low[:] = codes[rows[start]]
    high[:] = codes[rows[start]]
    total = np.int64(0)
    for part in range(start, end):
        total += counts[part]
        row = rows[part]
        for column in range(n_columns):
            code = codes[row, column]
            if code < low[column]:
                low[column] = code
            elif code > high[column]:
                high[column] = code
    return total


@kernel
def has_equal(width, column):
    """Whether another column is as wide, and not of one value."""
    if width[column] == 0.0:
        return False
    for other in range(len(width)):
        if other != column and width[other] == width[column]:
            return True
    return False


@kernel
def widest_first(width, gain, turns, segment):
    """Columns by falling width; equal ones by what their cut gains, then by their turn."""
    n_columns = len(width)
    order = np.empty(n_columns, dtype=np.int32)
    for column in range(n_columns):
        place = column
        while place > 0:
            other = order[place - 1]
            if width[other] != width[column]:
                if width[other] > width[column]:
                    break
            elif gain[other] != gain[column]:
                if gain[other] > gain[column]:
                    break
            elif comes_first(turns, segment, other, column):
                break
            order[place] = other
            place -= 1
        order[place] = column
    return order


@kernel
def comes_first(turns, segment, one, other):
    """Whether it is the turn of one column before another: then of who was dealt less before."""
    n_columns = len(turns.of_column)
    first = turns.of_segment[segment]
    turn = (turns.of_column[one] - first) % n_columns
    other_turn = (turns.of_column[other] - first) % n_columns
    if turn == 0 or other_turn == 0:
        return turn == 0
    had = turns.had[turns.depth[segment]]
    difference = had[turns.of_column[one]] - had[turns.of_column[other]]
    return difference < 0 or (difference == 0 and turn < other_turn)


@kernel
def best_cut(ruler, column, runs, n_runs, total, smallest, strict):
    """The last code of which some go left, and the records on the left."""
    if strict:
        return strict_cut(ruler, column, runs.codes[:n_runs], runs.sizes[:n_runs], total, smallest)
    at, n_left = exact_half(runs.sizes[:n_runs], total)
    return runs.codes[at], n_left


@kernel
def gain_of_cut(ruler, column, runs, n_runs, total, smallest, strict):
    """How much narrower the cells of the halves are than the whole, by records; -1: no cut.

    Of columns that are equally wide, the one whose halves are narrowest keeps most detail.
    """
    code, n_left = best_cut(ruler, column, runs, n_runs, total, smallest, strict)
    if min(n_left, total - n_left) < smallest:
        return -1.0
    lowest, highest = runs.codes[0], runs.codes[n_runs - 1]
    first_right = code
    n_until = np.int64(0)
    for run in range(n_runs):
        n_until += runs.sizes[run]
        if runs.codes[run] == code:
            if n_until <= n_left and run + 1 < n_runs:
                first_right = runs.codes[run + 1]
            break
    left = cell_width(ruler, column, lowest, code)
    right = cell_width(ruler, column, first_right, highest)
    whole = cell_width(ruler, column, lowest, highest)
    lost = (left * n_left + right * (total - n_left)) / total
    return ruler.weights[column] * (whole - lost)


@kernel
def collect_runs(codes, rows, counts, start, end, column, low, high, runs):
    """OUT runs: the different codes of a segment in one column, ascending, with their records.

    Counts into the heap (zeros, left as zeros) where the codes are dense, sorts where they are not.
    """
    n_runs = 0
    lowest, highest = low[column], high[column]
    heap, run_codes, run_sizes = runs.heap, runs.codes, runs.sizes
    spread = highest - lowest + 1
    if spread <= 4 * (end - start) + 64:
        for part in range(start, end):
            heap[codes[rows[part], column] - lowest] += counts[part]
        for step in range(spread):
            if heap[step] > 0:
                run_codes[n_runs] = lowest + step
                run_sizes[n_runs] = heap[step]
                n_runs += 1
                heap[step] = 0
        return n_runs
    values = np.empty(end - start, dtype=np.int32)
    for part in range(start, end):
        values[part - start] = codes[rows[part], column]
    for i in np.argsort(values):
        if n_runs > 0 and run_codes[n_runs - 1] == values[i]:
            run_sizes[n_runs - 1] += counts[start + i]
        else:
            run_codes[n_runs] = values[i]
            run_sizes[n_runs] = counts[start + i]
            n_runs += 1
    return n_runs


@kernel
def strict_cut(ruler, column, run_codes, run_sizes, total, smallest):
    """The last code on the left of the best cut between runs, and the records on the left.

    Cells are published as nodes, so a cut between the children of the node that covers the
    segment narrows both sides. Where that leaves a side too small, any boundary will do.
    """
    at, n_left = balanced_boundary(run_sizes, total)
    code = run_codes[at]
    if ruler.has_levels[column]:
        joined_codes, joined_sizes = join_siblings(ruler, column, run_codes, run_sizes)
        at, n_left_between = balanced_boundary(joined_sizes, total)
        if min(n_left_between, total - n_left_between) >= smallest:
            return joined_codes[at], n_left_between
    return code, n_left


@kernel
def join_siblings(ruler, column, run_codes, run_sizes):
    """Join the runs under one child of the lowest common ancestor of all runs."""
    children = meeting_level(ruler, column, run_codes[0], run_codes[-1]) - ruler.n_codes[column]
    joined_codes = run_codes.copy()
    joined_sizes = run_sizes.copy()
    n_joined = 1
    for run in range(1, len(run_codes)):
        is_sibling = (
            ruler.nodes[children + run_codes[run]] == ruler.nodes[children + run_codes[run - 1]]
        )
        if is_sibling:
            joined_sizes[n_joined - 1] += run_sizes[run]
        else:
            joined_sizes[n_joined] = run_sizes[run]
            n_joined += 1
        joined_codes[n_joined - 1] = run_codes[run]
    return joined_codes[:n_joined], joined_sizes[:n_joined]


@kernel
def balanced_boundary(sizes, total):
    """The last run on the left when cutting between runs nearest the median, and that size."""
    best = 0
    best_left = np.int64(0)
    best_smaller = np.int64(-1)
    n_left = np.int64(0)
    for at in range(len(sizes) - 1):
        n_left += sizes[at]
        smaller = min(n_left, total - n_left)
        if smaller >= best_smaller:
            best, best_left, best_smaller = at, n_left, smaller
        else:
            break
    return best, best_left


@kernel
def exact_half(sizes, total):
    """The run in which the first half of the records ends, and that half."""
    half = total // 2
    n_before = np.int64(0)
    at = 0
    while n_before + sizes[at] < half:
        n_before += sizes[at]
        at += 1
    return at, half


@kernel
def find_straddling(codes, rows, counts, starts, ends, chosen, cuts):
    """The parts that a cut goes through, and how many of their records are on its left.

    int64[c] part per chosen segment, -1: none; int64[c] records.
    """
    straddling = np.full(len(chosen), -1, dtype=np.int64)
    n_left = np.zeros(len(chosen), dtype=np.int64)
    for i in range(len(chosen)):
        segment = chosen[i]
        missing = cuts.take[segment]
        for part in range(starts[segment], ends[segment]):
            if codes[rows[part], cuts.column[segment]] != cuts.code[segment]:
                continue
            if missing <= 0:
                break
            if counts[part] > missing:
                straddling[i] = part
                n_left[i] = missing
            missing -= counts[part]
    return straddling, n_left


@kernel
def mark_sides(codes, rows, counts, starts, ends, chosen, cuts, labels):
    """Label the parts of the i-th chosen segment 2i on the left of its cut, 2i + 1 on the right.

    OUT labels int32[p]. No part straddles.
    """
    for i in range(len(chosen)):
        segment = chosen[i]
        missing = cuts.take[segment]
        for part in range(starts[segment], ends[segment]):
            code = codes[rows[part], cuts.column[segment]]
            is_left = code < cuts.code[segment]
            if code == cuts.code[segment] and missing > 0:
                is_left = True
                missing -= counts[part]
            labels[part] = 2 * i if is_left else 2 * i + 1


@kernel
def part_segments(rows, counts, starts, ends, accepted, labels):
    """Reorder the parts of the accepted segments, left side first, both in their old order.

    IN/OUT rows, counts; labels: odd is right. Returns int64[a], where each right side begins.
    """
    middles = np.empty(len(accepted), dtype=np.int64)
    for i in range(len(accepted)):
        start, end = starts[accepted[i]], ends[accepted[i]]
        right_rows = np.empty(end - start, dtype=np.int32)
        right_counts = np.empty(end - start, dtype=np.int64)
        to, n_right = start, 0
        for part in range(start, end):
            if labels[part] & 1:
                right_rows[n_right] = rows[part]
                right_counts[n_right] = counts[part]
                n_right += 1
            else:
                rows[to] = rows[part]
                counts[to] = counts[part]
                to += 1
        rows[to:end] = right_rows[:n_right]
        counts[to:end] = right_counts[:n_right]
        middles[i] = to
    return middles
