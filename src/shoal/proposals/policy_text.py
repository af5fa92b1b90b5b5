"""A proposal as the text of a policy file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from shoal.errors import counted
from shoal.policy.described import ROLES
from shoal.policy.keys import model_of
from shoal.policy.yaml_text import LONGEST_KEY, flow, in_quotes, quoted
from shoal.types.unit import PERSON, RECORD, Unit

if TYPE_CHECKING:
    from shoal.proposals.person import Person
    from shoal.proposals.proposal import Proposal, Suggestion
    from shoal.proposals.recipes import Recipe

WIDEST_COMMENT = 98
WIDEST = 60  # longer names or entries do not move the comments of the others out of sight

ROLE_LINES = [f"# {role:11} {says}" for role, says in ROLES.items()]

SETTINGS = """\
# The algorithm that groups the records. `shoal algorithms` lists all.
algorithm: {name: mondrian}

# The share of records that may be suppressed (left out) where a group fails.
{suppression}

# category: a missing value counts as a value. suppress: leave out such records.
missing: category
# How missing values are written in the data."""

CONTEXT = """\
# Why you release it, and who receives it. The dossier (`--report`) shows it: remove the # signs.
# context:
#   purpose:
#   recipient:
#   recipient_holds:       # what the recipient could compare the release with
#   controls: []           # such as a contract, a closed room, a check of results
#   threshold:             # the highest risk of a record that you accept, such as 0.09
#   threshold_reason:
"""


def policy_text(proposal: Proposal, *, data_name: str = "") -> str:
    """The policy file, with the reason behind each column and a line on each section."""
    return "\n".join(
        [
            "# Proposed by shoal init. Check every role: you know your data best.",
            f"# Data: {f'{_one_line(data_name)}, ' if data_name else ''}"
            f"{counted(proposal.n_records, 'record')}, "
            f"{counted(len(proposal.suggestions), 'column')}.",
            *_of_recipe(proposal.recipe),
            *(f"# Note: {note}" for note in proposal.notes),
            "",
            *_person(proposal.person),
            "# Every column of the data needs one of these roles. If you change one, say why.",
            *ROLE_LINES,
            "columns:",
            *_columns(proposal.suggestions),
            "",
            "# What the release must satisfy. It is verified before anything is written.",
            *_why_k(proposal),
            "privacy:",
            *_privacy(proposal.privacy, PERSON if proposal.person else RECORD),
            "",
            SETTINGS.replace("{suppression}", _suppression(proposal.recipe)),
            f"missing_values: [{', '.join(map(in_quotes, proposal.missing_values))}]",
            "",
            CONTEXT if proposal.recipe is None else _context(proposal.recipe),
        ]
    )


def _of_recipe(recipe: Recipe | None) -> Iterator[str]:
    """What it is, and what it does not do for the steward."""
    if recipe is None:
        return
    for text in (f"Recipe {recipe.name}: {recipe.about}.", *recipe.says):
        yield from (f"# {line}" for line in wrap(text, WIDEST_COMMENT))


def _why_k(proposal: Proposal) -> Iterator[str]:
    if proposal.recipe is not None:
        lines = wrap(f"k = {proposal.recipe.k}: {proposal.recipe.k_reason}.", WIDEST_COMMENT)
        yield from (f"# {line}" for line in lines)


def _suppression(recipe: Recipe | None) -> str:
    if recipe is None:
        return "suppression: 0"
    return f"# {recipe.suppression_reason}\nsuppression: {recipe.suppression:g}"


def _context(recipe: Recipe) -> str:
    """The threshold of a recipe, and what else the dossier would show."""
    if recipe.threshold is None:
        return CONTEXT
    head, *keys = CONTEXT.replace("remove the # signs", "fill it in").splitlines()
    lines = [head]
    for key in keys:
        said = {
            "# context:": "context:",
            "threshold:": f"  threshold: {recipe.threshold:g}",
            "threshold_reason:": f"  threshold_reason: {in_quotes(recipe.threshold_reason)}",
        }
        word = key.removeprefix("#   ").split()[0] if key.startswith("#   ") else key
        lines.append(said.get(word, key))
    return "\n".join(lines) + "\n"


def _person(person: Person | None) -> Iterator[str]:
    if person is None:
        return
    yield "# Whose record it is: people are counted, not rows."
    yield f"# {person.reason}."
    if person.doubt:
        yield f"# {person.doubt}"
    yield f"person: {quoted(person.column)}"
    yield ""


def _columns(suggestions: Sequence[Suggestion]) -> Iterator[str]:
    keys = [f"{quoted(suggestion.name)}:" for suggestion in suggestions]
    entries = [_entry(suggestion) for suggestion in suggestions]
    key_width, entry_width = _width(keys), _width(entries)
    for suggestion, key, entry in zip(suggestions, keys, entries, strict=True):
        if len(key) > LONGEST_KEY:
            yield f"  ? {key[:-1]}"
            key = ":"
        yield f"  {key:{key_width}} {entry:{entry_width}} reason: {_text(suggestion.reason)}}}"


def _entry(suggestion: Suggestion) -> str:
    """All keys of a column but its reason, which is the longest and comes last."""
    keys: dict[str, Any] = {"role": suggestion.role}
    if suggestion.hierarchy is not None:
        keys["hierarchy"] = suggestion.hierarchy
    if suggestion.format:
        keys["format"] = suggestion.format
    if suggestion.age_on:
        keys["age_on"] = suggestion.age_on
    if suggestion.top is not None:
        keys["top"] = suggestion.top
    if suggestion.zip3:
        keys["zip3"] = "census"
    if suggestion.bounds is not None:
        keys["bounds"] = suggestion.bounds
    if suggestion.notation is not None:
        keys["decimal"] = suggestion.notation.decimal
        if suggestion.notation.thousands:
            keys["thousands"] = suggestion.notation.thousands
    return f"{flow(keys).removesuffix('}')},"


def _text(reason: str) -> str:
    """In single quotes, in which the double ones of a reason need no escape."""
    can_be = reason.isprintable() and "'" not in reason
    return f"'{reason}'" if can_be else in_quotes(reason)


def _privacy(models: Sequence[Mapping[str, Any]], unit: Unit) -> Iterator[str]:
    entries = [flow(model) for model in models]
    width = _width(entries)
    for model, entry in zip(models, entries, strict=True):
        yield f"  - {entry:{width}}  # {model_of(model, ()).demand(unit)}"


def _width(texts: Iterable[str]) -> int:
    return max((len(text) for text in texts if len(text) <= WIDEST), default=0)


def _one_line(text: str) -> str:
    return text if text.isprintable() else in_quotes(text)
