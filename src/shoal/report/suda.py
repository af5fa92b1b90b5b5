"""Special uniques in a terminal."""

from __future__ import annotations

from itertools import islice
from typing import TYPE_CHECKING

from rich.console import Console
from rich.table import Table
from rich.text import Text

from shoal.errors import counted
from shoal.report import words
from shoal.report.printable import printable

if TYPE_CHECKING:
    from shoal.risks.suda import Suda

MOST_VALUES = 20


def print_suda(found: Suda, console: Console) -> None:
    """How many records few columns make unique, how sure a match is, and which columns do it."""
    n, special = len(found.scores), found.n_special
    console.print(
        Text(
            f"{special:,} of {counted(n, 'record')} ({words.share(special, n)}) "
            f"{'is' if special == 1 else 'are'} unique by {found.size} or fewer of "
            f"{counted(len(found.names), 'quasi-identifier')}.",
            "bold",
        )
    )
    console.print()
    console.print(_sizes(found))
    console.print()
    console.print(_matches(found))
    console.print()
    console.print(Text("The columns behind it", "bold"))
    console.print(_columns(found))
    console.print(Text("  share of the scores that comes from combinations with the column", "dim"))


def print_values(found: Suda, column: str, console: Console) -> None:
    """The values of a column that make records unique: for the steward's own screen."""
    shares = {value: share for value, share in found.values(column).items() if share > 0}
    console.print()
    console.print(Text(f"Values of {printable(column)}. Do not pass this on.", "bold"))
    grid = _grid("value", "share")
    for value, share in islice(shares.items(), MOST_VALUES):
        grid.add_row(Text(f"  {printable(value)}"), Text(words.share(share)))
    console.print(grid)
    if len(shares) > MOST_VALUES:
        console.print(Text(f"  and {len(shares) - MOST_VALUES:,} more", "dim"))


def _sizes(found: Suda) -> Table:
    grid = _grid("columns that suffice", "records")
    for size, n in found.n_by_size.items():
        share = words.share(n, len(found.scores))
        grid.add_row(Text(f"  {size}"), Text(f"{n:,} ({share})"))
    return grid


def _matches(found: Suda) -> Text:
    if not found.n_special:
        return Text("  No combination of so few columns makes anybody unique.")
    return Text(
        f"  A match with a record is right with a probability (DIS) of at most "
        f"{found.dis.max():.3f}, and with more than {found.high:g} for "
        f"{counted(found.n_high, 'record')}, if the table is {words.share(found.share)} of the "
        "population."
    )


def _columns(found: Suda) -> Table:
    grid = _grid("column", "share")
    for name, share in sorted(found.contributions.items(), key=lambda item: -item[1]):
        grid.add_row(Text(f"  {printable(name)}"), Text(words.share(share)))
    return grid


def _grid(first: str, second: str) -> Table:
    grid = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    grid.add_column(f"  {first}", overflow="fold")
    grid.add_column(second, justify="right", no_wrap=True)
    return grid
