"""Greedy k-member clustering (Byun, Kamra, Bertino and Li 2007)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from shoal.group.cluster._clusterer import Clusterer, Members, Part, Task
from shoal.kernels import k_member as kernels

SEEDING = {
    "seed-to-seed": kernels.SEED_TO_SEED,
    "oka-text": kernels.OKA_TEXT,
    "last-added": kernels.LAST_ADDED,
}


@dataclass(frozen=True)
class KMember(Clusterer):
    """Grow clusters of k records, each time by the record that widens the cluster least.

    A cluster begins with the record furthest from the seed of the one before (`seeding:
    seed-to-seed`), from its last record (`last-added`), or, the first one, with a random record
    itself (`oka-text`). Byun et al. 2007.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [21, 27, 34, 52, 40], "zip": ["1", "1", "2", "2", "2"]})
    >>> release = shoal.anonymize(patients, quasi=["age", "zip"], privacy=[shoal.KAnonymity(2)],
    ...                           algorithm="k-member")
    >>> release.frame["age"].to_list()
    ['[21, 27]', '[21, 27]', '[34, 52]', '[34, 52]', '[34, 52]']
    """

    seeding: Literal["seed-to-seed", "oka-text", "last-added"] = "seed-to-seed"

    def cluster(self, part: Part, task: Task) -> Members:
        start = random_row(part)
        members, _ = kernels.grow_clusters(
            part.codes, part.counts, task.ruler, task.k, start, SEEDING[self.seeding],
            task.limits.watch.pulse(),
        )  # fmt: skip
        return Members(*members)


def random_row(part: Part) -> int:
    """The row of a random record."""
    record = np.random.default_rng(part.seed).integers(part.counts.sum())
    return int(np.searchsorted(np.cumsum(part.counts), record, side="right"))
