"""`shoal compare`: many policies on one table, which is read and encoded once."""

from __future__ import annotations

import contextlib
import hashlib
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from shoal.comparison.comparison import Comparison, in_order, policy_name
from shoal.comparison.journal import Journal
from shoal.comparison.measures import Measure, measures_asked, measures_of
from shoal.comparison.run import Run
from shoal.comparison.variants import Asked, Variant, policy_digest, variants_of
from shoal.errors import BadOption, OutputError, PolicyError, ShoalError
from shoal.kernels.boxes import group_boxes
from shoal.policy.policy import Policy
from shoal.read.registry import rows_sha256
from shoal.read.source import Source
from shoal.read.steady import sha256_of
from shoal.runs.prepare import Prepared, prepare
from shoal.runs.processes import Processes, RunListener, ThisProcess, refuse_limits
from shoal.runs.pseudonyms import pseudonymise, refuse_linked
from shoal.runs.search import outcome_of
from shoal.runs.stages import Stages
from shoal.runs.worker import Shared, packed
from shoal.types.algorithm import Algorithm
from shoal.types.grouping import Grouping
from shoal.types.metric import AnyMetric
from shoal.types.outcome import Outcome
from shoal.write.atomic import FileSet
from shoal.write.files import add_file
from shoal.write.folder import check_folder

TIMEOUT = 600.0  # seconds for a run, unless somebody says otherwise
POLICIES = "policies"


@dataclass(frozen=True)
class Limits:
    """What a run may use, and how many run at once.

    `processes` None: as many as cores; 0: one after another in this process, without limits.
    """

    seconds: float | None = TIMEOUT
    megabytes: int | None = None
    processes: int | None = None

    def __post_init__(self) -> None:
        refuse_limits(self.seconds, self.megabytes)
        if self.processes is not None and self.processes < 0:
            raise BadOption("processes must be a whole number, 0 for this one alone")

    def n_processes(self, n_runs: int) -> int:
        return max(1, min(n_runs, self.processes or n_cores()))


@dataclass(frozen=True)
class Plan:
    """What is to be tried and measured; made, and refused, before any table is read."""

    policy: Policy
    asked: Asked
    variants: tuple[Variant, ...]
    measures: tuple[Measure, ...]
    is_chosen: bool  # somebody named the measures, so that one which cannot be had is an error


def plan_of(
    policy: Policy,
    *,
    algorithms: Sequence[Any] | str = (),
    k: Sequence[int] | int = (),
    vary: Mapping[str, Sequence[Any]] | None = None,
    seeds: int = 1,
    measures: Sequence[Any] = (),
) -> Plan:
    """Refuses unknown algorithms, options and measures, and those that the policy cannot have."""
    asked = Asked.of(policy, algorithms, k, vary, seeds)
    chosen = measures_asked(policy, measures) if measures else measures_of(policy)
    variants = tuple(variants_of(policy, asked))
    return Plan(policy, asked, variants, tuple(chosen), is_chosen=bool(measures))


def compare(
    source: Source,
    plan: Plan,
    *,
    folder: Path | None = None,
    limits: Limits | None = None,
    stages: Stages | None = None,
    listener: RunListener | None = None,
) -> Comparison:
    """Try every variant of a plan, each verified like any release, and keep what it measures.

    With a `folder`, every run that ends is noted there at once, and the next call goes on.
    """
    with Trials(source, plan, folder=folder, limits=limits, stages=stages) as trials:
        return compared(trials, plan, listener)


def compared(trials: Trials, plan: Plan, listener: RunListener | None = None) -> Comparison:
    """Every variant of a plan, tried on a table that was read."""
    runs = trials.run(plan.variants, listener)
    in_turn, variants = in_order(plan.variants, {run.id: run for run in runs})
    return Comparison(in_turn, variants, trials.measures, trials.n_records, trials.folder)


class Trials:
    """A table that was read once, the processes that try policies on it, and what they found."""

    def __init__(
        self,
        source: Source,
        plan: Plan,
        *,
        folder: Path | None = None,
        limits: Limits | None = None,
        stages: Stages | None = None,
    ) -> None:
        self._source, self._plan, self.folder = source, plan, folder
        self._limits, self.stages = limits or Limits(), stages or Stages()
        self._open = contextlib.ExitStack()
        self._working: Processes | ThisProcess | None = None
        self._shared: Shared | None = None
        self.measures: tuple[Measure, ...] = plan.measures

    @property
    def n_records(self) -> int:
        return self._source.n_records

    def open(self) -> None:
        """Read and encode the table, and look at the folder; refuses what cannot be measured."""
        journal = _journal(self.folder, self._source, self._plan.policy)
        shared = share(self._source, self._plan, self._limits, self.stages)
        self.measures = shared.measures
        self._shared, self._journal = shared, journal

    def __enter__(self) -> Trials:
        if self._shared is None:
            self.open()
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    def run(self, variants: Sequence[Variant], listener: RunListener | None = None) -> list[Run]:
        """The runs of some variants: those that are known, and all others once they ended."""
        write_policies(self.folder, variants)
        labels = [measure.label for measure in self.measures]
        seconds, memory = self._limits.seconds, self._limits.megabytes
        known = {v.id: self._journal.known(v.id, labels, seconds, memory) for v in variants}
        found = [called(run, v) for v in variants if (run := known[v.id]) is not None]
        left = [variant for variant in variants if known[variant.id] is None]
        watch = self.stages.watch

        def tell() -> None:
            watch.begin("runs", len(variants))  # again: a run in this process tells of its own
            watch.report(len(found))

        tell()

        def ended(run: Run) -> None:
            self._journal.add(run)
            found.append(run)
            tell()

        if listener is not None:
            for run in found:
                listener.ended(run)
        if left:
            with self.stages("runs"):
                self._workers(len(left), listener).run(left, ended)
        return found

    def _workers(self, n_runs: int, listener: RunListener | None) -> Processes | ThisProcess:
        """Who tries policies: started when there is something to try."""
        assert self._shared is not None
        if self._working is None and self._limits.processes == 0:
            self._working = ThisProcess(self._shared, self.stages.watch, listener)
        if self._working is None:
            n = self._limits.n_processes(max(n_runs, len(self._plan.variants)))
            made = Processes(
                packed(self._shared),
                n=n,
                threads=self._shared.prepared.threads,
                seconds=self._limits.seconds,
                megabytes=self._limits.megabytes,
                watch=self.stages.watch,
                listener=listener,
            )
            self._working = self._open.enter_context(made)
        return self._working


