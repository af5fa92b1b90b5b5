"""All nodes that records could be published at: a block of each column, and who is below."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from shoal.bound.covers import Cover
from shoal.kernels.bound import Classes, refine
from shoal.types.arrays import Int32Array, Int64Array
from shoal.types.watch import Watch

A_CALL = 500  # what a call costs, in rows


class OutOfWork(Exception):
    """The work that was allowed is done, and the walk is not at its end."""


@dataclass
class Work:
    """How much was done, in rows looked at, and how much may be."""

    most: int
    done: int = 0

    def add(self, n: int) -> None:
        self.done += n
        if self.done > self.most:
            raise OutOfWork


@dataclass(frozen=True, eq=False, repr=False)
class Walk:
    """Goes from column to column, and leaves out nodes that are too small or cost too much.

    Columns with few layers come first, so that later ones have less to look at.
    """

    codes: Int32Array  # [quasi-identifiers, rows], so that a column lies in one piece
    counts: Int64Array
    covers: tuple[Cover, ...]
    least: int  # records of a group
    watch: Watch

    def __call__(self, values: Int64Array, n_counted: int, work: Work) -> Iterator[Classes]:
        """All classes whose `n_counted` largest values may be more than what they cost.

        Values may be lowered on the way: what is left out then is left out rightly.
        """
        order = sorted(range(len(self.covers)), key=lambda i: (len(self.covers[i]), i))
        rows = np.arange(len(self.counts), dtype=np.int32)
        every = Classes(rows, np.array([0, len(rows)]), np.zeros(1, dtype=np.int64))

        def below(classes: Classes, place: int) -> Iterator[Classes]:
            if place == len(order):
                yield classes
                return
            column = order[place]
            for layer in self.covers[column]:
                self.watch.look()
                work.add(len(classes.rows) + A_CALL)
                found = refine(
                    classes,
                    self.codes[column],
                    layer.blocks,
                    layer.costs,
                    self.counts,
                    values,
                    self.least,
                    n_counted,
                )
                if len(found.costs):
                    yield from below(found, place + 1)

        yield from below(every, 0)
