"""What an algorithm is, what others may ask of it, and what it may use and give up."""

from __future__ import annotations

import os
from abc import abstractmethod
from dataclasses import dataclass, field
from typing import ClassVar, Protocol, runtime_checkable

from shoal.types.grouping import Grouping
from shoal.types.neighbour import Neighbour
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


@dataclass(frozen=True)
class Traits:
    """What the rest of a run must know of an algorithm.

    `publishes_nodes`: every cell is a node of its column's hierarchy, so a column without one gets
    a flat one. `noise`: the share of its column's width by which a number is moved at most before
    anything is grouped. `metric`: the name of what it minimises, or reports as its cost. `bounded`:
    the least loss that is possible is computed too, and shown beside what its release loses;
    `bound_work` is how many rows may be looked at for it, None: as many as pay. `seeded`: its
    result may depend on the seed, so that another one is worth a run.
    """

    publishes_nodes: bool = False
    noise: float = 0.0
    metric: str | None = None
    bounded: bool = False
    bound_work: int | None = None
    seeded: bool = True


class LookAround(Protocol):
    """Finds what lies one level below and one above chosen levels, column by column."""

    def __call__(
        self, levels: tuple[int, ...], table: Table, privacy: Privacy, limits: Limits, /
    ) -> tuple[Neighbour, ...]: ...


@runtime_checkable
class Algorithm(Protocol):
    """Groups the records of a table so that every group keeps the privacy models.

    Its options are the fields of its own frozen dataclass; its file's name is its public name, and
    `aliases` are others. A class that inherits from this one needs `group` alone: it has no traits
    and no neighbours to show. One that wraps another passes on `traits`, `neighbours` and `group`.
    """

    aliases: ClassVar[tuple[str, ...]] = ()

    @property
    def traits(self) -> Traits:
        return Traits()

    @property
    def neighbours(self) -> LookAround | None:
        """None where it does not choose one level for a whole column."""
        return None

    @abstractmethod
    def group(self, table: Table, privacy: Privacy, limits: Limits) -> Grouping: ...
