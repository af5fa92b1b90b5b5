"""Table 1 of Lin and Wei, and the vectors about it, for Shoal and for the twins."""

import json
from fractions import Fraction

import polars as pl
import pytest

from cases.handmade import encoded, quasi
from naive.diameters import InATree, OnALine
from shared_data import SHARED


def spec():
    path = SHARED / "spec" / "vectors.json"
    return json.loads(path.read_text()) if path.exists() else {"vectors": []}


def vectors(prefix):
    """The vectors whose id begins so, each a test by that name."""
    chosen = [vector for vector in spec()["vectors"] if vector["id"].startswith(prefix)]
    return pytest.mark.parametrize("vector", chosen, ids=lambda vector: vector["id"])


def rows():
    return [row[:3] for row in spec()["tables"]["oka_table1"]["rows"]]


def table(zip_is):
    """The table as Shoal has it; a category without hierarchy costs as in a tree of one level."""
    frame = pl.DataFrame(rows(), schema=["zip", "gender", "age"], orient="row")
    if zip_is == "numeric":
        return encoded(frame, {"zip": "quasi", "gender": "quasi", "age": "quasi"})
    frame = frame.with_columns(pl.col("zip").cast(pl.String))
    return encoded(frame, {"zip": quasi(publish="set"), "gender": "quasi", "age": "quasi"})


def twins(zip_is):
    """The columns for the twins, with exact fractions, and the records by number."""
    ages = sorted({row[2] for row in rows()})
    zips = sorted({row[0] for row in rows()})
    genders = ["Male", "Female"]
    records = [(zips.index(z), genders.index(g), ages.index(a)) for z, g, a in rows()]
    flat = InATree([(str(z), "*") for z in zips], 1)
    of_zip = OnALine(shares(zips), 1) if zip_is == "numeric" else flat
    return [of_zip, InATree([(g, "*") for g in genders], 1), OnALine(shares(ages), 1)], records


def shares(numbers):
    return [Fraction(n - numbers[0], numbers[-1] - numbers[0]) for n in numbers]


def exact(number):
    return Fraction(number["exact"])
