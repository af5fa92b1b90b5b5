"""Shows on stderr what a run is doing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from threading import Timer
from typing import TYPE_CHECKING

from shoal.report.words import STAGES
from shoal.runs.stages import Listener

if TYPE_CHECKING:
    from rich.status import Status

COMPILING = "compiling the kernels (first run only, up to a minute)"
SLOW = 1.5  # seconds


class Shown:
    """A listener that shows each stage while it runs and its seconds when it is done."""

    def __init__(self, status: Status) -> None:
        self._status = status
        self._stage = ""
        self._slow = Timer(SLOW, lambda: None)  # not started

    def __call__(self, stage: str, seconds: float | None) -> None:
        self._slow.cancel()
        if seconds is not None:
            line = f"  {STAGES[stage]:<24} {seconds:6.2f} s"
            self._status.console.print(line, style="dim")
            return
        self._stage = STAGES[stage]
        self._status.update(self._stage)
        if stage == "compile":  # loading takes a moment, compiling much longer
            say = self._status.console.print
            self._slow = Timer(SLOW, say, (f"  {COMPILING}",), {"style": "dim"})
            self._slow.daemon = True
            self._slow.start()

    def tell(self, progress: str) -> None:
        """How far a long stage is."""
        self._status.update(f"{self._stage}: {progress}")


@contextmanager
def show_stages(*, quiet: bool) -> Iterator[Listener]:
    """The listener to the stages of a run; if quiet, one that shows nothing."""
    if quiet:
        yield lambda stage, seconds: None
        return
    from rich.console import Console

    console = Console(stderr=True, highlight=False)
    with console.status("starting") as status:
        yield Shown(status)
