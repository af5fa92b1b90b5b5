"""A table with everything that databases treat differently, and policies for it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal

import numpy as np
import polars as pl

import shoal
from shoal.policy.policy import Policy
from shoal.types.schema import ColumnSpec

AGE, BORN, ZIP, ILLNESS = 'the "age"', "select", "zip; drop table people --", "ill'ness %s"
NOTE, COST, SEEN, SCORE, WELL, NAME = "ünï cödé", "*", "^c.*$", "a.b", "{}", "who"
NOTES = ["'", '"', "ä", "a,b", "", None, "=1+1", "\\", "日本", " x "]


def hostile(n: int = 300, seed: int = 0) -> pl.DataFrame:
    """Missing values in every column, quotes, unicode, and names that SQL knows otherwise."""
    rng = np.random.default_rng(seed)

    def some(values, missing=0.1):
        chosen = rng.integers(0, len(values), n)
        gone = rng.random(n) < missing
        return [None if g else values[i] for i, g in zip(chosen, gone, strict=True)]

    cents = [Decimal(cent) / 100 for cent in range(100, 130)]
    return pl.DataFrame(
        {
            NAME: [f"person {i // 2}" for i in range(n)],
            AGE: pl.Series(some([20, 21, 35, 36, 60]), dtype=pl.Int64),
            BORN: pl.Series(some([date(1990, m, 3) for m in range(1, 7)]), dtype=pl.Date),
            ZIP: pl.Series(some(["02139", "02138", "10115", "1011'"]), dtype=pl.String),
            ILLNESS: pl.Series(some(["flu", 'the "cold"', "gout", "ä"]), dtype=pl.String),
            NOTE: pl.Series(some(NOTES), dtype=pl.String),
            COST: pl.Series(some(cents), dtype=pl.Decimal(10, 2)),
            SEEN: pl.Series(
                some([datetime(2024, 1, d, 8, d) for d in range(1, 9)]), dtype=pl.Datetime("us")
            ),
            SCORE: pl.Series(some([0.1, 1e300, float("nan"), -2.5]), dtype=pl.Float64),
            WELL: pl.Series(some([True, False]), dtype=pl.Boolean),
        }
    )


def policy(algorithm="mondrian", *, kept: bool = True, **settings) -> Policy:
    """Age, birth and place hidden; all other columns kept, or none of them."""
    rules = Policy.of_roles(
        quasi={
            AGE: shoal.intervals(5, 20),
            BORN: shoal.dates("month", "year"),
            ZIP: shoal.prefix(5),
        },
        sensitive=[ILLNESS],
        identifiers=[NAME],
        privacy=[shoal.KAnonymity(4), shoal.DistinctLDiversity(ILLNESS, 2)],
        algorithm=algorithm,
        **({"suppression": 0.1} | settings),
    )
    role = ColumnSpec("keep" if kept else "drop")
    others = dict.fromkeys((NOTE, COST, SEEN, SCORE, WELL), role)
    return replace(rules, columns={**rules.columns, **others})


def rows(frame: pl.DataFrame) -> Counter[tuple[str, ...]]:
    """The rows of a table without their order, and alike whatever types have nothing to tell."""
    return Counter(tuple(map(repr, row)) for row in frame.iter_rows())
