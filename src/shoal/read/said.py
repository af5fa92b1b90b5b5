"""A column read as its policy says: how dates and numbers are written, ages, a highest value.

All of it happens before anything else is done with a column, so every later stage, the measures
and the verification see nothing but the ages and the highest value that will be published.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import numpy as np
import polars as pl

from shoal.errors import InputError, PolicyError, counted
from shoal.read.columns import read_column
from shoal.read.dates import FIRST, FORMS, Ambiguous, form_found, iso_dates, with_iso_dates
from shoal.read.leaves import others_named
from shoal.read.numbers import NOT_A_NUMBER, TEXT, is_written_so, with_plain_numbers
from shoal.read.zip_codes import NOT_A_ZIP, three_digits
from shoal.types.column import Kind, RawColumn
from shoal.types.notation import Notation
from shoal.types.schema import ColumnSpec
from shoal.types.text import NUMBER, number_of
from shoal.types.top import top_label

NOT_A_DATE = "(not a date)"  # has no age; no hierarchy has such a leaf


def read_as_said(
    series: pl.Series,
    spec: ColumnSpec,
    *,
    is_text: bool = False,
    missing_values: Sequence[str] = ("",),
) -> RawColumn:
    """Code a column as `read_column` does, as its policy says.

    >>> born = pl.Series("born", ["3/29/1993", "11/2/1931"])
    >>> spec = ColumnSpec("quasi", age_on="2026-01-01", top=90)
    >>> read_as_said(born, spec, is_text=True).labels
    ('32', '90+')
    """
    given = series
    if spec.format or spec.age_on or (is_text and spec.may_be_numbers):
        series = _in_iso(series, spec, is_text, missing_values)
    if spec.age_on:
        series = ages_on(series, spec.age_on, missing_values)
        _refuse_other(series, NOT_A_DATE, "not dates, or after the day of `age_on`", "format")
    if spec.zip3 is not None:
        series = three_digits(series, spec.zip3, missing_values)
        _refuse_other(series, NOT_A_ZIP, "not ZIP codes of the United States", "zip3")
    notation = notation_in(series, spec, missing_values, is_text=is_text)
    if notation is not None:
        series = with_plain_numbers(series, notation, missing_values, NOT_A_NUMBER)
        if spec.must_be_numbers:
            _refuse_words(series, notation)
    is_text = is_text or bool(spec.format or spec.age_on or notation)
    column = read_column(
        series, is_text=is_text and spec.may_be_numbers, missing_values=missing_values
    )
    if series is not given:
        column = replace(column, text_counts=None)  # it counts other texts than stood there
    if spec.role == "quasi":
        column = others_named(column, spec.hierarchy)
    if spec.top is None:
        return column
    return top_coded(column, spec.top) if spec.may_be_numbers else _top_coded_text(column, spec.top)


def said_texts(
    series: pl.Series, spec: ColumnSpec, missing_values: Sequence[str], kind: Kind
) -> pl.Series:
    """A column of later records: dates in ISO or ages, numbers with a point, other text as it is.

    `kind` is what the column was in the release.
    """
    if spec.zip3 is not None:
        return three_digits(series, spec.zip3, missing_values)
    if kind in ("integer", "number") and not spec.age_on:
        as_numbers = replace(spec, hierarchy=None, publish=None)  # a fixed one reads text
        notation = notation_in(series, as_numbers, missing_values)
        if notation is not None:
            return with_plain_numbers(series, notation, missing_values, NOT_A_NUMBER)
    if spec.format:
        series = with_iso_dates(_texts_of(series), missing_values, FORMS[spec.format])
    return ages_on(_texts_of(series), spec.age_on, missing_values) if spec.age_on else series


def format_in(series: pl.Series, missing_values: Sequence[str]) -> str:
    """The format that the dates of a column show, where a policy would have to say it; else none.

    A day above 12 shows which of two numbers is the month. Where no day is, the column is refused.
    """
    if series.dtype != pl.String or not _may_be_unclear(series.head(FIRST), missing_values):
        return ""
    form = form_found(_present(series.unique(), missing_values))
    if isinstance(form, Ambiguous):
        raise PolicyError(
            f"the dates of column {series.name!r} may be {form.first} or {form.second}: no day "
            f"is above 12. Say which, for example `format: {form.second}`",
            ("columns", series.name),
        )
    return form.name if form is not None and form.other else ""


def notation_in(
    series: pl.Series, spec: ColumnSpec, missing_values: Sequence[str], *, is_text: bool = False
) -> Notation | None:
    """How the numbers of a column of text are written; nothing where it has none to be read.

    The column itself may say it. If the table does, a column shows whether it is meant: all of its
    values are written so and, where text is not looked for numbers, not all with a point.
    """
    if series.dtype not in TEXT or not spec.may_be_numbers:
        return None
    if spec.must_be_numbers:
        return spec.notation
    if spec.of_table.is_plain or spec.format or spec.age_on:
        return None
    found = _present(series.cast(pl.String).unique(), missing_values)
    if not is_written_so(found.head(FIRST), spec.of_table):
        return None
    is_meant = is_text or not found.str.contains(NUMBER).all()
    return spec.of_table if is_meant and is_written_so(found, spec.of_table) else None


def ages_on(dates: pl.Series, day: str, missing_values: Sequence[str]) -> pl.Series:
    """The age in years on a day of whoever was born on these dates, as text.

    >>> ages_on(pl.Series(["1990-01-01", "1990-01-02", "?", "2030-01-01"]), "2020-01-01",
    ...         ["?"]).to_list()
    ['30', '29', '?', '(not a date)']
    """
    on = date.fromisoformat(day)
    texts = dates.alias("texts")
    born = iso_dates(texts, FORMS["YYYY-MM-DD"]).str.head(10).str.to_date(strict=False)
    is_before = (born.dt.month() > on.month) | (
        (born.dt.month() == on.month) & (born.dt.day() > on.day)
    )
    years = on.year - born.dt.year() - is_before.cast(pl.Int32)
    ages = years.set((years < 0).fill_null(False), None).cast(pl.String)
    is_absent = texts.is_null() | texts.is_in(["", *missing_values])
    others = pl.select(pl.when(is_absent).then(texts).otherwise(pl.lit(NOT_A_DATE))).to_series()
    return ages.fill_null(others).alias(dates.name)


def top_coded(column: RawColumn, top: float) -> RawColumn:
    """The column with one value for all that are no less than `top`: 93 becomes 90+."""
    if not column.labels:
        return column
    if column.kind not in ("integer", "number") or column.numbers is None:
        raise PolicyError(
            f"`top` needs numbers, but the column is {column.kind}",
            ("columns", column.name, "top"),
        )
    n_below = int(np.searchsorted(column.numbers, top))
    if n_below == len(column.labels):
        return column
    is_whole = column.numbers.dtype == np.int64 and float(top).is_integer()
    highest = int(top) if is_whole else float(top)
    return replace(
        column,
        labels=(*column.labels[:n_below], top_label(top)),
        numbers=np.append(column.numbers[:n_below], highest),
        codes=np.minimum(column.codes, n_below).astype(np.int32),
    )


def topped(texts: Sequence[str | None], top: float | None) -> list[str | None]:
    """Numbers as text, those that are no less than `top` as the text for all of them.

    >>> topped(["89", "93", None], 90)
    ['89', '90+', None]
    """
    if top is None:
        return list(texts)
    numbers = [None if text is None else number_of(text) for text in texts]
    return [
        top_label(top) if number is not None and number >= top else text
        for text, number in zip(texts, numbers, strict=True)
    ]


def _top_coded_text(column: RawColumn, top: float) -> RawColumn:
    """The same where numbers are text, as a recoding reads them."""
    labels = [text or "" for text in topped(column.labels, top)]
    distinct = tuple(sorted(set(labels)))
    place = {label: i for i, label in enumerate(distinct)}
    codes = np.array([*(place[label] for label in labels), -1], dtype=np.int32)[column.codes]
    return replace(column, labels=distinct, codes=codes)


def _in_iso(
    series: pl.Series, spec: ColumnSpec, is_text: bool, missing_values: Sequence[str]
) -> pl.Series:
    """Dates as ISO writes them, where the policy has a format or the values show one."""
    texts = _texts_of(series)
    if spec.format:
        written = with_iso_dates(texts, missing_values, FORMS[spec.format])
        dates = _present(written, missing_values)
        is_date = iso_dates(dates, FORMS["YYYY-MM-DD"]).is_not_null()
        n_other = len(dates) - int(is_date.sum())
        if n_other:
            raise InputError(
                f"Column {series.name!r}: {counted(n_other, 'record')} "
                f"{'has a value that is' if n_other == 1 else 'have values that are'} not a date "
                f"written {spec.format}. List texts that mean missing under `missing_values`, or "
                "change `format`."
            )
        return written
    if is_text and (form := format_in(series, missing_values)):
        return with_iso_dates(texts, missing_values, FORMS[form])
    return with_iso_dates(texts, missing_values) if spec.age_on else series


def _refuse_other(series: pl.Series, other: str, what: str, key: str) -> None:
    n_other = int((series == other).sum())
    if n_other:
        change = "give the column's `format`" if key == "format" else f"remove `{key}`"
        raise InputError(
            f"Column {series.name!r}: {counted(n_other, 'record')} have values that are {what}. "
            f"List texts that mean missing under `missing_values`, or {change}."
        )


def _refuse_words(series: pl.Series, notation: Notation) -> None:
    n_other = int((series == NOT_A_NUMBER).sum())
    if n_other:
        raise InputError(
            f"Column {series.name!r}: {counted(n_other, 'record')} "
            f"{'has a value that is' if n_other == 1 else 'have values that are'} not a number "
            f"written {notation.describe()}. List texts that mean missing under `missing_values`, "
            "or change `decimal` and `thousands`."
        )


def _texts_of(series: pl.Series) -> pl.Series:
    """As text; a moment by the clock of its place."""
    if series.dtype == pl.Datetime:
        moments = series.dt.replace_time_zone(None)
        return moments.dt.strftime("%Y-%m-%d %H:%M:%S%.f")
    return series.cast(pl.String)


def _may_be_unclear(first: pl.Series, missing_values: Sequence[str]) -> bool:
    """Whether the first values of a column do not rule out that it has such dates."""
    texts = _present(first, missing_values)
    return any(texts.str.contains(form.regex).all() for form in FORMS.values() if form.other)


def _present(texts: pl.Series, missing_values: Sequence[str]) -> pl.Series:
    texts = texts.alias("values").drop_nulls()  # polars would take `^a.*$` for a pattern
    return texts.filter(~texts.is_in(["", *missing_values]))
