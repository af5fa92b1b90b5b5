"""Several tables in a folder, all of them or none."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

import polars as pl

from shoal.errors import OutputError
from shoal.write.files import check_ending, write_file


def write_folder(folder: Path, files: Mapping[str, pl.DataFrame]) -> list[Path]:
    """Write tables by the names of their files; old files stay until all new ones are whole."""
    targets = [folder / name for name in files]
    check_folder(folder)
    for target in targets:
        check_ending(target)
    try:
        folder.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=f".{folder.name}.", dir=folder.parent) as drafts:
            for name, frame in files.items():
                write_file(frame, Path(drafts, name))
            for target in targets:
                Path(drafts, target.name).replace(target)
    except OSError as error:
        raise OutputError(
            f"{folder}: cannot be written ({error.strerror or 'input/output error'})."
        ) from None
    return targets


def check_folder(folder: Path) -> None:
    """Refuse, before any work is done, what cannot be a folder at its end."""
    if folder.exists() and not folder.is_dir():
        raise OutputError(f"{folder} is a file. With `tables`, give the name of a folder.")
    if not folder.resolve().parent.is_dir():
        raise OutputError(f"{folder}: the folder {folder.parent} does not exist. Create it first.")
