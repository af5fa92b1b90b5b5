"""Read files on a thread of their own, while this one loads the policy and the kernels."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

T = TypeVar("T")


def start_reading(read: Callable[[], T]) -> Future[T]:
    """What `read` will return. An error in the policy does not wait for it."""
    reader = ThreadPoolExecutor(1)
    reading = reader.submit(read)
    reader.shutdown(wait=False)
    return reading


def raise_early(reading: Future[T]) -> None:
    """Raise at once what went wrong already: there is no such file."""
    if reading.done():
        reading.result()
