"""Average size of a group (ARX's AECS)."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.types.metric import Metric
from shoal.types.outcome import Judged


@dataclass(frozen=True)
class ClassSize(Metric[Judged]):
    """How many records a group has on average, all suppressed ones together being a group."""

    bound = "groups"

    def measure(self, judged: Judged) -> float:
        return judged.n_records / (len(judged.sizes) + (judged.n_suppressed > 0))
