"""Releases as files: csv, csv.gz, parquet, Arrow, Excel, SPSS and Stata."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from shoal.errors import OutputError
from shoal.types.labels import Labels
from shoal.write.atomic import FileSet, errno_of

PARQUET = (".parquet", ".pq")
ARROW = (".arrow", ".feather")
EXCEL = (".xlsx",)
STATISTICS = (".sav", ".zsav", ".dta")
ENDINGS = ".csv, .csv.gz, .tsv, .parquet, .arrow, .xlsx, .sav or .dta"
CSV = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz")
ALL_ENDINGS = PARQUET + ARROW + EXCEL + STATISTICS + CSV


def write_file(
    frame: pl.DataFrame, path: Path, *, delimiter: str = ",", labels: Labels | None = None
) -> None:
    """Write a table by the ending of the file's name; the old file stays until the new is whole."""
    with FileSet() as files:
        add_file(files, frame, path, delimiter=delimiter, labels=labels)


def add_file(
    files: FileSet,
    frame: pl.DataFrame,
    path: Path,
    *,
    delimiter: str = ",",
    labels: Labels | None = None,
) -> Path:
    """Write a table as one of several files; the draft has the bytes that the file will have."""
    check_ending(path)
    with files.writing(path) as draft:
        try:
            _write(frame, draft, path, delimiter, labels)
        except pl.exceptions.PolarsError as error:
            if (number := errno_of(error)) is not None:  # the disk is full, say
                raise OSError(number, "") from None
            raise OutputError(
                f"{path}: a kept column cannot be written to this kind of file. "
                "Write parquet, or convert or drop nested columns."
            ) from None
    return draft


def _write(
    frame: pl.DataFrame, draft: Path, path: Path, delimiter: str, labels: Labels | None
) -> None:
    name = path.name.lower()
    if name.endswith(PARQUET):
        frame.write_parquet(draft)
    elif name.endswith(ARROW):
        frame.write_ipc(draft, compression="zstd")
    elif name.endswith(EXCEL):
        from shoal.write.spreadsheets import write_spreadsheet

        write_spreadsheet(frame, draft, path)
    elif name.endswith(STATISTICS):
        from shoal.write.statistics_files import write_statistics_file

        write_statistics_file(frame, draft, path, labels)
    elif name.endswith(".gz"):
        frame.write_csv(draft, separator=delimiter, compression="gzip", check_extension=False)
    else:
        frame.write_csv(draft, separator=delimiter, check_extension=False)


def ending_of(path: Path) -> str | None:
    """The ending that sets the format of a file; None if it has no such ending.

    >>> ending_of(Path("visits.2020.CSV.gz")), ending_of(Path("visits.dat"))
    ('.csv.gz', None)
    """
    endings = sorted(ALL_ENDINGS, key=len, reverse=True)
    return next((ending for ending in endings if path.name.lower().endswith(ending)), None)


def check_ending(path: Path) -> None:
    if ending_of(path) is None:
        raise OutputError(f"{path}: the name must end in {ENDINGS}, which sets the format.")
