"""Small random tables for MSTK and its twin."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from cases.axes import random_axes, records_of, some_axes, some_codes, some_records, table_of
from naive.mixed import mixed
from naive.mstk import Climb, Stretch
from shoal.types.sensitive import SensitiveColumn

LEVELS = ("tree", "deep", "plain")
LINES = (*LEVELS, "line")
SENSITIVE = (SensitiveColumn("s", ("a", "b", "c"), None, None, False),)


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
        return table_of(self.records, self.axes, SENSITIVE)

    @property
    def codes(self):
        """Of all records, in the order in which they are numbered."""
        return [record[:-1] for record in self._numbered]

    @property
    def rows(self):
        """The table row of each of them."""
        places = {record: row for row, record in enumerate(sorted(set(self.records)))}
        return [places[record] for record in self._numbered]

    @property
    def _numbered(self):
        names = [axis.name for axis in self.axes]
        return sorted(self.records, key=lambda record: (mixed(record[:-1], names), record))


def column_of(axis, exact):
    if axis.publish == "range":
        return Stretch(axis.positions[:-1].tolist(), axis.weight)
    if axis.hierarchy is None:
        return Climb([(leaf, "*") for leaf in axis.leaves], axis.weight, exact)
    return Climb(list(axis.hierarchy.paths()), axis.weight, exact)


@st.composite
def cases(draw, shapes, most=30, smallest_k=2):
    axes = draw(some_axes(shapes=shapes, n_leaves=(1, 2, 3, 9, 40)))
    records = draw(some_records(some_codes((*axes, *SENSITIVE)), most=most))
    k = draw(st.integers(smallest_k, 6))
    return Case(records * -(-k // len(records)), axes, k)


def random_case(seed, shapes, n_records):
    rng = np.random.default_rng(seed)
    axes = random_axes(rng, shapes=shapes, n_leaves=(2, 5, 12, 60))
    columns = [(a.n_codes * rng.random(n_records) ** 2).astype(int) for a in axes]
    columns.append(rng.integers(0, 3, n_records))
    return Case(records_of(columns), axes, k=int(rng.integers(2, 7)))
