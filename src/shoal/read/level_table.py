"""Level tables and trees: checked, and made into one path per leaf."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from shoal.errors import HierarchyError, InputError
from shoal.read.csv_dialect import read_rows
from shoal.types.hierarchy import ROOT
from shoal.types.text import number_of

LeafPath = tuple[str, ...]  # from a leaf to the root
DELIMITERS = (";", ",")


class Place(NamedTuple):
    """How an error says where it is: `Hierarchy work.csv`, line 7."""

    what: str
    unit: str
    numbers: Sequence[int] = ()  # where each path stands; 1, 2, 3 ... if empty

    def of(self, *indices: int) -> str:
        numbers = [self.numbers[i] if self.numbers else i + 1 for i in indices]
        plural = "leaves" if self.unit == "leaf" else f"{self.unit}s"
        return f"{self.unit if len(numbers) == 1 else plural} {' and '.join(map(str, numbers))}"


def read_level_table(path: Path) -> tuple[LeafPath, ...]:
    """Paths from a csv file without header: leaf first, one column a level."""
    try:
        rows = list(read_rows(path, DELIMITERS))
    except InputError as error:
        raise HierarchyError(f"Hierarchy {error}") from None
    place = Place(f"Hierarchy {path}", "line", [line for line, _ in rows])
    return paths_of_rows([row for _, row in rows], place)


def paths_of_rows(rows: Sequence[LeafPath], place: Place) -> tuple[LeafPath, ...]:
    """One path per leaf, leaf first and root last, all equally long.

    Short rows repeat their leaf; leaves that are numbers are put in order.
    """
    if not rows:
        raise HierarchyError(f"{place.what} is empty. List each leaf with its parents.")
    for i, row in enumerate(rows):
        if not row or "" in row:
            level = row.index("") + 1 if row else 1
            raise HierarchyError(
                f"{place.what}, {place.of(i)}: column {level} is empty. "
                "Write the name of the node, or repeat the one before it."
            )
    _check_leaves(rows, place)
    paths = _padded(rows)
    _check_parents(paths, place)
    return _numbers_in_order(paths)


def paths_of_tree(branches: Mapping[str, Any] | Sequence[Any]) -> tuple[LeafPath, ...]:
    return paths_of_rows([(*path, ROOT) for path in _walk(branches)], Place("Tree", "leaf"))


def _walk(branches: Mapping[str, Any] | Sequence[Any] | None) -> Iterator[LeafPath]:
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
                yield ("" if child is None else str(child),)
    else:
        raise HierarchyError(
            "A tree maps each node to its children: {Higher: [BA, MA], School: [9th, 10th]}."
        )


def _padded(rows: Sequence[LeafPath]) -> tuple[LeafPath, ...]:
    """Equally long paths under one root. A short path repeats its leaf: nodes keep their depth."""
    tops = Counter(row[-1] for row in rows)
    root = next(iter(tops)) if len(tops) == 1 else ROOT
    bodies = [row[:-1] if len(row) > 1 and row[-1] == root else row for row in rows]
    height = max(len(body) for body in bodies)
    return tuple((*[body[0]] * (height - len(body)), *body, ROOT) for body in bodies)


def _numbers_in_order(paths: tuple[LeafPath, ...]) -> tuple[LeafPath, ...]:
    numbers = [n for path in paths if (n := number_of(path[0])) is not None]
    if len(numbers) < len(paths):
        return paths
    return tuple(paths[i] for i in sorted(range(len(paths)), key=numbers.__getitem__))


def _check_leaves(rows: Sequence[LeafPath], place: Place) -> None:
    first: dict[str, int] = {}
    for i, row in enumerate(rows):
        earlier = first.setdefault(row[0], i)
        if earlier != i:
            what = (
                "give the same leaf twice. Remove one"
                if rows[earlier] == row
                else "give one leaf two parents. Keep the right one"
            )
            raise HierarchyError(f"{place.what}: {place.of(earlier, i)} {what}.")


def _check_parents(paths: Sequence[LeafPath], place: Place) -> None:
    above_of: dict[tuple[int, str], tuple[LeafPath, int]] = {}
    for i, path in enumerate(paths):
        for level in range(1, len(path)):
            above = path[level + 1 :]
            known, earlier = above_of.setdefault((level, path[level]), (above, i))
            if known != above:
                raise HierarchyError(
                    f"{place.what}: {place.of(earlier, i)} {_clash(paths[earlier], path, level)}. "
                    "Give the two different names."
                )


def _clash(one: LeafPath, other: LeafPath, level: int) -> str:
    """What is wrong with two paths that have the same name at a level, and another above it."""
    repeat_leaf = [len(set(path[: level + 1])) == 1 for path in (one, other)]
    if any(repeat_leaf):  # one of them ends here; two leaves of one name were refused before
        return f"have one name for a leaf and for a node of level {level} elsewhere"
    return f"put one node of level {level} under two parents"
