"""shoal attack"""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from shoal.cli import _options as options
from shoal.cli._interrupt import interrupting

if TYPE_CHECKING:
    from shoal.attacks.known import KnownRecords


@click.command(short_help="Measure what an adversary can learn from a release.")
@click.argument("release", type=options.FILE)
@click.option(
    "--original", type=options.FILE, required=True, help="Table that the release was made from."
)
@options.policy
@options.earlier
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="Number of people (records, if the policy names no person) that the adversary knows.",
)
@click.option("--seed", type=click.IntRange(min=0), help="Random seed (default: the policy's).")
@click.option(
    "--known", help="Quasi-identifiers that the adversary knows, such as age,zip (default: all)."
)
@click.option(
    "--known-records",
    type=click.Choice(["one", "all"]),
    default="one",
    show_default=True,
    help="Records of a person that the adversary knows, if the policy names a person.",
)
@options.json
@options.quiet
@options.delimiter
@options.encoding
def attack(
    release: Path,
    original: Path,
    policy: Path,
    earlier: tuple[Path, ...],
    sample: int,
    seed: int | None,
    known: str | None,
    known_records: KnownRecords,
    as_json: bool,
    quiet: bool,
    delimiter: str | None,
    encoding: str | None,
) -> None:
    """Simulate an adversary who has RELEASE and knows some people of the original.

    Looks up a random sample of people (records, if the policy names no person) by their true
    quasi-identifiers, picks rows, and guesses sensitive values. Every figure is compared with what
    the adversary would achieve without the release, or without the person in it. With --earlier,
    the adversary has several releases of the same table. Writes no files.
    """
    from shoal.policy.policy import Policy
    from shoal.read.files import read_either
    from shoal.report.attack import attack_facts, print_attacks
    from shoal.report.progress import show_stages
    from shoal.runs.attack import attack_release
    from shoal.runs.stages import Stages
    from shoal.runs.together import earlier_of

    rules = Policy.load(policy)
    names = None if known is None else [name.strip() for name in known.split(",") if name.strip()]
    with show_stages(quiet=quiet or as_json) as listener:
        stages = Stages(listener)
        with stages("read"):
            released = read_either(release, delimiter=delimiter, encoding=encoding)
            before = read_either(original, delimiter=delimiter, encoding=encoding)
            others = earlier_of(earlier, encoding)
        with interrupting(stages.watch), stages("attack"):
            found = attack_release(
                released,
                before,
                rules,
                earlier=others,
                known=names,
                known_records=known_records,
                sample=sample,
                seed=seed,
                watch=stages.watch,
            )
    if as_json:
        click.echo(json.dumps(attack_facts(found)))
    else:
        print_attacks(found, options.console())
