"""Tables of statistics programs: SPSS and Stata, with pyreadstat. Their labels are kept."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from shoal.errors import InputError
from shoal.read.memory import refuse_large
from shoal.read.opened import Opened
from shoal.read.steady import steady
from shoal.read.whole import narrowed
from shoal.types.labels import Labels


class Labelled(NamedTuple):
    """A table whose codes are replaced by what they mean, where all of them have a meaning."""

    frame: pl.DataFrame
    labels: Labels


def read_statistics_file(opened: Opened) -> Labelled:
    """Values that the file declares missing are missing."""
    with steady(opened.path):
        _refuse_large(opened)
        frame, notes = _read(opened)
    columns = {name: text for name, text in notes.column_names_to_labels.items() if text}
    values = {name: dict(labels) for name, labels in notes.variable_value_labels.items()}
    frame = narrowed(frame)
    meanings = [with_meanings(column, values.get(column.name, {})) for column in frame]
    return Labelled(pl.DataFrame(meanings), Labels(columns, values))


def with_meanings(column: pl.Series, labels: Mapping[Any, str]) -> pl.Series:
    """What the codes mean, in the order of the codes; the codes where one has no meaning.

    >>> with_meanings(pl.Series([2, 1, None]), {2.0: "often", 1.0: "never"}).to_list()
    ['often', 'never', None]
    >>> with_meanings(pl.Series([0, 7, 10]), {0: "not at all", 10: "fully"}).to_list()
    [0, 7, 10]
    """
    names = [labels[code] for code in sorted(labels, key=_order)]
    found = column.alias("values").drop_nulls().unique()
    is_complete = len(names) > 0 and len(set(names)) == len(names) and all(names)
    if not is_complete or not all(code in labels for code in found.to_list()):
        return column
    return column.replace_strict(
        {code: labels[code] for code in found.to_list()}, return_dtype=pl.Enum(names), default=None
    ).alias(column.name)


def _order(code: float | str) -> tuple[bool, float, str]:
    return (True, 0.0, code) if isinstance(code, str) else (False, float(code), "")


def _refuse_large(opened: Opened) -> None:
    _, notes = _read(opened, metadataonly=True)
    widths = sum(notes.variable_storage_width.values())
    n_rows = max(notes.number_rows or 0, 0)
    refuse_large(
        opened.path, n_bytes=n_rows * widths, n_rows=n_rows, n_columns=notes.number_columns
    )


def _read(opened: Opened, **how: Any) -> tuple[pl.DataFrame, Any]:
    library = statistics_library(opened.path)
    read = library.read_sav if opened.format == "spss" else library.read_dta
    file = str(opened.path) if opened.piped is None else opened.file
    try:
        frame, notes = read(file, output_format="polars", **how)
    except Exception:  # its text may show a cell
        raise InputError(
            f"{opened.path}: cannot be read. The file may be damaged or incomplete."
        ) from None
    return frame, notes


def statistics_library(path: Path) -> Any:
    """pyreadstat, which not everybody needs."""
    try:
        import pyreadstat
    except ModuleNotFoundError:
        raise InputError(
            f"{path}: files of SPSS and Stata need pyreadstat. Install shoal[statistics], or use "
            "csv or parquet."
        ) from None
    return pyreadstat
