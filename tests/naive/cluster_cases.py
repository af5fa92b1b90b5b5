"""Small random tables with every kind of column, for clusterers and their twins.

No twin: this arranges what tests look at.
"""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from naive.diameters import of_axis
from shoal.types.axis import Axis
from shoal.types.hierarchy import Hierarchy
from shoal.types.sensitive import SensitiveColumn
from shoal.types.table import Table

SHAPES = ["line", "plain", "tree"]


@dataclass(frozen=True)
class Case:
    """Records as tuples of codes, the last one sensitive."""

    records: list
    axes: tuple

    @property
    def table(self):
        rows = Counter(self.records)
        in_order = sorted(rows)
        return Table(
            codes=np.array([row[:-1] for row in in_order], dtype=np.int32),
            sensitive=np.array([row[-1:] for row in in_order], dtype=np.int32),
            weights=np.array([rows[row] for row in in_order], dtype=np.int64),
            axes=self.axes,
            sensitive_columns=(SensitiveColumn("s", ("a", "b", "c", "d"), None, None, False),),
        )

    @property
    def columns(self):
        """What the twins measure with."""
        return [of_axis(axis) for axis in self.axes]


def axis(i, *, n_leaves, has_missing, shape, weight):
    """A column of one of three shapes: numbers on a line, a plain category, or a tree."""
    leaves = tuple(f"{leaf:06}" for leaf in range(n_leaves))
    numbers = np.arange(n_leaves) ** 2 if shape == "line" else None
    hierarchy = Hierarchy.of_paths(uneven_paths(leaves)) if shape == "tree" else None
    return Axis(
        name=f"q{i}",
        kind="integer" if shape == "line" else "text",
        leaves=hierarchy.leaves if hierarchy else leaves,
        numbers=numbers,
        hierarchy=hierarchy,
        publish={"line": "range", "plain": "set", "tree": "node"}[shape],
        has_missing=has_missing,
        weight=weight,
        domain=(0.0, float(numbers[-1])) if shape == "line" else (0.0, 0.0),
    )


def uneven_paths(leaves):
    """Twos of leaves under sixes under the root, and the last leaf of ten directly under it."""
    return [
        (leaf, leaf, leaf, "*") if i % 10 == 9 else (leaf, f"two {i // 2}", f"six {i // 6}", "*")
        for i, leaf in enumerate(leaves)
    ]


@st.composite
def cases(draw, most=40):
    axes = tuple(
        axis(
            i,
            n_leaves=draw(st.sampled_from([1, 2, 3, 9, 100])),
            has_missing=draw(st.booleans()),
            shape=draw(st.sampled_from(SHAPES)),
            weight=draw(st.sampled_from([0.5, 1.0, 1.0, 3.0])),
        )
        for i in range(draw(st.integers(1, 4)))
    )
    record = st.tuples(*(st.integers(0, a.n_codes - 1) for a in axes), st.integers(0, 3))
    few_different = st.lists(record, min_size=1, max_size=8).flatmap(
        lambda pool: st.lists(st.sampled_from(pool), min_size=1, max_size=most)
    )
    return Case(draw(few_different | st.lists(record, min_size=1, max_size=most)), axes)


def random_case(seed, n_most=300):
    rng = np.random.default_rng(seed)
    axes = tuple(
        axis(
            i,
            n_leaves=int(rng.choice([2, 5, 30, 500])),
            has_missing=bool(rng.integers(2)),
            shape=str(rng.choice(SHAPES)),
            weight=float(rng.choice([0.5, 1, 2])),
        )
        for i in range(int(rng.integers(1, 6)))
    )
    n = int(rng.integers(2, n_most))
    columns = [rng.integers(0, a.n_codes, size=n) for a in axes]
    columns.append(rng.choice(4, size=n, p=[0.55, 0.2, 0.15, 0.1]))
    return Case([tuple(map(int, record)) for record in zip(*columns, strict=True)], axes)


def groups_of(grouping):
    """Group -> Counter of rows; -1 are the suppressed."""
    groups = {}
    for row, count, label in zip(grouping.rows, grouping.counts, grouping.labels, strict=True):
        groups.setdefault(int(label), Counter())[int(row)] += int(count)
    return groups


def as_multiset(groups):
    return Counter(frozenset(group.items()) for group in groups)
