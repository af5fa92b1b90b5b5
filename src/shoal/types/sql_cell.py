"""What a kind of hierarchy says in SQL: expressions that DuckDB and PostgreSQL share."""

from __future__ import annotations

from typing import NamedTuple

from shoal.types.column import Kind


class SqlColumn(NamedTuple):
    """The expressions that are at hand for one column.

    `written` is what the text means (a BIGINT, a DOUBLE PRECISION, else a text), NULL where it
    means nothing of the column's kind; `label` is the same as a release writes it.
    """

    kind: Kind
    written: str
    label: str
    value: str  # the name under which the cell finds `SqlCell.value`


class SqlCell(NamedTuple):
    """How a cell is made, in two steps."""

    value: str  # in terms of `written` or `label`; NULL where the hierarchy has no place for it
    cell: str  # in terms of `value`


def literal(text: str) -> str:
    """A text in SQL.

    >>> literal("it's")
    "'it''s'"
    """
    return "'" + text.replace("'", "''") + "'"
