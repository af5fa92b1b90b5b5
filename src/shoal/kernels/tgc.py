"""Threshold-based greedy clustering (Loukides and Shao 2008): growing and joining clusters."""

from typing import NamedTuple

import numpy as np

from shoal.kernels._compile import kernel
from shoal.kernels.cell_table import Cells
from shoal.kernels.cell_widths import CellWidths
from shoal.kernels.s_diversity import Likeness, alike
from shoal.kernels.tree import cell_cost

CLOSE = 1e-12  # what lies nearer than this is equal: sums of parts are never exact


class Scale(NamedTuple):
    """What a cluster costs: its weighted tuple diversity.

    Spread is what its box loses of all detail, from 0 to 1: weights of the ruler add up to 1,
    but those of set columns are for each value beyond the first.
    """

    ruler: CellWidths
    cells: Cells  # the same, looked up
    is_set: np.ndarray  # bool[q], columns published as sets of values
    whole: np.ndarray  # float64[q], what a cell that says nothing costs
    hidden: np.ndarray  # int64[q], the first code that makes a set the root: rare, or missing
    marks: np.ndarray  # int64[q+1], where the codes of each set column begin among those of all
    likeness: Likeness
    utility: float  # the weight of spread, in the test against delta
    steer: float  # the same when records are compared; never 0, so that equals are told apart
    protection: float  # the weight of each sensitive column's S-diversity


class Parts(NamedTuple):
    """Runs of rows: part p is rows[starts[p]:ends[p]], so many records of each as counted."""

    rows: np.ndarray  # int32
    counts: np.ndarray  # int64
    starts: np.ndarray  # int64
    ends: np.ndarray  # int64
    firsts: np.ndarray  # int64[parts], the number of each part's first record


class Rules(NamedTuple):
    """When a cluster is finished."""

    k: int  # a cluster with fewer records is rejected
    most: int  # records of a cluster
    delta: float  # no record joins that would make a cluster cost more


class Found(NamedTuple):
    """Records in the order in which they were taken; cluster -1: of a cluster too small."""

    rows: np.ndarray  # int32[records]
    clusters: np.ndarray  # int32[records], numbered from 0 in every part
    n_accepted: np.ndarray  # int64[parts], clusters
    n_rejected: np.ndarray  # int64[parts]
    highest: np.ndarray  # float64[parts], the highest cost that was within delta


class Box(NamedTuple):
    """A cluster that grows."""

    low: np.ndarray  # int32[q]
    high: np.ndarray  # int32[q]
    costs: np.ndarray  # float64[q], what each column's cell costs
    marks: np.ndarray  # int64, at the codes of set columns: the last cluster that had it


@kernel
def grow_parts(codes, values, parts, chosen, draws, scale, rules, found, pulse):
    """Algorithm 1 in each of the chosen parts.

    IN  codes int32[n,q], values int32[n,a]: quasi-identifiers and sensitive values of rows;
        draws float64[records] in [0,1): the seed of a part's j-th cluster is the record number
        draw × records left, in the order of rows.
    OUT found, at the places of the chosen parts.
    """
    n_columns = codes.shape[1]
    box = Box(
        np.empty(n_columns, np.int32),
        np.empty(n_columns, np.int32),
        np.empty(n_columns, np.float64),
        np.full(scale.marks[n_columns], -1, np.int64),
    )
    stamp = 0
    for part in chosen:
        rows = parts.rows[parts.starts[part] : parts.ends[part]]
        left = parts.counts[parts.starts[part] : parts.ends[part]].copy()
        part_codes, part_values = codes[rows], values[rows]
        first = parts.firsts[part]
        n_left, n_taken, n_drawn = np.sum(left), 0, 0
        near = np.empty(len(rows), np.float64)
        highest, n_accepted, n_rejected = 0.0, 0, 0
        while n_left > 0:
            begin, stamp = n_taken, stamp + 1
            position = row_of_record(left, int(draws[first + n_drawn] * n_left))
            n_drawn += 1
            near[:] = 0.0
            sum_of_pairs = 0.0
            while True:
                sum_of_pairs += 2.0 * near[position] + values.shape[1]
                found.rows[first + n_taken] = rows[position]
                left[position] -= 1
                n_left -= 1
                n_taken += 1
                size = n_taken - begin
                pulse.done[0] += 1
                if pulse.stop[0]:
                    return
                cover(box, part_codes[position], scale, stamp, size == 1)
                if n_left == 0 or size >= rules.most:
                    break
                approach(near, left, part_values, position, scale.likeness)
                position, spread = least_diverse(
                    part_codes, left, near, box, scale, stamp, sum_of_pairs, size + 1,
                    values.shape[1],
                )  # fmt: skip
                pairs = sum_of_pairs + 2.0 * near[position] + values.shape[1]
                cost = scale.utility * spread + scale.protection * pairs / (size + 1.0) ** 2
                if cost > rules.delta + CLOSE:
                    break
                highest = max(highest, cost)
            is_accepted = n_taken - begin >= rules.k
            found.clusters[first + begin : first + n_taken] = n_accepted if is_accepted else -1
            n_accepted += is_accepted
            n_rejected += not is_accepted
        found.n_accepted[part], found.n_rejected[part] = n_accepted, n_rejected
        found.highest[part] = highest


