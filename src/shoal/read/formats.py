"""Which kind of file it is, by what is in it: names may say anything."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path
from typing import Literal, NamedTuple

from shoal.errors import InputError

Format = Literal["csv", "parquet", "arrow", "spreadsheet", "spss", "stata"]

SAVE_AS_CSV = "Save the table as csv."
CONVERT = "Convert it to csv or parquet."
DECOMPRESS = "Decompress it first."
ZIP = b"PK\x03\x04"
GZIP = b"\x1f\x8b"
OLD_STATA = range(104, 119)  # the first byte of files before Stata 13, then the order of bytes
BEGINNING = 512  # bytes that tell the kind
BY_FIRST_BYTES: tuple[tuple[bytes, Format], ...] = (
    (b"PAR1", "parquet"),
    (b"ARROW1", "arrow"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "spreadsheet"),  # Excel before 2007
    (b"$FL2", "spss"),
    (b"$FL3", "spss"),
    (b"<stata_dta>", "stata"),
)
BY_NAME: dict[str, Format] = {
    ".parquet": "parquet",
    ".pq": "parquet",
    ".arrow": "arrow",
    ".feather": "arrow",
    ".xlsx": "spreadsheet",
    ".xlsm": "spreadsheet",
    ".xlsb": "spreadsheet",
    ".xls": "spreadsheet",
    ".ods": "spreadsheet",
    ".sav": "spss",
    ".zsav": "spss",
    ".dta": "stata",
}
CALLED: dict[Format, str] = {
    "csv": "csv",
    "parquet": "parquet",
    "arrow": "an Arrow file",
    "spreadsheet": "a spreadsheet",
    "spss": "an SPSS file",
    "stata": "a Stata file",
}


class Unread(NamedTuple):
    """A kind of file that Shoal knows, but does not read."""

    first: bytes
    called: str
    advice: str


UNREAD = (
    Unread(b"FEA1", "a Feather file of version 1", "Write it again as version 2."),
    Unread(b"(\xb5/\xfd", "compressed with zstd", DECOMPRESS),
    Unread(b"BZh", "compressed with bzip2", DECOMPRESS),
    Unread(b"\xfd7zXZ\x00", "compressed with xz", DECOMPRESS),
    Unread(b"7z\xbc\xaf\x27\x1c", "a 7z archive", DECOMPRESS),
    Unread(b"%PDF", "a PDF", SAVE_AS_CSV),
    Unread(b"SQLite format 3\x00", "an SQLite database", "Write the table to a csv file."),
    Unread(b"\x00" * 12 + b"\xc2\xea\x81\x60", "a SAS file", CONVERT),
    Unread(b"HEADER RECORD*******LIB", "a SAS transport file", CONVERT),
    Unread(b"ORC", "an ORC file", CONVERT),
    Unread(b"Obj\x01", "an Avro file", CONVERT),
    Unread(b"RDX", "a file of R", CONVERT),
)
UNREAD_TEXTS = (
    (re.compile(rb'\s*(\[\s*)?\{\s*("|\}|$)|\s*\[\s*(\[|\]|"[^"]*"\s*,|$)'), "JSON", CONVERT),
    (re.compile(rb"\s*<(!doctype|html|table|head|body)\b", re.IGNORECASE), "HTML", SAVE_AS_CSV),
    (re.compile(rb"\s*<\?xml", re.IGNORECASE), "XML", SAVE_AS_CSV),
)


def format_of(path: Path, beginning: bytes, whole: bytes | None = None) -> Format:
    """The kind of a table's file; `whole` is what came through a pipe, which cannot be opened.

    >>> format_of(Path("people.csv"), b"PAR1..."), format_of(Path("people"), b"age;sex")
    ('parquet', 'csv')
    """
    found = next((kind for first, kind in BY_FIRST_BYTES if beginning.startswith(first)), None)
    if found is None and _is_old_stata(beginning):
        found = "stata"
    if found is None and beginning.startswith(ZIP) and _is_spreadsheet(path, whole):
        found = "spreadsheet"
    if found is not None:
        return found
    refuse_binary(path, beginning)
    named = BY_NAME.get(path.suffix.lower(), "csv")
    if named != "csv" and named != "parquet":  # which says itself that it is incomplete
        raise InputError(
            f"{path} is named like {CALLED[named]}, but is not one. It may be incomplete."
        )
    return named


def refuse_binary(path: Path, beginning: bytes) -> None:
    """Refuse what cannot be text, by its name in the world."""
    if beginning.startswith(ZIP):
        raise InputError(f"{path} is a zip file, or another document. {SAVE_AS_CSV}")
    for kind in UNREAD:
        if beginning.startswith(kind.first):
            raise InputError(f"{path} is {kind.called}. {kind.advice}")
    for first, kind_of in BY_FIRST_BYTES:
        if beginning.startswith(first):
            raise InputError(f"{path} is {CALLED[kind_of]}. {SAVE_AS_CSV}")


def refuse_other_text(path: Path, text: bytes) -> None:
    """Refuse a text that is not a table, before any of it is taken for the names of columns."""
    for pattern, called, advice in UNREAD_TEXTS:
        if pattern.match(text[:BEGINNING]):
            raise InputError(f"{path} is {called}, not csv. {advice}")


def _is_old_stata(beginning: bytes) -> bool:
    """Version, order of bytes (1 or 2), a one, a zero: text has no such bytes."""
    return (
        len(beginning) > 3
        and beginning[0] in OLD_STATA
        and beginning[1] in (1, 2)
        and beginning[2:4] == b"\x01\x00"
    )


def _is_spreadsheet(path: Path, whole: bytes | None) -> bool:
    try:
        with zipfile.ZipFile(path if whole is None else io.BytesIO(whole)) as archive:
            names = set(archive.namelist())
    except (OSError, zipfile.BadZipFile):
        raise InputError(f"{path}: the Excel or zip file is damaged or incomplete.") from None
    return (
        bool(names & {"xl/workbook.xml", "xl/workbook.bin"}) or {"mimetype", "content.xml"} <= names
    )
