"""Adult with ARX's hierarchies, encoded for full-domain algorithms.

No twin: this arranges what tests look at.
"""

from functools import cache

import polars as pl

import shoal
from naive.handmade import encoded, quasi
from shared_data import SHARED
from shoal.types.schema import ColumnSpec

FOLDER = SHARED / "data" / "adult"
NINE = (
    "sex",
    "age",
    "race",
    "marital-status",
    "education",
    "native-country",
    "workclass",
    "occupation",
    "salary-class",
)


@cache
def adult_frame(file="adult.csv"):
    return pl.read_csv(FOLDER / file, separator=";", infer_schema=False)


@cache
def hierarchy_of(name):
    return shoal.levels(FOLDER / f"adult_hierarchy_{name}.csv")


@cache
def adult_table(names=NINE, sensitive=(), file="adult.csv"):
    """The table of some quasi-identifiers, in this order, and some sensitive columns."""
    columns = {name: quasi(hierarchy_of(name)) for name in names}
    columns |= {name: ColumnSpec("sensitive", hierarchy_of(name)) for name in sensitive}
    return encoded(adult_frame(file), columns, is_text=True).table
