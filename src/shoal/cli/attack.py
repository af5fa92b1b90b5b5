"""shoal attack"""

from __future__ import annotations

import json
from pathlib import Path

import click

from shoal.cli import _options as options
from shoal.cli._interrupt import interrupting


@click.command(short_help="Try what an adversary could learn from a release.")
@click.argument("release", type=options.FILE)
@click.option("--original", type=options.FILE, required=True, help="What it was made of.")
@options.policy
@click.option(
    "--sample",
    type=click.IntRange(min=1),
    default=1000,
    show_default=True,
    help="How many people the adversary knows.",
)
@click.option("--seed", type=click.IntRange(min=0), help="Of the sample; else the policy's.")
@click.option("--known", help="Quasi-identifiers that are known, such as age,zip; else all.")
@options.json
@options.quiet
@options.delimiter
@options.encoding
def attack(
    release: Path,
    original: Path,
    policy: Path,
    sample: int,
    seed: int | None,
    known: str | None,
    as_json: bool,
    quiet: bool,
    delimiter: str | None,
    encoding: str | None,
) -> None:
    """What an adversary gains who holds RELEASE and knows some people of the original.

    Looks a random sample of people up by their true quasi-identifiers, picks rows, and guesses
    sensitive values; beside every figure stands what would be gained without the release, or
    without the person in it. Nothing is written.
    """
    from shoal.policy.policy import Policy
    from shoal.read.files import read_either
    from shoal.report.attack import attack_facts, print_attacks
    from shoal.report.progress import show_stages
    from shoal.runs.attack import attack_release
    from shoal.runs.stages import Stages

    rules = Policy.load(policy)
    names = None if known is None else [name.strip() for name in known.split(",") if name.strip()]
    with show_stages(quiet=quiet or as_json) as listener:
        stages = Stages(listener)
        with stages("read"):
            released = read_either(release, delimiter=delimiter, encoding=encoding)
            before = read_either(original, delimiter=delimiter, encoding=encoding)
        with interrupting(stages.watch), stages("attack"):
            found = attack_release(
                released, before, rules, known=names, sample=sample, seed=seed, watch=stages.watch
            )
    if as_json:
        click.echo(json.dumps(attack_facts(found)))
    else:
        print_attacks(found, options.console())
