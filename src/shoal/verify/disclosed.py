"""How much the cells of a release tell besides what they cover: counts, column by column."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from shoal.types.arrays import Int64Array
from shoal.types.disclosed import Disclosed
from shoal.types.hierarchy import ROOT
from shoal.types.schema import ColumnSpec
from shoal.verify.occurring import occurring_in, publishes_nodes

CELL, SIZE, TIMES = "cell", "size", "times"
VALUES, EXACT_AT, IS_RANGE, IS_MEAN = "values", "exact_at", "is_range", "is_mean"
NUMBERS = r"^\[(-?[0-9]+(?:\.[0-9]+)?), (-?[0-9]+(?:\.[0-9]+)?)\]$"


def disclosed_by(
    published: pl.DataFrame, quasi: Mapping[str, ColumnSpec], counts: Int64Array | None = None
) -> tuple[Disclosed, ...]:
    """What each quasi-identifier of a release tells; columns that tell nothing are left out.

    >>> frame = pl.DataFrame({"age": ["[21, 27]", "[21, 27]", "34", "34"]})
    >>> disclosed_by(frame, {"age": ColumnSpec("quasi")})
    (Disclosed(column='age', cells=2, known_exactly=2, range_ends=2, listed_values=0, means=0),)
    """
    if all(map(publishes_nodes, quasi.values())):
        return ()
    names = [str(i) for i in range(len(quasi))]
    texts = [published[name].cast(pl.String).alias(str(i)) for i, name in enumerate(quasi)]
    n_records = np.ones(published.height, dtype=np.int64) if counts is None else counts
    frame = pl.DataFrame([*texts, pl.Series(SIZE, n_records)])
    groups = frame.group_by(names).agg(pl.col(SIZE).sum())
    found = (
        _of_column(name, spec, groups.select(pl.col(str(i)).alias(CELL), SIZE))
        for i, (name, spec) in enumerate(quasi.items())
        if not publishes_nodes(spec)
    )
    return tuple(column for column in found if column.cells)


def _of_column(name: str, spec: ColumnSpec, groups: pl.DataFrame) -> Disclosed:
    """From the cell and the size of every group; what is alike in both is looked at once."""
    alike = groups.group_by(CELL, SIZE).len(TIMES)
    told = pl.DataFrame(
        {CELL: (different := alike[CELL].unique()), **_told(different, spec)},
        schema_overrides={CELL: pl.String},
    )
    rows = alike.join(told, on=CELL, nulls_equal=True)
    records = pl.col(TIMES).cast(pl.Int64) * pl.col(SIZE)
    tells = pl.col(VALUES) > 0
    figures = rows.select(
        cells=records.filter(tells | pl.col(IS_MEAN)).sum(),
        known_exactly=records.filter(tells & (pl.col(EXACT_AT) == pl.col(SIZE))).sum(),
        range_ends=(pl.col(TIMES) * pl.col(VALUES)).filter(pl.col(IS_RANGE)).sum(),
        listed_values=(pl.col(TIMES) * pl.col(VALUES)).filter(~pl.col(IS_RANGE)).sum(),
        means=pl.col(TIMES).filter(pl.col(IS_MEAN)).sum(),
    )
    return Disclosed(name, **{figure: int(n) for figure, n in figures.row(0, named=True).items()})


def _told(cells: pl.Series, spec: ColumnSpec) -> dict[str, pl.Series]:
    """Of each different cell how many values it tells, and the size at which these are all."""
    ends = cells.str.extract_groups(NUMBERS).struct.unnest()
    is_range = (ends["1"] != ends["2"]).fill_null(False) & _publishes_ranges(spec)
    told = [None if r else occurring_in(c, spec) for c, r in zip(cells, is_range, strict=True)]
    n_values = pl.Series([0 if t is None else len(t.values) for t in told], dtype=pl.Int64)
    exact_at = pl.Series([0 if t is None else t.exact_at for t in told], dtype=pl.Int64)
    is_mean = spec.publish in ("mean", "median")
    return {
        VALUES: n_values.set(is_range, 2),
        EXACT_AT: exact_at.set(is_range, 2),
        IS_RANGE: is_range | pl.Series([t is not None and t.is_range for t in told]),
        IS_MEAN: pl.Series([is_mean and cell not in (None, "", ROOT) for cell in cells]),
    }


def _publishes_ranges(spec: ColumnSpec) -> bool:
    """Whether `[21, 27]` can only be a tight range, so that many are read at once."""
    return occurring_in("[21, 27]", spec) is not None
