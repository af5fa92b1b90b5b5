"""Processes that wait where a test wants them, and are ended there."""

import signal

import pytest

WHILE_GROUPING = """
import sys, time
from shoal.group.partition.mondrian import Mondrian
grouped = Mondrian.group
def group(self, table, *arguments):
    if table.n_records > 4:  # not the rehearsal
        print("now", file=sys.stderr, flush=True)
        time.sleep(60)
    return grouped(self, table, *arguments)
Mondrian.group = group
"""


def listen_to_interrupts() -> None:
    """A shell may have started the tests with interrupts ignored, which processes inherit."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def wait_for(process, text: str) -> None:
    for line in process.stderr:
        if text in line:
            return
    pytest.fail(f"the process ended before it said {text!r}")
