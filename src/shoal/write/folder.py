"""Several tables in a folder, all of them or none."""

from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from shoal.errors import OutputError
from shoal.write.drafts import known
from shoal.write.files import check_ending, write_file


class TableFile(NamedTuple):
    """A table and the name that its file has in a folder."""

    name: str
    frame: pl.DataFrame
    delimiter: str = ","


def write_folder(folder: Path, files: Sequence[TableFile]) -> list[Path]:
    """Write tables into a folder; old files stay until all new ones are whole."""
    check_folder(folder)
    targets = [folder / file.name for file in files]
    for target in targets:
        check_ending(target)
    is_new = not folder.exists()
    try:
        folder.mkdir(exist_ok=True)
        with (
            known(folder) if is_new else contextlib.nullcontext(),
            tempfile.TemporaryDirectory(prefix=".shoal.", dir=folder) as drafts,
            known(Path(drafts)),
        ):
            for file in files:
                write_file(file.frame, Path(drafts, file.name), delimiter=file.delimiter)
            for target in targets:
                Path(drafts, target.name).replace(target)
    except OSError as error:
        raise OutputError(
            f"{folder}: cannot be written ({error.strerror or 'input/output error'})."
        ) from None
    finally:
        if is_new and folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()
    return targets


def check_folder(folder: Path) -> None:
    """Refuse, before any work is done, what cannot be a folder at its end."""
    if folder.exists() and not folder.is_dir():
        raise OutputError(f"{folder} is a file. With `tables`, give the name of a folder.")
    if not folder.exists() and not folder.resolve().parent.is_dir():
        raise OutputError(f"{folder}: the folder {folder.parent} does not exist. Create it first.")
    if not os.access(folder if folder.exists() else folder.resolve().parent, os.W_OK | os.X_OK):
        raise OutputError(f"{folder}: no permission to write there.")
