"""Replacing a file whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from shoal.errors import OutputError
from shoal.write.drafts import known

_UMASK = os.umask(0)
os.umask(_UMASK)


@contextlib.contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Gives a file next to `target` to write to; it takes the place of `target` at the end.

    Whatever happens before that, an error, an interrupt or a kill, the old file stays.
    """
    target = Path(os.path.realpath(target))  # a link is kept, what it points to is replaced
    check_target(target)
    draft: Path | None = None
    try:
        handle, name = tempfile.mkstemp(
            prefix=f".{target.name}.", suffix=".part", dir=target.parent
        )
        os.close(handle)
        draft = Path(name)
        with known(draft):
            yield draft
            with draft.open("rb+") as file:
                os.fsync(file.fileno())
            draft.chmod(target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_UMASK)
            draft.replace(target)
    except OSError as error:
        raise OutputError(
            f"{target}: cannot be written ({error.strerror or 'input/output error'}). "
            "An existing file is unchanged."
        ) from None
    finally:
        if draft is not None:
            draft.unlink(missing_ok=True)


def check_target(target: Path) -> None:
    """Refuse, before any work is done, what cannot be written at its end."""
    if not target.parent.is_dir():
        raise OutputError(f"{target}: the folder {target.parent} does not exist. Create it first.")
    if target.exists() and not target.is_file():
        raise OutputError(f"{target} is not a file. Choose the name of a file.")
    if target.exists() and not os.access(target, os.W_OK):
        raise OutputError(f"{target} is read-only. Choose another name, or make it writable.")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise OutputError(f"{target}: no permission to write to the folder {target.parent}.")


def write_text(target: Path, text: str) -> None:
    with replacing(target) as draft:
        draft.write_text(text, encoding="utf-8")
