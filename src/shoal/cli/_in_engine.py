"""A run on a table in a database, or on files that are larger than memory."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shoal.cli import _options as options
from shoal.cli._interrupt import interrupting
from shoal.cli._outputs import named
from shoal.cli._overwriting import refuse_lost
from shoal.cli._pipes import STANDARD, is_piped

if TYPE_CHECKING:
    from shoal.engines.how import How
    from shoal.engines.location import Location
    from shoal.policy.policy import Policy
    from shoal.read.source import Source
    from shoal.release.release import Release


def anonymize_in(
    data: Path | Location | None,
    rules: Policy,
    policy: Path,
    output: Path | Location,
    how: How,
    *,
    as_json: bool,
    neighbours: bool,
    quiet: bool,
) -> None:
    """Anonymize where the table lives, and tell what was done."""
    from shoal.report.text import print_summary

    if data is None or STANDARD in (data, output) or (isinstance(data, Path) and is_piped(data)):
        raise click.UsageError("An engine reads a table or a file, and writes one: name both.")
    warn_of_password(data, output)
    if isinstance(output, Path):
        files = {} if not isinstance(data, Path) else named(data, policy, rules.files)
        refuse_lost(output, files | {"the policy": policy}, force=how.force)
    release = _run(data, rules, output, how, neighbours=neighbours, quiet=quiet)
    if as_json:
        click.echo(json.dumps(release.summary() | {"output": str(output)}))
        return
    print_summary(release, options.console())
    click.echo(f"\nWrote {output}.")


def _run(
    data: Path | Location,
    rules: Policy,
    output: Path | Location,
    how: How,
    *,
    neighbours: bool,
    quiet: bool,
) -> Release:
    from shoal.engines.opening import open_engine
    from shoal.report.progress import show_stages
    from shoal.runs.anonymize_in_engine import anonymize_in_engine, refuse_what_needs_records
    from shoal.runs.stages import Stages

    refuse_what_needs_records(rules)
    with show_stages(quiet=quiet) as listener, open_engine(data, output, how) as engine:
        stages = Stages(listener)
        with interrupting(stages.watch):
            return anonymize_in_engine(
                engine, rules, threads=how.threads, stages=stages, neighbours=neighbours
            )


def check_in(release: Location, rules: Policy | None, *, as_json: bool, quiet: bool) -> int:
    """Verify a released table where it is, and tell what was found."""
    from shoal.engines.opening import open_engine
    from shoal.report.progress import show_stages
    from shoal.report.text import print_verdict
    from shoal.runs.stages import Stages
    from shoal.runs.table_in_engine import check_in_engine

    assert rules is not None  # or it was refused
    warn_of_password(release)
    with show_stages(quiet=quiet) as listener, open_engine(release) as engine:
        stages = Stages(listener)
        with interrupting(stages.watch), stages("verify"):
            verdict = check_in_engine(engine, rules, watch=stages.watch)
    if as_json:
        click.echo(json.dumps(verdict.as_dict()))
    else:
        print_verdict(verdict, options.console())
    return 0 if verdict.holds else 1


def read_quasi(table: Location, rules: Policy) -> Source:
    """What the risk of a table is counted from."""
    from shoal.engines.opening import open_engine
    from shoal.runs.table_in_engine import quasi_in

    warn_of_password(table)
    with open_engine(table) as engine:
        return quasi_in(engine, rules)


def refuse_of_files(given: Mapping[str, Any]) -> None:
    """Refuse what needs all records in memory, or a file of the release."""
    for option, value in given.items():
        if value:
            raise click.UsageError(
                f"{option} cannot be used where a database does the work. Export the table to a "
                "file, and run without an engine."
            )


def warn_of_password(*tables: Path | Location) -> None:
    if any(not isinstance(table, Path) and table.has_password for table in tables):
        click.echo(
            "shoal: a password on the command line can be seen by others on this machine. Use "
            "PGPASSWORD, ~/.pgpass or a service file instead.",
            err=True,
        )
