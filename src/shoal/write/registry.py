"""Adding a line to a file that several runs may add to at once."""

from __future__ import annotations

import os
from pathlib import Path

from shoal.errors import OutputError


def append_line(path: Path, text: str) -> None:
    """Add a line at the end of a file that only its owner may read, in one piece.

    A file that another run was stopped in the middle of gets a new line first.
    """
    try:
        handle = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        try:
            if os.name != "nt":
                os.fchmod(handle, 0o600)
            size = os.fstat(handle).st_size
            is_cut = size > 0 and os.pread(handle, 1, size - 1) != b"\n"
            line = ("\n" * is_cut + text + "\n").encode()
            if os.write(handle, line) != len(line):
                raise OSError("no space left on the disk")
            os.fsync(handle)
        finally:
            os.close(handle)
    except OSError as error:
        why = error.strerror or "input/output error"
        raise OutputError(f"{path}: cannot be written ({why}).") from None
