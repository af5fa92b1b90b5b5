"""One run of a comparison: what was tried, how it ended, and what it measures."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Literal, get_args

Outcome = Literal["verified", "refused", "failed", "too long", "too much memory"]
OUTCOMES: tuple[str, ...] = get_args(Outcome)


@dataclass(frozen=True)
class Run:
    """A line of the journal. Counts and figures only: no value of a cell is in it."""

    id: str
    method: str
    k: int
    options: Mapping[str, str]
    seed: int
    outcome: Outcome
    why: str = ""  # it has no release, or a measure is missing
    measures: Mapping[str, float | None] = field(default_factory=dict)  # by their labels
    groups: int | None = None
    released: int | None = None
    suppressed: int | None = None
    seconds: float = 0.0  # of processor time
    limit: float | None = None  # that it was ended by: seconds, or megabytes
    trace: Mapping[str, float] = field(default_factory=dict)  # what its algorithm counted

    @property
    def is_verified(self) -> bool:
        return self.outcome == "verified"

    def line(self) -> str:
        """As a line of the journal; infinite figures are written as texts."""
        content = asdict(self) | {"measures": {n: _kept(v) for n, v in self.measures.items()}}
        return json.dumps(content, ensure_ascii=False, allow_nan=False)

    @classmethod
    def of_line(cls, line: str | bytes) -> Run | None:
        """None for a line that was cut off, or that somebody else wrote."""
        try:
            content = json.loads(line)
            measures = content.pop("measures")
            run = cls(**content, measures={n: _figure(v) for n, v in measures.items()})
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            return None
        return run if run.outcome in OUTCOMES else None


def _kept(value: float | None) -> float | str | None:
    return value if value is None or math.isfinite(value) else str(value)


def _figure(value: Any) -> float | None:
    return None if value is None else float(value) if isinstance(value, str) else value
