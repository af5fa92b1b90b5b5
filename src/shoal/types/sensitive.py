"""A column whose values must not be inferred."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from shoal.types.arrays import FloatArray, Int32Array, Int64Array, NumberArray
from shoal.types.hierarchy import Hierarchy
from shoal.types.notation import PLAIN, Notation
from shoal.types.text import number_or_day


@dataclass(frozen=True, eq=False, repr=False)
class SensitiveColumn:
    """A column whose values must not be inferred: its values by code, missing being one."""

    name: str
    labels: tuple[str, ...]
    numbers: NumberArray | None
    hierarchy: Hierarchy | None
    has_missing: bool
    severity: FloatArray | None = None  # by code, where the policy gives severities
    counts: Int64Array | None = None  # by code, of the input's records or people, where known
    n_counted: int | None = None  # of how many people that is; records have one value each
    leaves: Int32Array | None = None  # by code, the leaf of the hierarchy; missing comes after all
    lists_leaves: bool = True  # whether the hierarchy lists its leaves, and is not made by a rule
    notation: Notation = PLAIN  # how numbers are written in its labels

    def counted(self, counts: Int64Array, n_counted: int) -> SensitiveColumn:
        """The same column, counted anew."""
        return replace(self, counts=counts, n_counted=n_counted)

    @property
    def n_codes(self) -> int:
        return len(self.labels) + self.has_missing

    @cached_property
    def measured(self) -> FloatArray:
        """What each code measures, and nan where it measures nothing.

        Values of csv files are kept as text, so that numbers and dates are looked for in it;
        leading zeros mean a code.
        """
        if self.numbers is not None:
            found = self.numbers.astype(np.float64).tolist()
        else:
            plain = ((self.notation.plain(label), label) for label in self.labels)
            found = [number_or_day(as_point or label) for as_point, label in plain]
        return np.array([*found, *[np.nan] * self.has_missing], dtype=np.float64)

    @cached_property
    def ranks(self) -> Int64Array:
        """The place of each code in order: numbers by size, then text by letters, then missing."""
        labels = (*self.labels, "")[: self.n_codes]
        is_missing = np.arange(self.n_codes) >= len(self.labels)
        keys = [
            (bool(missing), bool(np.isnan(number)), 0.0 if np.isnan(number) else number, label)
            for missing, number, label in zip(is_missing, self.measured, labels, strict=True)
        ]
        order = sorted(range(self.n_codes), key=keys.__getitem__)
        ranks = np.empty(self.n_codes, dtype=np.int64)
        ranks[order] = np.arange(self.n_codes)
        return ranks
