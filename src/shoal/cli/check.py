"""shoal check"""

from __future__ import annotations

import json
from pathlib import Path

import click

from shoal.cli._options import (
    FILE,
    console,
    delimiter_option,
    encoding_option,
    force_option,
    json_option,
    policy_option,
)
from shoal.cli._outputs import named, protect


@click.command(short_help="Verify a released table.")
@click.argument("release", type=FILE)
@policy_option
@click.option("--original", type=FILE, help="Also look whether the original's order is left.")
@json_option
@click.option("--junit", type=FILE, help="Write the result for a build server.")
@force_option
@delimiter_option
@encoding_option
def check(
    release: Path,
    policy: Path,
    original: Path | None,
    as_json: bool,
    junit: Path | None,
    force: bool,
    delimiter: str | None,
    encoding: str | None,
) -> int:
    """Verify a released file against a policy. Exit code 1 if it does not hold."""
    from shoal import pipeline
    from shoal.policy import Policy
    from shoal.read.files import read_file
    from shoal.report.junit import junit_text
    from shoal.report.text import print_verdict
    from shoal.write.atomic import write_text

    rules = Policy.load(policy)
    if junit is not None:
        inputs = named(original or release, policy, rules.files) | {"the release": release}
        protect(junit, force=force, inputs=inputs)
    source = read_file(release, delimiter=delimiter, encoding=encoding)
    compared = read_file(original, encoding=encoding) if original else None
    verdict = pipeline.check(source, rules, original=compared)
    if junit is not None:
        write_text(junit, junit_text(verdict, name=release.name))
    if as_json:
        click.echo(json.dumps(verdict.as_dict()))
    else:
        print_verdict(verdict, console())
    return 0 if verdict.holds else 1
