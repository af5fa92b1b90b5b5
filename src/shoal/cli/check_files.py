"""`shoal check` for several files, as pre-commit calls it: `python -m shoal.cli.check_files`."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from shoal.cli import cli
from shoal.cli import main as shoal

VALUE_OPTIONS = {
    name
    for parameter in cli.commands["check"].params
    if isinstance(parameter, click.Option) and not parameter.is_flag
    for name in parameter.opts
}


def main(words: Sequence[str]) -> int:
    """Check each file with the options given; the exit code is the worst of all."""
    options, files = divided(words)
    worst = 0
    for file in files:
        click.echo(file)
        sys.argv = ["shoal", "check", *options, file]
        try:
            shoal()
        except SystemExit as end:
            worst = max(worst, end.code if isinstance(end.code, int) else 0)
    return worst


def divided(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """Options with their values, and the names of files.

    >>> divided(["--policy", "p.yaml", "--quiet", "a.csv", "b.csv"])
    (['--policy', 'p.yaml', '--quiet'], ['a.csv', 'b.csv'])
    """
    options: list[str] = []
    files: list[str] = []
    rest = iter(words)
    for word in rest:
        if word in VALUE_OPTIONS:
            options += [word, next(rest, "")]
        elif word.startswith("-"):
            options.append(word)
        else:
            files.append(word)
    return options, files


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
