"""shoal check"""

from __future__ import annotations

import json
from pathlib import Path

import click

from shoal.cli import _options as options
from shoal.cli._interrupt import interrupting
from shoal.cli._outputs import named, protect
from shoal.cli._tables import check_tables, refuse_of_one_table


@click.command(short_help="Verify a released table, or several.")
@click.argument("release", type=options.FILE_OR_FOLDER)
@options.policy
@click.option(
    "--original",
    type=options.FILE,
    help="Also compare with the original table: row order and distributions.",
)
@options.earlier
@options.json
@click.option(
    "--junit", type=options.FILE, help="Write the result as JUnit XML, for build servers."
)
@options.force
@options.quiet
@options.delimiter
@options.encoding
def check(
    release: Path,
    policy: Path,
    original: Path | None,
    earlier: tuple[Path, ...],
    as_json: bool,
    junit: Path | None,
    force: bool,
    quiet: bool,
    delimiter: str | None,
    encoding: str | None,
) -> int:
    """Verify a released file against a policy. Exits with code 1 if it fails.

    With `tables` in the policy, RELEASE is the folder that has the released tables. With --earlier,
    all releases together must satisfy the policy; this needs --original.
    """
    from shoal.policy.policy import Policy
    from shoal.policy.tables import is_of_tables
    from shoal.read.files import read_either
    from shoal.report.junit import junit_text
    from shoal.report.progress import show_stages
    from shoal.report.text import print_verdict
    from shoal.runs import check as audit
    from shoal.runs.stages import Stages
    from shoal.runs.together import earlier_of
    from shoal.write.atomic import write_text

    if is_of_tables(policy):
        refuse_of_one_table(None, {"--original": original, "--earlier": earlier})
        return check_tables(
            release,
            policy,
            junit=junit,
            as_json=as_json,
            force=force,
            quiet=quiet,
            delimiter=delimiter,
            encoding=encoding,
        )
    if earlier and original is None:
        raise click.UsageError("--earlier needs --original, the table that both were made of.")
    rules = Policy.load(policy)
    if junit is not None:
        inputs = named(original or release, policy, rules.files) | {"the release": release}
        inputs |= {f"the earlier release {path.name}": path for path in earlier}
        protect(junit, force=force, inputs=inputs)
    with show_stages(quiet=quiet or as_json) as listener:
        stages = Stages(listener)
        with stages("read"):
            source = read_either(release, delimiter=delimiter, encoding=encoding)
            compared = read_either(original, encoding=encoding) if original else None
            others = earlier_of(earlier, encoding)
        with interrupting(stages.watch), stages("verify"):
            verdict = audit.check(
                source, rules, original=compared, earlier=others, watch=stages.watch
            )
    if junit is not None:
        write_text(junit, junit_text(verdict, name=release.name))
    if as_json:
        click.echo(json.dumps(verdict.as_dict()))
    else:
        print_verdict(verdict, options.console())
    return 0 if verdict.holds else 1
