"""Level tables: for each leaf, what is above it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from shoal.errors import HierarchyError
from shoal.hierarchies._listed import LEAF, Listed
from shoal.read.level_table import Place, paths_of_rows, read_level_table
from shoal.types.options import file_key


@dataclass(frozen=True)
class Levels(Listed):
    """A level table: a line per leaf, from the leaf to `*`.

    >>> import polars as pl, shoal
    >>> jobs = shoal.levels([("nurse", "care"), ("doctor", "care"), ("cook", "kitchen")])
    >>> release = shoal.anonymize(pl.DataFrame({"job": ["nurse", "doctor", "cook", "cook"]}),
    ...                           quasi={"job": jobs}, privacy=[shoal.KAnonymity(2)])
    >>> release.frame["job"].to_list()
    ['care', 'care', 'cook', 'cook']
    """

    file: Path | None = field(default=None, compare=False)  # where they were read

    @classmethod
    def of_value(cls, value: Any, folder: Path | None) -> Levels:
        """The name of a csv file, or the rows of one."""
        if isinstance(value, str):
            if folder is None:
                raise HierarchyError("The levels must be listed here, not be in a file.")
            return levels(folder / value)
        if not _is_table(value):
            raise HierarchyError("Levels are a csv file, or rows such as [nurse, care, '*'].")
        return levels(value)

    @classmethod
    def value_schema(cls) -> dict[str, Any]:
        rows = {"type": "array", "items": {"type": "array", "items": LEAF}, "minItems": 1}
        return {"anyOf": [{"type": "string"}, rows]}

    def keys(self, folder: Path | None) -> Any:
        if self.file is None or folder is None:
            return {"levels": [list(path) for path in self.paths]}
        name = file_key(self.file, folder)
        # A name without a dot might be that of a kind.
        return name if "." in name else {"levels": name}


def levels(table: str | Path | Iterable[Sequence[str]]) -> Levels:
    """A level table: a csv file (`;` or `,`) or rows, leaf first, one column a level.

    >>> levels([("nurse", "care"), ("cook", "kitchen")]).paths
    (('nurse', 'care', '*'), ('cook', 'kitchen', '*'))
    """
    if not isinstance(table, Iterable) and not isinstance(table, Path):
        raise HierarchyError("A level table is the path of a csv file, or rows of texts.")
    if isinstance(table, str | Path):
        return Levels(read_level_table(Path(table)), Path(table))
    return Levels(
        paths_of_rows([tuple(map(str, row)) for row in table], Place("Level table", "row"))
    )


def _is_table(value: Any) -> bool:
    """Rows of texts: an empty cell of a policy file would be read as the text None."""
    return isinstance(value, list | tuple) and all(
        isinstance(row, list | tuple) and all(isinstance(name, str) for name in row)
        for row in value
    )
