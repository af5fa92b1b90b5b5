"""Files that only their owner may read: keys, and who is behind a pseudonym."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from shoal.errors import OutputError
from shoal.write.atomic import check_target
from shoal.write.drafts import known

OTHERS = 0o077  # the rights of everybody but the owner


@contextlib.contextmanager
def private_file(target: Path, *, overwrite: bool = False) -> Iterator[BinaryIO]:
    """A file to write to, which becomes `target` at the end, whole or not at all.

    It is made with mode 600, so others cannot open it at any moment. An existing file stays,
    even one that appears meanwhile, unless it may be overwritten.
    """
    refuse_existing(target, overwrite=overwrite)
    draft: Path | None = None
    try:
        handle, name = tempfile.mkstemp(
            prefix=f".{target.name}.", suffix=".part", dir=target.parent
        )  # which makes it with mode 600
        draft = Path(name)
        with os.fdopen(handle, "wb") as file, known(draft):
            _refuse_open_folder(target, os.fstat(handle).st_mode)
            yield file
            file.flush()
            os.fsync(handle)
        if overwrite:
            draft.replace(target)
        else:
            os.link(draft, target)  # which fails if there is one by now
    except FileExistsError:
        raise _exists(target) from None
    except OSError as error:
        raise OutputError(
            f"{target}: cannot be written ({error.strerror or 'input/output error'})."
        ) from None
    finally:
        if draft is not None:
            draft.unlink(missing_ok=True)


def refuse_existing(target: Path, *, overwrite: bool) -> None:
    """Refuse, before any work is done, a file that is there already or cannot be written."""
    check_target(target)
    if not overwrite and os.path.lexists(target):
        raise _exists(target)


def _exists(target: Path) -> OutputError:
    return OutputError(
        f"{target} exists, and what is in it could not be made again. Choose another name."
    )


def _refuse_open_folder(target: Path, mode: int) -> None:
    """Refuse a disk that does not keep rights, such as a memory stick."""
    if os.name != "nt" and mode & OTHERS:
        raise OutputError(
            f"{target}: files in this folder can be read by all users of this machine, whatever "
            "their mode. Choose a folder on another disk."
        )
