"""shoal reproduce"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import click

from shoal.cli import _compare as shared
from shoal.cli import _options as options
from shoal.cli._interrupt import interrupting
from shoal.errors import counted


@click.command(short_help="Run the experiments of five papers again, and judge what they claim.")
@click.option("--quick", is_flag=True, help="Small samples and few seeds: minutes, not an hour.")
@click.option(
    "--only", type=shared.Names(), default="", metavar="C12,C40", help="Some claims (default: all)."
)
@click.option(
    "-o", "--output", "folder", type=shared.FOLDER, default="shoal-reproduction", show_default=True,
    help="Folder for the page, its pictures and the figures.",
)  # fmt: skip
@click.option(
    "--processes", type=click.IntRange(min=1), help="Trials at once (default: as many as cores)."
)
@click.option("--no-runs", is_flag=True, help="Judge what was measured before, and run nothing.")
@options.json
@options.quiet
def reproduce(
    quick: bool,
    only: tuple[str, ...],
    folder: Path,
    processes: int | None,
    no_runs: bool,
    as_json: bool,
    quiet: bool,
) -> None:
    """Run the experiments of five papers again, and judge each of their claims.

    Writes reproduction.md with a verdict for each claim. Every trial is noted as it ends, so that
    the same command goes on where it was ended. An experiment that is not complete at full scale is
    judged by what --quick measured, and the page says so.
    """
    from shoal.report.comparison.progress import show_runs
    from shoal.runs.compare import Limits
    from shoal.runs.reproduce import PAGE, Reproduction, left, measure, write
    from shoal.runs.stages import Stages

    asked = Reproduction.of(folder, is_quick=quick, only=only)
    trials = [] if no_runs else left(asked)
    watch, n = Stages().watch, len(trials)
    at_once = Limits(processes=processes).n_processes(n)
    with interrupting(watch), show_runs(
        [trial.variant for trial in trials], n, at_once, quiet=quiet
    ) as bar:  # fmt: skip
        measure(asked, trials, processes=processes, listener=bar, watch=watch)
    judged = write(asked)
    if as_json:
        click.echo(json.dumps({one.claim.id: one.verdict for one in judged}))
        return
    for verdict, number in Counter(one.verdict for one in judged).most_common():
        names = ", ".join(one.claim.id for one in judged if one.verdict == verdict)
        click.echo(f"{counted(number, 'claim')} {verdict}: {names}")
    for note in asked.notes:
        click.echo(f"Left out: {note}", err=True)
    click.echo(f"Wrote {folder / PAGE}.")
