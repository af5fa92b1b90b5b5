"""Discernibility metric (Bayardo and Agrawal 2005)."""

from __future__ import annotations

import numpy as np

from shoal.types.outcome import Judged


def dm(judged: Judged) -> int:
    """Squared group sizes, added up; a suppressed record counts as the whole table."""
    sizes = judged.sizes
    return int(np.dot(sizes, sizes)) + judged.n_suppressed * judged.n_records
