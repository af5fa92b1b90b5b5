"""Small random tables for MSTK and its twin.

No twin: this arranges what tests look at.
"""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from naive.mstk import Climb, Stretch
from shoal.types.axis import Axis
from shoal.types.hierarchy import Hierarchy
from shoal.types.sensitive import SensitiveColumn
from shoal.types.table import Table

LEVELS = ("tree", "deep", "plain")
LINES = (*LEVELS, "line")


@dataclass(frozen=True)
class Case:
    """Records as tuples of codes, the last one sensitive."""

    records: list
    axes: tuple
    k: int

    @property
    def columns(self):
        exact = all(axis.publish != "range" for axis in self.axes)
        return [column_of(axis, exact) for axis in self.axes]

    @property
    def table(self):
        rows = Counter(self.records)
        in_order = sorted(rows)
        return Table(
            codes=np.array([row[:-1] for row in in_order], dtype=np.int32),
            sensitive=np.array([row[-1:] for row in in_order], dtype=np.int32),
            weights=np.array([rows[row] for row in in_order], dtype=np.int64),
            axes=self.axes,
            sensitive_columns=(SensitiveColumn("s", ("a", "b", "c"), None, None, False),),
        )

    @property
    def codes(self):
        """Of all records, in order."""
        return [record[:-1] for record in sorted(self.records)]

    @property
    def rows(self):
        """The table row of each of them."""
        places = {record: row for row, record in enumerate(sorted(set(self.records)))}
        return [places[record] for record in sorted(self.records)]


def axis(i, *, n_leaves, has_missing, shape, weight):
    leaves = tuple(f"{leaf:06}" for leaf in range(n_leaves))
    hierarchy = None
    if shape in ("tree", "deep"):
        paths = uneven_paths(leaves) if shape == "tree" else redundant_paths(leaves)
        hierarchy = Hierarchy.of_paths(paths)
    numbers = np.cumsum(np.arange(n_leaves) % 3 + 1) if shape == "line" else None
    return Axis(
        name=f"q{i}",
        kind="integer" if shape == "line" else "text",
        leaves=hierarchy.leaves if hierarchy else leaves,
        numbers=numbers,
        hierarchy=hierarchy,
        publish={"line": "range", "plain": "set"}.get(shape, "node"),
        has_missing=has_missing,
        weight=weight,
        domain=(float(numbers[0]), float(numbers[-1])) if shape == "line" else (0.0, 0.0),
    )


def uneven_paths(leaves):
    """Twos of leaves under sixes under the root, and the last leaf of ten directly under it."""
    return [
        (leaf, leaf, leaf, "*") if i % 10 == 9 else (leaf, f"two {i // 2}", f"six {i // 6}", "*")
        for i, leaf in enumerate(leaves)
    ]


def redundant_paths(leaves):
    """Fours of leaves, a level that joins nothing, eights, and the root twice."""
    return [
        (leaf, f"four {i // 4}", f"still {i // 4}", f"eight {i // 8}", "all", "*")
        for i, leaf in enumerate(leaves)
    ]


def column_of(axis, exact):
    if axis.publish == "range":
        return Stretch(axis.positions[:-1].tolist(), axis.weight)
    if axis.hierarchy is None:
        return Climb([(leaf, "*") for leaf in axis.leaves], axis.weight, exact)
    return Climb(list(axis.hierarchy.paths()), axis.weight, exact)


@st.composite
def cases(draw, shapes, most=30, smallest_k=2):
    axes = tuple(
        axis(
            i,
            n_leaves=draw(st.sampled_from([1, 2, 3, 9, 40])),
            has_missing=draw(st.booleans()),
            shape=draw(st.sampled_from(shapes)),
            weight=draw(st.sampled_from([0.1, 0.5, 1.0, 1.0, 3.0])),
        )
        for i in range(draw(st.integers(1, 4)))
    )
    record = st.tuples(*(st.integers(0, a.n_codes - 1) for a in axes), st.integers(0, 2))
    few_different = st.lists(record, min_size=1, max_size=8).flatmap(
        lambda pool: st.lists(st.sampled_from(pool), min_size=1, max_size=most)
    )
    records = draw(few_different | st.lists(record, min_size=1, max_size=most))
    k = draw(st.integers(smallest_k, 6))
    return Case(records * -(-k // len(records)), axes, k)


def random_case(seed, shapes, n_records):
    rng = np.random.default_rng(seed)
    axes = tuple(
        axis(
            i,
            n_leaves=int(rng.choice([2, 5, 12, 60])),
            has_missing=bool(rng.integers(2)),
            shape=str(rng.choice(shapes)),
            weight=float(rng.choice([0.1, 0.5, 1, 2])),
        )
        for i in range(int(rng.integers(1, 5)))
    )
    columns = [(a.n_codes * rng.random(n_records) ** 2).astype(int) for a in axes]
    columns.append(rng.integers(0, 3, n_records))
    records = [tuple(map(int, record)) for record in zip(*columns, strict=True)]
    return Case(records, axes, k=int(rng.integers(2, 7)))


def groups_of(grouping):
    """Group -> Counter of rows."""
    groups = {}
    for row, count, label in zip(grouping.rows, grouping.counts, grouping.labels, strict=True):
        groups.setdefault(int(label), Counter())[int(row)] += int(count)
    return groups


def as_multiset(groups):
    return Counter(frozenset(group.items()) for group in groups)
