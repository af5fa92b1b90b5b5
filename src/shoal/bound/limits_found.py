"""Limits on what records pay together, as they are found, and the values that use them best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from shoal.bound.covers import ONE
from shoal.bound.walk import Work
from shoal.kernels.bound import Broken
from shoal.kernels.bound_ascent import Program, ascend, step_sizes
from shoal.types.arrays import BoolArray, FloatArray, Int64Array
from shoal.types.watch import Watch

STEPS = 400  # of the ascent, each time that limits were added
ITEMS_AT_ONCE = 20_000_000  # of a program, in one call: a cancelled run ends soon
LITTLE_ROOM = 0.25  # of a limit: one with more room, and no price, is forgotten


@dataclass(eq=False, repr=False)
class LimitsFound:
    """Limits, and the price of each: how much more could be gained if it were one higher."""

    items: np.ndarray  # int32
    factors: FloatArray
    begins: Int64Array
    most: FloatArray
    prices: FloatArray

    @classmethod
    def none(cls) -> LimitsFound:
        return cls(
            np.zeros(0, np.int32), np.zeros(0), np.zeros(1, np.int64), np.zeros(0), np.zeros(0)
        )

    def add(self, broken: Sequence[Broken]) -> None:
        ends = np.cumsum([self.begins[-1], *(found.begins[-1] for found in broken)])
        self.items = np.concatenate([self.items, *(found.rows for found in broken)])
        self.factors = np.concatenate([self.factors, *(found.taken for found in broken)])
        begins = (found.begins[1:] + end for found, end in zip(broken, ends, strict=False))
        self.begins = np.concatenate([self.begins, *begins])
        self.most = np.concatenate([self.most, *(found.most / ONE for found in broken)])
        n_new = len(self.most) - len(self.prices)
        self.prices = np.concatenate([self.prices, np.zeros(n_new)])

    def ascend(
        self,
        start: FloatArray,
        *,
        gains: FloatArray,
        ceilings: FloatArray,
        work: Work,
        watch: Watch,
    ) -> FloatArray:
        """Nearly the best values within the limits: the mean of those on the way."""
        program = Program(gains, ceilings, self.items, self.factors, self.begins, self.most)
        steps, values, prices = step_sizes(program), start.copy(), self.prices.copy()
        totals = np.zeros_like(values), np.zeros_like(prices)
        n_items = len(self.items) + len(values)
        left, at_once = STEPS, max(1, ITEMS_AT_ONCE // n_items)
        while left:
            n_steps = min(left, at_once)
            ascend(program, steps, values, prices, totals, n_steps)
            watch.look()
            left -= n_steps
        work.add(STEPS * n_items // 8)  # a row costs as much as so many items
        self.prices = totals[1] / STEPS
        return totals[0] / STEPS

    def forget(self, values: FloatArray) -> None:
        """Leave out limits that do not matter at these values."""
        used = np.zeros(len(self.most))
        np.add.at(used, self._limit_of_items(), self.factors * values[self.items])
        self._keep((self.prices > 0) | (used > (1 - LITTLE_ROOM) * self.most))

    def _limit_of_items(self) -> Int64Array:
        return np.repeat(np.arange(len(self.most)), np.diff(self.begins))

    def _keep(self, is_kept: BoolArray) -> None:
        of_items = is_kept[self._limit_of_items()]
        sizes = np.diff(self.begins)[is_kept]
        self.items, self.factors = self.items[of_items], self.factors[of_items]
        self.begins = np.append(np.int64(0), np.cumsum(sizes))
        self.most, self.prices = self.most[is_kept], self.prices[is_kept]
