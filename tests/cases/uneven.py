"""Random trees of uneven depth, and the ways in which users write them down."""

import numpy as np
import polars as pl

import shoal
from naive import trees

WAYS = ("short rows", "leaf repeated", "parent repeated", "either repeated", "tree")


def random_tree(rng, *, deepest=4):
    """Nested dictionaries under the root, with leaves at all depths and nodes of one child."""
    n_nodes = 0

    def grown(depth):
        nonlocal n_nodes
        below = {}
        for _ in range(int(rng.integers(1 if depth else 2, 4))):
            n_nodes += 1
            name = f"n{n_nodes}"
            below[name] = grown(depth + 1) if depth + 1 < deepest and rng.random() < 0.5 else {}
        return below

    return {trees.ROOT: grown(0)}


def paths_of(tree):
    return [tuple(trees.path(tree, leaf)) for leaf in trees.leaves(tree)]


def rows_of(tree, rng, way):
    """One row for each leaf, short or with the leaf or its parent repeated."""
    paths = paths_of(tree)
    longest = max(map(len, paths))
    choices = {"leaf repeated": [0], "parent repeated": [1], "either repeated": [0, 1]}
    rows = []
    for path in paths:
        at = int(rng.choice(choices.get(way, [0])))
        n_more = 0 if way == "short rows" else longest - len(path)
        rows.append((*path[:at], *[path[at]] * n_more, *path[at:]))
    return rows


def spec_of(tree, rng, way):
    """The hierarchy, as somebody would give it."""
    if way == "tree":
        return shoal.tree({name: _children(below) for name, below in tree[trees.ROOT].items()})
    return shoal.levels(rows_of(tree, rng, way))


def _children(below):
    return [{name: _children(nodes)} if nodes else name for name, nodes in below.items()] or None


class Case:
    """A random tree, a column that has some of its leaves, and random groups of its records."""

    def __init__(self, seed, way):
        self.rng = np.random.default_rng([seed, WAYS.index(way)])
        self.tree = random_tree(self.rng)
        self.spec = spec_of(self.tree, self.rng, way)
        self.leaves = trees.leaves(self.tree)
        n = int(self.rng.integers(4, 30))
        picked = [self.leaves[i] for i in self.rng.integers(len(self.leaves), size=n)]
        gaps = self.rng.random(n) < self.rng.choice([0, 0.1])
        self.values = [None if gap else value for gap, value in zip(gaps, picked, strict=True)]
        self.groups = np.unique(self.rng.integers(6, size=n), return_inverse=True)[1].tolist()
        self.frame = pl.DataFrame({"job": pl.Series(self.values, dtype=pl.String)})

    def members(self):
        return [
            [v for v, g in zip(self.values, self.groups, strict=True) if g == group]
            for group in sorted(set(self.groups))
        ]
