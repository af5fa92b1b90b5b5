"""Small random tables with hierarchies, and models of every kind, for Shoal and for its twin."""

from dataclasses import dataclass, field

import numpy as np
import polars as pl
from hypothesis import strategies as st

import shoal
from cases.handmade import encoded, quasi
from cases.models import AtMost, EvenSize, NoMajority
from naive.lattice import Ladder, Lattice
from shoal.privacy.distinct_l_diversity import DistinctLDiversity
from shoal.privacy.k_anonymity import KAnonymity
from shoal.types.algorithm import Limits
from shoal.types.privacy import Privacy


@dataclass(frozen=True)
class Rule:
    """What is asked of every group, in Shoal's words and in plain ones."""

    models: tuple
    holds: object = field(repr=False)

    @property
    def survives_growth(self):
        return Privacy(self.models).survives_growth


def k_anonymous(k):
    return Rule((KAnonymity(k),), lambda group: len(group) >= k)


def diverse(l):
    return Rule((DistinctLDiversity("s", l),), lambda group: len(set(group)) >= l)


def no_majority():
    return Rule(
        (NoMajority("s"),), lambda group: 2 * max(map(group.count, set(group))) <= len(group)
    )


def even():
    return Rule((EvenSize(),), lambda group: len(group) % 2 == 0)


def at_most(m):
    return Rule((AtMost(m),), lambda group: len(group) <= m)


def both(one, other):
    return Rule(one.models + other.models, lambda group: one.holds(group) and other.holds(group))


SIZES = st.integers(1, 6).map(k_anonymous)
GROWING = st.one_of(
    SIZES,
    st.integers(1, 3).map(diverse),
    st.builds(both, st.integers(2, 5).map(k_anonymous), st.integers(2, 3).map(diverse)),
)
MERGING = st.sampled_from([no_majority(), even()])
FRAGILE = st.integers(1, 30).map(at_most)
RULES = st.one_of(
    GROWING,
    MERGING,
    FRAGILE,
    st.builds(both, st.integers(2, 4).map(k_anonymous), st.one_of(MERGING, FRAGILE)),
)


@dataclass(frozen=True)
class Case:
    """A table, what is asked of its groups, and how many records may be suppressed."""

    columns: tuple
    sensitive: list
    rule: Rule
    limit: int
    already: int

    @property
    def twin(self):
        return Lattice(
            list(self.columns), self.sensitive, self.rule.holds, self.limit, self.already
        )

    @property
    def privacy(self):
        return Privacy(self.rule.models)

    @property
    def limits(self):
        return Limits(suppression=self.limit, already_suppressed=self.already, threads=1)

    @property
    def table(self):
        return table_of(self.columns, self.sensitive)


def table_of(columns, sensitive):
    """The encoded table of some ladders, and a sensitive column `s`."""
    names = [f"q{i}" for i in range(len(columns))]
    frame = pl.DataFrame(
        {name: column.values for name, column in zip(names, columns, strict=True)}
        | {"s": sensitive},
        schema=dict.fromkeys([*names, "s"], pl.String),
    )
    specs = {
        name: quasi(shoal.levels(column.paths), weight=column.weight)
        for name, column in zip(names, columns, strict=True)
    }
    return encoded(frame, specs | {"s": "sensitive"}, is_text=True).table


def paths_of(parents):
    """Paths to the root from lists that say of each node of a level which is above it."""
    paths = []
    for leaf in range(len(parents[0]) if parents else 1):
        at, path = leaf, [f"leaf {leaf}"]
        for level, above in enumerate(parents, start=1):
            at = above[at]
            path.append(f"{level}.{at}")
        paths.append((*path, "*"))
    return paths


