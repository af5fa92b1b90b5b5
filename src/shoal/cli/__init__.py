"""The command line: a file per command, and here how every one of them begins and ends."""

from __future__ import annotations

import contextlib
import gc
import io
import json
import os
import sys
from pathlib import Path

import click

from shoal import __version__, kernels
from shoal.cli import _interrupt
from shoal.cli._interrupt import INTERRUPTED, INTERRUPTED_MESSAGE
from shoal.cli.anonymize import anonymize
from shoal.cli.apply import apply
from shoal.cli.attack import attack
from shoal.cli.check import check
from shoal.cli.compare import compare
from shoal.cli.demo import demo
from shoal.cli.docs import docs
from shoal.cli.explain import explain
from shoal.cli.frontier import frontier
from shoal.cli.hierarchy import hierarchy
from shoal.cli.init import init
from shoal.cli.key import key
from shoal.cli.lists import algorithms, hierarchies, metrics, models
from shoal.cli.measure import measure
from shoal.cli.reproduce import reproduce
from shoal.cli.risk import risk
from shoal.cli.schema import schema
from shoal.cli.suda import suda
from shoal.cli.warm_up import warm_up
from shoal.errors import Cancelled, ShoalError
from shoal.read.memory import ADVICE, available, refuse_small_address_space, shown

BAD_INPUT = 2
CLOSED_PIPE = 141  # the exit code of shells when the reader of a pipe has gone (SIGPIPE)


class InOrder(click.Group):
    """Lists commands in the order in which they are used, not by letter."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(self.commands)


@click.group(
    cls=InOrder,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    commands=[
        demo,
        init,
        hierarchy,
        key,
        anonymize,
        check,
        risk,
        suda,
        attack,
        measure,
        explain,
        compare,
        frontier,
        reproduce,
        apply,
        warm_up,
        algorithms,
        models,
        metrics,
        hierarchies,
        schema,
        docs,
    ],
)
@click.version_option(__version__, message="shoal %(version)s")
def cli() -> None:
    """Anonymize tables of people so that they can be shared, and verify it.

    Start with `shoal demo`, then run `shoal init` on your own file.
    """
    refuse_small_address_space()


def start() -> None:
    """The entry point of `shoal`: run the command, then exit without cleaning up.

    Freeing the memory of a large table page by page would take a third of a second.
    """
    kernels.in_command = True
    code = CLOSED_PIPE
    try:
        main()
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else 0
    with contextlib.suppress(OSError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def main() -> None:
    """Run a command; every failure has its exit code, and no message shows a cell's value."""
    for stream in (sys.stdout, sys.stderr):  # a terminal without umlauts must not end the run
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    gc.disable()  # a run lives for seconds and makes no cycles worth a tenth of its start
    with _interrupt.listening():
        code = _run()
    sys.exit(code)


def _run() -> int:
    try:
        return cli(standalone_mode=False) or 0
    except SystemExit as end:  # raised by click, not by a command
        return CLOSED_PIPE if end.code else 0  # the reader of a pipe has gone; or it completed
    except click.ClickException as error:
        error.show()
        _tell_program(ShoalError(error.format_message()), kind="Usage")
        return BAD_INPUT
    except (KeyboardInterrupt, click.Abort, Cancelled):
        click.echo(INTERRUPTED_MESSAGE, err=True)
        _tell_program(Cancelled())
        return INTERRUPTED
    except ShoalError as error:
        from shoal.report.printable import printable_lines

        click.echo(f"shoal: {printable_lines(str(error))}", err=True)  # it may name a column
        _tell_program(error)
        return error.exit_code
    except MemoryError:
        click.echo(_no_memory(), err=True)
        _tell_program(ShoalError(_no_memory()), kind="MemoryError")
        return BAD_INPUT
    except Exception as error:
        if _interrupt.was_interrupted.is_set():  # a kernel ends by another error then
            click.echo(INTERRUPTED_MESSAGE, err=True)
            return INTERRUPTED
        if "SHOAL_DEBUG" in os.environ:
            raise
        click.echo(_internal_error(error), err=True)
        _tell_program(ShoalError(_internal_error(error)), kind="InternalError")
        return BAD_INPUT


def _tell_program(error: ShoalError, **said: str) -> None:
    """With `--json`, an error is one object on stdout, as a result would be."""
    if "--json" in sys.argv[1:]:
        click.echo(json.dumps({"error": error.as_dict() | said}))


def _no_memory() -> str:
    have = available()
    left = f" {shown(have.n_bytes)} are available now ({have.limit})." if have else ""
    return f"shoal: there was not enough memory. No file was partly written.{left}\n{ADVICE}"


def _internal_error(error: Exception) -> str:
    """Where it happened, but not what it says: the text of an exception may hold a cell."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = f" at {Path(place.tb_frame.f_code.co_filename).name}:{place.tb_lineno}" if place else ""
    return (
        f"shoal: internal error ({type(error).__name__}{where}). Please report it.\n"
        "Set SHOAL_DEBUG=1 for the full traceback, which may include data."
    )
