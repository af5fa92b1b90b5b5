"""Small random tables with sensitive columns of every kind, for TGC and its twins."""

from collections import Counter
from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from cases.axes import random_axes, some_axes, some_codes, some_records, uneven_paths
from naive import tgc as naive
from shoal.types.hierarchy import Hierarchy
from shoal.types.sensitive import SensitiveColumn
from shoal.types.table import Table

KINDS = ["plain", "number", "number as text", "tree"]


@dataclass(frozen=True)
class Case:
    """Records as pairs of tuples: codes of quasi-identifiers, codes of sensitive values."""

    records: list
    axes: tuple
    sensitive: tuple

    @property
    def rows(self):
        return sorted(set(self.records))

    @property
    def table(self):
        counts, rows = Counter(self.records), self.rows
        shape = (len(rows), len(self.sensitive))
        return Table(
            codes=np.array([codes for codes, _ in rows], dtype=np.int32),
            sensitive=np.array([values for _, values in rows], dtype=np.int32).reshape(shape),
            weights=np.array([counts[row] for row in rows], dtype=np.int64),
            axes=self.axes,
            sensitive_columns=self.sensitive,
        )

    def cost(self, utility, protection, r):
        columns = [twin_of_axis(axis) for axis in self.axes]
        values = [twin_of_values(column) for column in self.sensitive]
        return naive.Cost(columns, values, utility, protection, r)


def twin_of_axis(axis):
    if axis.publish == "node":
        paths = list(axis.hierarchy.paths())
        return naive.Leaves(paths, paths, axis.weight)
    if axis.publish == "set":
        return naive.Plain(len(axis.leaves), axis.weight)
    low, high = axis.domain
    positions = [(float(number) - low) / ((high - low) or 1.0) for number in axis.numbers]
    return naive.Numbers(positions, axis.weight)


def twin_of_values(column):
    if column.hierarchy is not None:
        paths = {path[0]: path for path in column.hierarchy.paths()}
        own = [paths[label] for label in column.labels]
        return naive.Leaves(own, list(paths.values()), has_missing=column.has_missing)
    if column.labels[0].startswith("v"):
        return naive.Plain(0, n_all=len(column.labels) + column.has_missing)
    numbers = [float(label) for label in column.labels]
    span = (max(numbers) - min(numbers)) or 1.0
    return naive.Numbers([(number - min(numbers)) / span for number in numbers])


def sensitive_column(i, kind, n_values, has_missing):
    labels = tuple(f"v{value:03}" for value in range(n_values))
    numbers, hierarchy, place = None, None, None
    if kind == "number":
        numbers = np.arange(n_values) ** 2
        labels = tuple(map(str, numbers))
    elif kind == "number as text":  # as from a csv file: in the order of text
        labels = tuple(sorted(str(value**2 - 3) for value in range(n_values)))
    elif kind == "tree":  # with a leaf that does not occur, and values in another order
        leaves = tuple(f"{leaf:06}" for leaf in range(n_values + 1))
        hierarchy = Hierarchy.of_paths(uneven_paths(leaves))
        labels = leaves[:0:-1]
        places = [*map(hierarchy.leaves.index, labels), len(leaves)]
        place = np.array(places[: len(labels) + has_missing], dtype=np.int32)
    return SensitiveColumn(f"s{i}", labels, numbers, hierarchy, has_missing, leaves=place)


@st.composite
def cases(draw, most=30):
    axes = draw(some_axes(most=3))
    sensitive = tuple(
        sensitive_column(
            i,
            draw(st.sampled_from(KINDS)),
            draw(st.sampled_from([1, 2, 5, 11, 80])),
            draw(st.booleans()),
        )
        for i in range(draw(st.integers(0, 2)))
    )
    record = st.tuples(some_codes(axes), some_codes(sensitive))
    return Case(draw(some_records(record, most=most)), axes, sensitive)


def random_case(seed, n_most=120):
    rng = np.random.default_rng(seed)
    axes = random_axes(rng, most=3)
    sensitive = tuple(
        sensitive_column(i, KINDS[(seed + i) % 4], int(rng.choice([3, 8, 90])), bool(i))
        for i in range(1 + seed % 2)
    )
    n = int(rng.integers(20, n_most))
    codes = [rng.integers(0, a.n_codes, size=n) for a in axes]
    values = [rng.integers(0, s.n_codes, size=n) for s in sensitive]
    records = [
        (tuple(int(c[i]) for c in codes), tuple(int(v[i]) for v in values)) for i in range(n)
    ]
    return Case(records, axes, sensitive)
