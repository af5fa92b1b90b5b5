"""Dates as people write them, from text to text: YYYY-MM-DD, with the time where there is one.

Whatever way a column is written, its cells are published as ISO dates: they mean one day to
everybody, and nobody has to say which way a release is written.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import polars as pl

ISO = "YYYY-MM-DD"
COMPACT = "YYYYMMDD"
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH_NAMES = (
    "(?i:(?P<m>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
    "(?:uary|ruary|ch|il|e|y|ust|t|tember|ober|ember)?)"
)
_DAY, _MONTH, _YEAR = "(?P<d>[0-9]{1,2})", "(?P<m>[0-9]{1,2})", "(?P<y>[0-9]{4})"
# A time of day, perhaps with the letters of a 12-hour clock, and an offset, which is not used:
# the clock on the wall is what others remember.
_CLOCK = (
    r"(?:(?:T| +)(?P<hour>[0-9]{1,2}):(?P<minute>[0-5][0-9])"
    r"(?::(?P<second>[0-5][0-9])(?:\.(?P<part>[0-9]+))?)?"
    r"(?: ?(?P<half>(?i:[ap])\.?(?i:m)\.?))?(?: ?(?:Z|UTC|[+-][0-9]{2}:?[0-9]{2}))?)?"
)
FIRST = 100  # different texts that are looked at before all are


class DateForm(NamedTuple):
    """A way to write dates, by the name that a policy has for it.

    `other` is the way that cannot be told from this one if no day is above 12. `is_found`: text is
    read so without being asked to; a number of eight digits is not.
    """

    name: str
    pattern: str
    other: str = ""
    is_found: bool = True

    @property
    def regex(self) -> str:
        return f"^{self.pattern}{_CLOCK}$"


FORMS = {
    form.name: form
    for form in (
        DateForm(ISO, "(?P<y>[0-9]{4})-(?P<m>[0-9]{2})-(?P<d>[0-9]{2})"),
        DateForm("YYYY/MM/DD", "(?P<y>[0-9]{4})/(?P<m>[0-9]{2})/(?P<d>[0-9]{2})"),
        DateForm("DD.MM.YYYY", rf"{_DAY}\.{_MONTH}\.{_YEAR}"),
        DateForm("DD-Mon-YYYY", rf"{_DAY}[-/ ]{_MONTH_NAMES}\.?[-/ ]{_YEAR}"),
        DateForm("Mon-DD-YYYY", rf"{_MONTH_NAMES}\.?[-/ ]{_DAY}(?:,? |[-/]){_YEAR}"),
        DateForm("DD/MM/YYYY", f"{_DAY}/{_MONTH}/{_YEAR}", other="MM/DD/YYYY"),
        DateForm("MM/DD/YYYY", f"{_MONTH}/{_DAY}/{_YEAR}", other="DD/MM/YYYY"),
        DateForm("DD-MM-YYYY", f"{_DAY}-{_MONTH}-{_YEAR}", other="MM-DD-YYYY"),
        DateForm("MM-DD-YYYY", f"{_MONTH}-{_DAY}-{_YEAR}", other="DD-MM-YYYY"),
        DateForm(
            COMPACT, "(?P<y>[0-9]{4})(?P<m>[0-9]{2})(?P<d>[0-9]{2})", is_found=False
        ),
    )
}  # fmt: skip
FORMATS = tuple(FORMS)
CLEAR = tuple(form for form in FORMS.values() if form.is_found and not form.other)


class Ambiguous(NamedTuple):
    """Two ways in which all dates of a column may be written."""

    first: str
    second: str


def iso_dates(texts: pl.Series, form: DateForm) -> pl.Series:
    """Each date as 2021-03-05 or 2021-03-05 13:45:00, null where it is not written in this way.

    >>> iso_dates(pl.Series(["3/5/2021", "03/29/1993 2:05 PM", "29/3/1993"]),
    ...           FORMS["MM/DD/YYYY"]).to_list()
    ['2021-03-05', '1993-03-29 14:05:00', None]
    """
    if not len(texts):
        return texts.cast(pl.String)
    name, texts = texts.name, texts.alias("texts")
    parts = texts.str.extract_groups(form.regex).struct.unnest()
    month = parts["m"].str.to_lowercase()
    if "Mon" in form.name:
        numbers = {name: f"{number:02}" for number, name in enumerate(MONTHS, 1)}
        month = month.replace_strict(numbers, default=None, return_dtype=pl.String)
    days = parts.select(
        pl.concat_str("y", pl.lit("-"), month.str.zfill(2), pl.lit("-"), pl.col("d").str.zfill(2))
    ).to_series()
    days = days.str.to_date("%Y-%m-%d", strict=False).cast(pl.String)
    clocks = _clocks(parts)
    return pl.select(pl.when(parts["hour"].is_null()).then(days).otherwise(days + " " + clocks))[
        days.name
    ].alias(name)


def form_found(texts: pl.Series) -> DateForm | Ambiguous | None:
    """The way in which all of these texts are written, or the two in which they may be.

    >>> form_found(pl.Series(["3/5/2021", "3/29/1993"])).name
    'MM/DD/YYYY'
    >>> form_found(pl.Series(["3/5/2021", "4/12/1993"]))
    Ambiguous(first='DD/MM/YYYY', second='MM/DD/YYYY')
    """
    fitting = [form for form in FORMS.values() if form.is_found and _fits(texts, form)]
    if len(fitting) > 1:
        return Ambiguous(fitting[0].name, fitting[1].name)
    return fitting[0] if fitting else None


def clear_form(texts: pl.Series) -> DateForm | None:
    """The same among ways that mean one day to everybody, whatever other dates the column has."""
    return next((form for form in CLEAR if _fits(texts, form)), None)


def has_compact_dates(texts: pl.Series) -> bool:
    """Whether all of these texts, or numbers, are dates such as 20210305."""
    return _fits(texts.cast(pl.String), FORMS[COMPACT])


def has_one_kind(dates: pl.Series) -> bool:
    """Whether all of these ISO dates have a time, or none has."""
    has_time = dates.str.len_chars() > len(ISO)
    return bool(has_time.all() or not has_time.any())


def with_iso_dates(
    series: pl.Series, missing_values: Sequence[str], form: DateForm | None = None
) -> pl.Series:
    """A column of text whose dates, if it is one of dates, are written YYYY-MM-DD.

    Without a form, dates are those that all are written in one of the ways that are clear.

    >>> with_iso_dates(pl.Series(["02.11.1980", "?"]), ["?"]).to_list()
    ['1980-11-02', '?']
    """
    name, series = series.name, series.alias("texts")  # some names polars would take for patterns
    found = series.drop_nulls().unique()
    found = found.filter(~found.is_in(["", *missing_values]))
    form = form or clear_form(found)
    if form is None or not len(found):
        return series.alias(name)
    dates = pl.DataFrame({"text": found, "date": _in_either(found, form)}).drop_nulls()
    return series.replace(dates["text"], dates["date"]).alias(name)


def _in_either(texts: pl.Series, form: DateForm) -> pl.Series:
    """Dates in this form or as ISO has them, in which a column of dates comes from parquet."""
    dates, iso = iso_dates(texts, form), iso_dates(texts, FORMS[ISO])
    return dates.zip_with(dates.is_not_null(), iso)


def _fits(texts: pl.Series, form: DateForm) -> bool:
    """Whether there are texts, and all are dates in this form and days that exist."""
    if not len(texts):
        return False
    for some in (texts.head(FIRST), texts):
        if not some.str.contains(form.regex).all():
            return False
    dates = iso_dates(texts, form)
    return not dates.has_nulls() and has_one_kind(dates)


def _clocks(parts: pl.DataFrame) -> pl.Series:
    """The time of day as 13:45:00, null where there is none."""
    hour, half = parts["hour"].cast(pl.Int64), parts["half"].str.to_lowercase().str.head(1)
    is_half = half.is_not_null()
    on_24 = pl.select(
        pl.when(~is_half & hour.is_between(0, 23))
        .then(hour)
        .when(is_half & hour.is_between(1, 12))
        .then(hour % 12 + 12 * (half == "p").cast(pl.Int64))
    ).to_series()
    second = parts["second"].fill_null("00")
    part = pl.select(
        pl.when(parts["part"].is_null()).then(pl.lit("")).otherwise("." + parts["part"])
    ).to_series()
    return on_24.cast(pl.String).str.zfill(2) + ":" + parts["minute"] + ":" + second + part
