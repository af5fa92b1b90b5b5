"""A column as it was read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, Protocol

from shoal.types.arrays import Int32Array, NumberArray
from shoal.types.text_counts import TextCounts

Role = Literal["identifier", "pseudonym", "quasi", "sensitive", "keep", "drop", "weight"]
ROLES: tuple[Role, ...] = (
    "identifier", "pseudonym", "quasi", "sensitive", "keep", "drop", "weight",
)  # fmt: skip

Kind = Literal["integer", "number", "date", "datetime", "time", "text", "boolean"]
Publish = Literal["node", "range", "set", "mean", "median"]
PUBLISH: tuple[Publish, ...] = ("node", "range", "set", "mean", "median")


class DistinctValues(Protocol):
    """The different values of a column in their natural order: all that an axis is made of.

    A database can list them without handing over its records.
    """

    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> Kind: ...
    @property
    def labels(self) -> tuple[str, ...]: ...
    @property
    def numbers(self) -> NumberArray | None: ...
    @property
    def has_missing(self) -> bool: ...


@dataclass(frozen=True, eq=False, repr=False)
class RawColumn:
    """A column as read: its different values in their natural order, and a code for each row.

    `labels` are the values as text; `numbers` are what they measure where they can be ordered
    on a line (numbers themselves, days for dates, microseconds for times). Code -1 is missing.
    `text_counts` counts the texts as they stood, where it was known on the way.
    """

    name: str
    kind: Kind
    labels: tuple[str, ...]
    numbers: NumberArray | None
    codes: Int32Array
    text_counts: TextCounts | None = None

    @property
    def has_missing(self) -> bool:
        return bool((self.codes < 0).any())
