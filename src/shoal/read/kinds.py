"""Reading values as the kind that their column had in the release.

What a column of a csv file holds is found out from all of its values together. Next month's may
look different together (no value with a fraction, say), so the kind is not found out again.
"""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from shoal.read.columns import DATETIME, DAY, floats_of, read_column
from shoal.read.dates import CLEAR, iso_dates
from shoal.types.column import Kind
from shoal.types.text import NUMBER

WHOLE = r"^(-?(?:0|[1-9][0-9]*))(?:\.0+)?$"  # frame libraries write 31 as 31.0 beside a gap
MIDNIGHT = r"[T ]00:00(:00(\.0+)?)?$"
TIME = r"^([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\.[0-9]+)?$"
SAMPLES: dict[Kind, str] = {  # some value of each kind
    "integer": "0",
    "number": "0",
    "date": "2000-01-01",
    "datetime": "2000-01-01 00:00:00",
    "time": "00:00:00",
    "boolean": "true",
    "text": "*",
}


def parse(texts: pl.Series, kind: Kind) -> pl.Series:
    """What the texts mean; null where one means nothing of this kind."""
    match kind:
        case "integer":
            return texts.str.extract(WHOLE, 1).cast(pl.Int64, strict=False)
        case "number":
            return floats_of(_matching(texts, NUMBER))
        case "date":
            return _parse_dates(texts)
        case "datetime":
            return _parse_datetimes(texts)
        case "time":
            return _matching(texts, TIME).str.to_time("%H:%M:%S%.f", strict=False)
        case "boolean":
            return texts.str.to_lowercase().replace_strict(
                {"true": True, "false": False}, default=None, return_dtype=pl.Boolean
            )
    return texts


def canonical(texts: Sequence[str], kind: Kind) -> list[str | None]:
    """Each text as a release writes it, None where it is not of this kind.

    >>> canonical(["7", "7.0", "7.5", "x"], "integer"), canonical(["05.03.2021"], "date")
    (['7', '7', None, None], ['2021-03-05'])
    """
    column = read_column(parse(pl.Series("texts", texts, dtype=pl.String), kind))
    labels = (*column.labels, None)
    return [labels[code] for code in column.codes]


def _matching(texts: pl.Series, pattern: str) -> pl.Series:
    return texts.set(~texts.str.contains(pattern), None)


def _in_iso(texts: pl.Series) -> pl.Series:
    """Dates in any of the ways that are clear as ISO writes them, others as they are."""
    if texts.str.contains(DATETIME).all():
        return texts
    found = iso_dates(texts, CLEAR[0])
    for form in CLEAR[1:]:
        found = found.zip_with(found.is_not_null(), iso_dates(texts, form))
    return found.fill_null(texts)


def _parse_dates(texts: pl.Series) -> pl.Series:
    days = _in_iso(texts).str.replace(MIDNIGHT, "")
    return _matching(days, DAY).str.to_date("%Y-%m-%d", strict=False)


def _parse_datetimes(texts: pl.Series) -> pl.Series:
    moments = _in_iso(texts).str.replace(" ", "T")
    moments = _matching(moments, DATETIME).str.replace(r"(T..:..)$", "${1}:00")
    found = moments.str.to_datetime("%Y-%m-%dT%H:%M:%S%.f", strict=False, time_unit="us")
    midnights = _parse_dates(texts).cast(pl.Datetime("us"))
    return found.zip_with(found.is_not_null(), midnights)
