"""shoal key"""

from __future__ import annotations

from pathlib import Path

import click

from shoal.cli import _options as options


@click.command(short_help="Make a key for pseudonyms.")
@click.argument("file", type=options.FILE)
def key(file: Path) -> None:
    """Write a new random key for pseudonyms to FILE, readable by you alone.

    `shoal anonymize --key-file FILE` uses it. An existing file is never overwritten.
    """
    from shoal.write.key import write_key

    write_key(file)
    click.echo(
        f"Wrote {file}. Keep it secret, apart from the data and from releases: who has it can tell "
        "whose record is whose. Keep a copy: without it, later releases get other pseudonyms."
    )
