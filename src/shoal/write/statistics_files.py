"""Releases as files of SPSS and Stata, with the labels of columns that are released unchanged."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import polars as pl

from shoal.errors import OutputError
from shoal.read.statistics_files import statistics_library
from shoal.types.labels import Labels
from shoal.write.exact import exact_or_text

SPSS, STATA = (".sav", ".zsav"), (".dta",)
CLOCKS = {b"$FL2": (92, 17), b"$FL3": (92, 17)}  # where SPSS files say when they were made
STATA_CLOCK = b"<timestamp>"
NOON = b"01 Jan 0000:00:00"


def write_statistics_file(
    frame: pl.DataFrame, draft: Path, target: Path, labels: Labels | None
) -> None:
    """Codes again where what they mean was released unchanged; only labels that somebody has."""
    library = statistics_library(target)
    labels = labels or Labels()
    columns = {
        column.name: with_codes(column, labels.values.get(column.name, {})) for column in frame
    }
    meanings = {
        name: found
        for name, column in columns.items()
        if (found := occurring(column, labels.values.get(name, {})))
    }
    is_spss = target.suffix.lower() in SPSS
    how: dict[str, Any] = {"compress": target.suffix.lower() == ".zsav"} if is_spss else {}
    try:
        (library.write_sav if is_spss else library.write_dta)(
            exact_or_text(pl.DataFrame(columns)),
            str(draft),
            column_labels={name: labels.columns.get(name, "") for name in frame.columns},
            variable_value_labels=meanings,
            **how,
        )
    except OSError:
        raise
    except Exception:  # its text may show a cell
        raise OutputError(
            f"{target}: cannot be written. {'SPSS' if is_spss else 'Stata'} does not allow the "
            "name or the type of a column. Rename it, or write csv or parquet."
        ) from None
    _forget_the_time(draft)


def with_codes(column: pl.Series, labels: Mapping[Any, str]) -> pl.Series:
    """The codes of a column, where every value is what a code means.

    >>> with_codes(pl.Series(["often", None]), {2.0: "often", 1.0: "never"}).to_list()
    [2.0, None]
    """
    if not isinstance(column.dtype, pl.Enum | pl.Categorical | pl.String) or not labels:
        return column
    codes = {meaning: code for code, meaning in labels.items()}
    found = column.alias("values").cast(pl.String).drop_nulls().unique().to_list()
    if len(codes) < len(labels) or not all(meaning in codes for meaning in found):
        return column
    return column.cast(pl.String).replace_strict(codes, default=None).alias(column.name)


def occurring(column: pl.Series, labels: Mapping[Any, str]) -> dict[Any, str]:
    """The labels of codes that the released column has: others may be of suppressed people."""
    found = set(column.alias("values").drop_nulls().unique().to_list())
    return {code: meaning for code, meaning in labels.items() if code in found}


def _forget_the_time(draft: Path) -> None:
    """The same release has the same bytes at any time."""
    with draft.open("rb+") as file:
        beginning = file.read(1_000)
        place, length = CLOCKS.get(beginning[:4], (0, 0))
        if STATA_CLOCK in beginning:
            place = beginning.index(STATA_CLOCK) + len(STATA_CLOCK) + 1
            length = beginning[place - 1]
        if length:
            file.seek(place)
            file.write(NOON.ljust(length)[:length])
