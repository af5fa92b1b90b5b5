"""Running a kernel on several threads, with the same result for any number of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import numpy as np

from shoal.types.arrays import Int64Array

Spread = Callable[[Callable[[Int64Array], None], Int64Array, Int64Array], None]
TOO_LITTLE = 10_000  # units of work below which a second thread costs more than it saves


@contextmanager
def spread_over(n_threads: int) -> Iterator[Spread]:
    """Gives `run(work, items, sizes)`: calls work(chunk) on even shares of the items.

    Kernels write only to places of their own items, so the shares do not change the result.
    """
    with ThreadPoolExecutor(n_threads) as pool:

        def run(work: Callable[[Int64Array], None], items: Int64Array, sizes: Int64Array) -> None:
            n_shares = 1 if n_threads == 1 or sizes.sum() < TOO_LITTLE else 2 * n_threads
            ends = np.searchsorted(
                np.cumsum(sizes), np.linspace(0, sizes.sum(), n_shares + 1)[1:-1]
            )
            shares = [share for share in np.split(items, ends) if len(share)]
            if len(shares) == 1:
                work(shares[0])
            else:
                list(pool.map(work, shares))

        yield run
