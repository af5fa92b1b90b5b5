"""An algorithm that passes everything on to another one."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.types.algorithm import Algorithm


@dataclass(frozen=True)
class Wrapper(Algorithm):
    """Knows no more of the algorithm inside than what every algorithm declares."""

    inner: Algorithm

    @property
    def traits(self):
        return self.inner.traits

    @property
    def neighbours(self):
        return self.inner.neighbours

    def group(self, table, privacy, limits):
        return self.inner.group(table, privacy, limits)
