"""Trees of any depth as nested dictionaries: `{"*": {"lung": {"flu": {}, "cold": {}}, "HIV": {}}}`.

What the definitions say of cells, values and groups, read off the tree itself. Names are unique.
"""

from fractions import Fraction

from naive.measures import NOTHING, SUPPRESSED, Column, Cost

ROOT = "*"


def leaves(below):
    """The leaves under a node, given what is below it by name."""
    return [
        leaf for name, nodes in below.items() for leaf in ([name] if not nodes else leaves(nodes))
    ]


def height(below):
    """Steps to the furthest leaf."""
    return 1 + max(height(nodes) for nodes in below.values()) if below else 0


def find(tree, name):
    """What is below the node of a name."""
    for known, below in tree.items():
        if known == name:
            return below
        found = find(below, name)
        if found is not None:
            return found
    return None


def lowest_node(tree, values):
    """The name of the lowest node above all these values; of one value, itself."""
    ((name, below),) = tree.items()
    for child, nodes in below.items():
        if set(values) <= set(leaves({child: nodes})):
            return lowest_node({child: nodes}, values)
    return name


def path(tree, leaf):
    """From a leaf to the root."""
    ((name, below),) = tree.items()
    if not below:
        return [leaf]
    (child,) = [child for child in below if leaf in leaves({child: below[child]})]
    return [*path({child: below[child]}, leaf), name]


def at_level(tree, leaf, level):
    """The node of a leaf at a level, the root having the tree's height; a short path its leaf."""
    above = path(tree, leaf)
    depth = height(tree[ROOT]) - level
    return above[max(len(above) - 1 - depth, 0)]


def distance(tree, one, other):
    """The height at which two values meet, by that of the root. Missing is under the root."""
    if one == other:
        return Fraction(0)
    if one is None or other is None:
        return Fraction(1)
    meeting = find(tree, lowest_node(tree, [one, other]))
    return Fraction(height(meeting), height(tree[ROOT]))


def earth_movers_distance(tree, group, table):
    """At each node, what values of one side have too much and those of another too little.

    Li, Li and Venkatasubramanian: matched as low as can be, each match costs the node's height.
    """

    def extra(value):
        return Fraction(group.count(value), len(group)) - Fraction(table.count(value), len(table))

    def work(name, below):
        """What remains of the node, and what was matched below it and at it."""
        if not below:
            return extra(name), Fraction(0)
        rests, costs = zip(*(work(*child) for child in below.items()), strict=True)
        rests = [*rests, extra(None)] if name == ROOT else rests
        matched = min(sum(r for r in rests if r > 0), -sum(r for r in rests if r < 0))
        return sum(rests), sum(costs) + matched * Fraction(height(below), height(tree[ROOT]))

    return work(ROOT, tree[ROOT])[1]


def likeness(tree, one, other, *, has_missing):
    """1 - (leaves below the node where two values meet - 1) / all leaves."""
    if one == other:
        return Fraction(1)
    n_all = len(leaves(tree)) + has_missing
    if one is None or other is None:
        return 1 - Fraction(n_all - 1, n_all)
    name = lowest_node(tree, [one, other])
    n_below = len(leaves(find(tree, name))) + (has_missing and name == ROOT)
    return 1 - Fraction(n_below - 1, n_all)


def s_diversity(tree, group, r, *, has_missing):
    alike = [likeness(tree, a, b, has_missing=has_missing) for a in group for b in group]
    return sum((pair for pair in alike if pair >= 1 - r), Fraction(0)) / len(group) ** 2


class InTree(Column):
    """A quasi-identifier that is published as nodes of a tree."""

    def __init__(self, values, tree):
        self.values, self.tree = values, tree

    def cost(self, cell):
        """Nothing where the tree has one leaf; values that the tree has besides do count."""
        n_codes = len(leaves(self.tree)) + (None in self.values)
        if cell is None or n_codes <= 1:
            return NOTHING
        return self.whole() if cell in (ROOT, SUPPRESSED) else self.part(cell)

    def whole(self):
        return self.part(ROOT)

    def part(self, cell):
        below, n_all = find(self.tree, cell), len(leaves(self.tree))
        if not below:
            return NOTHING
        n = len(leaves(below))
        if n_all == 1:  # one leaf, and missing
            n = n_all = 2
        steep = height(below) / height(self.tree[ROOT])
        ncp = n / n_all if n > 1 else 0  # of a node with one leaf, nothing is hidden
        return Cost((n - 1) / (n_all - 1), ncp, steep, (n - 1) / n_all, steep)
