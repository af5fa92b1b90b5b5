"""The earth mover's distance by linear programming."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
from scipy.optimize import linprog

from naive import privacy as naive
from privacy.groups import NUMBERS, PATHS


def earth_movers_distance(group, table, distance):
    """The least work that turns the shares of a table into a group's."""
    values = sorted(set(table), key=str)
    n = len(values)
    costs = np.array([[float(distance(a, b)) for b in values] for a in values])
    leaving, arriving = np.zeros((n, n * n)), np.zeros((n, n * n))
    for i in range(n):
        leaving[i, i * n : (i + 1) * n] = 1
        arriving[i, i::n] = 1
    solved = linprog(
        costs.ravel(),
        A_eq=np.vstack([leaving, arriving]),
        b_eq=[float(naive.share(v, whole)) for whole in (table, group) for v in values],
        options={"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10},
    )
    assert solved.success
    return solved.fun


def distance_in(kind, table, values):
    """How far two values are, as Li, Li and Venkatasubramanian define it."""
    match kind:
        case "equal":
            return lambda a, b: a != b
        case "ordered":
            key = Fraction if values is NUMBERS else str
            in_order = sorted(set(table) - {None}, key=key) + [None] * (None in table)
            return lambda a, b: naive.ordered_distance(a, b, in_order)
        case "hierarchical":
            return lambda a, b: naive.hierarchical_distance(a, b, PATHS)
