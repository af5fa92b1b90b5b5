"""Answers to many queries, from cells that may stand for several values."""

import numpy as np

from shoal.kernels._compile import kernel


@kernel
def add_answers(shares, starts, n_cells, picked, cells, weights, answers):
    """For every query, what matches it: float64[s], int64[c], int64[c], int32[q, c], int32[n, c].

    `shares` has, for each column in turn, a table of conditions by cells: how much of the cell lies
    in the condition. `starts` is where the table of a column begins, `n_cells` its width; `picked`
    is the condition of each query there. The `weights` of what matches are added to `answers`.
    """
    n_columns = cells.shape[1]
    places = np.empty(n_columns, dtype=np.int64)
    for q in range(len(answers)):
        for c in range(n_columns):
            places[c] = starts[c] + picked[q, c] * n_cells[c]
        total = 0.0
        for i in range(len(weights)):
            share = weights[i]
            for c in range(n_columns):
                share *= shares[places[c] + cells[i, c]]
                if share == 0.0:
                    break
            total += share
        answers[q] += total
    return np.sum(answers)
