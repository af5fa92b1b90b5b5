"""Discernibility metric (Bayardo and Agrawal 2005)."""

from __future__ import annotations

import numpy as np

from shoal.types.outcome import Outcome


def dm(outcome: Outcome) -> int:
    """The records that look alike, added up over all records; suppressed ones count as all."""
    sizes = outcome.stats.sizes
    return int(np.dot(sizes, sizes)) + outcome.n_suppressed * outcome.n_records
