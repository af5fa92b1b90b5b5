"""Whether the first line of a table names its columns, or is a record.

A file without header would give the cells of its first person to every message, policy and release
as names of columns. No message here shows a name: it may be such a cell.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import polars as pl

from shoal.errors import InputError
from shoal.types.text import INTEGER

# Numbers in any notation, codes of digits, dates, times, addresses of e-mail.
VALUE = (
    r"^[-+]?[0-9][0-9 .,'’_]*([eE][-+]?[0-9]+)?$"
    r"|^[0-9]{1,4}[-/. ]([0-9]{1,2}|[A-Za-z]{3,9})[-/. ][0-9]{1,4}([ T].*)?$"
    r"|^[0-9]{1,2}:[0-9]{2}(:[0-9.]+)?$"
    r"|^[^@\s]+@[^@\s]+\.[A-Za-z]{2,}$"
)
UNSURE = ("NA", "N/A", "NaN", "nan", "NULL", "null", "?", "-", ".")  # a gap, or sodium
KINDS_SAMPLE, SAMPLE = 1_000, 10_000  # records that are looked at
NEARLY_ALL = 0.9


def refuse_repeated_names(path: Path, names: Sequence[str]) -> None:
    places: dict[str, list[str]] = {}
    for place, name in enumerate(names, start=1):
        places.setdefault(name, []).append(str(place))
    twice = [" and ".join(found) for name, found in places.items() if name and len(found) > 1]
    if twice:
        raise InputError(
            f"{path}: columns {', '.join(twice)} of {len(names)} have the same name in the header. "
            "Rename them. If the first line is a record, add a line with the names above it."
        )


def refuse_data_as_header(path: Path, frame: pl.DataFrame) -> None:
    """Refuse a table whose names of columns look like values of these columns."""
    columns = [column.alias("values") for column in frame]
    _refuse_second_header(path, frame.columns, columns)
    kinds = [
        _evidence(name, values)
        for name, values in zip(frame.columns, columns, strict=True)
        if name not in _series_of_numbers(frame.columns)
    ]
    n_values, n_names, n_repeated = (kinds.count(kind) for kind in ("value", "name", "repeated"))
    by_texts = n_names == 0 and n_values + n_repeated >= frame.width / 2
    if n_values > n_names or (n_repeated and by_texts):
        raise InputError(
            f"{path}: the first line looks like a record, not like the names of columns (in "
            f"{n_values + n_repeated} of {frame.width} columns).\nAdd a line with the names above "
            "it. If it does name the columns, rename those that look like values, such as `2020` "
            "to `year 2020`."
        )


def _evidence(name: str, values: pl.Series) -> str:
    """What a column says: its name is a value of its kind, a name, one of its values, or nothing.

    >>> _evidence("47", pl.Series(["31", "52"])), _evidence("age", pl.Series(["31", "52"]))
    ('value', 'name')
    >>> _evidence("m", pl.Series(["f", "m"])), _evidence("sex", pl.Series(["f", "m"]))
    ('repeated', '')
    """
    if name in UNSURE:
        return ""
    written = values.head(KINDS_SAMPLE).drop_nulls()
    written = written.filter(~written.is_in([*UNSURE, ""]))
    share = int(written.str.contains(VALUE).sum()) / max(len(written), 1)
    if re.search(VALUE, name):
        return "value" if share >= NEARLY_ALL else ""
    if share == 1:
        return "name"
    return "repeated" if bool((values.head(SAMPLE) == name).any()) else ""


def _series_of_numbers(names: Sequence[str]) -> set[str]:
    """Names that count on in equal steps, such as years: records do not."""
    found = [name for name in names if re.search(INTEGER, name)]
    steps = {int(after) - int(before) for before, after in pairwise(found)}
    is_series = len(found) > 1 and len(steps) == 1 and (steps == {1} or len(found) > 2)
    return set(found) if is_series and 0 not in steps else set()


def _refuse_second_header(path: Path, names: Sequence[str], columns: Sequence[pl.Series]) -> None:
    if len(names) < 2 or not bool((columns[0] == names[0]).any()):
        return
    is_header = pl.Series([True] * len(columns[0]))
    for name, values in zip(names, columns, strict=True):
        is_header &= (values == name).fill_null(False)
    if bool(is_header.any()):
        raise InputError(
            f"{path}: record {int(is_header.arg_true()[0]) + 1} repeats the header, as in files "
            "that were joined. Remove that line. If the first line is a record itself, add a line "
            "with the names above it."
        )
