"""What the algorithms that look at the whole lattice have in common."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass

from shoal.errors import BadOption
from shoal.group.lattice._anytime import search_without_chart
from shoal.group.lattice._full_domain import FullDomain
from shoal.group.lattice._search import Search


@dataclass(frozen=True)
class WholeLattice(FullDomain):
    """Searches all nodes; above four million nodes, searches for a good one among them.

    `checks` is how many nodes that second search may check; it proves nothing.
    """

    checks: int = 10_000

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.checks < 1:
            raise BadOption("checks must be a whole number, at least 1")

    @abstractmethod
    def walk_all(self, search: Search) -> bool:
        """Walk a lattice that can be charted. Returns whether the best is proven to be that."""

    def walk(self, search: Search) -> bool:
        if search.grid.can_be_charted:
            return self.walk_all(search)
        return search_without_chart(search, self.checks)
