"""The SQL that all engines share: quoting, packed keys, and a release built from them.

Values never leave the engine and come back: they are numbered there, and groups are told by number.
A row of values becomes one whole number, in which a missing value is 0. Joining on it is one hash
join; joining on the columns themselves, where missing values are equal, is a loop in a loop in some
databases and does not end.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

FOLD, KEYS, PLACED, WHERE, PARTS, GROUPS, SHARES = (
    f"shoal_{name}" for name in ("fold", "keys", "placed", "where", "parts", "groups", "shares")
)
LARGEST = 2**62  # of a key


def quote(name: str) -> str:
    """A name as SQL writes it, whatever is in it.

    >>> print(quote('an "old" name'))
    "an ""old"" name"
    """
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text as SQL writes it.

    >>> print(literal("o'clock"))
    'o''clock'
    """
    return "'" + text.replace("'", "''") + "'"


def listed(items: Sequence[str]) -> str:
    return ", ".join(items)


def map_name(i: int) -> str:
    """The table that numbers the values of folded column i."""
    return f"shoal_map{i}"


class Packing(NamedTuple):
    """How the numbers of a row's values make its keys: for each key, columns and factors."""

    keys: tuple[tuple[tuple[int, int], ...], ...]

    @classmethod
    def of(cls, n_values: Sequence[int]) -> Packing:
        """Of columns with so many values each; as few keys as hold them.

        >>> Packing.of([9, 4]).keys, len(Packing.of([2**40, 2**40]).keys)
        ((((0, 1), (1, 10)),), 2)
        """
        keys: list[tuple[tuple[int, int], ...]] = []
        packed: tuple[tuple[int, int], ...] = ()
        factor = 1
        for i, n in enumerate(n_values):
            if packed and factor * (n + 1) > LARGEST:
                keys, packed, factor = [*keys, packed], (), 1
            packed, factor = (*packed, (i, factor)), factor * (n + 1)
        return cls((*keys, packed))

    @property
    def names(self) -> list[str]:
        return [f"k{i}" for i in range(len(self.keys))]

    def expressions(self) -> list[str]:
        """The keys of a row whose values were looked up in the maps."""
        return [
            " + ".join(f"coalesce(m{i}.code, 0) * {factor}" for i, factor in packed)
            for packed in self.keys
        ]

    def is_row(self, alias: str) -> str:
        """The condition that a row has the keys of another table."""
        pairs = zip(self.names, self.expressions(), strict=True)
        return " and ".join(f"{alias}.{name} = {key}" for name, key in pairs)


def looked_up(table: str, columns: Sequence[str]) -> str:
    """A table, as t, with its values looked up in the maps; `columns` are as SQL writes them."""
    joins = [f"left join {map_name(i)} m{i} on {c} = m{i}.v" for i, c in enumerate(columns)]
    return " ".join([f"{table} t", *joins])


def fold_of(table: str, columns: Sequence[str]) -> str:
    """Different rows with counts, numbered."""
    values = listed([f"{column} as v{i}" for i, column in enumerate(columns)])
    groups = listed([str(i + 1) for i in range(len(columns))])
    counted = f"select {values}, count(*) as n from {table} t group by {groups}"
    return f"select row_number() over () - 1 as id, f.* from ({counted}) f"


def placed_whole(table: str, columns: Sequence[str], packing: Packing, kept: str) -> str:
    """The records of rows that go to one group as a whole; `kept` are selected besides."""
    return (
        f"select w.grp{kept} from {looked_up(table, columns)} "
        f"join {WHERE} w on {packing.is_row('w')} where w.line < 0"
    )


def placed_in_parts(
    table: str, columns: Sequence[str], packing: Packing, kept: str, names: str, order: str
) -> str:
    """The records of rows that are divided, each line in an order that is not the table's."""
    numbered = (
        f"select w.line{kept}, row_number() over (partition by w.line{order}) - 1 as place "
        f"from {looked_up(table, columns)} join {WHERE} w on {packing.is_row('w')} "
        "where w.line >= 0"
    )
    return (
        f"select p.grp{names} from ({numbered}) x join {PARTS} p "
        "on p.line = x.line and x.place >= p.first and x.place < p.last where p.grp >= 0"
    )
