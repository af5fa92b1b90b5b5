"""Releases as csv, csv.gz and parquet files."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from shoal.errors import OutputError
from shoal.write.atomic import FileSet, errno_of

PARQUET = (".parquet", ".pq")
CSV = (".csv", ".tsv", ".txt", ".csv.gz", ".tsv.gz", ".txt.gz")


def write_file(frame: pl.DataFrame, path: Path, *, delimiter: str = ",") -> None:
    """Write a table by the ending of the file's name; the old file stays until the new is whole."""
    with FileSet() as files:
        add_file(files, frame, path, delimiter=delimiter)


def add_file(files: FileSet, frame: pl.DataFrame, path: Path, *, delimiter: str = ",") -> Path:
    """Write a table as one of several files; the draft has the bytes that the file will have."""
    check_ending(path)
    name = path.name.lower()
    with files.writing(path) as draft:
        try:
            if name.endswith(PARQUET):
                frame.write_parquet(draft)
            elif name.endswith(".gz"):
                frame.write_csv(
                    draft, separator=delimiter, compression="gzip", check_extension=False
                )
            else:
                frame.write_csv(draft, separator=delimiter, check_extension=False)
        except pl.exceptions.PolarsError as error:
            if (number := errno_of(error)) is not None:  # the disk is full, say
                raise OSError(number, "") from None
            raise OutputError(
                f"{path}: a kept column cannot be written to this kind of file. "
                "Write parquet, or convert or drop nested columns."
            ) from None
    return draft


def ending_of(path: Path) -> str | None:
    """The ending that sets the format of a file; None if it has no such ending.

    >>> ending_of(Path("visits.2020.CSV.gz")), ending_of(Path("visits.dat"))
    ('.csv.gz', None)
    """
    endings = sorted(PARQUET + CSV, key=len, reverse=True)
    return next((ending for ending in endings if path.name.lower().endswith(ending)), None)


def check_ending(path: Path) -> None:
    if ending_of(path) is None:
        raise OutputError(
            f"{path}: the name must end in .csv, .csv.gz, .tsv or .parquet, which sets the format."
        )
