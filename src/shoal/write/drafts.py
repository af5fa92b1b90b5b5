"""The drafts of files that are being written, for whoever must end the process at once."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator
from pathlib import Path

_drafts: list[Path] = []


@contextlib.contextmanager
def known(draft: Path) -> Iterator[None]:
    """While this lasts, `remove_drafts` removes a draft, or a folder of drafts."""
    _drafts.append(draft)
    try:
        yield
    finally:
        _drafts.remove(draft)


def remove_drafts() -> None:
    """Remove every draft, the newest first, because nothing will complete it.

    A folder that was made for a release is removed if it is empty then.
    """
    for draft in reversed(list(_drafts)):
        with contextlib.suppress(OSError):
            if draft.name.startswith("."):
                shutil.rmtree(draft) if draft.is_dir() else draft.unlink(missing_ok=True)
            else:
                draft.rmdir()
