"""How often each text of a column occurs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from shoal.types.arrays import Int64Array

if TYPE_CHECKING:
    import polars as pl


class TextCounts(NamedTuple):
    """The different texts of a column as they stand there, null for a missing one, and counts."""

    texts: pl.Series
    counts: Int64Array
