"""What an algorithm may use and give up."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Protocol

from shoal.types.grouping import Grouping
from shoal.types.privacy import Privacy
from shoal.types.table import Table


class Watch:
    """How a long search and whoever waits for it talk to each other.

    A search that can end early with a result sets `may_stop`; asked to stop, it does.
    """

    def __init__(self, tell: Callable[[str], None] | None = None) -> None:
        self.tell = tell or (lambda progress: None)
        self.may_stop = False
        self.is_stopped = False

    def ask_to_stop(self) -> bool:
        """Whether the search will end by itself; asked twice, or where it cannot, it will not."""
        if not self.may_stop or self.is_stopped:
            return False
        self.is_stopped = True
        return True


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
