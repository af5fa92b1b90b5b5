"""How much each column adds to the average risk.

An attacker who knows the columns S finds so many of the records, on average: one of each group. Of
people with several records it is the sum of their risks. Its share of all is the average risk of S.
Within a combination of columns it is shared among them by Shapley's rule: the mean, over all orders
in which the columns could become known, of what each one adds. A column's contribution is the mean
of its shares over all combinations of `size` columns that contain it. It is the mean over
n = 1 .. size of what the column adds, on average, as the n-th one known; so all contributions
together are columns / size times the mean risk of those combinations beyond that of knowing
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import combinations
from math import comb

from shoal.risks.choice import Places

NumberFound = Mapping[Places, float]  # knowing each combination; () is knowing nothing


def contributions(found: NumberFound, n_columns: int, size: int, n: int) -> list[float]:
    """The contribution of every column; all combinations of up to `size` columns are counted.

    Two columns, four people: the first tells all of them apart, the second halves them.

    >>> contributions({(): 1, (0,): 4, (1,): 2, (0, 1): 4}, n_columns=2, size=2, n=4)
    [0.625, 0.125]
    """
    # Of records, whole numbers: exact whatever the order.
    gains: list[list[float]] = [[0] * size for _ in range(n_columns)]
    for n_known in range(size):
        for places in combinations(range(n_columns), n_known + 1):
            for added in places:
                before = tuple(place for place in places if place != added)
                gains[added][n_known] += found[places] - found[before]
    return [
        sum(gain / comb(n_columns - 1, k) for k, gain in enumerate(of_column)) / size / n
        for of_column in gains
    ]
