"""What an algorithm is, and what it may use and give up."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Protocol

from shoal.types.grouping import Grouping
from shoal.types.privacy import Privacy
from shoal.types.table import Table
from shoal.types.watch import Watch


@dataclass(frozen=True)
class Limits:
    """`suppression` is a number of records. Results may depend on `seed`, never on `threads`."""

    suppression: int = 0
    already_suppressed: int = 0  # before the search, because of their values
    seed: int = 0
    threads: int = field(default_factory=lambda: os.cpu_count() or 1)
    watch: Watch = field(default_factory=Watch, compare=False, repr=False)


class Algorithm(Protocol):
    """Groups the records of a table so that every group keeps the privacy models.

    Its options are the fields of its own dataclass; its file's name is its public name.
    """

    def group(self, table: Table, privacy: Privacy, limits: Limits) -> Grouping: ...
