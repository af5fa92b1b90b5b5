"""A line that tells somebody who waits what a call is doing.

It is for people at a prompt: a notebook, IPython, the interpreter. A program that uses Shoal stays
quiet, unless it asks for the line.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock, Timer
from typing import TextIO

from shoal.errors import BadOption
from shoal.report.progress import COMPILING, progress_words
from shoal.report.words import STAGES
from shoal.runs.stages import Ending, Stages
from shoal.types.watch import Progress, Watch

VARIABLE = "SHOAL_PROGRESS"  # 0: never, 1: always; a call's own `progress` comes first
PATIENCE = 1.5  # seconds that need no explanation
EVERY = 0.2  # seconds between two lines
WIDEST = 79


@contextmanager
def stages_shown(progress: bool | None, watch: Watch | None) -> Iterator[Stages]:
    """The stages of a call, which show themselves if that is wanted.

    Unless `progress` says it, they are shown at a prompt, to a caller without a `watch`.
    """
    if watch is not None and not isinstance(watch, Watch):
        raise BadOption("watch must be a shoal.Watch")
    if progress is not None and not isinstance(progress, bool):
        raise BadOption("progress must be True, False or None")
    if not (_is_wanted(watch) if progress is None else progress):
        yield Stages(watch=watch)
        return
    line = Line(sys.stderr)
    try:
        yield Stages(line, watch)
    finally:
        line.clear()


def _is_wanted(watch: Watch | None) -> bool:
    said = os.environ.get(VARIABLE, "")
    return said == "1" if said else watch is None and hasattr(sys, "ps1")  # ps1: there is a prompt


class Line:
    """A listener that writes one line over and over, and removes it at the end.

    Calls that are done before anybody wonders leave no trace.
    """

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._started = self._written = time.monotonic()
        self._stage = ""
        self._width = 0
        self._writing = Lock()
        self._compiling = Timer(PATIENCE, lambda: None)  # not started

    def began(self, stage: str) -> None:
        self._stage = STAGES[stage]
        if stage == "compile":  # nothing is heard of it meanwhile
            self._compiling = Timer(PATIENCE, self._write, (COMPILING,))
            self._compiling.daemon = True
            self._compiling.start()
        elif time.monotonic() - self._started > PATIENCE:
            self._write(self._stage)

    def progressed(self, progress: Progress) -> None:
        now = time.monotonic()
        if now - self._started > PATIENCE and now - self._written > EVERY:
            self._write(f"{self._stage}: {progress_words(progress)}")

    def ended(self, stage: str, seconds: float, ending: Ending) -> None:
        self._compiling.cancel()

    def clear(self) -> None:
        self._compiling.cancel()
        if self._width:
            self._write("")

    def _write(self, text: str) -> None:
        with self._writing:
            line = f"shoal: {text}"[:WIDEST] if text else ""
            self._stream.write(f"\r{line:{self._width}}\r{line}")  # over the one before
            self._stream.flush()
            self._width, self._written = len(line), time.monotonic()
