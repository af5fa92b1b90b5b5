"""A column before and after its release, in categories that enough people are in."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from shoal.types.arrays import BoolArray, FloatArray, Int32Array, Int64Array
from shoal.types.column import RawColumn
from shoal.types.hierarchy import ROOT
from shoal.types.schema import ColumnSpec
from shoal.utility.bins import MOST, Bins, bins_of, people_in
from shoal.utility.places import WHOLE, middles, place_of_cell, places_of
from shoal.verify.covers import CellReader

MOST_READINGS = 50_000_000  # cells times values; beyond, only cells that tell a value are read


@dataclass(frozen=True, eq=False, repr=False)
class Categories:
    """Bins of numbers and dates, or values of text; a category `n` after them is all else."""

    labels: tuple[str, ...]
    of_value: Int32Array  # the category of each different value of the original
    bins: Bins | None = None

    @property
    def n(self) -> int:
        return len(self.labels)


@dataclass(frozen=True, eq=False, repr=False)
class Compared:
    """What is known of a column before and after.

    `before`: its different values, and the code of each record. `cells` are the different published
    cells, and `cell_codes` that of each released record. `weights` has how much of each cell lies
    in each category, if all values that it covers are as likely; nothing where it tells none.
    `has_few_others`: fewer people than may be told have a value that is in no category.
    """

    before: RawColumn
    cells: tuple[str | None, ...]
    cell_codes: Int32Array
    categories: Categories
    weights: FloatArray
    is_generalised: bool
    has_few_others: bool
    middle_of_all: float = np.nan  # what a cell that tells nothing counts as, in means

    @property
    def name(self) -> str:
        return self.before.name

    @property
    def is_number(self) -> bool:
        return self.before.kind in ("integer", "number")

    @property
    def is_told(self) -> BoolArray:
        """For each cell, whether it tells anything."""
        return np.asarray(self.weights.any(axis=1))

    @property
    def is_exact(self) -> BoolArray:
        """For each cell, whether it is a value as it was."""
        values = set(self.before.labels)
        is_unchanged = not self.is_generalised  # however a number is written
        return np.array([is_unchanged or cell is None or cell in values for cell in self.cells])

    def categories_before(self) -> Int32Array:
        """The category of each record."""
        found = np.append(self.categories.of_value, self.categories.n)
        return np.asarray(found[self.before.codes], dtype=np.int32)

    def numbers_before(self) -> FloatArray:
        """The number of each record, not a number where it is missing."""
        assert self.before.numbers is not None
        return np.append(self.before.numbers.astype(np.float64), np.nan)[self.before.codes]

    def numbers_after(self) -> FloatArray:
        """The middle of each published cell, not a number where it does not say a range."""
        found = middles(self.cells, self.before.kind)
        is_root = np.array([cell == ROOT for cell in self.cells]) & self.is_generalised
        return np.where(is_root, self.middle_of_all, found)[self.cell_codes]

    def spread_out(self) -> Compared:
        """The same for a reader who takes every value of the column for as likely behind a `*`."""
        is_root = np.array([cell == ROOT for cell in self.cells]) & self.is_generalised
        weights = np.where(is_root[:, None], self._weights_of_all(), self.weights)
        middle = np.nan
        if self.is_number and self.before.numbers is not None and len(self.before.numbers):
            middle = float(self.before.numbers.min() / 2 + self.before.numbers.max() / 2)
        return replace(self, weights=weights, middle_of_all=middle)

    def _weights_of_all(self) -> FloatArray:
        """How much of the whole column lies in each category, as of a cell that covers it."""
        places, bins = places_of(self.before), self.categories.bins
        if bins is not None and places is not None and len(places):
            unit = 1.0 if self.before.kind in WHOLE else 0.0
            return _padded(bins.spread(float(places.min()), float(places.max()) + unit))
        of_value = np.append(
            self.categories.of_value, [self.categories.n] * self.before.has_missing
        )
        counts = np.bincount(of_value.astype(np.int64), minlength=self.categories.n + 1)
        return counts / max(len(of_value), 1)


def compared(
    before: RawColumn,
    after: RawColumn,
    spec: ColumnSpec,
    people: Int64Array,
    *,
    least: int,
    most: int = MOST,
) -> Compared:
    """Choose about `most` categories; `people` are behind the records, `least` of them make one."""
    categories = categories_of(before, people, least, most)
    cells = (*after.labels, None)
    weights = np.array(_weights(cells, before, spec, categories))
    of_record = np.append(categories.of_value, categories.n)[before.codes]
    n_others = len(np.unique(people[of_record == categories.n]))
    return Compared(
        before=before,
        cells=cells,
        cell_codes=np.where(after.codes < 0, len(after.labels), after.codes).astype(np.int32),
        categories=categories,
        weights=weights,
        is_generalised=spec.role == "quasi",
        has_few_others=0 < n_others < least,
    )


def categories_of(
    before: RawColumn, people: Int64Array, least: int, most: int = MOST
) -> Categories:
    """Round bins of numbers and dates, the most frequent values of text."""
    places, known = places_of(before), before.codes >= 0
    if places is not None and len(places):
        is_whole = before.kind in WHOLE
        there, who = places[before.codes[known]], people[known]
        bins = bins_of(there, who, least=least, is_whole=is_whole, most=most)
        return Categories(bins.labels, bins.of(places), bins)
    shown = _frequent(before, people, least, most)
    of_value = np.full(len(before.labels), len(shown), dtype=np.int32)
    of_value[shown] = np.arange(len(shown))
    return Categories(tuple(before.labels[code] for code in shown), of_value)


def _frequent(before: RawColumn, people: Int64Array, least: int, most: int) -> list[int]:
    """The values that most people have, as long as enough people are left among the others."""
    counts = people_in(before.codes, people, len(before.labels))
    order = np.argsort(-counts, kind="stable")
    shown = [int(code) for code in order[:most] if counts[code] >= least]
    while shown:
        n_others = len(np.unique(people[~np.isin(before.codes, shown)]))
        if n_others == 0 or n_others >= least:
            break
        shown.pop()
    return shown


def _weights(
    cells: tuple[str | None, ...], before: RawColumn, spec: ColumnSpec, categories: Categories
) -> list[FloatArray]:
    n, bins = categories.n, categories.bins
    nothing, other = np.zeros(n + 1), np.eye(n + 1)[n]
    code_of = {label: code for code, label in enumerate(before.labels)}
    is_generalised = spec.role == "quasi"
    can_be_read = is_generalised and spec.publish not in ("mean", "median")
    is_short = len(cells) * len(before.labels) <= MOST_READINGS
    reader = CellReader(before, spec) if can_be_read and is_short else None
    all_categories = np.append(categories.of_value, n)
    found = []
    for cell in cells:
        place = None if bins is None else place_of_cell(cell, before.kind)
        if cell is None:
            found.append(other)
        elif is_generalised and cell == ROOT:
            found.append(nothing)
        elif bins is not None and place is not None:
            found.append(_padded(bins.spread(*place)))
        elif reader is not None:  # also the name of a node above numbers
            covered = all_categories[reader.covered(cell)]
            found.append(np.bincount(covered, minlength=n + 1) / max(len(covered), 1))
        elif cell in code_of:
            found.append(np.eye(n + 1)[categories.of_value[code_of[cell]]])
        else:
            found.append(nothing)
    return found


def _padded(spread: FloatArray) -> FloatArray:
    return np.append(spread, 0.0)
