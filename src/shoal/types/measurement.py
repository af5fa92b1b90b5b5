"""What was measured of a release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from shoal.types.metric import AnyMetric
from shoal.types.named import name_of
from shoal.types.options import options_given


@dataclass(frozen=True)
class Measurement:
    """A measure by its name, with the options that were given, its value, and what is behind it."""

    measure: str
    value: float
    lower_is_better: bool = True
    options: Mapping[str, Any] = field(default_factory=dict)
    details: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, metric: AnyMetric, outcome: Any) -> Measurement:
        """Measure an outcome."""
        measured = metric.explain(outcome)
        return cls(
            name_of(metric),
            np.asarray(measured.value).item(),
            metric.lower_is_better,
            options_given(metric),
            measured.details,
        )

    def as_dict(self) -> dict[str, Any]:
        return {
            "measure": self.measure,
            "options": dict(self.options),
            "value": self.value,
            "better": "lower" if self.lower_is_better else "higher",
            **({"details": dict(self.details)} if self.details else {}),
        }
