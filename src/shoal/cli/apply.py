"""shoal apply"""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from shoal.cli import _options as options
from shoal.cli._interrupt import interrupting
from shoal.cli._outputs import protect, tell_left_behind
from shoal.cli._overwriting import refuse_lost
from shoal.cli._pipes import (
    RELEASE,
    STANDARD,
    is_piped,
    refuse_with_standard_output,
    spooled,
    to_standard_output,
)
from shoal.cli._pseudonyms import PseudonymFiles
from shoal.cli._recoding import releases_of, warn_of_other_release

if TYPE_CHECKING:
    from shoal.release.release import Release
    from shoal.saved_recoding.recoding import Recoding
    from shoal.write.atomic import FileSet


@click.command(short_help="Recode later records like an earlier release.")
@click.argument("newdata", type=options.FILE, required=False)
@click.option(
    "-r",
    "--recoding",
    type=options.FILE,
    required=True,
    help="Recoding file of the earlier release.",
)
@click.option("-o", "--output", type=options.FILE, help=options.RELEASE)
@click.option(
    "--release",
    "earlier",
    type=options.FILE,
    help="Verify the new records together with this release.",
)
@click.option("--sql", type=options.FILE, help="Write the recoding as a SQL SELECT.")
@click.option("--table", default="data", show_default=True, help="Table that the SELECT reads.")
@click.option(
    "--suppression",
    type=click.FloatRange(0, 1),
    metavar="SHARE",
    help="Suppress up to this share of the new records, instead of the recoding's.",
)
@options.key_file
@options.json
@options.force
@options.quiet
@options.delimiter
@options.encoding
def apply(
    newdata: Path | None,
    recoding: Path,
    output: Path | None,
    earlier: Path | None,
    sql: Path | None,
    table: str,
    suppression: float | None,
    as_json: bool,
    force: bool,
    **reading: Any,
) -> None:
    """Recode NEWDATA with the levels of an earlier release, verify the result, and write it.

    The new records must satisfy the policy on their own or, with --release, together with the
    records of that file. The output contains the new records only. --sql writes the recoding for a
    database; it does not need NEWDATA.
    """
    from shoal.saved_recoding.recoding import Recoding
    from shoal.saved_recoding.sql import is_sql
    from shoal.write.atomic import FileSet

    _refuse_halves(newdata, output, earlier, sql)
    inputs = {"the data": newdata, "the recoding": recoding, "the earlier release": earlier}
    if sql is not None:
        protect(sql, force=force, inputs=inputs | {"the release": output}, is_ours=is_sql)
    rules = Recoding.load(recoding)
    if suppression is not None:
        rules = replace(rules, policy=replace(rules.policy, suppression=suppression))
    facts: dict[str, Any] = {}
    release = None
    refuse_with_standard_output(output, json=as_json, sql=sql)
    inputs_kept = [] if newdata is None or is_piped(newdata) else [newdata]
    with (
        spooled(newdata) as data,
        to_standard_output(output or Path(RELEASE)) as file,
        FileSet(inputs=inputs_kept) as files,
    ):
        if data is not None and output is not None:
            release = apply_file(
                rules, data, file, earlier, files, recoding=recoding, force=force, **reading
            )
            facts |= release.summary() | {"output": str(output)}
        if sql is not None:
            files.write_text(sql, rules.sql(table), is_private=True)
            facts |= {"sql": str(sql)} | _models(rules)
    tell_left_behind(files)
    if as_json:
        click.echo(json.dumps(facts))
    elif release is not None and output == STANDARD:
        from shoal.report.text import print_summary

        print_summary(release, options.console(stderr=True))
    else:
        _print(release, output, sql, facts)


def apply_file(
    rules: Recoding,
    newdata: Path,
    output: Path,
    earlier: Path | None,
    files: FileSet,
    *,
    recoding: Path,
    force: bool = False,
    key_file: Path | None = None,
    quiet: bool = False,
    delimiter: str | None = None,
    encoding: str | None = None,
) -> Release:
    """Read, recode, verify, write among `files`; refuse beforehand what could not be written."""
    from shoal.read.files import read_either, read_file
    from shoal.report.progress import show_stages
    from shoal.runs.apply import apply as apply_recoding
    from shoal.runs.stages import Stages
    from shoal.runs.warm_up import warm_up
    from shoal.types.schema import Schema
    from shoal.write.files import add_file, check_ending

    check_ending(output)
    pseudonyms = PseudonymFiles(key_file)
    inputs = {"the data": newdata, "the recoding": recoding}
    inputs |= {"the earlier release": earlier} if earlier else {}
    pseudonyms.protect({"the release": output})
    refuse_lost(output, inputs, force=force)
    key = pseudonyms.key(Schema(rules.policy.columns).pseudonym)
    with show_stages(quiet=quiet) as listener:
        stages = Stages(listener)
        with stages("read"):
            source = read_file(newdata, delimiter=delimiter, encoding=encoding)
            before = read_either(earlier, encoding=encoding) if earlier else None
        with stages("compile"):
            warm_up(rules.policy)
        with interrupting(stages.watch):
            release = apply_recoding(rules, source, earlier=before, key=key, stages=stages)
        other = warn_of_other_release(rules, [earlier] if earlier else releases_of(recoding))
        release = replace(release, notes=release.notes + other)
        with stages("write"):
            add_file(
                files,
                release.records(),
                output,
                delimiter=source.delimiter,
                labels=source.labels,
            )
    return release


def _refuse_halves(
    newdata: Path | None, output: Path | None, earlier: Path | None, sql: Path | None
) -> None:
    if newdata is None and sql is None:
        raise click.UsageError("Give NEWDATA and -o to recode it, or --sql alone for the query.")
    if newdata is None and (output is not None or earlier is not None):
        raise click.UsageError("-o and --release need NEWDATA.")
    if newdata is not None and output is None:
        raise click.UsageError("NEWDATA needs -o with the file to write.")


def _models(rules: Recoding) -> dict[str, list[str]]:
    """Which models the query enforces, and which must be checked afterwards."""
    from shoal.saved_recoding.sql import models_of
    from shoal.types.named import name_of

    models = models_of(rules)
    return {
        "enforced": [name_of(model) for model in models.enforced],
        "not_enforced": [name_of(model) for model in models.others],
    }


def _print(
    release: Release | None, output: Path | None, sql: Path | None, facts: dict[str, Any]
) -> None:
    from shoal.report.text import print_summary

    if release is not None:
        print_summary(release, options.console())
        click.echo(f"\nWrote {output}. It contains the new records only.")
    if sql is not None:
        click.echo(f"Wrote {sql}. It is INTERNAL: it lists raw values.")
        if facts["not_enforced"]:
            click.echo(
                f"The query does not enforce {', '.join(facts['not_enforced'])}: "
                "run `shoal check` on its result."
            )
