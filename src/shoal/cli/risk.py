"""shoal risk"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shoal.cli import _options as options
from shoal.cli._in_engine import read_quasi
from shoal.cli._interrupt import interrupting
from shoal.cli._reading import raise_early, start_reading

if TYPE_CHECKING:
    from shoal.engines.location import Location
    from shoal.read.source import Source
    from shoal.risks.figures import Risk


@click.command(short_help="Measure re-identification risk, before and after.")
@click.argument("data", type=options.TABLE_OR_FILE)
@options.policy
@click.option("--population", type=options.FILE, help="Table of everyone who could be in the data.")
@click.option("--release", type=options.TABLE_OR_FILE, help="Release of the data, to compare with.")
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.09,
    show_default=True,
    help="Highest acceptable risk of a record.",
)
@click.option(
    "--estimator",
    type=click.Choice(["tree", "pitman", "zayatz", "snb", "dankar", "weights"]),
    help="How to estimate for the population (default: weights if there are any, else tree).",
)
@click.option(
    "--most-combinations",
    type=click.IntRange(min=1),
    default=2000,
    show_default=True,
    help="Evaluate at most this many combinations of 1-3 columns.",
)
@click.option(
    "--top",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    help="Number of combinations to show.",
)
@options.json
@options.threads
@options.quiet
@options.delimiter
@options.encoding
def risk(
    data: Path | Location,
    policy: Path,
    population: Path | None,
    release: Path | Location | None,
    top: int,
    as_json: bool,
    **settings: Any,
) -> None:
    """Measure how easily people in DATA can be re-identified by their quasi-identifiers.

    DATA is a file, or a table in a database: file.duckdb::table. Evaluates three attackers: the
    prosecutor knows that a person is in the data, the journalist knows only the population, the
    marketer looks everyone up. Counts records, or people if the policy names a person. Shows which
    columns, and which combinations of up to three, make people unique. With --release, shows the
    same figures after anonymization. Where the policy says which population the table is a sample
    of, estimates the risks there. Writes no files.
    """
    from shoal.report.risk import print_risk

    settings["quiet"] |= as_json
    found = risk_of_files(data, policy, population, release, **settings)
    if as_json:
        click.echo(json.dumps(found.as_dict()))
    else:
        print_risk(found, options.console(), top=top)


def risk_of_files(
    data: Path | Location,
    policy: Path,
    population: Path | None,
    release: Path | Location | None,
    *,
    quiet: bool,
    delimiter: str | None,
    encoding: str | None,
    **settings: Any,
) -> Risk:
    """Read the tables on one thread while this one loads the kernels; then count."""
    from shoal.policy.policy import Policy
    from shoal.read.files import read_either, read_file
    from shoal.report.progress import show_stages
    from shoal.runs.stages import Stages

    def read() -> list[Source | None]:
        with stages("read"):
            compared = [read_other(path) if path else None for path in others]
            if not isinstance(data, Path):
                return [read_quasi(data, rules), *compared]
            return [read_file(data, delimiter=delimiter, encoding=encoding), *compared]

    def read_other(table: Path | Location) -> Source:
        if isinstance(table, Path):
            return read_either(table, encoding=encoding)
        return read_quasi(table, rules)

    others = (population, release)
    with show_stages(quiet=quiet) as listener:
        stages = Stages(listener)
        rules = Policy.load(policy)
        reading = start_reading(read)
        from shoal.runs import risk as risks

        risks.refuse_numbers(settings["threshold"], settings["most_combinations"])
        raise_early(reading)
        with stages("compile"):
            risks.warm_up()
        source, people, released = reading.result()
        assert source is not None
        with interrupting(stages.watch):
            return risks.risk_of(
                source, rules, population=people, release=released, stages=stages, **settings
            )
