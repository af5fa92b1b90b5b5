"""shoal measure"""

from __future__ import annotations

import json
from pathlib import Path

import click

from shoal.cli import _options as options
from shoal.cli._interrupt import interrupting


@click.command(short_help="Measure what a release is still good for.")
@click.argument("release", type=options.FILE)
@click.option(
    "--original", type=options.FILE, required=True, help="Table that the release was made from."
)
@options.policy
@click.option(
    "--measures",
    help="Measures, such as loss,query-error:columns=age+sex,classification:income "
    "(default: all that the policy allows and that are quick).",
)
@options.json
@options.quiet
@options.delimiter
@options.encoding
def measure(
    release: Path,
    original: Path,
    policy: Path,
    measures: str | None,
    as_json: bool,
    quiet: bool,
    delimiter: str | None,
    encoding: str | None,
) -> None:
    """Measure RELEASE, compared with the table that it was made from.

    `shoal metrics` lists the measures. Options follow a colon; the first one needs no name, and
    several values are joined by +. A measure that the policy cannot have is refused before any is
    computed. Works on any release whose cells the policy describes. Writes no files.
    """
    from shoal.policy.measures import chosen_measures
    from shoal.policy.policy import Policy
    from shoal.read.files import read_either
    from shoal.report.progress import show_stages
    from shoal.runs.measure import measure_release
    from shoal.runs.stages import Stages

    rules = Policy.load(policy)
    chosen = chosen_measures(measures, rules.columns)
    with show_stages(quiet=quiet or as_json) as listener:
        stages = Stages(listener)
        with stages("read"):
            released = read_either(release, delimiter=delimiter, encoding=encoding)
            before = read_either(original, delimiter=delimiter, encoding=encoding)
        with interrupting(stages.watch):
            found = measure_release(released, before, rules, chosen, stages=stages)
    if as_json:
        click.echo(json.dumps(found.as_dict()))
    else:
        found.print_to(options.console())
