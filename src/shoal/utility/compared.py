"""A column before and after its release, in categories that enough people are in."""

from __future__ import annotations

from dataclasses import dataclass

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
        return middles(self.cells, self.before.kind)[self.cell_codes]


def compared(
    before: RawColumn, after: RawColumn, spec: ColumnSpec, people: Int64Array, *, least: int
) -> Compared:
    """Choose categories; `people` are behind the records, `least` of them make one."""
    categories = categories_of(before, people, least)
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


def categories_of(before: RawColumn, people: Int64Array, least: int) -> Categories:
    """Round bins of numbers and dates, the most frequent values of text."""
    places, known = places_of(before), before.codes >= 0
    if places is not None and len(places):
        is_whole = before.kind in WHOLE
        bins = bins_of(places[before.codes[known]], people[known], least=least, is_whole=is_whole)
        return Categories(bins.labels, bins.of(places), bins)
    shown = _frequent(before, people, least)
    of_value = np.full(len(before.labels), len(shown), dtype=np.int32)
    of_value[shown] = np.arange(len(shown))
    return Categories(tuple(before.labels[code] for code in shown), of_value)


def _frequent(before: RawColumn, people: Int64Array, least: int) -> list[int]:
    """The values that most people have, as long as enough people are left among the others."""
    counts = people_in(before.codes, people, len(before.labels))
    order = np.argsort(-counts, kind="stable")
    shown = [int(code) for code in order[:MOST] if counts[code] >= least]
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
    if bins is not None:
        places = [place_of_cell(cell, before.kind) for cell in cells]
        return [
            other if cell is None else nothing if place is None else _padded(bins.spread(*place))
            for cell, place in zip(cells, places, strict=True)
        ]
    code_of = {label: code for code, label in enumerate(before.labels)}
    is_generalised = spec.role == "quasi"
    can_be_read = is_generalised and len(cells) * len(before.labels) <= MOST_READINGS
    reader = CellReader(before, spec) if can_be_read else None
    all_categories = np.append(categories.of_value, n)
    found = []
    for cell in cells:
        if cell is None:
            found.append(other)
        elif is_generalised and cell == ROOT:
            found.append(nothing)
        elif reader is not None:
            covered = all_categories[reader.covered(cell)]
            found.append(np.bincount(covered, minlength=n + 1) / max(len(covered), 1))
        else:
            found.append(
                np.eye(n + 1)[categories.of_value[code_of[cell]]] if cell in code_of else nothing
            )
    return found


def _padded(spread: FloatArray) -> FloatArray:
    return np.append(spread, 0.0)
