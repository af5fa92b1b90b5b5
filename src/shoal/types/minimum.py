"""How much use a release must have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shoal.types.measurement import Measurement
from shoal.types.metric import AnyMetric
from shoal.types.named import name_of

SLACK = 1e-12  # of a limit: sums of fractions are off by less


@dataclass(frozen=True)
class Minimum:
    """A measure that is computed for every release, and perhaps what it may be at most or least."""

    metric: AnyMetric
    at_most: float | None = None
    at_least: float | None = None

    @property
    def required(self) -> dict[str, float]:
        limits = {"at-most": self.at_most, "at-least": self.at_least}
        return {name: limit for name, limit in limits.items() if limit is not None}

    def holds(self, value: float) -> bool:
        """Not where the value is no number."""
        if self.at_most is not None:
            return bool(value <= self.at_most + SLACK * abs(self.at_most))
        if self.at_least is not None:
            return bool(value >= self.at_least - SLACK * abs(self.at_least))
        return True

    def words(self) -> str:
        """
        >>> from shoal.metrics.dm import Dm
        >>> Minimum(Dm(), at_most=300.0).words()
        'dm must be at most 300'
        """
        ((limit, value),) = self.required.items()
        return f"{name_of(self.metric)} must be {limit.replace('-', ' ')} {value:g}"


@dataclass(frozen=True)
class MinimumFound:
    """What was measured where the policy asks for it."""

    minimum: Minimum
    measured: Measurement

    @property
    def holds(self) -> bool:
        return self.minimum.holds(self.measured.value)

    def as_dict(self) -> dict[str, Any]:
        required = {"required": required} if (required := self.minimum.required) else {}
        return self.measured.as_dict() | required | {"holds": self.holds}
