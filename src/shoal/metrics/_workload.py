"""The user's own queries, from a csv file: a column for each condition, a line for each query.

A condition is written as a release writes a cell: a value, the name of a node, `[20, 39]`,
`{nurse, cook}`. An empty one asks for nothing.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import numpy as np

from shoal.errors import BadOption, InputError, nearest
from shoal.metrics._queries import Conditions, Queries
from shoal.types.axis import Axis
from shoal.types.hierarchy import ROOT
from shoal.utility.axis_cells import AxisCells

SEPARATORS = ",;\t"
ANYTHING = ("", ROOT)  # conditions that every record meets


class Workload(NamedTuple):
    """The lines of a file: its columns, and by line number the conditions of each query."""

    name: str
    columns: tuple[str, ...]
    lines: Mapping[int, tuple[str, ...]]


def read_workload(file: str) -> Workload:
    path = Path(file)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        why = "is not UTF-8 text" if isinstance(error, UnicodeDecodeError) else error.strerror
        raise InputError(f"The queries in {path.name} cannot be read: {why}.") from None
    header, _, _ = text.partition("\n")
    separator = max(SEPARATORS, key=header.count)
    reader = csv.reader(text.splitlines(keepends=True), delimiter=separator)
    names = tuple(name.strip() for name in next(reader, ()))
    lines = {}
    for row in reader:
        if not any(cell.strip() for cell in row):
            continue
        if len(row) != len(names):
            raise InputError(
                f"{path.name}, line {reader.line_num}: {len(row)} conditions, but the first line "
                f"names {len(names)} columns. Quote conditions that have a separator inside."
            )
        lines[reader.line_num] = tuple(cell.strip() for cell in row)
    if not lines:
        raise InputError(f"{path.name} has no queries: write one on each line, below the columns.")
    return Workload(path.name, names, lines)


def refuse_columns(workload: Workload, known: Mapping[str, bool]) -> None:
    """Refuse columns that are not there, or no quasi-identifiers; `known` says which are."""
    for name in workload.columns:
        if name not in known:
            raise BadOption(
                f"{workload.name}, line 1: the table has no column {name!r}{nearest(name, known)}"
            )
        if not known[name]:
            raise BadOption(
                f"{workload.name}, line 1: {name!r} is not a quasi-identifier, so it is released "
                "as it is. Ask about quasi-identifiers."
            )


def queries_of(workload: Workload, axes: tuple[Axis, ...]) -> Queries:
    """The queries of a file. Raises `BadOption` with the line of a condition that means nothing."""
    names = [axis.name for axis in axes]
    places = tuple(names.index(name) for name in workload.columns)
    columns = [
        _conditions(axes[place], [cells[c] for cells in workload.lines.values()], workload)
        for c, place in enumerate(places)
    ]
    picked = np.stack([of_query for _, of_query in columns], axis=1).astype(np.int32)
    return Queries(places, tuple(conditions for conditions, _ in columns), picked)


def _conditions(axis: Axis, texts: list[str], workload: Workload) -> tuple[Conditions, np.ndarray]:
    """The different conditions on a column, and which of them each query has."""
    different, first, of_query = np.unique(texts, return_index=True, return_inverse=True)
    reader, runs, sizes = AxisCells(axis), [], []
    for text, where in zip(different.tolist(), first.tolist(), strict=True):
        found = [] if text in ANYTHING else _runs(reader, axis, text)
        if not found and text not in ANYTHING:
            line = list(workload.lines)[where]
            raise BadOption(
                f"{workload.name}, line {line}: the condition on {axis.name!r} means no value, "
                "range, set or node of the column."
            )
        runs += found
        sizes.append(len(found))
    ends = np.array(runs, dtype=np.float64).reshape(-1, 2)
    starts = np.append(0, np.cumsum(sizes)).astype(np.int64)
    return Conditions(ends[:, 0], ends[:, 1], starts, np.isin(different, ANYTHING)), of_query


def _runs(reader: AxisCells, axis: Axis, text: str) -> list[tuple[float, float]]:
    """The runs that a condition asks for; those of a set do not overlap."""
    if axis.on_a_line:
        return [(run.low, run.high) for run in sorted(set(reader.runs(text)))]
    leaves = reader.leaves(text)
    breaks = np.flatnonzero(np.diff(leaves) != 1) + 1
    return [(run[0], run[-1] + 1) for run in np.split(leaves, breaks) if len(run)]
