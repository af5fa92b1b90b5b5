"""Texts that repeat, as numbers: what is done with every record is much faster with these."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from shoal.types.arrays import Int32Array, Int64Array

WORTH_CODING = 10_000  # records
REPEATED = 4  # times at least, on average


class CodedTexts(NamedTuple):
    """The different texts of a column, ascending after null, and which of them each record has."""

    texts: pl.Series
    places: Int32Array

    def of_rows(self, rows: Int64Array) -> CodedTexts:
        """The column of some records."""
        return self._replace(places=self.places[rows])

    def written_out(self, name: str) -> pl.Series:
        """A text for each record, in memory that holds none but theirs.

        >>> column = CodedTexts(pl.Series([None, "a", "b"]), np.array([2, 0, 1], np.int32))
        >>> column.of_rows(np.array([1, 2, 2])).written_out("x").to_list()
        [None, 'a', 'a']
        """
        is_used = np.bincount(self.places, minlength=len(self.texts)) > 0
        new_place = np.cumsum(is_used) - 1
        used = pl.Series(name, self.texts.filter(is_used).to_list(), dtype=pl.String)
        return used.gather(new_place[self.places])


def coded(column: pl.Series) -> pl.Series | CodedTexts:
    """The column as it is, or coded where its texts repeat often enough."""
    if column.dtype != pl.String or len(column) < WORTH_CODING:
        return column
    texts = column.unique().drop_nulls().sort()
    if len(texts) > len(column) // REPEATED:
        return column
    places = column.cast(pl.Enum(texts)).to_physical().cast(pl.Int32) + 1
    return CodedTexts(
        pl.concat([pl.Series([None], dtype=pl.String), texts.rename("")]),
        places.fill_null(0).to_numpy(),
    )
