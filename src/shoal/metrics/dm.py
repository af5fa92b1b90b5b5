"""Discernibility metric (Bayardo and Agrawal 2005)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.types.metric import Metric
from shoal.types.outcome import Judged


@dataclass(frozen=True)
class Dm(Metric[Judged]):
    """Squared group sizes, added up; a suppressed record counts as the whole table.

    >>> import polars as pl, shoal
    >>> release = shoal.anonymize(pl.DataFrame({"age": [20, 25, 50, 60, 65]}), quasi=["age"],
    ...                           privacy=[shoal.KAnonymity(2)])
    >>> sorted(release.verdict.group_sizes), release.measures["dm"]  # 2 * 2 + 3 * 3
    ([2, 3], 13)
    """

    bound = "groups"
    place_in_summary = 5
    unit = "records²"

    def measure(self, judged: Judged) -> int:
        sizes = judged.sizes
        return int(np.dot(sizes, sizes)) + judged.n_suppressed * judged.n_records
