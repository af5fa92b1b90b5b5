"""Files that only their owner may read: keys, and who is behind a pseudonym."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from shoal.errors import OutputError
from shoal.write.atomic import FileSet, check_target

OTHERS = 0o077  # the rights of everybody but the owner


@contextlib.contextmanager
def private_file(
    target: Path, *, overwrite: bool = False, files: FileSet | None = None
) -> Iterator[BinaryIO]:
    """A file to write to, which becomes `target` at the end, whole or not at all.

    It is made with mode 600, so others cannot open it at any moment. An existing file stays,
    even one that appears meanwhile, unless it may be overwritten. With `files` it becomes the
    target together with those.
    """
    refuse_existing(target, overwrite=overwrite)
    with contextlib.ExitStack() as stack:
        files = stack.enter_context(FileSet()) if files is None else files
        with files.writing(target, is_private=True, overwrites=overwrite) as draft:
            _refuse_open_folder(target, draft.stat().st_mode)
            with draft.open("wb") as file:
                yield file


def refuse_existing(target: Path, *, overwrite: bool) -> None:
    """Refuse, before any work is done, a file that is there already or cannot be written."""
    check_target(target)
    if not overwrite and os.path.lexists(target):
        raise OutputError(
            f"{target} exists, and what is in it could not be made again. Choose another name."
        )


def _refuse_open_folder(target: Path, mode: int) -> None:
    """Refuse a disk that does not keep rights, such as a memory stick."""
    if os.name != "nt" and mode & OTHERS:
        raise OutputError(
            f"{target}: files in this folder can be read by all users of this machine, whatever "
            "their mode. Choose a folder on another disk."
        )
