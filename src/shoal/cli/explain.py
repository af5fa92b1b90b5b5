"""shoal explain"""

from __future__ import annotations

import json
from pathlib import Path

import click

from shoal.cli import _options as options
from shoal.cli._interrupt import interrupting


@click.command(short_help="Say what costs the loss, and what would save it.")
@click.argument("data", type=options.FILE)
@options.policy
@click.option(
    "--budget",
    type=click.IntRange(min=1),
    default=24,
    show_default=True,
    help="Number of changes to try at most.",
)
@options.json
@options.threads
@options.quiet
@options.delimiter
@options.encoding
def explain(
    data: Path,
    policy: Path,
    budget: int,
    as_json: bool,
    threads: int | None,
    quiet: bool,
    delimiter: str | None,
    encoding: str | None,
) -> None:
    """Try changes of a policy on DATA, one at a time, and say what each would save.

    A smaller k, 1 % more suppression, other algorithms, the costliest records left out; each column
    left out, published finer, or let become coarser. Sorted by what is saved for what is given up,
    each as the line of the policy to change. Nothing is released. Writes no files.
    """
    from shoal.policy.policy import Policy
    from shoal.read.files import read_file
    from shoal.report.progress import show_stages
    from shoal.runs.explain import explain_table
    from shoal.runs.stages import Stages

    rules = Policy.load(policy)
    with show_stages(quiet=quiet or as_json) as listener:
        stages = Stages(listener)
        with stages("read"):
            source = read_file(data, delimiter=delimiter, encoding=encoding)
        with interrupting(stages.watch):
            found = explain_table(source, rules, budget=budget, threads=threads, stages=stages)
    if as_json:
        click.echo(json.dumps(found.as_dict()))
    else:
        found.print_to(options.console())
