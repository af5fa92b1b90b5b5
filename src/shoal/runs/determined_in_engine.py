"""Kept columns that tell what generalised ones hide, found where the table lives.

The same three signs as in memory (`read/determines.py`). A few records refute most of them; what
they leave is counted by the engine, and pairs of values come here only where one tells the other.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations, islice

import numpy as np

from shoal.engines.engine import Engine
from shoal.metrics.loss import loss_by_column
from shoal.read.determines import FIRST, MOST_PAIRS, SURE, Determined, is_monotone, is_prefix
from shoal.read.source import Source
from shoal.runs.determined import notes_on_determined, unchanged_columns
from shoal.runs.prepare import Prepared
from shoal.runs.search import Found
from shoal.types.arrays import Int64Array
from shoal.types.schema import Schema

MOST = 1_000_000  # pairs of values that are looked at; of more, the lowest


def refuse_determined_in(
    engine: Engine, prepared: Prepared, found: Found, schema: Schema
) -> tuple[str, ...]:
    """Refuse kept and sensitive columns that tell a generalised one; notes on accepted ones."""
    lost = loss_by_column(found.outcome)
    hidden = [name for name in schema.quasi if lost[name] > 0]
    kept = [n for n in schema.names("keep", "sensitive") if engine.kind(n) != "unordered"]
    if not hidden or not kept:
        return ()
    return notes_on_determined(_Looking(engine, prepared, schema, kept, hidden).found(), schema)


@dataclass
class _Looking:
    """What was found out about columns, each thing once."""

    engine: Engine
    prepared: Prepared
    schema: Schema
    kept: Sequence[str]
    hidden: Sequence[str]
    _counted: dict[tuple[str, ...], int] = field(default_factory=dict)

    def found(self) -> Iterator[Determined]:
        numbers = self.engine.first_ranks([*self.kept, *self.hidden], FIRST)
        varied = [name for name in self.kept if self._n_different(name) > 1]
        for name in self.hidden:
            evidence = self._evidence_of_a_repetition(name)
            if evidence == 0:  # it has but one value
                continue
            alone = [
                k
                for k in varied
                if _may_tell([numbers[k]], numbers[name]) and self._tells(k, name, evidence)
            ]
            yield from (Determined((k,), name) for k in alone)
            others = [k for k in varied if k not in alone]
            for pair in islice(combinations(others, 2), MOST_PAIRS):
                may_tell = _may_tell([numbers[k] for k in pair], numbers[name])
                if may_tell and self._is_function(pair, name, evidence):
                    yield Determined(pair, name)

    def _tells(self, kept: str, hidden: str, evidence: float) -> bool:
        if self._is_function((kept,), hidden, evidence):
            return True
        pairs = Source(
            self.engine.different([kept, hidden], MOST).frame, is_text=self.engine.is_text
        )
        read = unchanged_columns(pairs, self.schema.in_order_of([kept]))
        other = self.prepared.read(pairs, self.prepared.policy, [hidden])[hidden]
        return kept in read and (is_monotone(read[kept], other) or is_prefix(read[kept], other))

    def _is_function(self, kept: tuple[str, ...], hidden: str, evidence: float) -> bool:
        """Whether equal kept values have equal hidden ones, so often that it cannot be chance."""
        n_kept = self._n_different(*kept)
        if (self.prepared.source.n_records - n_kept) * evidence < SURE:
            return False
        return self._n_different(*kept, hidden) == n_kept

    def _n_different(self, *names: str) -> int:
        if names not in self._counted:
            self._counted[names] = self.engine.n_different(names)
        return self._counted[names]

    def _evidence_of_a_repetition(self, hidden: str) -> float:
        """How little two records that share a hidden value by chance are to be expected."""
        codes, counts = self.prepared.columns[hidden].codes, self.prepared.source.counts
        shares = np.bincount(codes + 1, counts) / self.prepared.source.n_records
        return -math.log(min(float((shares**2).sum()), 1.0))


def _may_tell(kept: Sequence[Int64Array], hidden: Int64Array) -> bool:
    """Whether records that have all values do not show two hidden ones for a kept one."""
    some = np.stack([*kept, hidden])
    some = np.unique(some[:, (some >= 0).all(axis=0)], axis=1)
    return bool(np.unique(some[:-1], axis=1).shape[1] == some.shape[1])
