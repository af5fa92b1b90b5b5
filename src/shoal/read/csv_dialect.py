"""How a csv file is written: its encoding, delimiter and header."""

from __future__ import annotations

import codecs
import csv
import gzip
import itertools
import zlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from shoal.errors import InputError, nearest
from shoal.read.csv_rows import as_lines, quotes_are_regular, with_newlines
from shoal.read.formats import GZIP, refuse_binary, refuse_other_text
from shoal.read.header import refuse_repeated_names
from shoal.read.limits import gunzip, read_bytes, refuse_long_lines
from shoal.read.steady import steady

DELIMITERS = (",", ";", "\t", "|")
SAMPLE_LINES = 200
MOST_OF_A_LIST = 100_000_000  # bytes of a level table or of severities: one line for each value
SAVED_HOW = "Set the encoding, for example `--encoding cp1252` (Western European Windows)."

csv.field_size_limit(2**31 - 1)  # a note may be longer than the module's careful 128 KiB
_MARKS = (  # longest first: the UTF-16 mark begins the UTF-32 one
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


class CsvText(NamedTuple):
    """A csv file as UTF-8 bytes, without byte-order mark and trailing blank lines."""

    content: bytes
    delimiter: str
    header: list[str]
    is_regular: bool = True  # quotes stand around whole fields only


def read_utf8(
    path: Path,
    encoding: str | None = None,
    *,
    advice: str = SAVED_HOW,
    most: int | None = None,
    piped: bytes | None = None,
) -> bytes:
    """The text of a file, plain or gzipped; `advice` ends the error in another encoding.

    A text of more than `most` bytes is refused. `piped`: its bytes, if they were read already.
    """
    content = _as_utf8(path, _bytes_of(path, most, piped), encoding, advice)
    if b"\r" in content[:10_000] and b"\n" not in content:
        content = with_newlines(content)  # line ends of old Macs
    refuse_long_lines(path, content)
    if not content[:1000].strip() and not content.strip():
        raise InputError(f"{path}: the file is empty.")
    return content


def without_blank_end(content: bytes) -> bytes:
    """Without blank lines at the end."""
    if content[-4:].count(b"\n") > 1:  # looked at first: stripping copies the whole text
        content = content.rstrip(b"\r\n") + b"\n"
    return content


def read_csv_text(
    path: Path, *, delimiter: str | None, encoding: str | None, piped: bytes | None = None
) -> CsvText:
    content = read_utf8(path, encoding, piped=piped)
    refuse_other_text(path, content)
    delimiter = _checked(delimiter) if delimiter else sniff_delimiter(content)
    is_regular = quotes_are_regular(path, content, delimiter)
    header = next(csv.reader(as_lines(content), delimiter=delimiter))
    _check_header(path, header, delimiter)
    if len(header) > 1:  # in a table of one column, a blank line is a missing value
        content = without_blank_end(content)
    return CsvText(content, delimiter, header, is_regular)


def read_rows(path: Path, delimiters: Sequence[str]) -> Iterator[tuple[int, tuple[str, ...]]]:
    """The rows of a small csv file without header, and the line that each begins at."""
    content = without_blank_end(read_utf8(path, advice="Save it as UTF-8.", most=MOST_OF_A_LIST))
    delimiter = sniff_delimiter(content, delimiters)
    quotes_are_regular(path, content, delimiter)
    reader = csv.reader(as_lines(content), delimiter=delimiter, strict=True)
    line = 1
    for row in reader:
        yield line, tuple(row)
        line = reader.line_num + 1


def sniff_delimiter(content: bytes, delimiters: Sequence[str] = DELIMITERS) -> str:
    """The delimiter that cuts the first lines into equally many, and most, fields.

    >>> sniff_delimiter(b"name;score\\nAnn;1,5\\nBob;2,25\\n")
    ';'
    """
    sample = list(itertools.islice(as_lines(content), SAMPLE_LINES))

    text = "".join(sample)

    def fit(delimiter: str) -> tuple[bool, float, float, int]:
        widths = [len(row) for row in csv.reader(sample, delimiter=delimiter) if row]
        agreeing = sum(width == widths[0] for width in widths) / len(widths)
        # Commas inside cells such as [21, 27] have a space behind them, delimiters seldom.
        spaced = text.count(f"{delimiter} ") / max(text.count(delimiter), 1)
        return widths[0] > 1, agreeing, -spaced, widths[0]

    return max(delimiters, key=fit)


def first_ragged_line(text: CsvText) -> tuple[int, int] | None:
    """The number of the first line whose fields are not as many as the header's, and its count."""
    reader = csv.reader(as_lines(text.content), delimiter=text.delimiter)
    next(reader)
    line = reader.line_num + 1
    for row in reader:
        if len(row) != len(text.header):
            return line, len(row)
        line = reader.line_num + 1
    return None


def no_such_file(path: Path) -> InputError:
    near = nearest(path.name, [p.name for p in path.parent.glob("*")])
    return InputError(f"{path}: there is no such file{near}")


def _bytes_of(path: Path, most: int | None, piped: bytes | None) -> bytes:
    try:
        with steady(path):
            content = read_bytes(path, most) if piped is None else piped
        if content.startswith(GZIP):
            content = gunzip(path, content, most)
        refuse_binary(path, content)
        return content
    except FileNotFoundError:
        raise no_such_file(path) from None
    except (gzip.BadGzipFile, EOFError, zlib.error):
        raise InputError(f"{path}: the gzip file is damaged or incomplete.") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}).") from None


def _checked(delimiter: str) -> str:
    """One character; a backslash and t, as a shell passes it, is a tab."""
    delimiter = "\t" if delimiter == "\\t" else delimiter
    if len(delimiter) != 1 or not delimiter.isascii() or delimiter in '"\r\n':
        raise InputError("The delimiter must be one character, such as , ; | or \\t for a tab.")
    return delimiter


def _as_utf8(path: Path, content: bytes, encoding: str | None, advice: str) -> bytes:
    if encoding is None:
        encoding = next((name for mark, name in _MARKS if content.startswith(mark)), "utf-8")
    try:
        "".encode(encoding)  # unlike a look-up, this refuses codecs that do not encode text
        is_utf8 = codecs.lookup(encoding).name == "utf-8"
    except (LookupError, ValueError):
        raise InputError(f"Unknown encoding {encoding!r}. Try utf-8, cp1252 or utf-16.") from None
    if content.startswith(codecs.BOM_UTF8):
        content = content[len(codecs.BOM_UTF8) :]
    try:
        if is_utf8 and content.isascii():
            return content
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise InputError(f"{path}, line {line}: the text is not {encoding}.\n{advice}") from None
    return content if is_utf8 else text.removeprefix("\ufeff").encode()


def _check_header(path: Path, header: list[str], delimiter: str) -> None:
    refuse_repeated_names(path, header)
    if "" in header:
        raise InputError(
            f"{path}: column {header.index('') + 1} of {len(header)} has no name in the header "
            f"(delimiter: {delimiter!r}; `--delimiter` sets another). The first line must name "
            "every column. Remove a title above it, or an index column without a name."
        )