def share(source: Source, plan: Plan, limits: Limits, stages: Stages) -> Shared:
    """The table, read and encoded for all algorithms of a plan, with measures that it can have."""
    policy = plan.policy
    source = replace(source, native=None)  # releases are measured, and let go
    schema = policy.schema_for(source.frame.columns)
    pseudonymised = pseudonymise(source, policy, None, stages)
    threads = max(1, n_cores() // limits.n_processes(len(plan.variants)))
    prepared = prepare(pseudonymised.source, policy, schema, threads=threads, stages=stages)
    refuse_linked(prepared)
    encode_all(prepared, plan.asked.algorithms)
    with stages("encode"):
        measures = tuple(possible(prepared, plan))
    return Shared(policy, prepared, pseudonymised, source, measures)


def encode_all(prepared: Prepared, algorithms: Sequence[Algorithm]) -> None:
    """Encode the table as each algorithm needs it; an error only if none of them can have it."""
    errors = []
    for algorithm in algorithms:
        try:
            prepared.encoded_for(algorithm)
        except ShoalError as error:  # its runs will say it
            errors.append(error)
    if len(errors) == len(algorithms):
        raise errors[0]


def possible(prepared: Prepared, plan: Plan) -> Iterator[Measure]:
    """The measures that this table can have: each is tried on all records as one group."""
    whole = _one_group(prepared, plan.asked.algorithms)
    for measure in plan.measures:
        try:
            if measure.metric is not None and whole is not None and _is_of_groups(measure.metric):
                measure.metric.measure(whole)
        except BadOption as error:
            if plan.is_chosen:
                where = ("measures", measure.label)
                raise PolicyError(f"cannot be measured: {error}", where) from None
            continue
        yield measure


def _is_of_groups(metric: AnyMetric) -> bool:
    """Whether groups are enough to try a metric: some look at released records, too."""
    return {"release", "sensitive", "severity"}.issuperset(metric.needs)


def _one_group(prepared: Prepared, algorithms: Sequence[Algorithm]) -> Outcome | None:
    for algorithm in algorithms:
        with contextlib.suppress(ShoalError):
            encoding = prepared.encoded_for(algorithm).encoding
            table = encoding.table
            labels = np.zeros(table.n_rows, dtype=np.int32)
            rows = np.arange(table.n_rows, dtype=np.int32)
            low, high = group_boxes(table.codes, rows, labels, 1)
            grouping = Grouping.of_rows(table, labels, low, high)
            return outcome_of(encoding, grouping, prepared.privacy)
    return None


def called(run: Run, variant: Variant) -> Run:
    """A run that is known, by the names that this call has for its options."""
    options = dict(variant.options)
    return replace(run, method=variant.method, k=variant.k, options=options, seed=variant.seed)


def write_policies(folder: Path | None, variants: Sequence[Variant]) -> None:
    """The policy file of every run, ready to use; those that are there stay."""
    if folder is None:
        return
    inside = folder / POLICIES
    inside.mkdir(exist_ok=True)
    for variant in variants:
        path = inside / policy_name(variant)
        if not path.exists():
            variant.policy.write(path)


def write_files(comparison: Comparison, name: str) -> list[Path]:
    """The table as csv and parquet, and the page, all of them or none."""
    folder = comparison.folder
    if folder is None:
        return []
    paths = [folder / f"{name}{ending}" for ending in (".csv", ".parquet", ".html")]
    with FileSet() as files:
        for path in paths[:2]:
            add_file(files, comparison.frame, path)
        files.write_text(paths[2], comparison.html())
    return paths


def n_cores() -> int:
    """The cores that this process may use."""
    try:
        return len(os.sched_getaffinity(0))
    except AttributeError:  # not on this system
        return os.cpu_count() or 1


def _journal(folder: Path | None, source: Source, policy: Policy) -> Journal:
    if folder is None:
        return Journal()
    check_folder(folder)
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise OutputError(f"{folder}: cannot be made ({error.strerror}).") from None
    files = [sha256_of(path) for path in policy.files]
    about = hashlib.sha256("".join([policy_digest(policy), *files]).encode()).hexdigest()
    return Journal(folder, data=rows_sha256(source.frame), policy=about)
