"""Auto: several algorithms on one table, and the best of what they find."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from shoal import catalog
from shoal.errors import CannotSatisfy, PolicyError
from shoal.group.parts.stats import stats_of_grouping
from shoal.types.algorithm import Algorithm, Limits, Traits
from shoal.types.grouping import Grouping
from shoal.types.metric import AnyMetric, Metric
from shoal.types.named import name_of
from shoal.types.options import options_given
from shoal.types.outcome import Outcome
from shoal.types.privacy import Privacy
from shoal.types.table import Table

ITSELF = "auto"
# In the order in which they are worth their work: what is lost least by the first.
LOCAL: tuple[Mapping[str, str], ...] = (
    {"name": "mondrian"},
    {"name": "sweep"},
    {"name": "sweep", "effort": "fast"},
    {"name": "mstk"},
    {"name": "k-member"},
)
MILLION = 1_000_000


class Tried(NamedTuple):
    """A candidate, what it found, and what that costs; None: it found nothing that holds."""

    algorithm: Algorithm
    work: float
    grouping: Grouping | None
    cost: float | None

    def as_dict(self) -> dict[str, Any]:
        return {
            "algorithm": name_of(self.algorithm),
            **options_given(self.algorithm),
            "cost": self.cost,
            "suppressed": None if self.grouping is None else self.grouping.n_suppressed,
        }


@dataclass(frozen=True)
class Auto(Algorithm):
    """Run the algorithms that suit the table, and take what costs least.

    `candidates` are names of algorithms, tried in this order; without it, those that recode
    locally. Full-domain ones are tried only where every column publishes nodes of a hierarchy.
    `metric` says what a result costs. `budget` is how much work is done, in millions of rows looked
    at: a candidate that would take more than is left is not tried, except the first. The work of an
    algorithm is estimated from the size of the table, so that the result is the same everywhere.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"age": [21, 27, 34, 52, 40], "zip": ["1", "1", "2", "2", "2"]})
    >>> release = shoal.anonymize(patients, quasi=["age", "zip"], privacy=[shoal.KAnonymity(2)],
    ...                           algorithm=shoal.Auto(candidates=("mondrian", "k-member")))
    >>> [tried["algorithm"] for tried in release.summary()["tried"]]
    ['mondrian', 'k-member']
    """

    candidates: tuple[str, ...] = ()
    metric: Metric[Any] | str = "loss"
    budget: float = 15.0

    def __post_init__(self) -> None:
        if not self.budget > 0:
            raise ValueError("budget must be a number above 0")
        for name in self.candidates:
            if _loaded("algorithm", name) is Auto:
                raise ValueError("candidates cannot have auto itself among them")
        metric = self._metric()
        if "levels" in metric.needs or "records" in metric.needs:
            raise ValueError(
                f"metric must be one of groups and their cells, which {name_of(metric)} is not"
            )

    @property
    def traits(self) -> Traits:
        """Where all candidates are full-domain ones, the table is read for them."""
        kinds = [_loaded("algorithm", name)().traits for name in self.candidates]
        return Traits(publishes_nodes=bool(kinds) and all(kind.publishes_nodes for kind in kinds))

    def group(self, table: Table, privacy: Privacy, limits: Limits) -> Grouping:
        tried: list[Tried] = []
        left_out: list[str] = []
        spent, error = 0.0, None
        for candidate in self._suiting(table):
            work = work_of(candidate, table)
            is_again = name_of(candidate) in [name_of(one.algorithm) for one in tried]
            if is_again or (tried and spent + work > self.budget):
                left_out += [] if is_again else [name_of(candidate)]
                continue
            spent += work
            try:
                grouping = candidate.group(table, privacy, limits)
            except CannotSatisfy as failed:
                error = error or failed
                tried.append(Tried(candidate, work, None, None))
                continue
            tried.append(Tried(candidate, work, grouping, self._cost(grouping, table, limits)))
        found = [one for one in tried if one.cost is not None]
        if not found:
            assert error is not None
            raise error
        return self._best(found, tried, left_out)

    def _best(self, found: list[Tried], tried: list[Tried], left_out: list[str]) -> Grouping:
        metric = self._metric()
        sign = 1.0 if metric.lower_is_better else -1.0
        best = min(found, key=lambda one: sign * (one.cost or 0.0))  # of equal ones, the first
        assert best.grouping is not None
        names = {name_of(one.algorithm) for one in tried}
        trace = {
            **best.grouping.trace,
            "chosen": name_of(best.algorithm),
            "chosen_by": name_of(metric),
            "tried": [one.as_dict() for one in tried],
            "not_tried": [name for name in dict.fromkeys(left_out) if name not in names],
        }
        return replace(best.grouping, trace=trace)

    def _suiting(self, table: Table) -> list[Algorithm]:
        """Those that can run on the table: full-domain ones need a hierarchy of every column."""
        given = [{"name": name} for name in self.candidates] or LOCAL
        made = [_loaded("algorithm", keys["name"])(**_options(keys)) for keys in given]
        has_nodes = all(axis.hierarchy and axis.publish == "node" for axis in table.axes)
        return [one for one in made if has_nodes or not one.traits.publishes_nodes]

    def _cost(self, grouping: Grouping, table: Table, limits: Limits) -> float:
        outcome = Outcome(
            table=table,
            grouping=grouping,
            stats=stats_of_grouping(table, grouping),
            n_suppressed=limits.already_suppressed + grouping.n_suppressed,
        )
        return float(self._metric().measure(outcome))

    def _metric(self) -> AnyMetric:
        if isinstance(self.metric, str):
            metric: AnyMetric = _loaded("metric", self.metric)()
            return metric
        return self.metric


def work_of(algorithm: Algorithm, table: Table) -> float:
    """About how many rows an algorithm looks at, in millions: fitted to what was measured."""
    n = max(table.n_rows, 2)
    log = math.log2(n)
    effort = options_given(algorithm).get("effort", "default")
    steps = {"fast": min(220 * n, 11 * MILLION), "default": min(500 * n, 25 * MILLION)}
    of_name = {
        "mondrian": n * log / 15,
        "sweep": float(steps.get(effort, 3_000 * n)),
        "mstk": 2.2 * n * log,
        "k-member": n * math.sqrt(n) / 20,
        "t-clustering": 2.5 * n,
    }
    others = n * math.sqrt(n) / 3
    return of_name.get(name_of(algorithm), others) / MILLION


def _options(keys: Mapping[str, str]) -> dict[str, str]:
    return {key: value for key, value in keys.items() if key != "name"}


def _loaded(part: catalog.Part, name: str) -> Any:
    try:
        return catalog.load(part, name)
    except PolicyError as error:
        option = "candidates" if part == "algorithm" else "metric"
        raise ValueError(f"{option} has an {error.message}") from None
