"""Files that must not change while they are read, and what is in them as one number."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from shoal.errors import InputError


class FileState(NamedTuple):
    """What tells a file from itself after a change, and who may read it."""

    device: int
    inode: int
    size: int
    changed: int  # nanoseconds
    mode: int
    group: int

    @classmethod
    def of(cls, path: Path) -> FileState | None:
        """None if there is no such file, or it is a pipe, which has no state to compare."""
        try:
            found = path.stat()
        except OSError:
            return None
        if not stat.S_ISREG(found.st_mode):
            return None
        return cls(
            found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_mode & 0o777,
            found.st_gid,
        )  # fmt: skip

    def is_changed(self, path: Path) -> bool:
        now = FileState.of(path)
        return now is None or now[:4] != self[:4]


@contextmanager
def steady(path: Path) -> Iterator[None]:
    """Refuse a file that changed while it was read inside: a part may be missing."""
    before = FileState.of(path)
    yield
    if before is not None:
        refuse_changed(path, before)


def refuse_changed(path: Path, before: FileState) -> None:
    if before.is_changed(path):
        raise InputError(
            f"{path} changed while it was used: it may have been read in part. Nothing was "
            "written. Wait until the file is complete, or copy it, and run again."
        )


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file, in hexadecimal digits.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     _ = Path(folder, "empty").write_bytes(b"")
    ...     sha256_of(Path(folder, "empty"))[:16]
    'e3b0c44298fc1c14'
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}).") from None
