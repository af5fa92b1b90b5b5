"""Progress of long work, and cancelling it."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.errors import Cancelled
from shoal.types.arrays import Int64Array

EVERY = 0.1  # seconds between two reports of the same work


@dataclass(frozen=True)
class Progress:
    """So much is done of a piece of work; `best` is the least cost found so far.

    Work has several pieces, one after another, each with a unit and a total of its own.

    >>> progress = Progress(done=50, total=200, unit="records")
    >>> f"{progress.done / progress.total:.0%} of {progress.total} {progress.unit}"
    '25% of 200 records'
    """

    done: int
    total: int | None  # None: not known beforehand
    unit: str  # in the plural: "records", "nodes"
    best: float | None = None


class Pulse(NamedTuple):
    """What a kernel shares with others while it runs: it counts, and ends early if it is to stop.

    A kernel that saw `stop` returns an unusable result: call `Watch.check` next.
    """

    done: Int64Array  # [1], written by the kernels of one thread
    stop: npt.NDArray[np.uint8]  # [1], the same for all threads


class Watch:
    """Receives the progress of long work, and can cancel it from any thread.

    `on_progress` is called from any thread, never twice at once, ten times a second at most and
    when a piece of work begins or ends. After `cancel`, the work raises `Cancelled`: within half a
    second while it searches, after the present step in other stages. A watch is for one run.

    A search that can end early with a result sets `may_stop`; asked to stop, it does.

    >>> watch = Watch(print)
    >>> watch.begin("records", 200)
    Progress(done=0, total=200, unit='records', best=None)
    >>> watch.report(200)
    Progress(done=200, total=200, unit='records', best=None)
    >>> watch.cancel()
    >>> watch.check()
    Traceback (most recent call last):
    shoal.errors.Cancelled: The run was cancelled. Nothing was written.
    """

    def __init__(self, on_progress: Callable[[Progress], None] | None = None) -> None:
        self.may_stop = False
        self.is_stopped = False
        self.is_cancelled = False
        self._on_progress = on_progress
        self._telling = threading.Lock()
        self._told = -EVERY  # when
        self._last: Progress | None = None
        self._progress = Progress(0, None, "records")
        self._stop = np.zeros(1, dtype=np.uint8)
        self._counts: dict[int, Int64Array] = {}  # of kernels, by thread

    def cancel(self) -> None:
        """Make the work raise `Cancelled`. Takes no lock: signal handlers may call it."""
        self.is_cancelled = True
        self._stop[0] = 1

    def check(self) -> None:
        """Raise `Cancelled` if that was asked for."""
        if self.is_cancelled:
            raise Cancelled

    def begin(self, unit: str, total: int | None) -> None:
        """Another piece of work begins, of which nothing is done yet."""
        for count in list(self._counts.values()):
            count[0] = 0
        self._progress, self._last = Progress(0, total, unit), None
        self.look()

    def report(self, done: int, best: float | None = None) -> None:
        """So much is done, besides what kernels count; `best` is the least cost so far."""
        self._progress = Progress(done, self._progress.total, self._progress.unit, best)
        self.look()

    def look(self) -> None:
        """Tell how far the work is, if it is time to; raise `Cancelled` if that was asked for."""
        self.check()
        if self._on_progress is None or not self._telling.acquire(blocking=False):
            return
        try:
            self._tell(self._on_progress)
        finally:
            self._telling.release()
        self.check()

    @property
    def progress(self) -> Progress:
        """How far the present piece of work is."""
        reported = self._progress
        done = reported.done + sum(int(count[0]) for count in list(self._counts.values()))
        done = done if reported.total is None else min(done, reported.total)
        return Progress(done, reported.total, reported.unit, reported.best)

    def pulse(self) -> Pulse:
        """For the kernels that this thread calls."""
        count = self._counts.setdefault(threading.get_ident(), np.zeros(1, dtype=np.int64))
        return Pulse(count, self._stop)

    @contextmanager
    def halted(self) -> Iterator[None]:
        """While this lasts, kernels end early: their results are not wanted any more."""
        self._stop[0] = 1
        try:
            yield
        finally:
            self._stop[0] = 0
            if self.is_cancelled:  # meanwhile
                self._stop[0] = 1

    def ask_to_stop(self) -> bool:
        """Whether the search will end by itself; asked twice, or where it cannot, it will not."""
        if not self.may_stop or self.is_stopped:
            return False
        self.is_stopped = True
        return True

    def _tell(self, on_progress: Callable[[Progress], None]) -> None:
        progress, now = self.progress, time.monotonic()
        is_end = self._last is None or progress.done == progress.total
        if progress != self._last and (is_end or now - self._told >= EVERY):
            self._last, self._told = progress, now
            on_progress(progress)
