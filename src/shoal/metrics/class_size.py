"""Average size of a group (ARX's AECS)."""

from __future__ import annotations

from shoal.types.outcome import Judged


def class_size(judged: Judged) -> float:
    """How many records a group has on average, all suppressed ones together being a group."""
    return judged.n_records / (len(judged.sizes) + (judged.n_suppressed > 0))
