"""Who could be in a table that is a sample of them."""

from __future__ import annotations

import math
from dataclasses import dataclass

LARGEST = 10**11  # more than have ever lived


@dataclass(frozen=True)
class Population:
    """The people that the table is a sample of. One of the three is given.

    `size` is their number. `fraction` is the part of them that is in the table. `file` is a table
    of all of them, relative to the policy.

    >>> Population(fraction=0.01).n_people(500)
    50000
    """

    size: int | None = None
    fraction: float | None = None
    file: str | None = None

    def __post_init__(self) -> None:
        ways = {"size": self.size, "fraction": self.fraction, "file": self.file}
        given = [name for name, value in ways.items() if value is not None]
        if len(given) != 1:
            raise ValueError(
                "one of size, fraction and file is needed, such as {size: 5400000}"
                if not given
                else f"give one of {' and '.join(given)}, not both: each says how many there are"
            )
        if self.size is not None and not 1 <= self.size <= LARGEST:
            raise ValueError(f"size must be a number of people, from 1 to {LARGEST:,}")
        if self.fraction is not None and not 0 < self.fraction <= 1:
            raise ValueError(
                "fraction must be above 0 and at most 1, such as 0.01: the part of the population "
                "that is in the table"
            )

    def n_people(self, n_records: int) -> int | None:
        """How many there are, if the table has so many records; None if a file has them."""
        if self.fraction is not None:
            return max(n_records, math.floor(n_records / self.fraction + 0.5))
        return self.size
