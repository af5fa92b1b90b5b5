"""`shoal frontier`: the releases that no other beats in both loss and risk, found by searching."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from shoal.comparison.comparison import in_order
from shoal.comparison.front import Costs, Dimension, Search, Tried, Values
from shoal.comparison.frontier import Frontier, costs_of
from shoal.comparison.measures import Measure, measures_asked
from shoal.comparison.options import applies
from shoal.comparison.run import Run
from shoal.comparison.variants import Asked, Variant, algorithms_of, method_names, variant_of
from shoal.errors import BadOption
from shoal.policy.policy import Policy
from shoal.read.source import Source
from shoal.runs.compare import Limits, Plan, Trials
from shoal.runs.processes import RunListener
from shoal.runs.stages import Stages
from shoal.types.named import name_of
from shoal.types.privacy import Privacy
from shoal.types.schema import Schema

AT_ONCE = 8  # proposals of a round, however many processes there are: so the front is the same
RUNS = 60
WEIGHTS = "tgc.weights.utility"


@dataclass(frozen=True)
class FrontierPlan:
    """What is searched: methods, the values that each may have, and the two figures."""

    plan: Plan  # whose variants are those to begin with
    search: Search
    loss: Measure
    risk: Measure
    n_runs: int

    def variant(self, method: int, values: Values) -> Variant:
        algorithms = self.plan.asked.algorithms
        policy = replace(self.plan.policy, algorithm=algorithms[method])
        names = method_names(algorithms)
        chosen = [(path, _given(value)) for path, value in values.items()]
        return variant_of(policy, names[method], chosen)

    def costs(self, run: Run) -> Costs | None:
        return costs_of(run, self.loss, self.risk)


def frontier_plan(
    policy: Policy,
    *,
    loss: Any = "loss",
    risk: Any = None,
    algorithms: Sequence[Any] | str = (),
    k: str | Sequence[int] = "",
    vary: Mapping[str, Any] | None = None,
    runs: int = RUNS,
) -> FrontierPlan:
    """Refuses what cannot be searched or measured, before any table is read.

    By default: the policy's algorithm and tgc, k from the policy's to ten times as much, tgc's
    weights, and how well sensitive values are protected as the risk.
    """
    if isinstance(runs, bool) or not isinstance(runs, int) or runs < 1:
        raise BadOption("runs must be a whole number, at least 1")
    has_sensitive = bool(Schema(policy.columns).sensitive)
    chosen = (algorithms,) if isinstance(algorithms, str) and algorithms else tuple(algorithms)
    if not chosen:
        chosen = (policy.algorithm, *(["tgc"] if has_sensitive else []))
    found = algorithms_of(policy, chosen)
    own = max(Privacy(policy.privacy).k, 2)
    options = {"k": k or f"{own}..{10 * own}", **(vary or {})}
    if not vary and any(name_of(algorithm) == "tgc" for algorithm in found):
        options[WEIGHTS] = "0.0..1.0"
    dimensions = [Dimension.of(path, _text(values)) for path, values in options.items()]
    asked = Asked(found, vary=tuple((d.path, tuple(d.first(2))) for d in dimensions))
    asked.refuse_unknown(policy)
    named = [loss, risk or ("protection" if has_sensitive else "average-risk")]
    measures = measures_asked(policy, named)
    if len(measures) < 2:
        raise BadOption("loss and risk must be two measures: say another one.")
    search = Search(tuple(_own(policy, algorithm, dimensions) for algorithm in found))
    of_runs = Plan(policy, asked, (), tuple(measures), is_chosen=True)
    plan = FrontierPlan(of_runs, search, measures[0], measures[1], runs)
    first = tuple(plan.variant(*one) for one in search.start(runs))
    return replace(plan, plan=replace(plan.plan, variants=first))


def frontier(
    source: Source,
    plan: FrontierPlan,
    *,
    folder: Path | None = None,
    limits: Limits | None = None,
    stages: Stages | None = None,
    listener: RunListener | None = None,
) -> Frontier:
    """Search until the budget of runs is spent, or nothing is left to try.

    The same plan tries the same policies, whatever the number of processes; with a `folder`, what
    was tried before is not run again.
    """
    with Trials(source, plan.plan, folder=folder, limits=limits, stages=stages) as trials:
        return searched(trials, plan, listener)


def searched(trials: Trials, plan: FrontierPlan, listener: RunListener | None = None) -> Frontier:
    """The front of a table that was read."""
    tried: list[Tried] = []
    variants: dict[str, Variant] = {}
    runs: dict[str, Run] = {}
    left = plan.search.start(plan.n_runs)
    while left:
        batch = {v.id: (v, one) for one in left if (v := plan.variant(*one)).id not in variants}
        for run in trials.run([v for v, _ in batch.values()], listener):
            runs[run.id] = run
        variants |= {id_: v for id_, (v, _) in batch.items()}
        for method, values in left:
            run = runs[plan.variant(method, values).id]
            tried.append(Tried(method, values, plan.costs(run) if run.is_verified else None))
        n_left = plan.n_runs - len(runs)
        left = plan.search.next(tried, min(AT_ONCE, n_left)) if n_left > 0 else []
    found, of = in_order(list(variants.values()), runs)
    return Frontier(
        found, of, trials.measures, trials.n_records, trials.folder, loss=plan.loss, risk=plan.risk
    )


def _own(policy: Policy, algorithm: Any, dimensions: Sequence[Dimension]) -> tuple[Dimension, ...]:
    """The dimensions that an algorithm has."""
    of = replace(policy, algorithm=algorithm)
    return tuple(d for d in dimensions if applies(of, d.path))


def _given(value: float | str) -> Any:
    return int(value) if isinstance(value, float) and value == int(value) else value


def _text(values: Any) -> str:
    """Values as the command line writes them; a Python range is one from its first to its last."""
    if isinstance(values, str):
        return values
    if isinstance(values, range) and len(values) > 1:
        return f"{values[0]}..{values[-1]}"
    listed = values if isinstance(values, list | tuple | range) else [values]
    return ",".join(map(str, listed))
