"""Narrowing generalised cells below what they cover."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from shoal.attacks.confidence import Estimate, mean, share
from shoal.attacks.known import KnownPeople, of_records
from shoal.attacks.released import Released
from shoal.types.arrays import BoolArray, Int64Array
from shoal.types.column import RawColumn
from shoal.types.hierarchy import ROOT
from shoal.types.schema import ColumnSpec
from shoal.verify.covers import CellReader, covers
from shoal.verify.occurring import Occurring, occurring_below, occurring_in


@dataclass(frozen=True)
class Downcoding:
    """What the cells of a column tell besides what they cover, and what guessing gains by it.

    Of the generalised cells of all records, in `n_narrowed` some value of the group is known to
    occur, and in `n_exact` all of them are known. `right`: how often the guessed value is that of
    the person whose row it is taken to be. `by_chance`: the same for a guess among the values of
    the original that the cell covers. Both are of people with generalised cells.
    """

    column: str
    n_cells: int
    n_narrowed: int
    n_exact: int
    n_people: int
    right: Estimate
    by_chance: Estimate
    gain: Estimate

    def as_dict(self) -> dict[str, Any]:
        return {
            "column": self.column,
            "generalised_cells": self.n_cells,
            "narrowed": self.n_narrowed,
            "known_exactly": self.n_exact,
            "people": self.n_people,
            "accuracy": self.right.as_dict(),
            "accuracy_by_chance": self.by_chance.as_dict(),
            "gain": self.gain.as_dict(),
        }


class Column(NamedTuple):
    """The cells of a quasi-identifier, group by group, and its values in the original."""

    cells: RawColumn
    of_group: Int64Array  # the number of a cell; that after all others is missing
    values: RawColumn
    spec: ColumnSpec

    @property
    def texts(self) -> list[str | None]:
        return [*self.cells.labels, None]


class CellFacts(NamedTuple):
    """For each different cell of a column, whether it is generalised and what it tells."""

    is_generalised: BoolArray
    occurring: Sequence[Occurring | None]


def facts_of(column: Column) -> CellFacts:
    """Read every different cell once; one that tells of two values is generalised."""
    reader = CellReader(column.values, column.spec)
    plain = set(column.values.labels)
    below = occurring_below(column.values, column.spec)
    is_generalised, occurring = [], []
    for cell in column.texts:
        told = None if cell in plain else occurring_in(cell, column.spec)
        told = told or (below.get(cell) if cell else None)
        occurring.append(told)
        is_generalised.append(told is not None or n_covered(cell, reader, column.values) > 1)
    return CellFacts(np.array(is_generalised), occurring)


def n_covered(cell: str | None, reader: CellReader, values: RawColumn) -> int:
    """How many different values of the original a cell covers."""
    if not cell:
        return 1
    return len(values.labels) + values.has_missing if cell == ROOT else reader.n_covered(cell)


def columns_of(
    released: Released, values: Mapping[str, RawColumn], specs: Mapping[str, ColumnSpec]
) -> list[Column]:
    """The columns whose cells say what they cover."""
    found = []
    for name, cells in released.cells.items():
        if specs[name].publish in ("mean", "median"):
            continue
        codes = cells.codes[released.first_row].astype(np.int64)
        of_group = np.where(codes < 0, len(cells.labels), codes)
        found.append(Column(cells, of_group, values[name], specs[name]))
    return found


def downcoding(
    column: Column,
    released: Released,
    people: KnownPeople,
    groups: Sequence[Int64Array],
) -> Downcoding | None:
    """From the groups whose rows each person's can be; None if no person has a generalised cell."""
    facts, sizes = facts_of(column), released.sizes
    exact_at = np.array([0 if told is None else told.exact_at for told in facts.occurring])
    is_told = np.array([told is not None for told in facts.occurring])
    cell = column.of_group
    is_general, is_narrowed = facts.is_generalised[cell], is_told[cell]
    is_exact = is_narrowed & (exact_at[cell] == sizes)
    guessed = _Guesses(column, facts, people, np.unique(np.concatenate(groups)))
    tried = [guessed.of(p, of_person, sizes[of_person]) for p, of_person in enumerate(groups)]
    found = np.array([pair for pair in tried if pair is not None]).reshape(-1, 2)
    if not len(found):
        return None
    right, by_chance = found.T
    return Downcoding(
        column=column.cells.name,
        n_cells=int(sizes[is_general].sum()),
        n_narrowed=int(sizes[is_general & is_narrowed].sum()),
        n_exact=int(sizes[is_general & is_exact].sum()),
        n_people=len(found),
        right=share(float(right.sum()), len(found)),
        by_chance=share(float(by_chance.sum()), len(found)),
        gain=mean(right - by_chance, lowest=-1.0, highest=1.0),
    )


class _Guesses:
    """What is guessed from the cells of some groups, and whether it is right for each person."""

    def __init__(
        self, column: Column, facts: CellFacts, people: KnownPeople, groups: Int64Array
    ) -> None:
        self._groups, self._people = groups, people
        cells, self._cell_of_group = np.unique(column.of_group[groups], return_inverse=True)
        told = [facts.occurring[cell] for cell in cells.tolist()]
        texts = [ROOT if t is None or not t.values else t.values[0] for t in told]
        self._is_told = np.array([text != ROOT for text in texts])
        place = {text: i for i, text in enumerate(dict.fromkeys(texts))}
        self._guess = np.array([place[text] for text in texts])
        known = of_records(column.values, people.records)
        self._covers = covers(list(place), known, column.spec)
        self._values = np.where(known.codes < 0, len(known.labels), known.codes)
        reader, values = CellReader(column.values, column.spec), column.values
        cell_texts = column.texts
        covered = [n_covered(cell_texts[cell], reader, values) for cell in cells.tolist()]
        self._chance = 1 / np.maximum(covered, 1)
        self._is_generalised = facts.is_generalised[cells]

    def of(self, person: int, groups: Int64Array, sizes: Int64Array) -> tuple[float, float] | None:
        """The chances of being right, of this guess and of one among all covered values.

        In a group of n the first value that occurs is a person's with a chance of 1 in n at least;
        it is guessed where that is no less than the chance of any value.
        """
        cells = self._cell_of_group[np.searchsorted(self._groups, groups)]
        is_general = self._is_generalised[cells]
        cells, sizes = cells[is_general], sizes[is_general]
        if not len(cells):
            return None
        chance = self._chance[cells]
        values = self._values[self._people.places(person)]
        is_right = self._covers[np.ix_(self._guess[cells], values)].any(axis=1)
        is_guessed = self._is_told[cells] & (1 / sizes >= chance)
        right = np.where(is_guessed, is_right, chance)
        return float(right @ sizes / sizes.sum()), float(chance @ sizes / sizes.sum())
