"""Timing the stages of a run and reporting them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Literal, ParamSpec, Protocol, TypeVar

from shoal.errors import Cancelled
from shoal.types.watch import Progress, Watch

P = ParamSpec("P")
T = TypeVar("T")
Ending = Literal["done", "failed", "cancelled"]


class Listener(Protocol):
    """Who hears what a run is doing. Stages may overlap: a file is read while kernels compile."""

    def began(self, stage: str) -> None: ...

    def progressed(self, progress: Progress) -> None: ...

    def ended(self, stage: str, seconds: float, ending: Ending) -> None: ...


class Stages:
    """A stopwatch per stage; a listener hears when one begins and how it ends.

    The watch tells how far a long stage is, and cancels the run: by the listener unless another
    one is given.
    """

    def __init__(self, listener: Listener | None = None, watch: Watch | None = None) -> None:
        self.seconds: dict[str, float] = {}
        self.processor: dict[str, float] = {}  # seconds of processor time, of all threads
        self.watch = watch or Watch(listener.progressed if listener else None)
        self._listener = listener

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        self.watch.check()
        if self._listener:
            self._listener.began(stage)
        start, used = time.perf_counter(), time.process_time()
        ending: Ending = "failed"
        try:
            yield
            self.watch.check()
            ending = "done"
        except (Cancelled, KeyboardInterrupt):
            ending = "cancelled"
            raise
        finally:
            elapsed = time.perf_counter() - start
            self.seconds[stage] = self.seconds.get(stage, 0.0) + elapsed
            spent = time.process_time() - used
            self.processor[stage] = self.processor.get(stage, 0.0) + spent
            if self._listener:
                self._listener.ended(stage, elapsed, ending)

    def timed(self, stage: str, function: Callable[P, T]) -> Callable[P, T]:
        """The function as a stage."""

        def run(*args: P.args, **kwargs: P.kwargs) -> T:
            with self(stage):
                return function(*args, **kwargs)

        return run
