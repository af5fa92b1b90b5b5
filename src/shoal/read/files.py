"""Tables in files: csv, csv.gz, parquet, Arrow, spreadsheets, SPSS and Stata."""

from __future__ import annotations

import codecs
import csv
import gzip
import io
import itertools
import zlib
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import NamedTuple

import polars as pl

from shoal.errors import InputError, counted
from shoal.read.csv_dialect import CsvText, first_ragged_line, no_such_file, read_csv_text
from shoal.read.csv_rows import as_lines, count_of
from shoal.read.formats import GZIP
from shoal.read.header import refuse_data_as_header
from shoal.read.limits import LONGEST_FIELD
from shoal.read.memory import refuse_large
from shoal.read.opened import Opened
from shoal.read.parquet_orders import with_orders
from shoal.read.source import Source
from shoal.read.steady import steady

FIRST_BYTES = 4_000_000  # of a large file, which show how it is written
LARGE = 8_000_000  # bytes of text, from which on its size is looked at


def read_file(
    path: str | Path,
    *,
    delimiter: str | None = None,
    encoding: str | None = None,
    may_be_empty: bool = False,
) -> Source:
    """Read a table, `-` from standard input. What kind of file it is, its content says.

    Csv values stay the text they are; values of other files keep their types.
    """
    opened = Opened.of(Path(path))
    source = _read(opened, delimiter=delimiter, encoding=encoding)
    if source.n_records == 0 and not may_be_empty:
        raise InputError(f"{opened.path}: the file has a header but no records.")
    return replace(source, encoding=encoding)


def _read(opened: Opened, *, delimiter: str | None, encoding: str | None) -> Source:
    match opened.format:
        case "parquet" | "arrow":
            return Source(_read_columnar(opened))
        case "spreadsheet":
            from shoal.read.spreadsheets import read_spreadsheet

            return Source(read_spreadsheet(opened), is_text=True)
        case "spss" | "stata":
            from shoal.read.statistics_files import read_statistics_file

            labelled = read_statistics_file(opened)
            return Source(labelled.frame, labels=labelled.labels)
        case "csv":
            text = read_csv_text(
                opened.path, delimiter=delimiter, encoding=encoding, piped=opened.piped
            )
            source = _read_csv(opened.path, text)
            refuse_data_as_header(opened.path, source.frame)
            return source


class Beginning(NamedTuple):
    """How a csv file that is too large to be read whole is written."""

    header: list[str]
    delimiter: str
    is_gzip: bool


def read_beginning(path: Path, *, delimiter: str | None = None) -> Beginning:
    """Look at the first records of a csv file, and refuse it where they show what is wrong."""
    try:
        with path.open("rb") as file:
            is_gzip = file.read(len(GZIP)) == GZIP
        with gzip.open(path) if is_gzip else path.open("rb") as file:
            content = file.read(FIRST_BYTES)
            is_all = not file.read(1)
    except FileNotFoundError:
        raise no_such_file(path) from None
    except (OSError, EOFError, zlib.error):
        raise InputError(f"{path}: cannot be read. It may be damaged or incomplete.") from None
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise InputError(f"{path} is UTF-16, and must be UTF-8 to be read in parts. Convert it.")
    text = read_csv_text(
        path,
        delimiter=delimiter,
        encoding=None,
        piped=content if is_all else _whole_lines(content),
    )
    source = _read_csv(path, text)
    if source.n_records == 0:
        raise InputError(f"{path}: the file has a header but no records.")
    refuse_data_as_header(path, source.frame)
    return Beginning(text.header, text.delimiter, is_gzip)


def _whole_lines(content: bytes) -> bytes:
    """Without the record at the end that was cut: up to a line end outside of quotes."""
    end = content.rfind(b"\n") + 1
    while end > 0 and content.count(b'"', 0, end) % 2:
        end = content.rfind(b"\n", 0, end - 1) + 1
    return content[:end]


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


def _read_columnar(opened: Opened) -> pl.DataFrame:
    path, file = opened.path, opened.file
    if opened.piped is None and not path.exists():
        raise no_such_file(path)
    is_parquet = opened.format == "parquet"
    try:
        with steady(path):
            lazy = pl.scan_parquet(file, glob=False) if is_parquet else pl.scan_ipc(file)
            n_rows = lazy.select(pl.len()).collect().item()  # from the end of the file alone
            n_columns = len(lazy.collect_schema())
            refuse_large(path, n_bytes=opened.n_bytes, n_rows=n_rows, n_columns=n_columns)
            if is_parquet:
                return with_orders(pl.read_parquet(opened.file, glob=False), opened.file)
            return pl.read_ipc(io.BytesIO(opened.bytes))  # not a map of a file that may change
    except (OSError, pl.exceptions.PolarsError, pl.exceptions.PanicException):
        called = "parquet" if is_parquet else "an Arrow file"
        raise InputError(f"{path}: cannot be read as {called}. It may be incomplete.") from None


def _read_csv(path: Path, text: CsvText) -> Source:
    is_large = len(text.content) > LARGE
    if is_large:
        n_rows = count_of("\n", text.content)
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
    n_delimiters = count_of(text.delimiter, text.content)
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
    is_one_more = n_fields == len(text.header) + 1
    return InputError(
        f"{path}, line {line}: {counted(n_fields, 'field')}, but the header has "
        f"{len(text.header)}.\n"
        f"Fix this line. A field that contains the delimiter {text.delimiter!r} must be quoted. "
        "If there is a title above the header, remove it."
        + (" If there is an index column without a name, name it." * is_one_more)
    )
