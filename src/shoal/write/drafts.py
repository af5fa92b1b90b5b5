"""The drafts of files that are being written, for whoever must end the process at once."""

from __future__ import annotations

import contextlib
import shutil
from pathlib import Path

_drafts: list[Path] = []


def remember(draft: Path) -> None:
    """From now on, `remove_drafts` removes a draft, or a folder that was made for files."""
    _drafts.append(draft)


def forget(draft: Path) -> None:
    """It has taken its place, or was removed."""
    if draft in _drafts:
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