@kernel
def look_up(cells, column, low, high):
    """What the cell low..high costs."""
    begin = cells.begins[column]
    if begin >= 0:
        return cells.costs[begin + low * cells.n_codes[column] + high]
    return cell_cost(cells.ruler, column, low, high)


@kernel
def row_of_record(left, record):
    """The row that a record is of, records counted in the order of rows."""
    position = 0
    while record >= left[position]:
        record -= left[position]
        position += 1
    return position


@kernel
def cover(box, row, scale, stamp, is_first):
    """Let the box of a cluster cover a row of codes."""
    for column in range(len(row)):
        code = row[column]
        if is_first:
            box.low[column], box.high[column], box.costs[column] = code, code, 0.0
        low, high = min(box.low[column], code), max(box.high[column], code)
        if not scale.is_set[column]:
            if low < box.low[column] or high > box.high[column]:
                box.costs[column] = look_up(scale.cells, column, low, high)
        elif box.marks[scale.marks[column] + code] != stamp:
            box.marks[scale.marks[column] + code] = stamp
            if low < high and high >= scale.hidden[column]:
                box.costs[column] = scale.whole[column]
            elif not is_first:
                box.costs[column] += scale.ruler.weights[column]
        box.low[column], box.high[column] = low, high


@kernel
def approach(near, left, values, position, likeness):
    """Add to `near` how alike each row is to the record that joined, in all sensitive columns."""
    for column in range(values.shape[1]):
        value = values[position, column]
        for i in range(len(left)):
            if left[i] > 0:
                near[i] += alike(likeness, column, value, values[i, column])


@kernel
def least_diverse(codes, left, near, box, scale, stamp, sum_of_pairs, size, n_values):
    """The row with which the cluster of then `size` records costs least, and its spread then.

    Of equal ones the first.
    """
    best, best_cost, best_spread = -1, np.inf, 0.0
    share = scale.protection / (float(size) * size)
    for i in range(len(left)):
        if left[i] == 0:
            continue
        protection = share * (sum_of_pairs + 2.0 * near[i] + n_values)
        if protection > best_cost:
            continue
        spread = 0.0
        for column in range(codes.shape[1]):
            if protection + scale.steer * spread >= best_cost - CLOSE:
                break  # other columns only add to it
            code = codes[i, column]
            if scale.is_set[column]:
                marks = scale.marks[column]
                if box.marks[marks + code] == stamp:
                    spread += box.costs[column]
                elif max(code, box.high[column]) >= scale.hidden[column]:
                    spread += scale.whole[column]
                else:
                    spread += box.costs[column] + scale.ruler.weights[column]
            elif code > box.high[column]:
                spread += look_up(scale.cells, column, box.low[column], code)
            elif code < box.low[column]:
                spread += look_up(scale.cells, column, code, box.high[column])
            else:
                spread += box.costs[column]
        cost = protection + scale.steer * spread
        if cost < best_cost - CLOSE:
            best, best_cost, best_spread = i, cost, spread
    return best, best_spread
