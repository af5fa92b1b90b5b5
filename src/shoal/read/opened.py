"""A table's file, or what comes through a pipe, which can be read once only."""

from __future__ import annotations

import io
import stat
import sys
from pathlib import Path
from typing import NamedTuple

from shoal.errors import InputError
from shoal.read.formats import BEGINNING, Format, format_of
from shoal.read.limits import joined, pieces, read_bytes

STANDARD_INPUT = Path("-")


class Opened(NamedTuple):
    """Where a table is, its kind, and all of its bytes if they came through a pipe."""

    path: Path
    format: Format
    piped: bytes | None = None

    @classmethod
    def of(cls, path: Path) -> Opened:
        if path == STANDARD_INPUT:
            return cls._of_bytes(Path("standard input"), _standard_input())
        try:
            mode = path.stat().st_mode
            if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
                return cls._of_bytes(path, read_bytes(path))
            with path.open("rb") as file:
                beginning = b"" if stat.S_ISCHR(mode) else file.read(BEGINNING)
        except OSError:
            return cls(path, "csv")  # the csv reader says what is wrong with the file
        return cls(path, format_of(path, beginning))

    @classmethod
    def _of_bytes(cls, path: Path, piped: bytes) -> Opened:
        return cls(path, format_of(path, piped[:BEGINNING], piped), piped)

    @property
    def file(self) -> Path | io.BytesIO:
        """What a library can read it from."""
        return self.path if self.piped is None else io.BytesIO(self.piped)

    @property
    def bytes(self) -> bytes:
        return self.path.read_bytes() if self.piped is None else self.piped

    @property
    def n_bytes(self) -> int:
        return self.path.stat().st_size if self.piped is None else len(self.piped)


def _standard_input() -> bytes:
    if sys.stdin is None or sys.stdin.isatty():
        raise InputError(
            "Standard input is a terminal. Give the name of a file, or pipe a table in: "
            "`cat table.csv | shoal ... -`."
        )
    return joined(Path("standard input"), pieces(sys.stdin.buffer), None)
