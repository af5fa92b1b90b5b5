"""shoal frontier"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from shoal.cli import _compare as shared
from shoal.cli import _options as options


@click.command(short_help="Find the releases that no other beats in both loss and risk.")
@click.argument("data", type=options.FILE)
@options.policy
@click.option("--loss", metavar="MEASURE", help="What is lost (default: loss).")
@click.option(
    "--use",
    metavar="MEASURE",
    help="What the release is for, in place of --loss: classification:income.",
)
@click.option(
    "--risk",
    metavar="MEASURE",
    help="What is disclosed (default: protection; without sensitive columns, average-risk).",
)
@shared.algorithms
@click.option(
    "--k",
    default="",
    metavar="2..50",
    help="Range or values of k (default: from the policy's to ten times as much).",
)
@shared.vary
@click.option(
    "--runs",
    type=click.IntRange(min=1),
    default=60,
    show_default=True,
    help="How many policies to try.",
)
@shared.on_runs
def frontier(
    data: Path,
    policy: Path,
    loss: str | None,
    use: str | None,
    risk: str | None,
    algorithms: tuple[str, ...],
    k: str,
    vary: tuple[str, ...],
    runs: int,
    folder: Path | None,
    as_json: bool,
    **how: Any,
) -> None:
    """Find the releases of DATA that no other beats in both loss and risk.

    A range, as in `--k 2..50` or `--vary algorithm.weights.utility=0.0..1.0`, is searched between
    neighbouring points of the front until the budget of runs is spent.
    """
    from shoal.policy.policy import Policy
    from shoal.runs.compare import write_files
    from shoal.runs.frontier import frontier_plan, searched

    if loss is not None and use is not None:
        raise click.UsageError("--loss and --use exclude each other.")
    plan = frontier_plan(
        Policy.load(policy),
        loss=use or loss or "loss",
        risk=risk,
        algorithms=algorithms,
        k=k,
        vary=shared.texts_of(vary),
        runs=runs,
    )
    with shared.tried_on(data, plan.plan, folder=folder, n_runs=runs, **how) as (trials, bar):
        found = searched(trials, plan, bar)
    paths = write_files(found, "frontier")
    if as_json:
        said = {} if folder is None else {"output": str(folder)}
        front = [row for row in shared.rows_of(found) if row["front"]]
        click.echo(json.dumps({"front": front, "runs": len(found.runs), **said}))
        return
    found.print_to(options.console())
    if paths:
        click.echo(f"\nWrote {paths[0]}, {paths[1].name} and {paths[2].name}.")
