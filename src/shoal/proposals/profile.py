"""What is known of a column before its role is chosen. Values are read only when asked for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
import polars as pl

from shoal.errors import InputError
from shoal.proposals.hints import Hint, hint_of
from shoal.proposals.libraries import library_of
from shoal.proposals.numbers import Numbers
from shoal.proposals.patterns import Looks, looks_of
from shoal.read.columns import read_column
from shoal.read.dates import COMPACT, FORMS, Ambiguous, DateForm, form_found, has_compact_dates
from shoal.read.fingerprints import ENOUGH_RECORDS, NEARLY_UNIQUE
from shoal.read.said import read_as_said
from shoal.types.column import Kind, RawColumn
from shoal.types.notation import Notation
from shoal.types.schema import ColumnSpec

FEW = 10  # different values, below which they are people only if each has few records
MANY = 20  # different numbers, above which they are worth intervals
MOST_NAMES = 2_000  # different values; no taxonomy of names has more
FIRST = 1_000  # records that are read to see whether a column is text
FEWEST = 5  # records of a group: the smallest cell that most agencies release
YEARS = (1800, 2100)  # of births and whatever else tables of people have
HAS_DIGIT = re.compile(r"\d")
OUTERMOST = 0.01  # of the records on each side do not decide how wide intervals are


class Span(NamedTuple):
    """Where nearly all records of a column of numbers lie."""

    low: float
    high: float


class Rare(NamedTuple):
    """How many different values too few records have, and what share of values and records."""

    n_values: int
    of_values: float
    of_records: float


class Variety(NamedTuple):
    """How many different values there are, missing being one, and the share of the commonest."""

    n_values: int
    commonest: float


@dataclass(frozen=True, eq=False)
class Profile:
    """A column, seen by its name and its different values.

    It is read as the pipeline will read it, so what holds here holds there.
    """

    series: pl.Series
    is_text: bool = False
    missing_values: Sequence[str] = ("",)
    numbers: Numbers | None = None  # how they are written in a column of text
    said: ColumnSpec | None = None  # how it is read, where a policy says so

    @property
    def name(self) -> str:
        return self.series.name

    @cached_property
    def hint(self) -> Hint | None:
        return hint_of(self.name)

    def means(self, *meanings: str) -> bool:
        return self.hint is not None and self.hint.meaning in meanings

    @cached_property
    def n_written(self) -> int:
        """Different values as they are written: quick to find, for reading needs no meaning."""
        try:
            return self.series.n_unique()
        except pl.exceptions.PolarsError:  # nested values that polars cannot compare
            return len(self.series)

    @cached_property
    def is_plainly_text(self) -> bool:
        """Whether the first records show that the column is text, so that no others are read."""
        first = Profile(self.series.head(FIRST), self.is_text, self.missing_values, self.numbers)
        return first.kind == "text" and len(first.labels) > 0

    @cached_property
    def column(self) -> RawColumn | None:
        """The column as read, or nothing where it cannot be ordered: lists, infinite numbers."""
        said, is_text = self.said, self.is_text
        if said is None and self.format:
            said, is_text = ColumnSpec("quasi", format=self.format), False
        elif said is None and self.notation is not None:
            said, is_text = ColumnSpec("quasi").written(self.notation), False
        missing = self.missing_values
        try:
            if said is None:
                return read_column(self.series, is_text=is_text, missing_values=missing)
            return read_as_said(self.series, said, is_text=is_text, missing_values=missing)
        except InputError:
            return None

    @cached_property
    def written_dates(self) -> DateForm | Ambiguous | None:
        """How its dates are written, where a policy must say it."""
        if not (self.series.dtype == pl.String or self.series.dtype.is_integer()):
            return None
        texts = self.series.alias("texts").drop_nulls()
        for found in (texts.head(FIRST).cast(pl.String).unique(), texts.cast(pl.String).unique()):
            present = found.filter(~found.is_in(["", *self.missing_values]))
            if not len(present):
                return None
            form = form_found(present) or self._compact_form(present)
            if form is None:
                return None
        is_clear = isinstance(form, DateForm) and form.is_found and not form.other
        return None if is_clear and self.is_text else form

    def _compact_form(self, texts: pl.Series) -> DateForm | None:
        """Eight digits are dates if all are days of our time, and too many for that to be chance"""
        if not has_compact_dates(texts) or (len(texts) < FEW and not self.means("birth")):
            return None
        years = texts.str.head(4).cast(pl.Int64)
        return FORMS[COMPACT] if years.is_between(*YEARS).all() else None

    @property
    def format(self) -> str:
        form = self.written_dates
        return form.name if isinstance(form, DateForm) else ""

    @property
    def notation(self) -> Notation | None:
        """How its numbers are written, where a policy must say it."""
        found = self.numbers
        if found is None or found.is_unclear or found.n_others or self.format:
            return None
        (notation,) = found.notations
        return None if notation.is_plain and self.is_text else notation

    @property
    def kind(self) -> Kind | None:
        return self.column.kind if self.column else None

    @property
    def labels(self) -> tuple[str, ...]:
        return self.column.labels if self.column else ()

    @cached_property
    def variety(self) -> Variety:
        if self.column is None:
            return Variety(0, 0.0)
        counts = np.bincount(self.column.codes + 1)  # the first is of missing ones
        return Variety(int(np.count_nonzero(counts)), float(counts.max() / counts.sum()))

    @property
    def rare(self) -> Rare:
        """Values that fewer records have than a group must."""
        assert self.column is not None
        counts = np.bincount(self.column.codes[self.column.codes >= 0])
        is_rare = counts < FEWEST
        return Rare(int(is_rare.sum()), float(is_rare.mean()), counts[is_rare].sum() / counts.sum())

    @cached_property
    def n_present(self) -> int:
        return int((self.column.codes >= 0).sum()) if self.column else 0

    @property
    def share(self) -> float:
        """Different values by records that have one."""
        return len(self.labels) / max(self.n_present, 1)

    @property
    def is_nearly_unique(self) -> bool:
        return self.n_present >= ENOUGH_RECORDS and self.share >= NEARLY_UNIQUE

    @property
    def repeats(self) -> bool:
        """Whether two records share a value. Where all are written differently, none is read."""
        return self.n_written < len(self.series) and len(self.labels) < self.n_present

    @property
    def may_be_people(self) -> bool:
        """Whether it has values enough: five in 1,500 records are hospitals rather than people."""
        n_values = len(self.labels)
        return n_values >= FEW or (n_values > 1 and self.n_present <= FEW * n_values)

    @property
    def has_many_values(self) -> bool:
        return len(self.labels) > MANY

    @cached_property
    def is_numbered(self) -> bool:
        """Whether it has whole numbers, or texts with a digit in each."""
        return self.kind == "integer" or (
            self.kind == "text" and all(map(HAS_DIGIT.search, self.labels))
        )

    @cached_property
    def looks(self) -> Looks:
        return looks_of(self.labels) if self.kind == "text" else Looks("short text")

    @cached_property
    def library(self) -> str | None:
        """The taxonomy in which all of its values have a place."""
        if self.kind not in ("text", "integer") or len(self.labels) > MOST_NAMES:
            return None
        return library_of(self.name, self.labels)

    @property
    def numbers_the_rows(self) -> bool:
        """Whether it counts from 0 or 1: by row, or in any order if that cannot be by chance."""
        n = len(self.series)
        if self.column is None or self.column.kind != "integer" or n < 3 or len(self.labels) < n:
            return False
        first, last = self._ends
        if first not in (0, 1) or last - first != n - 1:
            return False
        return n >= ENOUGH_RECORDS or bool((np.diff(self.column.codes) == 1).all())

    @cached_property
    def span(self) -> Span:
        """Quantiles of the records; the ends where nearly all records have one value."""
        assert self.column is not None
        assert self.column.numbers is not None
        places = np.sort(self.column.codes[self.column.codes >= 0])
        outermost = int(len(places) * OUTERMOST)
        low = self.column.numbers[places[outermost]].item()
        high = self.column.numbers[places[len(places) - 1 - outermost]].item()
        return Span(low, high) if high > low else Span(*self._ends)

    @property
    def _ends(self) -> tuple[float, float]:
        assert self.column is not None
        assert self.column.numbers is not None
        return self.column.numbers[0].item(), self.column.numbers[-1].item()
