"""Ctrl-C and SIGTERM: the first Ctrl-C ends a search that has something to show, all others end
the command, within a second unless the machine is overloaded.

Python answers a signal between two of its own instructions. While compiled code runs for long, it
does not; so a thread hears of signals too, and ends the process if nobody else does in time.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import threading
import time
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
INTERRUPTED = 130
INTERRUPTED_MESSAGE = "shoal: interrupted. No file was partly written."
PATIENCE = 0.25  # seconds that the command has to end by itself
GLANCE = 0.02  # seconds between two looks at whether it did
was_interrupted = threading.Event()
_watched: list[Watch] = []
_asked_to_stop = threading.Event()  # the first Ctrl-C of a search was answered


@contextmanager
def listening() -> Iterator[None]:
    """While this lasts, signals are heard, by this thread and by one that only listens."""
    was_interrupted.clear()
    _asked_to_stop.clear()
    hearing, telling = os.pipe()
    os.set_blocking(telling, False)
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, _interrupt)
    before = signal.set_wakeup_fd(telling, warn_on_full_buffer=False)
    listener = threading.Thread(target=_listen, args=(hearing,), daemon=True)
    listener.start()
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        os.close(telling)  # which ends the listener
        listener.join()
        os.close(hearing)


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
        _asked_to_stop.set()
        click.echo(STOPPING, err=True)
        return
    was_interrupted.set()
    for watch in _watched:
        watch.cancel()
    raise KeyboardInterrupt  # for whatever waits that looks at no watch


def _listen(hearing: int) -> None:
    """Hear every signal at once, whatever the main thread does, until there are no more."""
    n_heard = 0
    while heard := os.read(hearing, 1):
        number = heard[0]
        if number not in (signal.SIGINT, signal.SIGTERM):
            continue
        n_heard += 1
        may_go_on = number == signal.SIGINT and n_heard == 1
        if not may_go_on or not _has_result():
            for watch in _watched:
                watch.cancel()  # kernels that look at the watch end now
        threading.Thread(target=_end_later, args=(may_go_on,), daemon=True).start()


def _has_result() -> bool:
    """Whether a search could end, or is ending, with the best that it has found."""
    return _asked_to_stop.is_set() or any(watch.may_stop for watch in list(_watched))


def _end_later(may_go_on: bool) -> None:
    """End the process unless it ends by itself: whatever it does, it does not look at signals."""
    ends = time.monotonic() + PATIENCE
    while time.monotonic() < ends or (may_go_on and _has_result()):
        time.sleep(GLANCE)
        if may_go_on and _asked_to_stop.is_set():
            return
    _end_now()


def _end_now() -> None:
    from shoal.write.drafts import remove_drafts

    remove_drafts()
    with contextlib.suppress(OSError, ValueError):
        sys.stderr.write(f"{INTERRUPTED_MESSAGE}\n")
        sys.stderr.flush()
    os._exit(INTERRUPTED)
