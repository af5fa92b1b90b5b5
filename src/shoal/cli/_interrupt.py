"""Ctrl-C: the first ends a search that has something to show, any other ends the command."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from shoal.types.watch import Watch

STOPPING = (
    "shoal: stopping the search. The best result so far will be verified and written. "
    "Press Ctrl-C again to abort."
)
was_interrupted = threading.Event()
_watched: list[Watch] = []


def listen() -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _interrupt)


@contextmanager
def interrupting(watch: Watch) -> Iterator[None]:
    """While this lasts, an interrupt cancels the run, or ends its search if that has a result."""
    _watched.append(watch)
    try:
        yield
    finally:
        _watched.remove(watch)


def _interrupt(signum: int, frame: object) -> None:
    if signum == signal.SIGINT and any(watch.ask_to_stop() for watch in _watched):
        click.echo(STOPPING, err=True)
        return
    was_interrupted.set()
    for watch in _watched:
        watch.cancel()
    raise KeyboardInterrupt  # for whatever waits that looks at no watch
