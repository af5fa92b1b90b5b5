"""Tables in files: csv, csv.gz and parquet."""

from __future__ import annotations

import csv
import itertools
from dataclasses import replace
from functools import partial
from pathlib import Path

import polars as pl

from shoal.errors import InputError, counted
from shoal.read.csv_dialect import CsvText, first_ragged_line, no_such_file, read_csv_text
from shoal.read.csv_rows import as_lines
from shoal.read.limits import LONGEST_FIELD
from shoal.read.memory import refuse_large
from shoal.read.source import Source
from shoal.read.steady import steady

PARQUET = b"PAR1"
LARGE = 8_000_000  # bytes of text, from which on its size is looked at


def read_file(
    path: str | Path,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    may_be_empty: bool = False,
) -> Source:
    """Read a table. Csv values stay the text they are; parquet values keep their types."""
    path = Path(path)
    source = (
        Source(_read_parquet(path))
        if _is_parquet(path)
        else _read_csv(path, read_csv_text(path, delimiter=delimiter, encoding=encoding))
    )
    if source.n_records == 0 and not may_be_empty:
        raise InputError(f"{path}: the file has a header but no records.")
    return replace(source, encoding=encoding)


def read_either(
    path: Path,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    may_be_empty: bool = False,
) -> Source:
    """Read a file as UTF-8, in which releases are written, or else in the encoding given."""
    read = partial(read_file, path, delimiter=delimiter, may_be_empty=may_be_empty)
    try:
        return replace(read(), encoding=encoding)
    except InputError:
        if encoding is None:
            raise
        return read(encoding=encoding)


def _is_parquet(path: Path) -> bool:
    if path.suffix.lower() in (".parquet", ".pq"):
        return True
    try:
        with path.open("rb") as file:
            return file.read(len(PARQUET)) == PARQUET
    except OSError:
        return False  # the csv reader says what is wrong with the file


def _read_parquet(path: Path) -> pl.DataFrame:
    if not path.exists():
        raise no_such_file(path)
    try:
        with steady(path):
            lazy = pl.scan_parquet(path, glob=False)
            n_rows = lazy.select(pl.len()).collect().item()  # from the end of the file alone
            n_columns = len(lazy.collect_schema())
            refuse_large(path, n_bytes=path.stat().st_size, n_rows=n_rows, n_columns=n_columns)
            return pl.read_parquet(path, glob=False)
    except (OSError, pl.exceptions.PolarsError):
        raise InputError(f"{path}: cannot be read as parquet. It may be incomplete.") from None


def _read_csv(path: Path, text: CsvText) -> Source:
    is_large = len(text.content) > LARGE
    if is_large:
        n_rows = text.content.count(b"\n")
        refuse_large(path, n_bytes=len(text.content), n_rows=n_rows, n_columns=len(text.header))
    if not text.is_regular:
        return Source(_read_slowly(path, text), is_text=True, delimiter=text.delimiter)
    try:
        frame = pl.read_csv(
            # Without its end, one field too many in the last line would go unnoticed.
            text.content if text.content.endswith(b"\n") else text.content + b"\n",
            separator=text.delimiter,
            infer_schema=False,
            new_columns=text.header,
        )
    except pl.exceptions.PolarsError:  # its message may show cells, so it ends here
        raise _explained(path, text) from None
    if _n_fields(text, frame) != frame.height * frame.width:
        raise _explained(path, text)
    if is_large and b'"' in text.content:
        _refuse_long_fields(path, frame)
    return Source(frame, is_text=True, delimiter=text.delimiter)


def _refuse_long_fields(path: Path, frame: pl.DataFrame) -> None:
    """Refuse a field of many lines that is as long as no field of a table."""
    longest = frame.select(pl.all().str.len_bytes().max()).row(0)
    for name, n_bytes in zip(frame.columns, longest, strict=True):
        if n_bytes is not None and n_bytes > LONGEST_FIELD:
            raise InputError(
                f"{path}, column {name!r}: a field has {n_bytes:,} bytes, and at most "
                f"{LONGEST_FIELD:,} are read. Is a quote missing at its end?"
            )


def _read_slowly(path: Path, text: CsvText) -> pl.DataFrame:
    """With quotes in the middle of fields, which fast readers do not all understand."""
    reader = csv.reader(as_lines(text.content), delimiter=text.delimiter, strict=True)
    width = len(text.header)
    # In a table of one column, a blank line is a missing value.
    rows = [row or [""] * (width == 1) for row in itertools.islice(reader, 1, None)]
    if any(len(row) != width for row in rows):
        raise _explained(path, text)
    columns = [[row[i] or None for row in rows] for i in range(width)]
    return pl.DataFrame(columns, schema=dict.fromkeys(text.header, pl.String), orient="col")


def _n_fields(text: CsvText, frame: pl.DataFrame) -> int:
    """Fields that really stand in the lines below the header.

    Polars fills short lines up silently and refuses long ones, so counting delimiters tells
    whether a line was short: all of them, less those inside quoted values.
    """
    n_delimiters = text.content.count(text.delimiter.encode())
    n_delimiters -= len(text.header) - 1 + "".join(text.header).count(text.delimiter)
    if b'"' in text.content:
        inside = pl.all().str.count_matches(text.delimiter, literal=True).sum()
        n_delimiters -= sum(frame.select(inside).row(0))
    return n_delimiters + frame.height


def _explained(path: Path, text: CsvText) -> InputError:
    ragged = first_ragged_line(text)
    if ragged is None:
        return InputError(
            f"{path}: a quoted field is not closed, or has text after its closing quote."
        )
    line, n_fields = ragged
    if n_fields == 0:
        return InputError(f"{path}, line {line} is blank. Remove it.")
    return InputError(
        f"{path}, line {line}: {counted(n_fields, 'field')}, but the header has "
        f"{len(text.header)}.\n"
        f"Fix this line. A field that contains the delimiter {text.delimiter!r} must be quoted. "
        "If there is a title above the header, remove it."
    )
