"""`shoal init --ask`: a question for each column, and whose records they are, in the terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import click

from shoal.errors import nearest
from shoal.report.printable import printable

if TYPE_CHECKING:
    from shoal.proposals.proposal import Proposal, Suggestion
    from shoal.types.column import Role

ROLES: dict[Role, str] = {
    "identifier": "never released: it names or numbers a person",
    "pseudonym": "released as a stand-in, the same in all rows of a person; one column at most",
    "quasi": "can help to find a person: generalised until records look alike",
    "sensitive": "released unchanged, and groups must have different values of it",
    "keep": "released unchanged, and not protected",
    "drop": "never released",
    "weight": "survey weight: how many people a record stands for; it counts, and is not released",
}
HOW = "Enter accepts, i p q s k d w choose another role, ? explains, b goes back."
NOBODY = "none"
WHOSE = """
People may have several records. Which column tells them apart? People are counted by it, not rows.
Write its name, or none if every record is another person. b goes back.
"""


def refuse_without_terminal() -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise click.UsageError(
            "--ask needs a terminal. Without one, `shoal init` proposes all roles by itself."
        )


def ask_roles(
    proposal: Proposal, propose: Callable[[dict[str, Role], str | None], Proposal]
) -> Proposal:
    """The proposal with what its steward decided; `propose` makes it anew from roles and person."""
    click.echo(f"{len(proposal.suggestions)} columns. {HOW}")
    roles: dict[str, Role] = {}
    place = 0
    while True:
        _ask_from(place, proposal.suggestions, roles)
        so_far = propose(roles, None)
        person = _ask_person(so_far, roles)
        if person is not None:
            return propose(roles, "" if person == NOBODY else person)
        place = len(proposal.suggestions) - 1


def _ask_from(place: int, suggestions: Sequence[Suggestion], roles: dict[str, Role]) -> None:
    """Ask for the roles from a column on, until all are decided."""
    while place < len(suggestions):
        suggestion = suggestions[place]
        decided = roles.get(suggestion.name, suggestion.role)
        answer = _ask(suggestion, decided, place + 1, len(suggestions))
        if answer is None:
            place = max(0, place - 1)
            continue
        if answer == "pseudonym" and (other := _pseudonym(roles, suggestion.name)):
            click.echo(f"  {printable(other)} is the pseudonym already, and there can be only one.")
            continue
        roles[suggestion.name] = answer
        place += 1
        if place == len(suggestions) and "quasi" not in roles.values():
            click.echo("No column is quasi, so nothing would be protected. Go through them again.")
            place = 0


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


def _ask_person(proposal: Proposal, roles: Mapping[str, Role]) -> str | None:
    """The column that tells people apart, or that none does; None to go back.

    A pseudonym does without a question. A table without identifiers has no such column.
    """
    if pseudonym := _pseudonym(roles):
        return pseudonym
    names = [name for name, role in roles.items() if role in ("identifier", "drop")]
    if not names:
        return NOBODY
    default = proposal.person.column if proposal.person else NOBODY
    click.echo(WHOSE, nl=False)
    while True:
        said = click.prompt("  person", default=default, show_default=True).strip()
        if said.casefold() in ("b", "back") and said not in names:
            return None
        if said == NOBODY or said in names:
            return str(said)
        click.echo(
            f"  {printable(said)} is not among the columns that are withheld{nearest(said, names)} "
            f"Identifiers and dropped columns are {', '.join(map(printable, names))}."
        )


def _pseudonym(roles: Mapping[str, Role], besides: str = "") -> str | None:
    return next((n for n, role in roles.items() if role == "pseudonym" and n != besides), None)
