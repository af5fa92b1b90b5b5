"""Hierarchies as level tables, the files they can be read from again."""

from __future__ import annotations

import csv
from pathlib import Path

from shoal.types.hierarchy import Hierarchy
from shoal.write.atomic import replacing


def write_level_table(hierarchy: Hierarchy, path: str | Path) -> None:
    """Write one line per leaf, leaf first, a column for each level; `shoal.levels` reads it."""
    rows = list(hierarchy.paths())
    # The writer does not know that a carriage return needs quotes.
    has_return = any("\r" in label for row in rows for label in row)
    with replacing(Path(path)) as draft, draft.open("w", encoding="utf-8", newline="") as file:
        csv.writer(
            file,
            delimiter=";",
            lineterminator="\n",
            quoting=csv.QUOTE_ALL if has_return else csv.QUOTE_MINIMAL,
        ).writerows(rows)
