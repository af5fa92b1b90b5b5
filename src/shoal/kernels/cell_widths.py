"""How wide the published cells of a box are."""

from typing import NamedTuple

import numpy as np

from shoal.kernels._compile import kernel


class CellWidths(NamedTuple):
    """How wide a box is, column by column.

    A column has a block of levels × codes in `nodes` and `widths`. With a hierarchy, `nodes` is
    the node above each code at each level and `widths` the share of the domain that it covers.
    Without one there is a single level, and `widths` are positions on a line.
    """

    nodes: np.ndarray  # int32, block after block
    widths: np.ndarray  # float64
    begins: np.ndarray  # int64[columns], where each block begins
    n_codes: np.ndarray  # int64[columns], the codes of a level
    has_levels: np.ndarray  # bool[columns]
    weights: np.ndarray  # float64[columns]


@kernel
def cell_width(ruler, column, low, high):
    """How wide the cell of the leaves low..high is: 0 for one leaf, 1 for all."""
    if low == high:
        return 0.0
    if ruler.has_levels[column]:
        return ruler.widths[meeting_level(ruler, column, low, high) + high]
    begin = ruler.begins[column]
    return ruler.widths[begin + high] - ruler.widths[begin + low]


@kernel
def meeting_level(ruler, column, low, high):
    """Where in `nodes` the level of the lowest common ancestor of two codes begins."""
    at = ruler.begins[column]
    while ruler.nodes[at + low] != ruler.nodes[at + high]:
        at += ruler.n_codes[column]
    return at
