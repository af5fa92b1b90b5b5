"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.console import Console

FILE = click.Path(path_type=Path, dir_okay=False)
FILE_OR_FOLDER = click.Path(path_type=Path)  # a folder where the policy has `tables`


class TableOrFile(click.Path):
    """A table in a database, or the name of a file."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        from shoal.engines.location import Location, location_of

        found = value if isinstance(value, Location) else location_of(str(value))
        return super().convert(value, param, ctx) if found is None else found


TABLE_OR_FILE = TableOrFile(path_type=Path, dir_okay=False)
TABLE_OR_FILE_OR_FOLDER = TableOrFile(path_type=Path)

RELEASE = "Release to write: .csv, .csv.gz, .tsv, .parquet, .arrow, .xlsx, .sav or .dta."

policy = click.option("-p", "--policy", type=FILE, required=True, help="Policy file (YAML).")
json = click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
engine = click.option(
    "--engine",
    type=click.Choice(["duckdb"]),
    help="Let DuckDB read and write csv and parquet files that are larger than memory.",
)
memory = click.option("--memory", help="Memory that DuckDB may use, such as 4GB (default: half).")
quiet = click.option("--quiet", is_flag=True, help="Show no progress.")
threads = click.option(
    "--threads", type=click.IntRange(min=1), help="Number of threads (default: all cores)."
)
force = click.option("--force", is_flag=True, help="Overwrite existing files, but never inputs.")
delimiter = click.option("--delimiter", help="CSV delimiter (default: detected).")
encoding = click.option(
    "--encoding", help="CSV encoding (default: UTF-8, or UTF-16 if the file is marked as such)."
)


RECIPES = ("ema", "hipaa-safe-harbor", "hipaa-expert", "ehds", "open-data", "internal-test")


def recipes(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """What a shell proposes for the name of a recipe."""
    return [name for name in RECIPES if name.startswith(begun)]


def algorithms(context: click.Context, parameter: click.Parameter, begun: str) -> list[str]:
    """What a shell proposes for the name of an algorithm."""
    from shoal import catalog

    return [name for name in catalog.names("algorithm") if name.startswith(begun)]


earlier = click.option(
    "--earlier",
    type=FILE,
    multiple=True,
    help="Release of the same table that others have; repeat it for several.",
)
key_file = click.option(
    "--key-file",
    type=FILE,
    help="Key for the column with the role pseudonym (default: SHOAL_KEY).",
)


def console(*, stderr: bool = False) -> Console:
    """Where results are printed."""
    from rich.console import Console

    return Console(highlight=False, stderr=stderr)
