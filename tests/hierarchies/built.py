"""What a kind of hierarchy makes of some values."""

from __future__ import annotations

import polars as pl

from shoal.read.columns import read_column


def paths(builder, values, **how) -> list[tuple[str, ...]]:
    column = read_column(pl.Series("x", values, strict=False), **how)
    return list(builder.build(column).paths())
