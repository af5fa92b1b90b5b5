"""What is too large to be read, refused while little of it was: endless files, gzip bombs, lines
without end."""

from __future__ import annotations

import gzip
import io
import stat
from collections.abc import Iterator
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import IO, cast

from shoal.errors import InputError
from shoal.read.memory import refuse_large, shown

LONGEST_LINE = 8_000_000  # bytes; lines twice as long are always found, shorter ones never
LONGEST_FIELD = 8_000_000  # bytes
MOST_RATIO = 200  # bytes of text for a byte of gzip; tables have 3 to 30
ANY_RATIO = 100_000_000  # bytes of text up to which gzip may do better
PIECE = 16_000_000  # bytes read at a time


def read_bytes(path: Path, most: int | None = None) -> bytes:
    """The bytes of a file, if there is memory for what is in it; at most so many."""
    status = path.stat()
    if stat.S_ISCHR(status.st_mode) or stat.S_ISBLK(status.st_mode):
        raise InputError(f"{path} is a device, not a file. Give the name of a file.")
    if stat.S_ISREG(status.st_mode) and (most is None or status.st_size <= most):
        refuse_large(path, n_bytes=status.st_size)
        if status.st_size > LONGEST_LINE:
            with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as content:
                refuse_long_lines(path, content)  # which touches a few pages of it only
        return path.read_bytes()
    with path.open("rb") as file:  # a pipe does not know its end
        return joined(path, pieces(file), most)


def gunzip(path: Path, content: bytes, most: int | None = None) -> bytes:
    """What was compressed, if it is not far more than compressed tables are."""
    with gzip.GzipFile(fileobj=io.BytesIO(content)) as file:
        usual = of_usual_ratio(path, pieces(cast(IO[bytes], file)), len(content))
        return joined(path, usual, most)


def refuse_long_lines(path: Path, content: bytes | mmap) -> None:
    """Refuse a line that no table has. Looks at a few places of the file only."""
    for start in range(0, len(content) - LONGEST_LINE, LONGEST_LINE):
        window = start, start + LONGEST_LINE
        if content.find(b"\n", *window) < 0 and content.find(b"\r", *window) < 0:
            places = range(0, start, PIECE)
            ends = sum(content[i : min(i + PIECE, start)].count(b"\n") for i in places)
            raise InputError(
                f"{path}, line {ends + 1} has more than {LONGEST_LINE:,} bytes. This is not a "
                "table, or its lines end in another way. Save it as csv."
            )


def pieces(file: IO[bytes]) -> Iterator[bytes]:
    """What is in a file, a few megabytes at a time."""
    while piece := file.read(PIECE):
        yield piece


def of_usual_ratio(path: Path, found: Iterator[bytes], n_compressed: int) -> Iterator[bytes]:
    """Pieces of what was compressed, as long as they are not far more than those of tables."""
    n_text = 0
    for piece in found:
        n_text += len(piece)
        if n_text > max(ANY_RATIO, MOST_RATIO * n_compressed):
            raise InputError(
                f"{path}: more than {MOST_RATIO} bytes of text come from each byte of this "
                "compressed file, far more than from a table. If it is one, decompress it yourself."
            )
        yield piece


def joined(path: Path, found: Iterator[bytes], most: int | None) -> bytes:
    """All pieces, if there is memory for them; at most so many bytes."""
    together = bytearray()
    for piece in found:
        together += piece
        if most is not None and len(together) > most:
            raise InputError(f"{path} has more than {shown(most)}, which is too large.")
        refuse_large(path, n_bytes=len(together))
    return bytes(together)
