"""Whose record each one is, as the policy's `person` says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.encode.fold import fold_equal_rows
from shoal.errors import InputError, counted
from shoal.read.columns import read_column
from shoal.read.source import Source
from shoal.types.arrays import MISSING, BoolArray, Int32Array
from shoal.types.column import RawColumn
from shoal.types.schema import Missing


@dataclass(frozen=True, eq=False, repr=False)
class People:
    """The person of each row of a source, as a number; numbers are in the order of the values.

    A record that does not say whose it is counts as that of a person of its own; `is_known` tells
    which do say so.
    """

    of_record: Int32Array
    n_people: int
    is_known: BoolArray
    notes: tuple[str, ...] = ()


def people_of(
    source: Source,
    names: Sequence[str],
    *,
    missing: Missing = "category",
    missing_values: Sequence[str] = ("",),
) -> People:
    """Number the people of a table by the columns that tell them apart.

    >>> visits = Source(pl.DataFrame({"patient": ["b", "a", None, "b"]}))
    >>> people_of(visits, ["patient"]).of_record.tolist()
    [1, 0, 2, 1]
    """
    columns = [read_column(source.frame[name], missing_values=missing_values) for name in names]
    is_known = np.logical_and.reduce([column.codes != MISSING for column in columns])
    n_unknown = int(np.count_nonzero(~is_known))
    notes = warn_of_unclear_people(columns, n_unknown, missing)
    of_known, n_known = _numbered([column.codes[is_known] for column in columns], columns)
    of_record = np.empty(len(is_known), dtype=np.int32)
    of_record[is_known] = of_known
    of_record[~is_known] = np.arange(n_known, n_known + n_unknown)
    return People(of_record, n_known + n_unknown, is_known, notes)


def warn_of_unclear_people(
    columns: Sequence[RawColumn], n_unknown: int, missing: Missing
) -> tuple[str, ...]:
    """Notes on records of which it is not clear whose they are, unless the policy refuses them."""
    names = [column.name for column in columns]
    if n_unknown and missing == "error":
        raise InputError(
            f"{counted(n_unknown, 'record')} of the table {_do_not_say(n_unknown)} whose "
            f"{'it is' if n_unknown == 1 else 'they are'}: {_of_columns(names)} missing, but the "
            "policy says `missing: error`. Set it to category (each counts as a person of its own) "
            "or suppress, or fill in the values."
        )
    return (*_unknown_note(names, n_unknown, missing), *_spelling_notes(columns))


def _numbered(codes: list[Int32Array], columns: list[RawColumn]) -> tuple[Int32Array, int]:
    """People by the codes of their columns, in the order of these, and how many there are."""
    if len(columns) == 1:
        return codes[0], len(columns[0].labels)
    fold = fold_equal_rows(codes, [max(len(column.labels), 1) for column in columns])
    return fold.row_of_record, len(fold.first_record)


def _do_not_say(n: int) -> str:
    return "does not say" if n == 1 else "do not say"


def _of_columns(names: Sequence[str]) -> str:
    quoted = ", ".join(repr(name) for name in names)
    return f"column {quoted} is" if len(names) == 1 else f"one of the columns {quoted} is"


def _unknown_note(names: Sequence[str], n_unknown: int, missing: Missing) -> tuple[str, ...]:
    if not n_unknown or missing == "suppress":
        return ()
    own = "It counts as a person of its own" if n_unknown == 1 else "Each counts as its own person"
    return (
        f"{counted(n_unknown, 'record')} {_do_not_say(n_unknown)} whose "
        f"{'it is' if n_unknown == 1 else 'they are'}: {_of_columns(names)} missing. {own}; if "
        "they are of people who have other records, groups have fewer people than was counted.",
    )


def _spelling_notes(columns: Sequence[RawColumn]) -> Iterator[str]:
    """Notes on people whom a reader would take for one, and who count as several."""
    for column in columns:
        values = pl.Series(column.labels, dtype=pl.String)
        n_alike = len(values) - _as_read(values).n_unique()
        if n_alike:
            yield (
                f"Column {column.name!r}: {counted(n_alike, 'value')} "
                f"{'differs' if n_alike == 1 else 'differ'} from another value only in case, in "
                "spaces around it or in how a number or letter is written (007, 7, 7.0), but "
                f"{'counts as another person' if n_alike == 1 else 'count as different people'}. "
                "Clean them first."
            )


def _as_read(values: pl.Series) -> pl.Series:
    """Texts without what a reader does not see, and numbers without what they do not say."""
    plain = values.str.normalize("NFKC").str.replace_all(r"\p{Cf}", "").str.strip_chars()
    return plain.str.to_lowercase().str.replace(r"^0*([0-9]+)(\.0*)?$", "$1")
