"""Average size of a group (ARX's AECS)."""

from __future__ import annotations

from shoal.types.outcome import Judged


def class_size(judged: Judged) -> float:
    """Average group size; all suppressed records together count as one group."""
    return judged.n_records / (len(judged.sizes) + (judged.n_suppressed > 0))
