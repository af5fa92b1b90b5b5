"""Values that a set of a release lists although too few people have them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import polars as pl

from shoal.types.arrays import Int64Array
from shoal.types.column import RawColumn
from shoal.types.schema import ColumnSpec
from shoal.verify.cell_text import read_set
from shoal.verify.occurring import publishes_nodes

CELL, TIMES = "cell", "times"


def may_list_values(spec: ColumnSpec) -> bool:
    """Whether cells of a column can be sets, in which rare values have no place."""
    has_sets = spec.publish in (None, "set") and not publishes_nodes(spec)
    return has_sets and spec.rare == "hide"


def people_with_values(
    column: RawColumn,
    rows: Int64Array | None = None,
    *,
    persons: Int64Array | None = None,
    counts: Int64Array | None = None,
) -> dict[str, int]:
    """How many people have each value in some rows of a column, or in all of them.

    `persons` numbers the people behind these rows; without it, each is as many as `counts` says.

    >>> ill = RawColumn("ill", "text", ("flu", "HIV"), None, np.array([0, 0, 1, -1]))
    >>> people_with_values(ill, persons=np.array([7, 7, 7, 8]))
    {'flu': 1, 'HIV': 1}
    """
    codes = column.codes if rows is None else column.codes[rows]
    n_records = np.ones(len(codes), dtype=np.int64) if counts is None else counts
    frame = pl.DataFrame({"code": codes, TIMES: n_records}).filter(pl.col("code") >= 0)
    if persons is not None:
        frame = pl.DataFrame({"code": codes, "person": persons}).unique()
        frame = frame.filter(pl.col("code") >= 0).with_columns(pl.lit(1).alias(TIMES))
    found = frame.group_by("code").agg(pl.col(TIMES).sum()).sort("code")
    return {column.labels[code]: int(n) for code, n in found.iter_rows()}


def n_listing_rare(
    cells: pl.Series,
    n_people: Mapping[str, int],
    smallest: int,
    counts: Int64Array | None = None,
) -> int:
    """In how many records a set lists a value that fewer than `smallest` people have.

    >>> cells = pl.Series(["{flu, HIV}", "{flu, cold}", "*"])
    >>> n_listing_rare(cells, {"flu": 5, "cold": 5, "HIV": 1}, 2)
    1
    """
    times = pl.Series(TIMES, np.ones(len(cells), dtype=np.int64) if counts is None else counts)
    frame = pl.DataFrame([cells.alias(CELL).cast(pl.String), times]).drop_nulls()
    different = frame.group_by(CELL).agg(pl.col(TIMES).sum())
    return sum(
        int(n)
        for cell, n in different.iter_rows()
        if cell not in n_people
        and any(n_people.get(value, smallest) < smallest for value in read_set(cell) or ())
    )
