"""The least possible loss by trying everything, or by a solver of linear programs."""

from functools import cache
from itertools import product

import numpy as np
from scipy.optimize import Bounds, LinearConstraint, milp
from scipy.sparse import lil_matrix


def tree_cost(paths, values):
    """Of one cell: `paths` are the leaves' nodes, leaf first; None is a missing value."""
    if None in values:
        return 0.0 if set(values) == {None} else 1.0
    for level in range(len(paths[values[0]])):
        if len({paths[value][level:] for value in values}) == 1:
            node = paths[values[0]][level:]
            n_leaves = sum(path[level:] == node for path in paths.values())
            return (n_leaves - 1) / max(len(paths) - 1, 1)
    raise AssertionError("the paths end at one root")


def range_cost(domain, values):
    if None in values:
        return 0.0 if set(values) == {None} else 1.0
    return (max(values) - min(values)) / (domain[1] - domain[0])


def set_cost(n_leaves, rare, values):
    different = set(values)
    if len(different) == 1:
        return 0.0
    if None in different or different & rare:
        return 1.0
    return (len(different) - 1) / (n_leaves - 1)


def least_total(n, k, cost_of, whole, most_suppressed):
    """The cheapest way to put n records in groups of k or more, by trying all of them.

    `cost_of(records)` is what one record pays in that group, `whole` what a suppressed one pays.
    """

    @cache
    def least(left, may_suppress):
        if not left:
            return 0.0
        first, *others = left
        found = [whole + least(tuple(others), may_suppress - 1)] if may_suppress else []
        for choice in product((False, True), repeat=len(others)):
            group = (first, *(r for r, is_in in zip(others, choice, strict=True) if is_in))
            if len(group) >= k:
                rest = tuple(r for r in others if r not in group)
                found.append(len(group) * paid(group) + least(rest, may_suppress))
        return min(found, default=float("inf"))

    @cache
    def paid(group):
        return cost_of(group)

    return least(tuple(range(n)), most_suppressed)


def nodes_above(records, paths):
    """Every node above some record, with its cost and who is below: {node: (cost, records)}."""
    found = {}
    for i, record in enumerate(records):
        ways = [
            {path[value][level:] for level in range(len(path[value]))}
            for path, value in zip(paths, record, strict=True)
        ]
        for node in product(*ways):
            found.setdefault(node, set()).add(i)
    return {node: (node_cost(node, paths), below) for node, below in found.items()}


def node_cost(node, paths):
    def covered(part, leaves):
        return sum(path[len(path) - len(part) :] == part for path in leaves.values())

    return sum(
        (covered(part, leaves) - 1) / max(len(leaves) - 1, 1)
        for part, leaves in zip(node, paths, strict=True)
    )


def facility_value(n, k, nodes, whole, most_suppressed, *, is_whole, may_repeat=False):
    """The least total: nodes are opened, and hold k records or more. By HiGHS.

    `is_whole`: nodes are open or not; otherwise partly, which is the linear program. `may_repeat`:
    a record may be in several groups and pays in each; then no value of its dual is negative.
    """
    places = [(node, i) for node, (_, below) in nodes.items() for i in sorted(below)]
    opened = {node: len(places) + n + j for j, node in enumerate(nodes)}
    n_variables = len(places) + n + len(nodes)  # places, suppressed records, nodes
    prices = np.zeros(n_variables)
    prices[: len(places)] = [nodes[node][0] for node, _ in places]
    prices[len(places) : len(places) + n] = whole
    once, inside = lil_matrix((n, n_variables)), lil_matrix((len(places), n_variables))
    enough, few = lil_matrix((len(nodes), n_variables)), lil_matrix((1, n_variables))
    for at, (node, i) in enumerate(places):
        once[i, at] = inside[at, at] = 1
        inside[at, opened[node]] = -1
        enough[opened[node] - len(places) - n, at] = 1
    for j, node in enumerate(nodes):
        enough[j, opened[node]] = -k
    for i in range(n):
        once[i, len(places) + i] = few[0, len(places) + i] = 1
    result = milp(
        prices,
        constraints=[
            LinearConstraint(once.tocsr(), 1, np.inf if may_repeat else 1),
            LinearConstraint(inside.tocsr(), -np.inf, 0),
            LinearConstraint(enough.tocsr(), 0, np.inf),
            LinearConstraint(few.tocsr(), 0, most_suppressed),
        ],
        bounds=Bounds(0, 1),
        integrality=np.full(n_variables, int(is_whole)),
        options={"mip_rel_gap": 0},
    )
    assert result.success
    return result.fun


def largest_total(pairs, k):
    """Of the k largest among values that come several times each: [(value, how often)]."""
    every = sorted((value for value, n in pairs for _ in range(n)), reverse=True)
    return sum(every[:k])
