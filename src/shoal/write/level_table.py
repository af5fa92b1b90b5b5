"""Hierarchies as level tables, the files they can be read from again."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from shoal.types.hierarchy import Hierarchy
from shoal.write.atomic import replacing


def write_level_table(hierarchy: Hierarchy, path: str | Path) -> None:
    """Write one line per leaf, leaf first, a column for each level; `shoal.levels` reads it."""
    text = level_table_text(list(hierarchy.paths()))
    with replacing(Path(path)) as draft, draft.open("w", encoding="utf-8", newline="") as file:
        file.write(text)


def level_table_text(rows: Sequence[Sequence[str]]) -> str:
    """The text of a level table.

    >>> level_table_text([("nurse", "care", "*"), ("a; b", "rest", "*")])
    'nurse;care;*\\n"a; b";rest;*\\n'
    """
    # The writer does not know that a carriage return needs quotes.
    has_return = any("\r" in label for row in rows for label in row)
    text = io.StringIO(newline="")
    csv.writer(
        text,
        delimiter=";",
        lineterminator="\n",
        quoting=csv.QUOTE_ALL if has_return else csv.QUOTE_MINIMAL,
    ).writerows(rows)
    return text.getvalue()
