"""Average size of a group (ARX's AECS)."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.types.metric import Metric
from shoal.types.outcome import Judged


@dataclass(frozen=True)
class ClassSize(Metric[Judged]):
    """Average group size; all suppressed records together count as one group."""

    bound = "groups"

    def measure(self, judged: Judged) -> float:
        return judged.n_records / (len(judged.sizes) + (judged.n_suppressed > 0))
