"""Whether a csv text means the same rows to every reader: its quotes and carriage returns.

Fast readers and slow ones agree on a text whose quotes stand around whole fields, doubled inside.
They do not agree on a carriage return within a line, which some take for the end of it, nor on a
quote that never closes: such a text is refused. The first looks go over all bytes at once.
"""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np

from shoal.errors import InputError
from shoal.types.arrays import BoolArray, Int64Array

QUOTE, RETURN, NEWLINE = b'"\r\n'
AT_ONCE = 2**18  # bytes, which stay in the cache


def as_lines(content: bytes) -> io.TextIOWrapper:
    """UTF-8 bytes as the csv module wants them."""
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8", errors="replace", newline="")


def count_of(letter: str, content: bytes) -> int:
    """How often an ASCII character occurs, several times as fast as `bytes.count` says it.

    >>> count_of(",", b"a,b,c")
    2
    """
    letters, code = np.frombuffer(content, dtype=np.uint8), ord(letter)
    starts = range(0, len(letters), AT_ONCE)
    return sum(int(np.count_nonzero(letters[at : at + AT_ONCE] == code)) for at in starts)


def with_newlines(content: bytes) -> bytes:
    """A text with the line ends of old Macs; a carriage return inside quotes is of its field."""
    if b'"' not in content:
        return content.replace(b"\r", b"\n")
    letters = np.frombuffer(content, dtype=np.uint8).copy()
    returns = np.flatnonzero(letters == RETURN)
    letters[returns[~_is_inside(returns, _places_of_quotes(content))]] = NEWLINE
    return letters.tobytes()


def quotes_are_regular(path: Path, content: bytes, delimiter: str) -> bool:
    """Whether quotes stand around whole fields only; `InputError` where rows are in doubt."""
    is_regular = b'"' not in content or _all_regular(content, delimiter)
    if b"\r" in content and content.count(b"\r") != content.count(b"\r\n"):
        quotes = _places_of_quotes(content)
        _refuse_stray_return(path, content, quotes if is_regular else quotes[:0])
    if not is_regular:
        _refuse_open_quote(path, content, delimiter)
    return is_regular


def _places_of_quotes(content: bytes) -> Int64Array:
    if b'"' not in content:
        return np.empty(0, dtype=np.int64)
    return np.flatnonzero(np.frombuffer(content, dtype=np.uint8) == QUOTE)


def _is_inside(places: Int64Array, quotes: Int64Array) -> BoolArray:
    """Which places are behind an odd number of quotes."""
    return np.asarray(np.searchsorted(quotes, places) % 2 == 1)


def _all_regular(content: bytes, delimiter: str) -> bool:
    """Every second quote opens a field or is the second of two, the others close one or are first.

    So a quote that opens follows a delimiter or a line end, and one that closes precedes it.
    """
    letters = np.frombuffer(content, dtype=np.uint8)
    around = np.zeros(256, dtype=np.bool_)
    around[[ord(delimiter), QUOTE, RETURN, NEWLINE]] = True
    n_quotes = 0
    for begin in range(0, len(letters), AT_ONCE):
        quotes = np.flatnonzero(letters[begin : begin + AT_ONCE] == QUOTE).astype(np.int64) + begin
        opening, closing = quotes[n_quotes % 2 :: 2], quotes[(n_quotes + 1) % 2 :: 2]
        n_quotes += len(quotes)
        # Before the first letter and behind the last there is the end of a line.
        before, behind = opening[opening > 0] - 1, closing[closing + 1 < len(letters)] + 1
        if not (around[letters[before]].all() and around[letters[behind]].all()):
            return False
    return n_quotes % 2 == 0


def _refuse_stray_return(path: Path, content: bytes, quotes: Int64Array) -> None:
    letters = np.frombuffer(content, dtype=np.uint8)
    returns = np.flatnonzero(letters == RETURN)
    is_stray = np.append(letters, np.uint8(0))[returns + 1] != NEWLINE
    stray = returns[is_stray & ~_is_inside(returns, quotes)]
    if len(stray):
        raise InputError(
            f"{path}, line {_line_at(content, int(stray[0]))}: a carriage return without a line "
            "feed, which some programs take for the end of the line and others do not.\n"
            "Remove it, put the field that it belongs to in quotes, or save the file with one kind "
            "of line ends."
        )


def _refuse_open_quote(path: Path, content: bytes, delimiter: str) -> None:
    reader = csv.reader(as_lines(content), delimiter=delimiter, strict=True)
    line = 1
    try:
        for _ in reader:
            line = reader.line_num + 1
    except csv.Error:
        raise InputError(
            f"{path}, line {line}: a quoted field is not closed, or has text after its closing "
            "quote.\nClose it, and double the quotes inside a field."
        ) from None


def _line_at(content: bytes, place: int) -> int:
    return content.count(b"\n", 0, place) + 1
