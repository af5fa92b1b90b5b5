"""`shoal init --ask`: one question for each column, in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

import click

from shoal.report.printable import printable

if TYPE_CHECKING:
    from shoal.proposals.proposal import Proposal, Suggestion
    from shoal.types.column import Role

ROLES: dict[Role, str] = {
    "identifier": "never released: it names or numbers a person",
    "quasi": "can help to find a person: generalised until records look alike",
    "sensitive": "released unchanged, and groups must have different values of it",
    "keep": "released unchanged, and not protected",
    "drop": "never released",
    "weight": "survey weight: how many people a record stands for; it counts, and is not released",
}
HOW = "Enter accepts, i q s k d w choose another role, ? explains, b goes back."


def refuse_without_terminal() -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError(
            "--ask needs a terminal. Without one, `shoal init` proposes all roles by itself."
        )


def ask_roles(proposal: Proposal, propose: Callable[[dict[str, Role]], Proposal]) -> Proposal:
    """The proposal with the roles that its steward decided; `propose` makes it anew."""
    click.echo(f"{len(proposal.suggestions)} columns. {HOW}")
    roles: dict[str, Role] = {}
    place = 0
    while place < len(proposal.suggestions):
        suggestion = proposal.suggestions[place]
        decided = roles.get(suggestion.name, suggestion.role)
        answer = _ask(suggestion, decided, place + 1, len(proposal.suggestions))
        if answer is None:
            place = max(0, place - 1)
            continue
        roles[suggestion.name] = answer
        place += 1
        if place == len(proposal.suggestions) and "quasi" not in roles.values():
            click.echo("No column is quasi, so nothing would be protected. Go through them again.")
            place = 0
    return propose(roles)


def _ask(suggestion: Suggestion, decided: Role, number: int, total: int) -> Role | None:
    """The role of a column; None to go back to the one before."""
    name, reason = printable(suggestion.name), printable(suggestion.reason)
    click.echo(f"\n{number} of {total}  {name}\n  {suggestion.role}: {reason}")
    while True:
        said = click.prompt("  role", default=decided, show_default=True).strip().casefold()
        if said in ("b", "back"):
            return None
        found = [role for role in ROLES if said and role.startswith(said)]
        if len(found) == 1:
            return found[0]
        if said != "?":
            click.echo(f"  {HOW}")
        for role, about in ROLES.items():
            click.echo(f"  {role:<11} {about}")
