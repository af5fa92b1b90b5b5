"""How much the cells of a release tell besides what they cover: counts, column by column."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping

import polars as pl

from shoal.types.arrays import Int64Array
from shoal.types.disclosed import Disclosed
from shoal.types.hierarchy import ROOT
from shoal.types.schema import ColumnSpec
from shoal.verify.occurring import NOTHING, Occurring, occurring_in, publishes_nodes

CELL, SIZE, TIMES = "cell", "size", "times"
NUMBERS = re.compile(r"\[(-?[0-9]+(?:\.[0-9]+)?), (-?[0-9]+(?:\.[0-9]+)?)\]")


def disclosed_by(
    cells: Mapping[str, pl.Series], specs: Mapping[str, ColumnSpec], sizes: Int64Array
) -> tuple[Disclosed, ...]:
    """What quasi-identifiers tell, by the cell of every group and how many records it has.

    Columns that tell nothing are left out.

    >>> import numpy as np
    >>> cells = {"age": pl.Series(["[21, 27]", "34"])}
    >>> disclosed_by(cells, {"age": ColumnSpec("quasi")}, np.array([2, 2]))
    (Disclosed(column='age', cells=2, known_exactly=2, range_ends=2, listed_values=0, means=0),)
    """
    telling = {name: cells[name] for name in cells if not publishes_nodes(specs[name])}
    alike = pl.collect_all(
        [
            pl.LazyFrame({CELL: column.cast(pl.String), SIZE: sizes})
            .group_by(CELL, SIZE)
            .agg(pl.len().alias(TIMES))
            for column in telling.values()
        ]
    )
    found = (_of_column(name, specs[name], a) for name, a in zip(telling, alike, strict=True))
    return tuple(column for column in found if column.cells)


def _of_column(name: str, spec: ColumnSpec, alike: pl.DataFrame) -> Disclosed:
    """From how many groups have the same cell and size."""
    is_mean, are_ranges = spec.publish in ("mean", "median"), _publishes_ranges(spec)
    told: dict[str | None, Occurring] = {}
    n: Counter[str] = Counter()
    for cell, size, times in alike.iter_rows():
        if cell not in told:
            told[cell] = _told(cell, spec, are_ranges=are_ranges)
        values, exact_at, is_range = told[cell]
        if is_mean and cell not in (None, "", ROOT):
            n["means"] += times
            n["cells"] += times * size
        elif values:
            n["cells"] += times * size
            n["range_ends" if is_range else "listed_values"] += times * len(values)
            n["known_exactly"] += times * size if exact_at == size else 0
    figures = ("cells", "known_exactly", "range_ends", "listed_values", "means")
    return Disclosed(name, *(n[figure] for figure in figures))


def _told(cell: str | None, spec: ColumnSpec, *, are_ranges: bool) -> Occurring:
    """What a cell tells; ranges of plain numbers are most of them, and are read fast."""
    ends = NUMBERS.fullmatch(cell) if cell and are_ranges else None
    if ends is not None and ends[1] != ends[2]:
        return Occurring((ends[1], ends[2]), 2, is_range=True)
    return occurring_in(cell, spec) or NOTHING


def _publishes_ranges(spec: ColumnSpec) -> bool:
    """Whether `[21, 27]` can only be a tight range."""
    return occurring_in("[21, 27]", spec) is not None
