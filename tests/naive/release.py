"""Which promise a released table breaks, counted from the text of its cells and nothing else.

A checker of every model for tables like `conformance.tables.patients`: records are mappings from
columns to values, and a group is those whose quasi-identifiers are equal letter by letter.
"""

from __future__ import annotations

import math
from fractions import Fraction

from naive import privacy as naive
from naive.patients import is_covered

PATHS = {
    "flu": ("flu", "airways", "*"),
    "cold": ("cold", "airways", "*"),
    "gout": ("gout", "joints", "*"),
    "none": ("none", "nothing", "*"),
}
SEVERITY = {"flu": 4, "cold": 2, "gout": 6, "none": 1}
CLOSE = 1e-9  # of figures that are not fractions


def groups_of(released, quasi):
    groups = {}
    for record in released:
        groups.setdefault(tuple(record[name] for name in quasi), []).append(record)
    return groups


def is_broken(model, options, released, original, quasi, population=()):
    """Whether a release breaks a model, by its definition."""
    groups = groups_of(released, quasi)
    values = [[record["disease"] for record in group] for group in groups.values()]
    tables = [[record["disease"] for record in table] for table in (original, released)]
    sizes = [len(group) for group in values]
    match model:
        case "k-anonymity":
            return min(sizes) < options["k"]
        case "reidentification-risk":
            limits = {name.replace("-", "_"): value for name, value in options.items()}
            return not naive.risk_holds(sizes, **{n: Fraction(str(v)) for n, v in limits.items()})
        case "k-map" | "delta-presence":
            return _is_found(model, options, groups, quasi, population)
    return any(_breaks(model, options, group, table) for group in values for table in tables)


def _breaks(model, options, group, table):
    match model:
        case "distinct-l-diversity":
            return naive.n_different(group) < options["l"]
        case "entropy-l-diversity":
            return naive.mixture(group) < options["l"] - CLOSE
        case "recursive-cl-diversity":
            return naive.most_by_rare(group, options["l"]) >= options["c"]
        case "alpha-k":
            too_many = naive.largest_share(group) > options["alpha"] + CLOSE
            return too_many or len(group) < options["k"]
        case "p-sensitive":
            return naive.n_different(group) < options["p"] or len(group) < options["k"]
        case "t-closeness":
            return tree_distance(group, table) > options["t"] + CLOSE
        case "s-diversity":
            return naive.s_diversity(group, table, options["r"], PATHS) > options["max"] + CLOSE
        case "severity-closeness":
            return naive.severity_distance(group, table, SEVERITY) > options["t"] + CLOSE
        case "delta-disclosure":
            return naive.disclosure(group, table) >= options["delta"] + CLOSE
        case "beta-likeness":
            beta = options["beta"] + CLOSE
            return not naive.is_like(group, table, beta, enhanced=options["enhanced"])
    raise AssertionError(f"no definition of {model} here")


def tree_distance(group, table):
    """The earth mover's distance along the tree: what leaves each subtree, level by level.

    Leaves under one node of level 1 are half a tree apart, others a whole one.
    """
    work = Fraction(0)
    height = 2
    for level in range(height):
        nodes = {path[level] for path in PATHS.values()}
        for node in nodes:
            below = [value for value, path in PATHS.items() if path[level] == node]
            moved = sum(naive.share(v, group) - naive.share(v, table) for v in below)
            work += abs(moved) / (2 * height)
    return work


def _is_found(model, options, groups, quasi, population):
    """k-map and delta-presence: how many people of the population the cells of a group match."""
    people = [[person[name] for name in quasi] for person in population]
    cells = [
        [lambda value, name=name, cell=cell: is_covered(name, cell, value) for name, cell in pairs]
        for pairs in (list(zip(quasi, key, strict=True)) for key in groups)
    ]
    if model == "k-map":
        return any(len(naive.matched(each, people)) < options["k"] for each in cells)
    sized = [(each, len(group)) for each, group in zip(cells, groups.values(), strict=True)]
    matching = [pair for pair in sized if naive.matched(pair[0], people)]
    highest = max(naive.chances(matching, people), default=Fraction(0))
    return float(highest) > options["max"] + CLOSE or math.isnan(float(highest))
