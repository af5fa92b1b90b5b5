"""Timing the stages of a run and telling somebody about them."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import ParamSpec, TypeVar

from shoal.types.watch import Watch

P = ParamSpec("P")
T = TypeVar("T")
Listener = Callable[[str, float | None], None]  # stage, and its seconds when it is done


class Stages:
    """A stopwatch per stage; a listener hears when one begins and when it ends.

    One that has a method `tell` hears through the watch how far a long search is, too.
    """

    def __init__(self, listener: Listener | None = None) -> None:
        self.seconds: dict[str, float] = {}
        self.watch = Watch(getattr(listener, "tell", None))
        self._listener = listener or (lambda stage, seconds: None)

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        self._listener(stage, None)
        start = time.perf_counter()
        yield
        elapsed = time.perf_counter() - start
        self.seconds[stage] = self.seconds.get(stage, 0.0) + elapsed
        self._listener(stage, elapsed)

    def timed(self, stage: str, function: Callable[P, T]) -> Callable[P, T]:
        """The function as a stage."""

        def run(*args: P.args, **kwargs: P.kwargs) -> T:
            with self(stage):
                return function(*args, **kwargs)

        return run
