"""Models that Shoal does not have, each with other claims about itself."""

from dataclasses import dataclass

import numpy as np

from cases.without_words import WithoutWords
from shoal.types.model import About


@dataclass(frozen=True)
class NoMajority(WithoutWords):
    """No sensitive value is that of more than a share of a group: outlives merging, not growth.

    All groups together may fail, and half of a group may hold where the whole does not.
    """

    column: str
    share: float = 0.5
    survives_merging = True
    is_local = True
    survives_growth = False

    @property
    def smallest(self):
        return 2 if self.share < 1 else 1

    @property
    def about(self):
        return About(column=self.column)

    def holds(self, stats):
        found = stats.counts(self.column)
        return np.maximum.reduceat(found.counts, found.starts[:-1]) <= self.share * stats.sizes


@dataclass(frozen=True)
class EvenSize(WithoutWords):
    """A group has an even number of records: outlives merging, not growth."""

    survives_merging = True
    is_local = True
    survives_growth = False
    smallest = 2

    def holds(self, stats):
        return stats.sizes % 2 == 0


@dataclass(frozen=True)
class AtMost(WithoutWords):
    """A group has few records: outlives neither merging nor growth."""

    m: int
    is_local = True
    survives_merging = survives_growth = False
    smallest = 1

    def holds(self, stats):
        return stats.sizes <= self.m
