"""How alike the sensitive values of a group are (Loukides and Shao 2008)."""

from typing import NamedTuple

import numpy as np

from shoal.kernels._compile import kernel
from shoal.kernels.cell_widths import CellWidths, meeting_level


class Likeness(NamedTuple):
    """How far apart sensitive values are, and how far an attacker's guess reaches.

    The ruler is laid by code: with levels, a node's width is the distance of values that meet
    there; without, widths are positions on a line, in any order of the codes.
    """

    ruler: CellWidths
    reach: float


@kernel
def alike(likeness, column, first, second):
    """Pairwise contribution: 1 of equal values, less of distant ones, 0 of those out of reach."""
    if first == second:
        return 1.0
    ruler = likeness.ruler
    if ruler.has_levels[column]:
        distance = ruler.widths[meeting_level(ruler, column, first, second) + second]
    else:
        begin = ruler.begins[column]
        distance = min(1.0, abs(ruler.widths[begin + first] - ruler.widths[begin + second]))
    if distance > likeness.reach:
        return 0.0
    return 1.0 - distance


@kernel
def pair_sums(starts, values, counts, likeness, column, chosen):
    """Likeness added up over ordered pairs of records, each with itself too: -> float64[c].

    IN  starts int64[g+1], values int32[v], counts int64[v]: the values of each group and how
        often they occur, as in ValueCounts; chosen int64[c]: groups.
    S-diversity is this by the square of the group's size.
    """
    sums = np.zeros(len(chosen))
    for at in range(len(chosen)):
        start, end = starts[chosen[at]], starts[chosen[at] + 1]
        if not likeness.ruler.has_levels[column]:
            positions = likeness.ruler.widths[likeness.ruler.begins[column] :][values[start:end]]
            sums[at] = sum_on_a_line(positions, counts[start:end], likeness.reach)
            continue
        for i in range(start, end):
            sums[at] += float(counts[i]) * counts[i]
            for j in range(start, i):
                shared = alike(likeness, column, values[i], values[j])
                sums[at] += 2.0 * counts[i] * counts[j] * shared
    return sums


@kernel
def sum_on_a_line(positions, counts, reach):
    """The same for values on a line, in one pass: what is within reach of a value is a run.

    float64[v], int64[v], float -> float
    """
    order = np.argsort(positions)
    total, n_near, sum_near, first = 0.0, 0, 0.0, 0
    for i in order:
        position, count = positions[i], counts[i]
        while position - positions[order[first]] > reach:
            n_near -= counts[order[first]]
            sum_near -= counts[order[first]] * positions[order[first]]
            first += 1
        total += 2.0 * count * (n_near * (1.0 - position) + sum_near) + float(count) * count
        n_near += count
        sum_near += count * position
    return total
