"""The columns that leave unchanged, coded alike in the release and for the known people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from shoal.read.columns import read_column
from shoal.types.arrays import Int32Array

TEXT = (pl.String, pl.Categorical, pl.Enum)


class SameValues(NamedTuple):
    """Codes of the release's rows and of the people; equal where the values are. Missing is -1."""

    of_rows: Int32Array
    of_people: Int32Array


def same_values(release: pl.Series, people: pl.Series, missing: Sequence[str]) -> SameValues:
    """Code two columns by their values.

    Text is compared with text letter by letter; with numbers or dates, as in a parquet file
    compared with a csv one, by what it means.

    >>> same_values(pl.Series("x", ["1.0", "2.5"]), pl.Series("x", [2.5, 3.0]), [""])
    SameValues(of_rows=array([0, 1], dtype=int32), of_people=array([1, 2], dtype=int32))
    """
    is_mixed = (release.dtype in TEXT) != (people.dtype in TEXT)
    rows = read_column(release, is_text=is_mixed, missing_values=missing)
    known = read_column(people, is_text=is_mixed, missing_values=missing)
    code = {label: i for i, label in enumerate(rows.labels)}
    codes = [code.setdefault(label, len(code)) for label in known.labels]
    return SameValues(rows.codes, np.array([*codes, -1], dtype=np.int32)[known.codes])
