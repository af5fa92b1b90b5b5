"""Why a release loses so much, in the terminal and in the dossier."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.markup import escape
from rich.table import Table

from shoal.errors import counted
from shoal.report import words
from shoal.report.printable import printable

if TYPE_CHECKING:
    from rich.console import Console

    from shoal.types.explanation import Explanation

MOST_SHOWN = 12


def print_explanation(found: Explanation, console: Console) -> None:
    """What was lost, and what would save how much: the best first."""
    facts = found.as_dict()
    console.print(f"[bold]{escape(printable(headline(facts)))}[/bold]\n")
    useful = [saving for saving in facts["savings"] if saving["saves"] > 0]
    if useful:
        console.print(_table(useful[:MOST_SHOWN]))
    for line in ends(facts, len(useful)):
        console.print(escape(line))


def _table(savings: list[dict[str, Any]]) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("change this line", overflow="fold")
    table.add_column("saves", justify="right", no_wrap=True)
    table.add_column("gives up", overflow="fold")
    for saving in savings:
        cells = (saving["line"], words.share(saving["saves"]), saving["price"])
        table.add_row(*(escape(printable(cell)) for cell in cells))
    return table


def headline(facts: dict[str, Any]) -> str:
    """
    >>> headline({"loss": 0.25, "loss_by_column": {"age": 0.4, "sex": 0.1}})
    '25.0% of the detail is lost on average, most in age (40.0%), least in sex (10.0%).'
    """
    losses = facts["loss_by_column"]
    most, least = max(losses, key=losses.get), min(losses, key=losses.get)
    share = words.share(facts["loss"])
    said = f"{share} of the detail is lost on average"
    if len(losses) == 1:
        return f"{said}."
    return (
        f"{said}, most in {most} ({words.share(losses[most])}), least in {least} "
        f"({words.share(losses[least])})."
    )


def ends(facts: dict[str, Any], n_useful: int) -> list[str]:
    """What else is to be said: what saves nothing, cannot be kept, or was not tried."""
    said = []
    n_useless = len(facts["savings"]) - n_useful
    if not n_useful:
        said.append("Nothing that was tried saves anything.")
    elif n_useless:
        said.append(f"{counted(n_useless, 'other change')} would save nothing.")
    if n_useful > MOST_SHOWN:
        said.append(f"{counted(n_useful - MOST_SHOWN, 'more change')} would: --json has all.")
    if facts["failed"]:
        said.append(f"With {counted(facts['failed'], 'change')} the policy cannot be kept.")
    if facts["not_tried"]:
        said.append(
            f"{counted(facts['not_tried'], 'change')} not tried: raise --budget to try more."
        )
    said.append(f"{counted(facts['runs'], 'run')}; nothing was released.")
    return said