@st.composite
def paths(draw):
    """A hierarchy of height 1 to 3; a level may merge all, some, or nothing."""
    n_nodes = draw(st.integers(1, 6))
    parents = []
    for _ in range(draw(st.integers(1, 3)) - 1):
        n_above = draw(st.integers(1, n_nodes))
        is_redundant = draw(st.booleans()) and n_above == n_nodes
        above = (
            list(range(n_nodes))
            if is_redundant
            else draw(st.lists(st.integers(0, n_above - 1), min_size=n_nodes, max_size=n_nodes))
        )
        used = sorted(set(above))
        parents.append([used.index(node) for node in above])
        n_nodes = len(used)
    if not parents:
        return [(f"leaf {leaf}", "*") for leaf in range(n_nodes)]
    return paths_of(parents)


@st.composite
def ladders(draw, n_records):
    """A column: few different values, so that groups arise; sometimes all of it is missing."""
    of_leaves = draw(paths())
    leaves = [path[0] for path in of_leaves]
    value = st.sampled_from(leaves)
    if draw(st.integers(0, 3)) == 0:
        value = st.one_of(value, st.none())
    if draw(st.integers(0, 19)) == 0:
        value = st.none()
    values = draw(st.lists(value, min_size=n_records, max_size=n_records))
    return Ladder(values, of_leaves, draw(st.sampled_from([1.0, 1.0, 1.0, 0.5, 3.0])))


@st.composite
def cases(draw, rules=RULES, n_columns=(2, 4)):
    n_different = draw(st.integers(2, 20))
    n_records = draw(st.integers(5, 40))
    columns = [draw(ladders(n_different)) for _ in range(draw(st.integers(*n_columns)))]
    kinds = draw(st.lists(st.integers(0, n_different - 1), min_size=n_records, max_size=n_records))
    columns = tuple(
        Ladder([column.values[kind] for kind in kinds], column.paths, column.weight)
        for column in columns
    )
    sensitive = draw(st.lists(st.sampled_from("abcd"), min_size=n_records, max_size=n_records))
    limit = draw(st.sampled_from([0, 0, 1, 3, n_records // 4, n_records - 1, n_records]))
    already = draw(st.sampled_from([0, 0, 0, 4]))
    return Case(columns, sensitive, draw(rules), limit, already)


def random_case(seed):
    """A case whose best node lies somewhere in the middle more often than hypothesis finds one."""
    rng = np.random.default_rng(seed)
    n_records = int(rng.integers(12, 41))
    kinds = rng.integers(0, int(rng.integers(6, 30)), n_records)
    columns = []
    for _ in range(int(rng.integers(2, 5))):
        of_leaves = random_paths(rng)
        leaves = [path[0] for path in of_leaves] + [None] * int(rng.random() < 0.3)
        of_kind = rng.integers(0, len(leaves), 30)
        values = [leaves[of_kind[kind]] for kind in kinds]
        columns.append(Ladder(values, of_leaves, float(rng.choice([1, 1, 0.5, 3]))))
    few = int(rng.integers(2, 5))
    rules = [
        k_anonymous(few),
        diverse(2),
        both(k_anonymous(few), diverse(2)),
        no_majority(),
        even(),
        at_most(int(rng.integers(2, 12))),
        both(k_anonymous(2), no_majority()),
        both(k_anonymous(2), at_most(int(rng.integers(4, 20)))),
    ]
    return Case(
        tuple(columns),
        rng.choice(list("abcd"), n_records, p=[0.4, 0.3, 0.2, 0.1]).tolist(),
        rules[seed % len(rules)],
        limit=int(rng.choice([0, 2, n_records // 4, n_records // 2, n_records])),
        already=int(rng.choice([0, 0, 3])),
    )


def random_paths(rng):
    """A hierarchy of height 1 to 3 whose nodes have a few children each, or one."""
    n_nodes = int(rng.integers(2, 9))
    parents = []
    for _ in range(int(rng.integers(0, 3))):
        n_above = n_nodes if rng.random() < 0.2 else int(rng.integers(1, n_nodes + 1))
        above = rng.permutation(np.arange(n_nodes) % n_above).tolist()
        parents.append(above)
        n_nodes = n_above
    return paths_of(parents) if parents else [(f"leaf {leaf}", "*") for leaf in range(n_nodes)]
