"""Runs in processes of their own, each with a limit of time and memory that ends it cleanly."""

from __future__ import annotations

import contextlib
import json
import os
import pickle
import queue
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol

from shoal.comparison.run import Run
from shoal.comparison.variants import Variant
from shoal.errors import BadOption, ShoalError
from shoal.runs.worker import Bench, Shared
from shoal.types.watch import Watch

GLANCE = 0.05  # seconds between two looks at time, memory and whether the call was cancelled
COMPILING = 900.0  # seconds that kernels may take to compile, which is not the run's own time
# No other library uses numba in that process, so kernels load faster, as in the command.
START = """
import sys
sys.path[:] = {path!r}
from shoal import kernels
kernels.in_command = True
from shoal.runs.worker import main
main()
"""
ONE_THREAD = dict.fromkeys(
    ("POLARS_MAX_THREADS", "NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS",
     "MKL_NUM_THREADS"), "1",
)  # fmt: skip


class RunListener(Protocol):
    """Who hears which runs begin and end."""

    def began(self, variant: Variant) -> None: ...

    def ended(self, run: Run) -> None: ...


class Worker:
    """A process, what it is doing, and since when."""

    def __init__(self, shared: bytes, threads: int, events: queue.SimpleQueue[Any]) -> None:
        said = ONE_THREAD if threads == 1 else {}
        self.process = subprocess.Popen(
            [sys.executable, "-P", "-c", START.format(path=sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,  # what libraries say may show a cell
            env=os.environ | said,
        )
        self.variant: Variant | None = None
        self.since = time.monotonic()
        self.is_ready = self.has_begun = False
        self.n_done = 0
        self._outgoing: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._outgoing.put(shared)
        threading.Thread(target=self._talk, daemon=True).start()
        threading.Thread(target=self._listen, args=(events,), daemon=True).start()

    def begin(self, variant: Variant) -> None:
        self.variant, self.has_begun, self.since = variant, False, time.monotonic()
        self._outgoing.put(pickle.dumps(variant.policy, protocol=5))

    def end(self) -> int:
        """End the process at once; gives what it ended with."""
        self.process.kill()
        code = self.process.wait()
        self._outgoing.put(b"")  # which ends who talks to it
        for pipe in (self.process.stdin, self.process.stdout):
            with contextlib.suppress(OSError, ValueError):
                if pipe is not None:
                    pipe.close()
        return code

    def _talk(self) -> None:
        """Send messages while others work: a large table takes longer than a pipe holds."""
        assert self.process.stdin is not None
        with contextlib.suppress(OSError, ValueError):  # it has ended, which is heard anyway
            while message := self._outgoing.get():
                self.process.stdin.write(message)
                self.process.stdin.flush()

    def _listen(self, events: queue.SimpleQueue[Any]) -> None:
        assert self.process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            for line in self.process.stdout:
                events.put((self, json.loads(line)))
        events.put((self, None))


class Processes:
    """Tries policies, several at once. Leave the `with` to end all processes."""

    def __init__(
        self,
        shared: bytes,
        *,
        n: int,
        threads: int = 1,
        seconds: float | None = None,
        megabytes: int | None = None,
        watch: Watch | None = None,
        listener: RunListener | None = None,
    ) -> None:
        refuse_limits(seconds, megabytes)
        self._shared, self._n, self._threads = shared, n, threads
        self._seconds, self._megabytes = seconds, megabytes
        self._watch, self._listener = watch or Watch(), listener
        self._events: queue.SimpleQueue[Any] = queue.SimpleQueue()
        self._workers: list[Worker] = []
        self._waiting: deque[Variant] = deque()

    def __enter__(self) -> Processes:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, place: TracebackType | None
    ) -> None:
        for worker in self._workers:
            worker.end()
        self._workers.clear()

    def run(self, variants: Sequence[Variant], ended: Callable[[Run], None]) -> None:
        """Try all of them; `ended` hears of each at once, in the order in which they end."""
        self._waiting.extend(variants)
        n_left = len(variants)
        while n_left:
            self._hand_out()
            for run in self._ended():
                n_left -= 1
                ended(run)
                if self._listener:
                    self._listener.ended(run)
            self._watch.look()

    def _hand_out(self) -> None:
        free = [worker for worker in self._workers if worker.variant is None]
        while self._waiting and (free or len(self._workers) < self._n):
            worker = free.pop() if free else self._start()
            variant = self._waiting.popleft()
            worker.begin(variant)
            if self._listener:
                self._listener.began(variant)

    def _start(self) -> Worker:
        worker = Worker(self._shared, self._threads, self._events)
        self._workers.append(worker)
        return worker

    def _ended(self) -> Iterable[Run]:
        """The runs that ended since the last look: by themselves, or by a limit."""
        with contextlib.suppress(queue.Empty):
            run = self._heard(*self._events.get(timeout=GLANCE))
            while True:
                if run is not None:
                    yield run
                run = self._heard(*self._events.get_nowait())
        for worker in [worker for worker in self._workers if worker.variant is not None]:
            run = self._over_limit(worker)
            if run is not None:
                yield run

    def _heard(self, worker: Worker, answer: dict[str, Any] | None) -> Run | None:
        if worker not in self._workers:  # it was ended, and says so late
            return None
        if answer is None:
            return self._crashed(worker)
        if "ready" in answer:
            worker.is_ready = True
            return None
        if "began" in answer:
            worker.has_begun, worker.since = True, time.monotonic()
            return None
        variant, worker.variant = worker.variant, None
        assert variant is not None
        worker.n_done += 1
        return run_of(variant, **answer)

    def _crashed(self, worker: Worker) -> Run | None:
        code = worker.end()
        self._workers.remove(worker)
        if not worker.is_ready:
            raise ShoalError(
                f"A process that tries policies ended while it started (exit code {code}). Is "
                "there enough memory? What ended before is kept."
            )
        if worker.variant is None:
            return None
        if code == -9:
            why = "The system ended the process, most likely for want of memory."
            return run_of(worker.variant, outcome="too much memory", why=why)
        return run_of(worker.variant, outcome="failed", why=f"The process ended with code {code}.")

    def _over_limit(self, worker: Worker) -> Run | None:
        variant = worker.variant
        assert variant is not None
        spent = time.monotonic() - worker.since
        limit = self._seconds if worker.has_begun else COMPILING
        if limit is not None and spent > limit:
            self._drop(worker)
            why = f"It took more than {limit:g} seconds."
            return run_of(
                variant, outcome="too long", why=why, seconds=round(spent, 1), limit=limit
            )
        used = memory_of(worker.process.pid) if self._megabytes else None
        if used is None or self._megabytes is None or used <= self._megabytes * 1_000_000:
            return None
        self._drop(worker)
        if worker.n_done:  # what earlier runs left behind may be what is too much
            self._waiting.appendleft(variant)
            return None
        why = f"It needed more than {self._megabytes:,} MB."
        return run_of(variant, outcome="too much memory", why=why, limit=self._megabytes)

    def _drop(self, worker: Worker) -> None:
        self._workers.remove(worker)
        worker.end()


class ThisProcess:
    """Tries policies one after another where it is called; no limit ends them."""

    def __init__(self, shared: Shared, watch: Watch, listener: RunListener | None) -> None:
        self._bench, self._watch, self._listener = Bench(shared), watch, listener

    def run(self, variants: Sequence[Variant], ended: Callable[[Run], None]) -> None:
        for variant in variants:
            self._watch.check()
            if self._listener:
                self._listener.began(variant)
            run = run_of(variant, **self._bench.answer(variant.policy))
            self._watch.check()
            ended(run)
            if self._listener:
                self._listener.ended(run)


def run_of(variant: Variant, **answer: Any) -> Run:
    """What a worker answered about a variant, as a line of the journal."""
    return Run(
        id=variant.id,
        method=variant.method,
        k=variant.k,
        options=dict(variant.options),
        seed=variant.seed,
        **answer,
    )


def refuse_limits(seconds: float | None, megabytes: int | None) -> None:
    if seconds is not None and not seconds > 0:
        raise BadOption("timeout must be a number of seconds above 0")
    if megabytes is not None and not megabytes > 0:
        raise BadOption("memory must be a number of megabytes above 0")
    if megabytes is not None and memory_of(os.getpid()) is None:
        raise BadOption("memory cannot be watched on this system. Leave the limit out.")


def memory_of(process: int) -> int | None:
    """The bytes of memory that a process uses; None where the system does not tell."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        pages = Path(f"/proc/{process}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")
    with contextlib.suppress(OSError, ValueError, subprocess.SubprocessError):
        shown = subprocess.run(["ps", "-o", "rss=", "-p", str(process)], capture_output=True)
        return int(shown.stdout) * 1024
    return None
