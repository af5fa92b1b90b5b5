"""Answers to many queries, from cells that may stand for several values."""

import numpy as np

from shoal.kernels._compile import kernel


@kernel
def add_answers(shares, starts, n_cells, cells, weights, answers):
    """For every query, records that match it: float64[s], int64[c], int64[c], int32[n, c] -> [q].

    `shares` has, for each column in turn, a table of queries by cells: how much of the cell lies in
    the query. `starts` is where the table of a column begins, `n_cells` its width.
    """
    n_columns = cells.shape[1]
    for q in range(len(answers)):
        total = 0.0
        for i in range(len(weights)):
            share = weights[i]
            for c in range(n_columns):
                share *= shares[starts[c] + q * n_cells[c] + cells[i, c]]
                if share == 0.0:
                    break
            total += share
        answers[q] += total
    return np.sum(answers)
