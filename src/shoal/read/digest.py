"""The digest of a file: which file it was, for whoever has it."""

from __future__ import annotations

import hashlib
from pathlib import Path

from shoal.errors import InputError


def sha256_of(path: Path) -> str:
    """The SHA-256 of a file's bytes.

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
