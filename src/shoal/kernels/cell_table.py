"""The costs of cells, memoised: a search needs the same pairs of codes again and again."""

from typing import NamedTuple

import numpy as np

from shoal.kernels._compile import kernel
from shoal.kernels.cell_widths import CellWidths
from shoal.kernels.tree import cell_cost

MOST_CODES = 512  # of a column; beyond, its square is slower to look up than to compute


class Cells(NamedTuple):
    """The cost of low..high in a column is at begins[column] + low * n_codes[column] + high.

    A column that begins below 0 has too many codes, and is asked of the ruler.
    """

    costs: np.ndarray  # float64
    begins: np.ndarray  # int64[columns]
    n_codes: np.ndarray  # int64[columns]
    ruler: CellWidths


@kernel
def tabulate(ruler):
    """Costs of all pairs of codes: CellWidths -> Cells."""
    n_columns = len(ruler.n_codes)
    begins = np.full(n_columns, np.int64(-1))
    n_costs = 0
    for column in range(n_columns):
        if ruler.n_codes[column] <= MOST_CODES:
            begins[column] = n_costs
            n_costs += ruler.n_codes[column] ** 2
    costs = np.zeros(n_costs)
    for column in range(n_columns):
        if begins[column] >= 0:
            n = ruler.n_codes[column]
            for low in range(n):
                for high in range(low + 1, n):
                    costs[begins[column] + low * n + high] = cell_cost(ruler, column, low, high)
    return Cells(costs, begins, ruler.n_codes, ruler)
