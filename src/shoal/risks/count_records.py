"""Counting records, or people of whom each has one row."""

from __future__ import annotations

import numpy as np

from shoal.kernels.uniqueness import N_FIGURES, tally_alone, tally_refined
from shoal.risks.count import Counter, Partition, Tally
from shoal.types.arrays import Int32Array, Int64Array


class RecordCounter(Counter[Int64Array]):
    """The size of a group is the sum of the weights of its rows."""

    def nothing(self) -> Int64Array:
        return np.zeros(N_FIGURES, dtype=np.int64)

    def with_alone(self, settled: Int64Array, rows: Int32Array) -> Int64Array:
        tally: Int64Array = settled + tally_alone(rows, self.table.weights, self.safe)
        return tally

    def tally_of(self, partition: Partition[Int64Array]) -> Tally:
        nothing = np.zeros(len(self.table.weights), dtype=np.int32)
        return self._tally(partition, nothing, 1)

    def tallied(self, partition: Partition[Int64Array], place: int) -> Tally:
        self.watch.check()
        return self._tally(partition, *self._column(place))  # groups need not be listed

    def _tally(self, partition: Partition[Int64Array], codes: Int32Array, n_codes: int) -> Tally:
        more = tally_refined(*partition.whole, codes, n_codes, self.table.weights, self.safe)
        n_groups, n_unique, n_at_risk = (partition.settled + more).tolist()
        return Tally(n_groups, n_unique, n_at_risk, n_found=n_groups)
