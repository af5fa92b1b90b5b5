"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.console import Console

FILE = click.Path(path_type=Path, dir_okay=False)

policy = click.option("-p", "--policy", type=FILE, required=True, help="The policy file.")
json = click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
quiet = click.option("--quiet", is_flag=True, help="Say nothing while working.")
force = click.option("--force", is_flag=True, help="Overwrite an existing file.")
delimiter = click.option("--delimiter", help="Of the csv file; found out by itself.")
encoding = click.option("--encoding", help="Of the csv file; UTF-8 and UTF-16 are known.")


def console() -> Console:
    """Where results are printed."""
    from rich.console import Console

    return Console(highlight=False)
