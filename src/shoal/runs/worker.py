"""A process that tries one policy after another on a table that was read already.

It gets pickled messages through its standard input, the table first, then a policy for each run,
and answers with a line of JSON for each. When its input ends, it ends too, whatever it is doing:
the one who started it is gone.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import pickle
import queue
import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, BinaryIO, NamedTuple

from shoal.comparison.measures import Measure
from shoal.errors import BadOption, NotPrivate, ShoalError
from shoal.policy.policy import Policy
from shoal.read.source import Source
from shoal.release.release import Release
from shoal.runs.anonymize import release_prepared
from shoal.runs.prepare import Prepared, prepare, reading_of
from shoal.runs.pseudonyms import Pseudonymised
from shoal.runs.search import refuse_small_table
from shoal.runs.stages import Stages
from shoal.runs.warm_up import warm_up

Answer = dict[str, Any]


class Shared(NamedTuple):
    """What all runs have in common: the table, read and encoded, and what is measured."""

    policy: Policy  # by which it was read
    prepared: Prepared
    pseudonymised: Pseudonymised
    original: Source
    measures: tuple[Measure, ...]


@dataclass
class Bench:
    """A table and what was read of it, for one policy after another."""

    shared: Shared
    _otherwise: tuple[Policy, Prepared] | None = None  # read by another policy, the last one

    def answer(self, policy: Policy) -> Answer:
        """What a run measures, or why it has no release. Errors show no value of a cell."""
        start = time.process_time()
        kept = self.shared.prepared.encodings
        try:
            found = self._released(policy)
        except NotPrivate as error:
            found = {"outcome": "refused", "why": _in_one_line(error)}
        except ShoalError as error:
            found = {"outcome": "failed", "why": _in_one_line(error)}
        except MemoryError:
            found = {"outcome": "too much memory", "why": "There was not enough memory."}
        except Exception as error:  # its text may hold a cell
            found = {"outcome": "failed", "why": f"internal error ({type(error).__name__})"}
        self.shared.prepared.forget_encodings(but=kept)
        return found | {"seconds": round(time.process_time() - start, 4)}

    def _released(self, policy: Policy) -> Answer:
        prepared = self._prepared(policy)
        refuse_small_table(prepared.privacy, prepared.source.n_records)
        spent = prepared.stages.processor
        before = spent.get("group", 0.0)
        release = release_prepared(prepared, self.shared.pseudonymised, self.shared.original)
        counted = {"group_seconds": spent.get("group", 0.0) - before, **counts_of(release)}
        measures, missing = measured(release, self.shared.measures)
        return {
            "outcome": "verified",
            "why": " ".join(missing),
            "measures": measures,
            "groups": release.verdict.n_groups,
            "released": release.n_released,
            "suppressed": release.n_read - release.n_released,
            "trace": counted,
        }

    def _prepared(self, policy: Policy) -> Prepared:
        """The table under a policy; columns that the policy reads otherwise are read again."""
        if reading_of(policy) == reading_of(self.shared.policy):
            return under(self.shared.prepared, policy)
        if self._otherwise is None or reading_of(policy) != reading_of(self._otherwise[0]):
            source = self.shared.prepared.source
            schema = policy.schema_for(source.frame.columns)
            threads = self.shared.prepared.threads
            self._otherwise = policy, prepare(source, policy, schema, threads=threads)
        return under(self._otherwise[1], policy)


def _in_one_line(error: ShoalError) -> str:
    """As the tables of a comparison show it."""
    return " ".join(str(error).split())


def under(prepared: Prepared, policy: Policy) -> Prepared:
    """A table that was read by a policy like this; formats of dates were found out by then."""
    return prepared.under(replace(policy, columns=prepared.policy.columns))


def measured(
    release: Release, measures: Sequence[Measure]
) -> tuple[Mapping[str, float | None], list[str]]:
    """The figures of a release by their labels; what it cannot have is None, and said why."""
    found: dict[str, float | None] = {}
    missing = []
    for measure in measures:
        try:
            if measure.metric is not None:
                found[measure.label] = release.measure_by(measure.metric)
        except BadOption as error:
            found[measure.label] = None
            missing.append(str(error))
    return found, missing


def counts_of(release: Release) -> dict[str, float]:
    """The numbers that an algorithm reports, and the sum of the levels that it chose."""
    levels = release.grouping.levels
    height = {} if levels is None else {"level": float(sum(levels))}
    return height | dict(_numbers(release.grouping.trace, ""))


def _numbers(found: Mapping[str, Any], above: str) -> Iterator[tuple[str, float]]:
    for name, value in found.items():
        if isinstance(value, Mapping):
            yield from _numbers(value, f"{above}{name}.")
        elif isinstance(value, int | float) and math.isfinite(value):
            yield f"{above}{name}", float(value)


def packed(shared: Shared) -> bytes:
    """What is sent to workers. It goes through a pipe: no file with the table is written."""
    still = replace(shared.prepared, stages=None)  # type: ignore[arg-type]  # it has locks
    return pickle.dumps(shared._replace(prepared=still), protocol=5)


def main() -> None:
    """Answer every message until there are no more."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # whoever started this process decides
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # nothing else may be said there
    messages: queue.SimpleQueue[Any] = queue.SimpleQueue()
    threading.Thread(target=_hear, args=(sys.stdin.buffer, messages), daemon=True).start()
    shared: Shared = messages.get()
    bench = Bench(shared._replace(prepared=replace(shared.prepared, stages=Stages())))
    _say(answers, {"ready": True})
    while True:
        policy = messages.get()
        with contextlib.suppress(Exception):  # the run itself will say it
            warm_up(policy)
        _say(answers, {"began": True})
        _say(answers, bench.answer(policy))


def _hear(incoming: BinaryIO, messages: queue.SimpleQueue[Any]) -> None:
    """Pass messages on; end the process when nobody can send more."""
    try:
        while True:
            messages.put(pickle.load(incoming))
    except (EOFError, OSError, pickle.UnpicklingError):
        os._exit(1)


def _say(answers: BinaryIO, answer: Answer) -> None:
    try:
        answers.write(json.dumps(answer).encode() + b"\n")
        answers.flush()
    except OSError:
        os._exit(1)
