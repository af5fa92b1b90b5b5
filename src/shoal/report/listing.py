"""Lists in the terminal: names with their summaries, and what `shoal init` proposes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from shoal.report.printable import printable

if TYPE_CHECKING:
    from rich.console import Console

    from shoal.proposals.proposal import Proposal


def print_names(summaries: Mapping[str, str], console: Console) -> None:
    """Names with a line about each."""
    table = Table.grid(padding=(0, 2))
    for name, summary in summaries.items():
        table.add_row(name, summary)
    console.print(table)


def print_proposal(proposal: Proposal, console: Console) -> None:
    """Each column with its proposed role and the reason, and what else was noticed."""
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for title in ("column", "role", "because"):
        table.add_column(title, overflow="fold")
    for suggestion in proposal.suggestions:
        table.add_row(_shown(suggestion.name), suggestion.role, _shown(suggestion.reason))
    console.print(table)
    if proposal.person is not None:
        said = f"{proposal.person.reason}. {proposal.person.doubt}".strip()
        console.print(f"Person: {_shown(said)}")
    for note in proposal.notes:
        console.print(f"Note: {_shown(note)}")


def _shown(text: str) -> str:
    """Neither markup nor control characters, whatever a column is called."""
    return escape(printable(text))
