"""Small random tables with every kind of column, for clusterers and their twins."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st

from cases.axes import random_axes, records_of, some_axes, some_codes, some_records, table_of
from naive.diameters import of_axis
from shoal.types.sensitive import SensitiveColumn

SENSITIVE = (SensitiveColumn("s", ("a", "b", "c", "d"), None, None, False),)


@dataclass(frozen=True)
class Case:
    """Records as tuples of codes, the last one sensitive."""

    records: list
    axes: tuple

    @property
    def table(self):
        return table_of(self.records, self.axes, SENSITIVE)

    @property
    def columns(self):
        """What the twins measure with."""
        return [of_axis(axis) for axis in self.axes]


@st.composite
def cases(draw, fewest=1, most=40):
    axes = draw(some_axes())
    return Case(draw(some_records(some_codes((*axes, *SENSITIVE)), fewest=fewest, most=most)), axes)


def random_case(seed, n_most=300, n_fewest=2):
    rng = np.random.default_rng(seed)
    axes = random_axes(rng, n_leaves=(2, 5, 30, 500), most=5)
    n = int(rng.integers(n_fewest, n_most))
    columns = [rng.integers(0, a.n_codes, size=n) for a in axes]
    columns.append(rng.choice(4, size=n, p=[0.55, 0.2, 0.15, 0.1]))
    return Case(records_of(columns), axes)
