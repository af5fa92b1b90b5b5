"""A folder for what does not fit into memory. It is private, and removed whatever happens."""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from shoal.write import drafts

PREFIX = ".shoal-spill-"
LOCK = "in-use"


@contextlib.contextmanager
def spill_folder() -> Iterator[Path]:
    """A folder among the temporary files; those of runs that were killed are removed first."""
    remove_abandoned(Path(tempfile.gettempdir()))
    folder = Path(tempfile.mkdtemp(prefix=PREFIX))  # which only its owner can enter
    drafts.remember(folder)
    with (folder / LOCK).open("wb") as lock:
        _is_locked(lock)
        try:
            yield folder
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            drafts.forget(folder)


def remove_abandoned(place: Path) -> None:
    """Remove the folders of runs that are no longer there: nobody holds their locks."""
    for folder in place.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError), (folder / LOCK).open("rb+") as lock:
            if folder.stat().st_uid == os.getuid() and _is_locked(lock):
                shutil.rmtree(folder, ignore_errors=True)


def _is_locked(lock: IO[bytes]) -> bool:
    """Whether the lock was free, and is ours now. The system frees it when the process ends."""
    try:
        import fcntl
    except ImportError:  # where there are no such locks, folders are not taken for abandoned
        return False
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        return False
    return True
