"""Several tables in a folder, all of them or none."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from shoal.errors import OutputError
from shoal.types.labels import Labels
from shoal.write import drafts
from shoal.write.atomic import FileSet
from shoal.write.files import add_file, check_ending


class TableFile(NamedTuple):
    """A table and the name that its file has in a folder."""

    name: str
    frame: pl.DataFrame
    delimiter: str = ","
    labels: Labels | None = None


def write_folder(folder: Path, files: Sequence[TableFile]) -> list[Path]:
    """Write tables into a folder; old files stay until all new ones are whole."""
    with new_folder(folder), FileSet() as together:
        return add_folder(together, folder, files)


def add_folder(together: FileSet, folder: Path, files: Sequence[TableFile]) -> list[Path]:
    """Write tables into a folder that exists, among other files of one set."""
    targets = [folder / file.name for file in files]
    for target in targets:
        check_ending(target)
    for file, target in zip(files, targets, strict=True):
        add_file(together, file.frame, target, delimiter=file.delimiter, labels=file.labels)
    return targets


@contextlib.contextmanager
def new_folder(folder: Path) -> Iterator[None]:
    """Make a folder unless it is there; at the end remove it again if nothing came into it."""
    check_folder(folder)
    is_new = not folder.exists()
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: cannot be made ({error.strerror}).") from None
    if is_new:
        drafts.remember(folder)
    try:
        yield
    finally:
        drafts.forget(folder)
        if is_new and folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


def check_folder(folder: Path) -> None:
    """Refuse, before any work is done, what cannot be a folder at its end."""
    if folder.exists() and not folder.is_dir():
        raise OutputError(f"{folder} is a file. With `tables`, give the name of a folder.")
    if not folder.exists() and not folder.resolve().parent.is_dir():
        raise OutputError(f"{folder}: the folder {folder.parent} does not exist. Create it first.")
    if not os.access(folder if folder.exists() else folder.resolve().parent, os.W_OK | os.X_OK):
        raise OutputError(f"{folder}: no permission to write there.")
