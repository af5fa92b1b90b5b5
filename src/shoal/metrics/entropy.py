"""Non-uniform entropy (Gionis and Tassa 2009), with a term for suppression, as in ARX."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.metrics.entropy_monotone import EntropyMonotone
from shoal.types.arrays import Int64Array
from shoal.types.metric import Metric
from shoal.types.outcome import JudgedNode


@dataclass(frozen=True)
class Entropy(Metric[JudgedNode]):
    """Bits hidden by generalisation and suppression, added up over all cells.

    >>> import polars as pl, shoal
    >>> release = shoal.anonymize(pl.DataFrame({"age": [21, 27, 44, 71]}),
    ...                           quasi={"age": shoal.intervals(20, 40)},
    ...                           privacy=[shoal.KAnonymity(2)], suppression=0.5,
    ...                           algorithm=shoal.Flash(metric="entropy"))
    >>> release.frame["age"].to_list()
    ['[20, 39]', '[20, 39]']
    >>> release.summary()["cost"]  # a bit for each of two ages, and one for each suppressed age
    4.0
    """

    needs = ("levels",)
    bound = "levels"

    def measure(self, node: JudgedNode) -> float:
        generalised = EntropyMonotone().measure(node)
        if node.n_suppressed == 0:
            return generalised
        hidden = [_bits(values) for values in node.suppressed_values()]
        return generalised + float(np.dot(hidden, node.weights))


def _bits(counts: Int64Array) -> float:
    """How many bits tell the values of these records from each other."""
    return float(-(counts * np.log2(counts / counts.sum())).sum()) + 0.0
