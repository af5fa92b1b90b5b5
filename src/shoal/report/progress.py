"""Telling on stderr what a run is doing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from shoal.progress import Listener
from shoal.report.words import STAGES

if TYPE_CHECKING:
    from rich.status import Status

COMPILING = "compiling kernels: the first run only, about ten seconds"


class Shown:
    """A listener that shows each stage while it runs and its seconds when it is done."""

    def __init__(self, status: Status) -> None:
        self._status = status
        self._stage = ""

    def __call__(self, stage: str, seconds: float | None) -> None:
        if seconds is not None:
            line = f"  {STAGES[stage]:<24} {seconds:6.2f} s"
            self._status.console.print(line, style="dim")
            return
        self._stage = STAGES[stage]
        if stage == "compile" and not _compiled_before():
            self._stage = COMPILING
            self._status.console.print(f"  {COMPILING}", style="dim")
        self._status.update(self._stage)

    def tell(self, progress: str) -> None:
        """How far a long stage is."""
        self._status.update(f"{self._stage}: {progress}")


@contextmanager
def show_stages(*, quiet: bool) -> Iterator[Listener]:
    """Who listens to the stages of a run; nobody, if it shall be quiet."""
    if quiet:
        yield lambda stage, seconds: None
        return
    from rich.console import Console

    console = Console(stderr=True, highlight=False)
    with console.status("starting") as status:
        yield Shown(status)


def _compiled_before() -> bool:
    from shoal.kernels._compile import compiled_before

    return compiled_before()
