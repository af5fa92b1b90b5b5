"""Shows on stderr what a run is doing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING

from shoal.report.words import STAGES
from shoal.runs.stages import Ending, Listener
from shoal.types.watch import Progress

if TYPE_CHECKING:
    from rich.status import Status

COMPILING = "compiling the kernels (first run only, up to a minute)"
SLOW = 1.5  # seconds


class Shown:
    """A listener that shows each stage while it runs and its seconds when it is done.

    A stage may come in several pieces, so its line waits until another stage has ended.
    """

    def __init__(self, status: Status) -> None:
        self._status = status
        self._stage = ""
        self._done, self._seconds = "", 0.0
        self._slow = Timer(SLOW, lambda: None)  # not started

    def began(self, stage: str) -> None:
        self._slow.cancel()
        self._stage = STAGES[stage]
        self._status.update(self._stage)
        if stage == "compile":  # loading takes a moment, compiling much longer
            say = self._status.console.print
            self._slow = Timer(SLOW, say, (f"  {COMPILING}",), {"style": "dim"})
            self._slow.daemon = True
            self._slow.start()

    def progressed(self, progress: Progress) -> None:
        self._status.update(f"{self._stage}: {progress_words(progress)}")

    def ended(self, stage: str, seconds: float, ending: Ending) -> None:
        self._slow.cancel()
        if ending == "done":
            if stage != self._done:
                self.show_done()
            self._done, self._seconds = stage, self._seconds + seconds

    def show_done(self) -> None:
        """Print the line of the stage that has ended last."""
        if self._done:
            line = f"  {STAGES[self._done]:<24} {self._seconds:6.2f} s"
            self._status.console.print(line, style="dim")
        self._done, self._seconds = "", 0.0


def progress_words(progress: Progress) -> str:
    """How far a piece of work is, in words.

    >>> progress_words(Progress(1200, 5000, "nodes", best=0.25))
    '1,200 of 5,000 nodes, 0.25 so far'
    >>> progress_words(Progress(7, None, "rounds"))
    '7 rounds'
    """
    of_total = "" if progress.total is None else f" of {progress.total:,}"
    so_far = "" if progress.best is None else f", {progress.best:.4g} so far"
    return f"{progress.done:,}{of_total} {progress.unit}{so_far}"


@contextmanager
def show_stages(*, quiet: bool) -> Iterator[Listener | None]:
    """The listener to the stages of a run; None if quiet."""
    if quiet:
        yield None
        return
    from rich.console import Console

    console = Console(stderr=True, highlight=False)
    with console.status("starting") as status:
        shown = Shown(status)
        try:
            yield shown
        finally:
            shown.show_done()
