"""Threshold-based greedy clustering (Loukides and Shao, PAIS 2008)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from shoal.errors import BadOption, PolicyError
from shoal.group.cluster._diversity import Measured, diversity_figures, measured
from shoal.group.cluster._join import Joined, join_left_over
from shoal.group.cluster._subspaces import cut_subspaces
from shoal.group.cluster._thresholds import Thresholds, choose_thresholds, grow
from shoal.group.parts.pre_partition import Parts
from shoal.group.parts.repair import repair
from shoal.group.parts.threads import Spread, spread_over
from shoal.kernels import tgc as kernels
from shoal.types.algorithm import Algorithm, Limits
from shoal.types.grouping import Grouping
from shoal.types.privacy import Privacy
from shoal.types.table import Table

SUBSPACE = 5  # clusters of k records have room in a subspace


@dataclass(frozen=True, init=False)
class Weights:
    """What counts: `utility`, the detail that is kept, and `protection` of sensitive values.

    One of the two is enough: the other is what is left of 1.

    >>> Weights(protection=0.25)
    Weights(utility=0.75, protection=0.25)
    """

    utility: float = 0.5
    protection: float = 0.5

    def __init__(self, utility: float | None = None, protection: float | None = None) -> None:
        if utility is None:
            utility = 0.5 if protection is None else round(1 - protection, 12)
        rest = round(1 - utility, 12) if protection is None else protection
        object.__setattr__(self, "utility", utility)
        object.__setattr__(self, "protection", rest)
        self._check()

    def _check(self) -> None:
        is_in_range = 0 <= self.utility <= 1 and 0 <= self.protection <= 1
        if not is_in_range or abs(self.utility + self.protection - 1) > 1e-9:
            raise BadOption("weights must be two numbers from 0 to 1 that add up to 1")


class _Clustered(NamedTuple):
    """Clusters of all parts, and how many there were."""

    joined: Joined
    n_accepted: int
    n_rejected: int
    is_fallback: bool  # nothing was within delta


@dataclass(frozen=True)
class Tgc(Algorithm):
    """Grow clusters by what they lose and what they disclose, up to a threshold of both.

    `weights` of utility and protection add up to 1; one of them is enough. `r` is the range, as a
    share of the domain, within which an attacker's guess of a sensitive value is good enough. The
    table is first cut into subspaces of at least `s` records. `delta` is the largest diversity of a
    cluster, `delta_prime` that of a subspace's sensitive values; both are tried on a sample if not
    given. `max_size` ends a cluster too: 2k - 1 if not given, 0 for never. Loukides and Shao 2008.

    >>> import polars as pl, shoal
    >>> people = pl.DataFrame({"age": [10, 15, 15, 20, 20, 25], "pay": [20, 20, 65, 65, 20, 65]})
    >>> release = shoal.anonymize(people, quasi=["age"], sensitive=["pay"],
    ...                           privacy=[shoal.KAnonymity(2)], algorithm="tgc")
    >>> release.frame.rows()
    [('[10, 15]', 20), ('[10, 15]', 20), ('[10, 15]', 65), ('[20, 25]', 20), ('[20, 25]', 65),
     ('[20, 25]', 65)]
    """

    weights: Weights = Weights()
    r: float = 1.0
    s: int | None = None
    delta: float | None = None
    delta_prime: float | None = None
    max_size: int | None = None

    def __post_init__(self) -> None:
        if not 0 <= self.r <= 1:
            raise BadOption("r must be a number from 0 to 1")
        if self.s is not None and self.s < 1:
            raise BadOption("s must be a whole number, at least 1")
        if self.delta is not None and not self.delta >= 0:
            raise BadOption("delta must be a number, at least 0")
        if self.delta_prime is not None and not self.delta_prime >= 0:
            raise BadOption("delta-prime must be a number, at least 0")
        if self.max_size is not None and self.max_size < 0:
            raise BadOption("max-size must be a whole number, or 0 for no limit")

    def group(self, table: Table, privacy: Privacy, limits: Limits) -> Grouping:
        k = privacy.smallest
        rules = self._rules(k, table)
        weights = self.weights
        measure = measured(table, utility=weights.utility, protection=weights.protection, r=self.r)
        with spread_over(limits.threads, limits.watch) as spread:
            thresholds = self._thresholds(measure, rules, limits, spread)
            rules = rules._replace(delta=thresholds.delta)
            parts = cut_subspaces(
                table, self._size(k), thresholds.delta_prime,
                likeness=measure.scale.likeness, spread=spread,
            )  # fmt: skip
            found = _cluster(measure, parts, rules, limits, spread)
        grouping = found.joined.grouping()
        grouping = repair(grouping, table=table, privacy=privacy, limits=limits)
        trace = {
            **grouping.trace,
            **diversity_figures(grouping, table, self.r),
            "delta": None if found.is_fallback else thresholds.delta,
            "delta_prime": thresholds.delta_prime,
            "accepted": found.n_accepted,
            "rejected": found.n_rejected,
        }
        return replace(grouping, trace=trace, notes=self._notes(k, table, thresholds, found))

    def _size(self, k: int) -> int:
        return SUBSPACE * k if self.s is None else self.s

    def _rules(self, k: int, table: Table) -> kernels.Rules:
        if self._size(k) < k:
            raise PolicyError(
                f"s must be at least {k:,}, so that a subspace has room for a cluster",
                ("algorithm", "s"),
            )
        if self.max_size and self.max_size < k:
            raise PolicyError(
                f"max-size must be at least {k:,}, or 0 for no limit", ("algorithm", "max-size")
            )
        most = 2 * k - 1 if self.max_size is None else self.max_size or table.n_records
        return kernels.Rules(k=k, most=min(most, table.n_records), delta=math.inf)

    def _thresholds(
        self, measure: Measured, rules: kernels.Rules, limits: Limits, spread: Spread
    ) -> Thresholds:
        """Those that were given, and for others what a sample says (Algorithm 3)."""
        delta, delta_prime = self.delta, self.delta_prime
        has_values = len(measure.table.sensitive_columns) > 0
        if delta is None or (delta_prime is None and has_values):
            chosen = choose_thresholds(measure, rules, limits, spread)
            delta = chosen.delta if delta is None else delta
            delta_prime = chosen.delta_prime if delta_prime is None else delta_prime
        return Thresholds(delta, delta_prime if has_values else None)

    def _notes(
        self, k: int, table: Table, thresholds: Thresholds, found: _Clustered
    ) -> tuple[str, ...]:
        notes = []
        if not table.sensitive_columns and self.weights.protection > 0:
            notes.append(
                "The policy has no sensitive column, so tgc formed clusters by utility alone."
            )
        if found.is_fallback:
            notes.append(
                f"With delta = {thresholds.delta:g} no cluster reaches {k:,} records, so clusters "
                f"of {k:,} were formed without it. Set a larger delta."
            )
        if self._size(k) < 2 * k:
            notes.append(
                f"Each subspace of {self._size(k):,} records has room for only one group. Set `s` "
                f"to {2 * k:,} or more to get clusters of similar records."
            )
        return tuple(notes)


def _cluster(
    measure: Measured, parts: Parts, rules: kernels.Rules, limits: Limits, spread: Spread
) -> _Clustered:
    """Algorithm 1 in every part; then what was rejected anywhere joins a cluster of any part."""
    n_records = np.add.reduceat(parts.counts, parts.starts)
    firsts = np.cumsum(n_records) - n_records
    numbered = kernels.Parts(*parts, firsts=firsts)
    draws = np.random.default_rng([limits.seed, 1]).random(int(n_records.sum()))
    found = grow(measure, numbered, draws, rules, spread)
    n_rejected = int(found.n_rejected.sum())
    is_fallback = not found.n_accepted.any()
    if is_fallback:  # k-member with the same cost: the first k records, however diverse
        rules = rules._replace(delta=math.inf, most=rules.k)
        found = grow(measure, numbered, draws, rules, spread)
    n_before = np.cumsum(found.n_accepted) - found.n_accepted
    labels = found.clusters + np.repeat(n_before, n_records).astype(np.int32)
    labels[found.clusters < 0] = -1
    joined = join_left_over(measure, found.rows, labels, spread)
    return _Clustered(joined, int(found.n_accepted.sum()), n_rejected, is_fallback)
