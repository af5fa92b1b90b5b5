"""A table as it came, from a file or a frame library."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import polars as pl

from shoal.errors import InputError
from shoal.read.dates import FORMS, with_iso_dates
from shoal.read.numbers import with_plain_numbers
from shoal.types.arrays import Int64Array
from shoal.types.labels import Labels
from shoal.types.schema import Schema
from shoal.types.text_counts import TextCounts

if TYPE_CHECKING:
    import narwhals as nw


@dataclass(frozen=True, eq=False, repr=False)
class Source:
    """The input as a polars frame. It is never changed.

    `is_text`: it was read from csv, so every value is the text that stood there, and what the
    text means (a number, a date) is still to be found out. `native`: the caller's own frame, of
    pandas or pyarrow, whose kind the release will have. `counts`: how many records each row of the
    frame stands for, where somebody has counted equal ones, a database say; else each is one.
    `labels`: what the file of a statistics program notes on its columns. `has_points`: numbers
    have a decimal point, whatever a policy says of the files they came from.
    """

    frame: pl.DataFrame
    is_text: bool = False
    delimiter: str = ","
    encoding: str | None = None  # as the user gave it
    native: nw.DataFrame[Any] | None = None
    counts: Int64Array | None = None
    labels: Labels | None = None
    has_points: bool = False
    # What was counted on the way; `replace` with another frame begins anew.
    text_counts: dict[str, TextCounts] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        if self.counts is not None and len(self.counts) != self.frame.height:
            raise InputError("There must be one count for each row of the table.")
        if self.counts is not None and (self.counts < 1).any():
            raise InputError("Counts must be at least 1: leave out what no record has.")

    @classmethod
    def of_frame(cls, frame: Any, *, may_be_empty: bool = False) -> Source:
        """From a polars, pandas or pyarrow table."""
        if isinstance(frame, pl.LazyFrame):
            raise InputError("Shoal cannot read a polars LazyFrame. Call `.collect()` on it first.")
        if isinstance(frame, pl.DataFrame):
            return cls(_with_records(frame, may_be_empty))
        import narwhals as nw  # not needed for files, and takes a while to load

        try:
            native = nw.from_native(frame, eager_only=True)
        except nw.exceptions.DuplicateError:
            raise InputError("The frame has two columns with the same name. Rename one.") from None
        except TypeError:
            raise InputError(
                f"Shoal cannot read a {type(frame).__name__} as a table. "
                "Pass a polars, pandas or pyarrow table, or use the command on a file."
            ) from None
        if not all(isinstance(name, str) for name in native.columns):
            raise InputError("All column names must be text. Rename the others.")
        columns = {name: _to_polars(native, name) for name in native.columns}
        return cls(_with_records(pl.DataFrame(columns), may_be_empty), native=native)

    @property
    def n_records(self) -> int:
        return self.frame.height if self.counts is None else int(self.counts.sum())

    @property
    def has_own_index(self) -> bool:
        """Whether a pandas frame names its rows otherwise than by counting them."""
        if self.native is None:
            return False
        index: Any = getattr(self.native.to_native(), "index", None)
        is_counting = type(index).__name__ == "RangeIndex" and (index.start, index.step) == (0, 1)
        return index is not None and not is_counting

    def columns(self, names: Sequence[str]) -> pl.DataFrame:
        """Some columns. Not `select`, to which a name such as `*` or `^a.*$` is a pattern."""
        return pl.DataFrame({name: self.frame[name] for name in names})

    def followed_by(self, other: Source, schema: Schema, missing_values: Sequence[str]) -> Source:
        """Some columns of this table, and below them those of another, written in one way."""
        names = list(schema.columns)
        tables = [self.columns(names), other.columns(names)]
        is_text = self.is_text or other.is_text or tables[0].schema != tables[1].schema
        if is_text:  # then all of it is read as csv is
            orders = {
                n: d.categories for n, d in tables[0].schema.items() if isinstance(d, pl.Enum)
            }
            tables = [
                _as_text(frame, schema, missing_values, source.is_text)
                for frame, source in zip(tables, (self, other), strict=True)
            ]
            tables = [_in_orders(frame, orders, tables[1]) for frame in tables]
        return Source(pl.concat(tables), is_text=is_text, has_points=is_text)


def _as_text(
    frame: pl.DataFrame, schema: Schema, missing_values: Sequence[str], is_text: bool
) -> pl.DataFrame:
    from shoal.read.said import notation_in  # which reads columns

    columns = {}
    for name, spec in schema.columns.items():
        texts = frame[name].alias("values").cast(pl.String)
        notation = notation_in(frame[name], spec, missing_values, is_text=is_text)
        if notation is not None:
            texts = with_plain_numbers(texts, notation, missing_values)
        columns[name] = with_iso_dates(texts, missing_values, FORMS.get(spec.format))
    return pl.DataFrame(columns)


def _in_orders(
    frame: pl.DataFrame, orders: dict[str, pl.Series], other: pl.DataFrame
) -> pl.DataFrame:
    """Columns whose values have an order of their own keep it; what the other adds comes after."""
    columns = {name: frame[name] for name in frame.columns}
    for name, order in orders.items():
        more = sorted(set(other[name].alias("values").drop_nulls()) - set(order))
        columns[name] = columns[name].cast(pl.Enum([*order, *more]))
    return pl.DataFrame(columns)


def _to_polars(native: nw.DataFrame[Any], name: str) -> pl.Series:
    try:
        column = native.select(name).to_polars()[name]
        order = _own_order(native, name) if column.dtype == pl.Categorical else None
        return column if order is None else column.cast(pl.String).cast(pl.Enum(order))
    except ModuleNotFoundError as error:
        raise InputError(f"Reading this frame needs {error.name}. Install shoal[pandas].") from None
    except (Exception, pl.exceptions.PanicException):  # whose message may show a cell
        # Numbers and text in one column, say. It may be dropped or kept, but not looked into.
        return pl.Series(name, native[name].to_list(), dtype=pl.Object)


def _own_order(native: nw.DataFrame[Any], name: str) -> list[str] | None:
    """The categories of a pandas or pyarrow column that are in an order: low, mid, high."""
    column: Any = native[name].to_native()
    if native.implementation.is_pandas():
        order = list(column.dtype.categories) if column.dtype.ordered else None
    elif native.implementation.is_pyarrow() and column.type.ordered:
        chunks = column.unify_dictionaries().chunks  # each has the categories
        order = chunks[0].dictionary.to_pylist() if chunks else None
    else:
        order = None
    if order is None:
        return None
    return order if all(isinstance(category, str) for category in order) else None


def _with_records(frame: pl.DataFrame, may_be_empty: bool) -> pl.DataFrame:
    if frame.width == 0:
        raise InputError("The table has no columns.")
    if frame.height == 0 and not may_be_empty:
        raise InputError("The table has no records.")
    return frame
