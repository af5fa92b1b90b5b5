"""Running kernels on several threads, with the same result for any number of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from contextlib import contextmanager
from dataclasses import dataclass
from typing import ParamSpec, TypeVar

import numpy as np

from shoal.types.arrays import Int64Array
from shoal.types.watch import EVERY, Watch

P = ParamSpec("P")
T = TypeVar("T")
TOO_LITTLE = 10_000  # units of work below which another thread costs more than it saves


@dataclass(frozen=True, eq=False, repr=False)
class Spread:
    """Threads that do the work, while the one that waits for them listens to the watch.

    Kernels write only to places of their own items, so the shares do not change the result.
    """

    pool: ThreadPoolExecutor
    n_threads: int
    watch: Watch

    def __call__(
        self, work: Callable[[Int64Array], None], items: Int64Array, sizes: Int64Array
    ) -> None:
        """Call work(share) on even shares of the items; `sizes` are units of work."""
        self.watch.look()
        if len(items) and sizes.sum() < TOO_LITTLE:
            work(items)
            self.watch.check()
        elif len(items):
            self._wait_for([self.pool.submit(work, share) for share in self._shares(items, sizes)])

    def aside(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """What a function returns that takes long and cannot be divided."""
        self.watch.look()
        running = self.pool.submit(function, *args, **kwargs)
        self._wait_for([running])
        return running.result()

    def _shares(self, items: Int64Array, sizes: Int64Array) -> list[Int64Array]:
        n_shares = 1 if self.n_threads == 1 else 2 * self.n_threads
        ends = np.searchsorted(np.cumsum(sizes), np.linspace(0, sizes.sum(), n_shares + 1)[1:-1])
        return [share for share in np.split(items, ends) if len(share)]

    def _wait_for(self, running: Sequence[Future[T]]) -> None:
        """Until all are done; the first error, of theirs or of who listens, ends the others."""
        waiting = set(running)
        try:
            while waiting:
                done, waiting = wait(waiting, EVERY, FIRST_EXCEPTION)
                for share in done:
                    share.result()
                self.watch.look()
        except BaseException:
            with self.watch.halted():
                for share in running:
                    share.cancel()
                wait(running)
            raise


@contextmanager
def spread_over(n_threads: int, watch: Watch | None = None) -> Iterator[Spread]:
    """So many threads, all of which have ended afterwards, whatever happens."""
    with ThreadPoolExecutor(n_threads) as pool:
        yield Spread(pool, n_threads, watch or Watch())
