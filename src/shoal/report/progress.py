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


@contextmanager
def show_stages(*, quiet: bool) -> Iterator[Listener]:
    """A listener that shows each stage while it runs and its seconds when it is done."""
    if quiet:
        yield lambda stage, seconds: None
        return
    from rich.console import Console

    console = Console(stderr=True, highlight=False)
    with console.status("starting") as status:
        yield lambda stage, seconds: _show(stage, seconds, status)


def _show(stage: str, seconds: float | None, status: Status) -> None:
    if seconds is not None:
        status.console.print(f"  {STAGES[stage]:<24} {seconds:6.2f} s", style="dim")
        return
    text = STAGES[stage]
    if stage == "compile" and not _compiled_before():
        text = COMPILING
        status.console.print(f"  {text}", style="dim")
    status.update(text)


def _compiled_before() -> bool:
    from shoal.kernels._compile import compiled_before

    return compiled_before()
