"""An algorithm whose releases say what the least possible loss is."""

from dataclasses import dataclass, replace

from shoal.types.algorithm import Algorithm


@dataclass(frozen=True)
class Bounded(Algorithm):
    """Passes everything on to another one."""

    inner: Algorithm
    work: int | None = None

    @property
    def traits(self):
        return replace(self.inner.traits, bounded=True, bound_work=self.work)

    @property
    def neighbours(self):
        return self.inner.neighbours

    def group(self, table, privacy, limits):
        return self.inner.group(table, privacy, limits)


def bounded(policy, work=None):
    """The same policy, whose algorithm asks for a bound."""
    return replace(policy, algorithm=Bounded(policy.algorithm, work))
