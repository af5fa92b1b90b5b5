"""shoal risk"""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shoal.cli import _options as options

if TYPE_CHECKING:
    from shoal.read.source import Source
    from shoal.risks.figures import Risk


@click.command(short_help="How easily people are found in a table.")
@click.argument("data", type=options.FILE)
@options.policy
@click.option("--population", type=options.FILE, help="Everybody who might be in the data.")
@click.option("--release", type=options.FILE, help="A release of the data, to show beside it.")
@click.option(
    "--threshold",
    type=click.FloatRange(0, 1, min_open=True),
    default=0.09,
    show_default=True,
    help="The highest risk that you accept for a record.",
)
@click.option(
    "--most-combinations",
    type=click.IntRange(min=1),
    default=2000,
    show_default=True,
    help="Of up to three columns, to be counted.",
)
@click.option(
    "--top", type=click.IntRange(min=0), default=10, show_default=True, help="Combinations shown."
)
@options.json
@click.option("--threads", type=click.IntRange(min=1), help="All cores, unless said otherwise.")
@options.quiet
@options.delimiter
@options.encoding
def risk(
    data: Path,
    policy: Path,
    population: Path | None,
    release: Path | None,
    top: int,
    as_json: bool,
    **settings: Any,
) -> None:
    """How easily the people in DATA are found by their quasi-identifiers.

    By an attacker who knows that somebody is in the data, by one who only knows the population,
    and by one who looks everybody up. Which columns, and combinations of up to three of them,
    make people unique. With --release, the same figures after anonymization. Nothing is written.
    """
    from shoal.report.risk import print_risk

    settings["quiet"] |= as_json
    found = risk_of_files(data, policy, population, release, **settings)
    if as_json:
        click.echo(json.dumps(found.as_dict()))
    else:
        print_risk(found, options.console(), top=top)


def risk_of_files(
    data: Path,
    policy: Path,
    population: Path | None,
    release: Path | None,
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
            others = [read_either(path, encoding=encoding) if path else None for path in beside]
            return [read_file(data, delimiter=delimiter, encoding=encoding), *others]

    beside = (population, release)
    with show_stages(quiet=quiet) as listener:
        stages = Stages(listener)
        reader = ThreadPoolExecutor(1)
        reading = reader.submit(read)
        reader.shutdown(wait=False)  # an error in the policy does not wait for the data
        rules = Policy.load(policy)
        from shoal.runs import risk as risks

        risks.refuse_numbers(settings["threshold"], settings["most_combinations"])
        if reading.done():
            reading.result()  # raises at once if there is no such file
        with stages("compile"):
            risks.warm_up()
        source, people, released = reading.result()
        assert source is not None
        return risks.risk_of(
            source, rules, population=people, release=released, stages=stages, **settings
        )
