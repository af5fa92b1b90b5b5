"""Who is behind each pseudonym, as an internal file."""

from __future__ import annotations

from pathlib import Path

import polars as pl

from shoal.write.atomic import FileSet
from shoal.write.private import private_file


def write_mapping(
    mapping: pl.DataFrame, path: Path, *, overwrite: bool = False, files: FileSet | None = None
) -> None:
    """Write identifiers and their pseudonyms as csv, readable by the owner alone."""
    with private_file(path, overwrite=overwrite, files=files) as file:
        mapping.write_csv(file)
