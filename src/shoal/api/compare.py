"""`shoal.compare`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from shoal.api.progress import stages_shown
from shoal.comparison.comparison import Comparison
from shoal.policy.policy import Policy
from shoal.read.given import source_of
from shoal.runs.compare import TIMEOUT, Limits, plan_of
from shoal.runs.compare import compare as run
from shoal.types.algorithm import Algorithm
from shoal.types.frames import File, Given
from shoal.types.metric import AnyMetric
from shoal.types.watch import Watch


def compare(
    frame: Given,
    policy: Policy | Mapping[str, Any] | File,
    *,
    algorithms: Sequence[str | Mapping[str, Any] | Algorithm] | str = (),
    k: Sequence[int] | int = (),
    vary: Mapping[str, Sequence[Any]] | None = None,
    seeds: int = 1,
    measures: Sequence[str | Mapping[str, Any] | AnyMetric] = (),
    folder: File | None = None,
    timeout: float | None = TIMEOUT,
    memory: int | None = None,
    processes: int | None = None,
    watch: Watch | None = None,
    progress: bool | None = None,
) -> Comparison:
    """Try algorithms, k and options on one table, and measure each verified release.

    The table, a frame or the path of a file, is read once; runs go to processes, as many as cores.
    `vary` has options by their paths: `{"algorithm.s": [20, 50], "suppression": [0, 0.01]}`.
    A run may take `timeout` seconds and `memory` megabytes. With a `folder`, every run that ends is
    noted there, and a call that was ended goes on. `processes=0` runs everything in this process.

    >>> import polars as pl, shoal
    >>> people = pl.DataFrame({"age": [31, 38, 52, 55, 41, 47, 29, 63]})
    >>> policy = shoal.Policy.of_roles(quasi=["age"], privacy=[shoal.KAnonymity(2)])
    >>> found = shoal.compare(people, policy, k=[2, 4], measures=["loss", "dm"],
    ...                       processes=0)
    >>> found.frame.select("method", "k", "dm").rows()
    [('mondrian', 2, 16.0), ('mondrian', 4, 32.0)]
    """
    plan = plan_of(
        Policy.of(policy), algorithms=algorithms, k=k, vary=vary, seeds=seeds, measures=measures
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
