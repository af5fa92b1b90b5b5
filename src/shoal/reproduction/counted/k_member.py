"""Greedy k-member by scans (Byun et al. 2007), counted."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from shoal.reproduction.counted.records import Records, Widths, heights
from shoal.types.algorithm import Algorithm, Limits
from shoal.types.arrays import FloatArray, Int32Array, Int64Array
from shoal.types.grouping import Grouping
from shoal.types.privacy import Privacy
from shoal.types.table import Table


@dataclass(frozen=True)
class CountedKMember(Algorithm):
    """The furthest record from the one before, and then always the record that costs least."""

    seeding: Literal["seed-to-seed", "last-added", "oka-text"] = "seed-to-seed"

    def group(self, table: Table, privacy: Privacy, limits: Limits) -> Grouping:
        scan = Scan(Records.of(table))
        labels = self._clusters(scan, privacy.smallest, np.random.default_rng([limits.seed, 1]))
        return scan.records.grouping(labels, evaluations=scan.evaluations)

    def _clusters(self, scan: Scan, k: int, rng: np.random.Generator) -> Int64Array:
        labels = np.full(scan.records.n, -1, dtype=np.int64)
        free = np.arange(scan.records.n)
        before = int(rng.integers(len(free)))
        seed: int | None = before if self.seeding == "oka-text" else None
        boxes: list[Int32Array] = []
        while len(free) >= k:
            if seed is None:
                seed = int(free[scan.costs(scan.box(before), free).argmax()])
            box, members = scan.box(seed), [seed]
            free = free[free != seed]
            while len(members) < k:
                best = int(scan.costs(box, free).argmin())
                members.append(int(free[best]))
                box = scan.grown(box, members[-1])
                free = np.delete(free, best)
            labels[members] = len(boxes)
            boxes.append(box)
            before = members[-1] if self.seeding == "last-added" else seed
            seed = None
        for record in rng.permutation(free):
            labels[record] = scan.cheapest(boxes, np.bincount(labels[labels >= 0]), int(record))
        return labels


class Scan:
    """Boxes [2, columns], what they cost with more records, and how often that was asked."""

    def __init__(self, records: Records) -> None:
        self.records = records
        self.widths: list[Widths] = [heights(axis) for axis in records.table.axes]
        self.evaluations = 0

    def box(self, record: int) -> Int32Array:
        return np.stack([self.records.codes[:, record]] * 2)

    def grown(self, box: Int32Array, record: int) -> Int32Array:
        codes = self.records.codes[:, record]
        return np.stack([np.minimum(box[0], codes), np.maximum(box[1], codes)])

    def costs(self, box: Int32Array, records: Int64Array) -> FloatArray:
        """D of the box with each of the records."""
        self.evaluations += len(records)
        total = np.zeros(len(records))
        for i, width in enumerate(self.widths):
            codes = self.records.codes[i][records]
            total += width(np.minimum(box[0, i], codes), np.maximum(box[1, i], codes))
        return total

    def cheapest(self, boxes: list[Int32Array], sizes: Int64Array, record: int) -> int:
        """The box whose loss, size times D, rises least with a record; it grows."""
        self.evaluations += len(boxes)
        rises = []
        for box, size in zip(boxes, sizes, strict=True):
            rises.append((size + 1) * self._cost(self.grown(box, record)) - size * self._cost(box))
        best = int(np.argmin(rises))
        boxes[best] = self.grown(boxes[best], record)
        return best

    def _cost(self, box: Int32Array) -> float:
        return sum(
            float(width(low, high)) for width, low, high in zip(self.widths, *box, strict=True)
        )
