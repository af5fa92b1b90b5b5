"""shoal suda"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from shoal.cli import _options as options
from shoal.cli._interrupt import interrupting
from shoal.cli._reading import raise_early, start_reading


@click.command(short_help="Find records that few columns make unique.")
@click.argument("data", type=options.FILE)
@options.policy
@click.option(
    "--size",
    type=click.IntRange(min=1),
    default=3,
    show_default=True,
    help="Look at combinations of up to this many columns.",
)
@click.option(
    "--scale",
    type=click.Choice(["factorial", "share"]),
    default="factorial",
    show_default=True,
    help="Weights of combinations: (m-s)!, or the share of larger ones they imply.",
)
@click.option(
    "--share",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.1,
    show_default=True,
    help="Part of the population that the table is thought to be.",
)
@click.option(
    "--values", metavar="COLUMN", help="Also show, on this screen, which values are rare."
)
@options.json
@options.threads
@options.quiet
@options.delimiter
@options.encoding
def suda(
    data: Path,
    policy: Path,
    values: str | None,
    as_json: bool,
    quiet: bool,
    delimiter: str | None,
    encoding: str | None,
    **settings: Any,
) -> None:
    """Find special uniques (SUDA): records of DATA that few quasi-identifiers make unique.

    A record that is unique by two columns is easier to recognise than one that needs six. Scores
    add up such combinations; DIS turns them into the probability that a match is right. Shows which
    columns are behind it. Names no value, unless --values asks for those of a column. Writes no
    files.
    """
    from shoal.policy.policy import Policy
    from shoal.read.files import read_file
    from shoal.report.progress import show_stages
    from shoal.report.suda import print_suda, print_values
    from shoal.runs.stages import Stages

    if values is not None and as_json:
        raise click.UsageError("--values names cells: it is for your screen, not for --json.")
    with show_stages(quiet=quiet or as_json) as listener:
        stages = Stages(listener)
        read = stages.timed("read", read_file)
        reading = start_reading(lambda: read(data, delimiter=delimiter, encoding=encoding))
        rules = Policy.load(policy)
        raise_early(reading)
        from shoal.runs.risk import warm_up
        from shoal.runs.suda import suda_of

        with stages("compile"):
            warm_up()  # the kernels are those of `shoal risk`
        with interrupting(stages.watch):
            found = suda_of(reading.result(), rules, stages=stages, **settings)
    if as_json:
        click.echo(json.dumps(found.as_dict()))
        return
    print_suda(found, options.console())
    if values is not None:
        print_values(found, values, options.console())
