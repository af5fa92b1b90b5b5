"""Which records of a table the rows of published cells match."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.types.arrays import BoolArray, Int32Array, Int64Array
from shoal.types.column import RawColumn
from shoal.types.schema import ColumnSpec
from shoal.types.watch import Watch
from shoal.verify.covers import CellReader

Covered = Callable[[int], BoolArray]  # by the number of a cell, which values it covers
Bits = npt.NDArray[np.uint8]  # one for each record: fast where a set is large
Records = npt.NDArray[Any]  # either bits, or a list of the records where the set is small

MOST_BYTES = 96_000_000  # of bits that are kept, and again of values
SPARSE = 32  # a set of less than one record in so many is a list


class Matching:
    """For every group, the records that its cells match: each cell covers the record's value.

    `cells[group, column]` numbers a cell, `covered[column](cell)` are the values that it covers
    and `codes[column]` are the values of the records; code -1 is the last value, the missing one.
    Groups are walked in the order of their cells, so that those which begin alike share the work.

    >>> columns = {"age": RawColumn("age", "integer", ("21", "30"), np.array([21, 30]),
    ...                             np.array([0, 1, 1, -1], dtype=np.int32))}
    >>> matching = Matching.of_cells({"age": ["[20, 29]", "*"]}, columns,
    ...                              {"age": ColumnSpec("quasi")})
    >>> matching.sizes(), dict(matching)[0]
    (array([1, 4]), array([0]))
    """

    def __init__(
        self,
        cells: npt.NDArray[np.signedinteger[Any]],
        covered: Sequence[Covered],
        codes: Sequence[Int32Array],
        watch: Watch | None = None,
    ) -> None:
        n_cells = cells.max(axis=0, initial=-1).astype(np.int64) + 1
        columns = np.argsort(n_cells, kind="stable")  # few cells first: then more begins alike
        self._order = np.lexsort(cells[:, columns[::-1]].T)
        self._cells = cells[self._order][:, columns]
        self.n_groups, self.n_records = len(cells), len(codes[0])
        self._watch = watch or Watch()
        n_bytes = np.cumsum(n_cells[columns] * (self.n_records // 8 + 1))
        n_kept = MOST_BYTES // len(columns)
        self._columns = [
            _Column(covered[i], codes[i], n_kept, keeps_bits=keeps_bits)
            for i, keeps_bits in zip(columns, n_bytes <= MOST_BYTES, strict=True)
        ]

    @classmethod
    def of_cells(
        cls,
        cells: Mapping[str, Sequence[str | None]],
        columns: Mapping[str, RawColumn],
        specs: Mapping[str, ColumnSpec],
        watch: Watch | None = None,
    ) -> Matching:
        """From the text of every group's cell, by column, and the columns of the records."""
        numbers, covered, codes = [], [], []
        for name, texts in cells.items():
            number = {text: i for i, text in enumerate(dict.fromkeys(texts))}
            numbers.append([number[text] for text in texts])
            values = CellReader(columns[name], specs[name]).merged(number)
            covered.append(_reading(CellReader(values, specs[name]), list(number)))
            codes.append(values.codes)
        return cls(np.array(numbers, dtype=np.int32).T, covered, codes, watch)

    def sizes(self) -> Int64Array:
        """How many records each group matches."""
        sizes = np.zeros(self.n_groups, dtype=np.int64)
        last = len(self._columns) - 1
        self._watch.begin("groups", self.n_groups)
        for start, end, records in self._walk(0, self.n_groups, 0, last, self._all()):
            counts = self._columns[last].counts(records, self._cells[start:end, last])
            sizes[self._order[start:end]] = counts
            self._watch.report(end)
        return sizes

    def __iter__(self) -> Iterator[tuple[int, Int64Array]]:
        """The groups, in the order of their cells, each with the records that it matches."""
        stop = len(self._columns)
        for start, end, records in self._walk(0, self.n_groups, 0, stop, self._all()):
            places = _listed(records)
            for group in self._order[start:end].tolist():
                yield group, places

    def _all(self) -> Bits:
        return np.packbits(np.ones(self.n_records, dtype=np.bool_))

    def _walk(
        self, start: int, end: int, depth: int, stop: int, records: Records
    ) -> Iterator[tuple[int, int, Records]]:
        """The runs of groups whose first `stop` cells are equal, and what these cells match."""
        if start == end:
            return
        if depth == stop:
            yield start, end, records
            return
        cells, column = self._cells[start:end, depth], self._columns[depth]
        bounds = [0, *(np.flatnonzero(np.diff(cells)) + 1).tolist(), len(cells)]
        if not column.keeps_bits:
            records = _listed(records)
        for first, behind in pairwise(bounds):
            self._watch.check()
            matched = column.matched(records, int(cells[first]))
            yield from self._walk(start + first, start + behind, depth + 1, stop, matched)


class _Column:
    """One column of the records, and which of them have a value that a cell covers."""

    def __init__(
        self, covered: Covered, codes: Int32Array, n_kept: int, *, keeps_bits: bool
    ) -> None:
        self.keeps_bits = keeps_bits
        self._codes = codes
        self._values = lru_cache(n_kept // (int(codes.max(initial=0)) + 2) + 1)(covered)
        self._bits = lru_cache(None)(self._bits_of)

    def matched(self, records: Records, cell: int) -> Records:
        """Those of some records that a cell matches."""
        if records.dtype != np.uint8:
            return records[self._values(cell)[self._codes[records]]]
        both = records & self._bits(cell)
        n_matched = int(np.bitwise_count(both).sum())
        return _listed(both) if n_matched * SPARSE < len(self._codes) else both

    def counts(self, records: Records, cells: npt.NDArray[Any]) -> list[int]:
        """How many of some records each of these cells matches."""
        codes = self._codes[_listed(records)]
        n_values = len(self._values(int(cells[0])))
        if len(codes) < n_values:
            return [int(np.count_nonzero(self._values(cell)[codes])) for cell in cells.tolist()]
        n_records = np.bincount(np.where(codes < 0, n_values - 1, codes), minlength=n_values)
        return [int(n_records[self._values(cell)].sum()) for cell in cells.tolist()]

    def _bits_of(self, cell: int) -> Bits:
        return np.packbits(self._values(cell)[self._codes])


def _listed(records: Records) -> Int64Array:
    """The places of the records in a set; bytes that hold none are skipped."""
    if records.dtype != np.uint8:
        return records
    held = np.flatnonzero(records)
    inside = np.flatnonzero(np.unpackbits(records[held]))
    places: Int64Array = held[inside >> 3] * 8 + (inside & 7)
    return places


def _reading(reader: CellReader, texts: Sequence[str | None]) -> Covered:
    return lambda cell: reader.covered(texts[cell])
