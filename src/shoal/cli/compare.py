"""shoal compare"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from shoal.cli import _compare as shared
from shoal.cli import _options as options
from shoal.cli._command import command


@click.command(short_help="Try algorithms, k and options, and measure each release.")
@click.argument("data", type=options.FILE)
@options.policy
@shared.algorithms
@click.option(
    "--k",
    type=shared.Names(),
    default="",
    metavar="2,5,10",
    help="Values of k (default: the policy's).",
)
@shared.vary
@click.option(
    "--seeds",
    type=click.IntRange(min=1),
    default=1,
    show_default=True,
    help="Number of random seeds to try, for algorithms that use one.",
)
@click.option(
    "--measures",
    type=shared.Names(),
    default="",
    metavar="A,B",
    help="Measures, with options as in c-l:figure=l (default: all that the policy can have).",
)
@shared.on_runs
def compare(
    data: Path,
    policy: Path,
    algorithms: tuple[str, ...],
    k: tuple[str, ...],
    vary: tuple[str, ...],
    seeds: int,
    measures: tuple[str, ...],
    folder: Path | None,
    as_json: bool,
    **how: Any,
) -> None:
    """Try algorithms, k and options on DATA, and measure each verified release.

    DATA is read once; runs go to processes, as many as cores. With -o, every run that ends is noted
    at once: the same command goes on where it was ended.
    """
    from shoal.policy.policy import Policy
    from shoal.runs.compare import compared, plan_of, write_files

    plan = plan_of(
        Policy.load(policy),
        algorithms=algorithms,
        k=shared.whole_numbers(k),
        vary=shared.varied(vary),
        seeds=seeds,
        measures=measures,
    )
    with shared.tried_on(data, plan, folder=folder, n_runs=len(plan.variants), **how) as (
        trials,
        bar,
    ):
        found = compared(trials, plan, bar)
    paths = write_files(found, "comparison")
    if as_json:
        said = {} if folder is None else {"output": str(folder)}
        click.echo(json.dumps({"runs": shared.rows_of(found), **said}))
        return
    found.print_to(options.console())
    if paths:
        click.echo(f"\nWrote {paths[0]}, {paths[1].name} and {paths[2].name}.")
    if paths and found.verified and found.measures:
        run = found.best(found.measures[0].label)
        file = paths[0].parent / found.policy_file(run)
        again = command("anonymize", data, "-p", file, "-o", "release.csv")
        click.echo(f"Make one of them, such as {run.method} with k = {run.k:,}:\n  {again}")
