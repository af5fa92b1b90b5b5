"""`shoal.frontier`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from shoal.api.progress import stages_shown
from shoal.comparison.frontier import Frontier
from shoal.policy.policy import Policy
from shoal.read.given import source_of
from shoal.runs.compare import TIMEOUT, Limits
from shoal.runs.frontier import RUNS, frontier_plan
from shoal.runs.frontier import frontier as run
from shoal.types.algorithm import Algorithm
from shoal.types.frames import File, Given
from shoal.types.metric import AnyMetric
from shoal.types.watch import Watch

Asked = str | Mapping[str, Any] | AnyMetric


def frontier(
    frame: Given,
    policy: Policy | Mapping[str, Any] | File,
    *,
    loss: Asked = "loss",
    risk: Asked | None = None,
    algorithms: Sequence[str | Mapping[str, Any] | Algorithm] | str = (),
    k: str | Sequence[int] = "",
    vary: Mapping[str, str | Sequence[Any]] | None = None,
    runs: int = RUNS,
    folder: File | None = None,
    timeout: float | None = TIMEOUT,
    memory: int | None = None,
    processes: int | None = None,
    watch: Watch | None = None,
    progress: bool | None = None,
) -> Frontier:
    """Search for the releases of a table that no other beats in both loss and risk.

    `loss` and `risk` are measures; `loss="classification:income"` gives the front for that task.
    `k` and the options in `vary` have values, `[2, 5, 10]`, or ranges, `"2..50"`, in which the
    search tries values between neighbouring points of the front until `runs` are spent.

    >>> import polars as pl, shoal
    >>> people = pl.DataFrame({"age": [31, 38, 52, 55, 41, 47, 29, 63]})
    >>> policy = shoal.Policy.of_roles(quasi=["age"], privacy=[shoal.KAnonymity(2)])
    >>> found = shoal.frontier(people, policy, k=[2, 4], risk="highest-risk", processes=0)
    >>> found.front["k"].to_list()
    [2, 4]
    """
    plan = frontier_plan(
        Policy.of(policy), loss=loss, risk=risk, algorithms=algorithms, k=k, vary=vary, runs=runs
    )
    limits = Limits(timeout, memory, processes)
    with stages_shown(progress, watch) as stages:
        return run(
            source_of(frame),
            plan,
            folder=None if folder is None else Path(folder),
            limits=limits,
            stages=stages,
        )
