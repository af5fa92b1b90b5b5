"""Level tables and trees: checked, and made into one path per leaf."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from shoal.errors import HierarchyError, InputError
from shoal.read.csv_dialect import read_utf8
from shoal.types.hierarchy import ROOT

Path_ = tuple[str, ...]


def read_level_table(path: Path) -> tuple[Path_, ...]:
    """Paths from a csv file without header: leaf first, one column a level."""
    try:
        lines = read_utf8(path).decode().splitlines()
    except InputError as error:
        raise HierarchyError(f"Hierarchy {error}") from None
    delimiter = ";" if any(";" in line for line in lines) else ","
    rows = [tuple(row) for row in csv.reader(lines, delimiter=delimiter)]
    return paths_of_rows(rows, where=f"Hierarchy {path}")


def paths_of_rows(rows: Sequence[Path_], *, where: str) -> tuple[Path_, ...]:
    """One path per leaf, leaf first and root last, all equally long.

    Short rows are padded below the root; siblings that are numbers are put in order.
    """
    if not rows:
        raise HierarchyError(f"{where} is empty. Each line names a leaf and what is above it.")
    for line, row in enumerate(rows, start=1):
        if not row or "" in row:
            level = row.index("") + 1 if row else 1
            raise HierarchyError(
                f"{where}, line {line}: column {level} is empty. "
                "Write the name of the level, or repeat the one before it."
            )
    paths = _numbers_in_order(_padded(rows))
    _check_leaves(rows, where)
    _check_parents(_padded(rows), where)
    return paths


def paths_of_tree(branches: Mapping[str, Any] | Sequence[Any]) -> tuple[Path_, ...]:
    return paths_of_rows([(*path, ROOT) for path in _walk(branches)], where="tree")


def _walk(branches: Mapping[str, Any] | Sequence[Any] | None) -> Iterator[Path_]:
    if isinstance(branches, Mapping):
        for name, children in branches.items():
            if children is None or children in ([], {}):
                yield (str(name),)
            else:
                for path in _walk(children):
                    yield (*path, str(name))
    elif isinstance(branches, Sequence) and not isinstance(branches, str):
        for child in branches:
            if isinstance(child, Mapping | list | tuple):
                yield from _walk(child)
            else:
                yield (str(child),)
    else:
        raise HierarchyError(
            "A tree maps each node to its children: {Higher: [BA, MA], School: [9th, 10th]}."
        )


def _padded(rows: Sequence[Path_]) -> tuple[Path_, ...]:
    """Equally long paths under one root. A short path repeats its node below the root."""
    top = Counter(row[-1] for row in rows).most_common(1)[0][0]
    has_root = all(row[-1] == top for row in rows) and any(len(row) > 1 for row in rows)
    bodies = [row[:-1] if has_root and len(row) > 1 else row for row in rows]
    height = max(len(body) for body in bodies)
    return tuple((*body, *[body[-1]] * (height - len(body)), ROOT) for body in bodies)


def _numbers_in_order(paths: tuple[Path_, ...]) -> tuple[Path_, ...]:
    try:
        return tuple(sorted(paths, key=lambda path: float(path[0])))
    except ValueError:
        return paths


def _check_leaves(rows: Sequence[Path_], where: str) -> None:
    first_line: dict[str, int] = {}
    for line, row in enumerate(rows, start=1):
        earlier = first_line.setdefault(row[0], line)
        if earlier != line:
            what = (
                "give the same leaf twice. Remove one"
                if rows[earlier - 1] == row
                else "give one leaf two parents. Keep the right one"
            )
            raise HierarchyError(f"{where}: lines {earlier} and {line} {what}.")


def _check_parents(paths: Sequence[Path_], where: str) -> None:
    parent_of: dict[tuple[int, str], tuple[Path_, int]] = {}
    for line, path in enumerate(paths, start=1):
        for level in range(1, len(path)):
            above = path[level + 1 :]
            known, earlier = parent_of.setdefault((level, path[level]), (above, line))
            if known != above:
                raise HierarchyError(
                    f"{where}: lines {earlier} and {line} put one node of level {level} under "
                    "two parents. Give the two nodes different names."
                )
