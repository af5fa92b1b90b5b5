"""Adult with ARX's hierarchies, encoded for full-domain algorithms."""

from dataclasses import replace
from functools import cache

import polars as pl

import shoal
from cases.handmade import encoded, quasi, schema_of
from shared_data import SHARED
from shoal.encode.population import encode_population
from shoal.read.columns import read_column
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
def adult_table(names=NINE, sensitive=(), file="adult.csv", population=None):
    """The table of some quasi-identifiers, in this order, and some sensitive columns."""
    columns = {name: quasi(hierarchy_of(name)) for name in names}
    columns |= {name: ColumnSpec("sensitive", hierarchy_of(name)) for name in sensitive}
    encoding = encoded(adult_frame(file), columns, is_text=True)
    if population is None:
        return encoding.table
    both = pl.concat([adult_frame(file), adult_frame(population)])
    together = {name: read_column(both[name]) for name in names}
    people = encode_population(together, encoding, schema_of(columns))
    return replace(encoding.table, populations={population: people})
