"""A column as it was read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from shoal.types.arrays import Int32Array, NumberArray

Role = Literal["identifier", "quasi", "sensitive", "keep", "drop"]
ROLES: tuple[Role, ...] = ("identifier", "quasi", "sensitive", "keep", "drop")

Kind = Literal["integer", "number", "date", "datetime", "time", "text", "boolean"]
Publish = Literal["node", "range", "set", "mean", "median"]
PUBLISH: tuple[Publish, ...] = ("node", "range", "set", "mean", "median")


@dataclass(frozen=True, eq=False, repr=False)
class RawColumn:
    """A column as read: its distinct values in their natural order, and a code per record.

    `labels` are the values as text; `numbers` are what they measure where they can be ordered
    on a line (numbers themselves, days for dates, microseconds for times). Code -1 is missing.
    """

    name: str
    kind: Kind
    labels: tuple[str, ...]
    numbers: NumberArray | None
    codes: Int32Array

    @property
    def has_missing(self) -> bool:
        return bool((self.codes < 0).any())
