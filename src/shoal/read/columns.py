"""One column as read: its different values in natural order, and a code for each record."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import polars as pl

from shoal.errors import InputError, counted
from shoal.read.dates import clear_form, iso_dates
from shoal.types.arrays import MISSING, Int32Array, NumberArray
from shoal.types.column import Kind, RawColumn
from shoal.types.text import INTEGER, NUMBER
from shoal.types.text_counts import TextCounts

DAY = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$"
EXACT = 2**53  # from here on, floating-point numbers skip whole ones
MANY = 100_000  # different texts, which are not kept only because they were counted on the way
SURE_DIGITS = 15  # so many decimal digits come back from a floating-point number as they were
DATETIME = r"^[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9](\.[0-9]+)?)?$"


class _Values(NamedTuple):
    """Different values, ascending, and the code of each record among them."""

    kind: Kind
    labels: Sequence[str]
    numbers: NumberArray | None
    codes: Int32Array
    text_counts: TextCounts | None = None


def read_column(
    series: pl.Series, *, is_text: bool = False, missing_values: Sequence[str] = ("",)
) -> RawColumn:
    """Code a column. `is_text`: it came from csv, so numbers and dates are looked for in the text.

    >>> column = read_column(pl.Series("age", ["30", "", "4"]), is_text=True)
    >>> column.kind, column.labels, column.codes.tolist()
    ('integer', ('4', '30'), [1, -1, 0])
    """
    name, dtype = series.name, series.dtype
    series = series.alias("values")  # polars would take a name such as `^a.*$` for a pattern
    if isinstance(dtype, pl.String | pl.Categorical | pl.Enum):
        values = _read_text(series, is_text, missing_values)
    elif dtype.is_integer() or dtype == pl.Boolean:
        values = _read_integers(series)
    elif dtype == pl.Decimal:
        values = _read_decimals(series, name)
    elif dtype.is_float():
        values = _read_floats(series, name)
    elif dtype in (pl.Date, pl.Datetime, pl.Time):
        values = _read_times(series)
    elif dtype == pl.Null:
        values = _Values("text", (), None, np.full(len(series), MISSING, dtype=np.int32))
    else:
        raise InputError(
            f"Column {name!r} {_mixes(dtype)}, which cannot be ordered or generalised. "
            "Convert it to numbers, dates or text, or give it the role keep or drop."
        )
    return RawColumn(
        name, values.kind, tuple(values.labels), values.numbers, values.codes, values.text_counts
    )


def can_be_read(series: pl.Series) -> bool:
    """Whether values are text, numbers or dates, and so can be ordered and compared."""
    unordered = (pl.Binary, pl.Object, pl.Duration)
    return not series.dtype.is_nested() and series.dtype not in unordered


def _mixes(dtype: pl.DataType) -> str:
    return (
        "mixes values of different types"
        if dtype == pl.Object
        else f"contains {dtype.base_type().__name__} values"
    )


def _read_text(series: pl.Series, is_text: bool, missing_values: Sequence[str]) -> _Values:
    found, codes = _distinct_text(series)
    values = _ordered_text(series.dtype, found, codes, is_text, missing_values)
    return values._replace(text_counts=_counted(found, codes) if len(found) <= MANY else None)


def _counted(found: pl.Series, codes: Int32Array) -> TextCounts:
    """How often each text occurs; the missing ones, whose code is -1, come last."""
    is_missing = codes == MISSING
    n_missing = int(np.count_nonzero(is_missing))
    if not n_missing:
        return TextCounts(found, np.bincount(codes, minlength=len(found)))
    texts = pl.concat([found, pl.Series([None], dtype=pl.String)])
    present = np.bincount(codes[~is_missing], minlength=len(found))
    return TextCounts(texts, np.append(present, n_missing))


def _ordered_text(
    dtype: pl.DataType,
    found: pl.Series,
    codes: Int32Array,
    is_text: bool,
    missing_values: Sequence[str],
) -> _Values:
    """Different texts in their natural order, those that mean missing left out."""
    is_missing = found.is_in(["", *missing_values]).to_numpy()
    found, codes = found.filter(~is_missing), _renumbered(codes, ~is_missing)
    if isinstance(dtype, pl.Enum):  # the categories' own order is meant
        rank = {category: i for i, category in enumerate(dtype.categories)}
        order = np.array(sorted(range(len(found)), key=lambda i: rank[found[i]]), dtype=np.int64)
        return _Values("text", found.gather(order).to_list(), None, _ranked(codes, order))
    if is_text and len(found):
        parsed = _parse(found)
        if parsed is not None:
            ordered = _code_by_value(*parsed)
            return ordered._replace(codes=_looked_up(ordered.codes, codes))
    order = found.arg_sort().to_numpy().astype(np.int64)
    return _Values("text", found.gather(order).to_list(), None, _ranked(codes, order))


def _distinct_text(series: pl.Series) -> tuple[pl.Series, Int32Array]:
    """Different texts in any order, and the code of each record, -1 for missing ones."""
    # A category set of its own, or the codes would be shared with every other column.
    coded = series.cast(pl.String).cast(pl.Categorical(pl.Categories.random()))
    distinct = coded.drop_nulls().unique()
    codes = coded.to_physical().cast(pl.Int32).fill_null(MISSING).to_numpy()
    place = np.empty(len(distinct), dtype=np.int64)
    place[distinct.to_physical().to_numpy()] = np.arange(len(distinct))
    return distinct.cast(pl.String).gather(place), codes


def _parse(found: pl.Series) -> tuple[Kind, pl.Series] | None:
    """What the texts mean, if all of them mean the same kind of thing."""
    kind: Kind
    if found.str.contains(INTEGER).all():
        kind, parsed = "integer", found.cast(pl.Int64, strict=False)
    elif found.str.contains(NUMBER).all():
        kind, parsed = "number", floats_of(found)
    elif found.str.contains(DAY).all() or found.str.contains(DATETIME).all():
        kind, parsed = _parse_iso(found)
    elif (form := clear_form(found)) is not None:
        kind, parsed = _parse_iso(iso_dates(found, form))
    else:
        return None
    # What looks right but has no such value, as the 30th of February, stays the text it is.
    return None if parsed.has_nulls() else (kind, parsed)


def _parse_iso(dates: pl.Series) -> tuple[Kind, pl.Series]:
    """Days, or moments where there are times."""
    if dates.str.contains(DAY).all():
        return "date", dates.str.to_date("%Y-%m-%d", strict=False)
    to_seconds = dates.str.replace(" ", "T").str.replace(r"(T..:..)$", "${1}:00")
    return "datetime", to_seconds.str.to_datetime(
        "%Y-%m-%dT%H:%M:%S%.f", strict=False, time_unit="us"
    )


def _read_integers(series: pl.Series) -> _Values:
    if series.dtype == pl.Boolean:
        values = _code_by_value("integer", series.cast(pl.Int64))
        labels = [("false", "true")[int(label)] for label in values.labels]
        return values._replace(kind="boolean", labels=labels, numbers=None)
    whole = series.cast(pl.Int64, strict=False)
    if whole.null_count() > series.null_count():
        return _read_text(series.cast(pl.String), False, ())
    return _code_by_value("integer", whole)


def floats_of(texts: pl.Series) -> pl.Series:
    """Numbers written in texts, null where none is meant or where digits would be lost.

    >>> floats_of(pl.Series(["1.50", "1e23", "9007199254740992", "9007199254740993"])).to_list()
    [1.5, 1e+23, 9007199254740992.0, None]
    """
    numbers = texts.cast(pl.Float64, strict=False)
    numbers = numbers.set(numbers.is_infinite(), None)
    large = (numbers.abs() >= EXACT).fill_null(False).arg_true()
    written, found = texts.gather(large).to_list(), numbers.gather(large).to_list()
    lost = [place for place, one in enumerate(written) if not _is_written(one, found[place])]
    return numbers.scatter(large.gather(lost), None) if lost else numbers


def refuse_lost_digits(series: pl.Series) -> None:
    """Refuse whole numbers that a frame library turned into floats, where they are not exact.

    pandas does so with a column of numbers such as codes, once a value is missing in it.
    """
    if not series.dtype.is_float():
        return
    numbers = series.alias("values").drop_nulls().drop_nans()
    n_large = int((numbers.abs() >= EXACT).sum())
    if n_large and (numbers.abs() < 2.0**64).all() and (numbers.floor() == numbers).all():
        raise InputError(
            f"Column {series.name!r}: whole numbers beyond {EXACT:,} are stored as floating-point "
            f"numbers in {counted(n_large, 'record')}, so their last digits may be lost already. "
            "Read the column again as whole numbers (in pandas the type Int64) or as text."
        )


def _is_written(text: str, number: float) -> bool:
    """Whether a number is the one that was written, and not its neighbour."""
    return Fraction(repr(number)) == Fraction(text)


def _read_decimals(series: pl.Series, name: str) -> _Values:
    """As floating-point numbers, or as whole ones where those are not exact."""
    numbers = series.cast(pl.Float64)
    found = series.unique().drop_nulls()
    texts, as_floats = found.cast(pl.String).to_list(), found.cast(pl.Float64).to_list()
    n_digits = max((sum(map(str.isdigit, text.lstrip("-0."))) for text in texts), default=0)
    if n_digits <= SURE_DIGITS or all(map(_is_written, texts, as_floats)):
        return _read_floats(numbers, name)
    whole = series.cast(pl.Int64, strict=False)
    if whole.null_count() > series.null_count() or (whole.cast(series.dtype) != series).any():
        raise InputError(
            f"Column {name!r} has numbers with more digits than can be measured. "
            "Round them, or convert the column to text."
        )
    return _code_by_value("integer", whole)


def _read_floats(series: pl.Series, name: str) -> _Values:
    numbers = series.cast(pl.Float64).fill_nan(None)
    n_infinite = int(numbers.is_infinite().sum())
    if n_infinite:
        raise InputError(
            f"Column {name!r}: {counted(n_infinite, 'record')} "
            f"{'contains' if n_infinite == 1 else 'contain'} an infinite number. "
            "Replace it with a finite number or a missing value."
        )
    return _code_by_value("number", numbers)


def _read_times(series: pl.Series) -> _Values:
    if series.dtype == pl.Date:
        return _code_by_value("date", series)
    if series.dtype == pl.Time:
        return _code_by_value("time", series)
    return _code_by_value("datetime", series.dt.replace_time_zone(None).dt.cast_time_unit("us"))


def _code_by_value(kind: Kind, series: pl.Series) -> _Values:
    """Codes in the order of what is measured; equal values share one, however they were written."""
    measured = series.to_physical() if kind in ("date", "datetime", "time") else series
    is_missing = measured.is_null().to_numpy()
    present = measured.drop_nulls().to_numpy() + 0  # + 0: no negative zero
    numbers, inverse = np.unique(present, return_inverse=True)
    codes = np.full(len(series), MISSING, dtype=np.int32)
    codes[~is_missing] = inverse
    if numbers.dtype != np.float64:
        numbers = numbers.astype(np.int64)
    return _Values(kind, number_labels(kind, numbers), numbers, codes)


def number_labels(kind: Kind, numbers: NumberArray) -> list[str]:
    """Numbers, days and times as text: 21, 1.5, 2021-03-05.

    >>> number_labels("number", np.array([17.0, 17.5]))
    ['17', '17.5']
    """
    if kind == "date":
        return pl.Series(numbers, dtype=pl.Int32).cast(pl.Date).cast(pl.String).to_list()
    if kind == "datetime":
        times = pl.Series(numbers, dtype=pl.Int64).cast(pl.Datetime("us"))
        return times.dt.strftime("%Y-%m-%d %H:%M:%S%.f").to_list()
    if kind == "time":
        return pl.Series(numbers, dtype=pl.Int64).cast(pl.Time).dt.strftime("%H:%M:%S%.f").to_list()
    return [repr(number).removesuffix(".0") for number in numbers.tolist()]


def _renumbered(codes: Int32Array, is_kept: np.ndarray) -> Int32Array:
    """Codes after leaving out some values, which become missing."""
    if is_kept.all():
        return codes
    return _looked_up(np.where(is_kept, np.cumsum(is_kept) - 1, MISSING), codes)


def _ranked(codes: Int32Array, order: np.ndarray) -> Int32Array:
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order))
    return _looked_up(rank, codes)


def _looked_up(new_codes: np.ndarray, codes: Int32Array) -> Int32Array:
    """The new code of each record; missing stays missing."""
    return np.append(new_codes, MISSING).astype(np.int32)[codes]
