"""From a table to a proposal that runs unchanged."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any

from shoal.errors import InputError
from shoal.policy.yaml_text import quoted
from shoal.proposals.hierarchies import bounds_of, hierarchy_of, intervals_of
from shoal.proposals.missing import in_list_order, tokens_in
from shoal.proposals.numbers import Numbers, answers_of, numbers_of_table
from shoal.proposals.person import (
    Person,
    everyone_has_one,
    person_among,
    person_of,
    warn_of_numbers,
    warn_of_rows,
)
from shoal.proposals.profile import FEWEST, Profile, Variety
from shoal.proposals.proposal import Proposal, Suggestion
from shoal.proposals.recipes import Recipe, fitted
from shoal.proposals.rules import suggest
from shoal.read.determines import determined_by
from shoal.read.fingerprints import ENOUGH_RECORDS, warn_of_fingerprints
from shoal.read.source import Source
from shoal.types.column import Role
from shoal.types.schema import ColumnSpec, Schema

IDENTIFYING = ("identifier", "pseudonym")
K = FEWEST
L = 2
NUMBERS = ("integer", "number")
MOST_SHOWN = 4  # columns in a note
UNITS = "{date: [month, year, decade]}"  # without `bounds`
DROPPED, DROPPED_TEXT, SENSITIVE, IDENTIFIER = range(4)  # as quasi, from least harm to most
NEARLY_ALL = 0.95  # of the records
MANY_QUASI = 10  # with more, little is left of each


def propose(
    source: Source,
    recipe: Recipe | None = None,
    roles: Mapping[str, Role] | None = None,
    person: str | None = None,
) -> Proposal:
    """Look at every column and propose its role. The policy made of it runs on this table.

    A `recipe` changes what columns become and how much is asked for. `roles` were decided, and so
    was `person`: the column that tells people apart, or an empty text where no column does.

    >>> import polars as pl
    >>> proposal = propose(Source(pl.DataFrame({"email": ["a", "b"], "age": [31, 47]})))
    >>> [(suggestion.name, suggestion.role) for suggestion in proposal.suggestions]
    [('email', 'identifier'), ('age', 'quasi')]
    """
    if source.n_records == 0:
        raise InputError("The table has no records, so no policy can be proposed.")
    tokens = _tokens_in(source)
    look = _Looker.of_table(source, tokens)
    suggestions = [suggest(look(name)) for name in source.frame.columns]
    if recipe is not None:
        today = datetime.now(UTC).date()
        suggestions = [fitted(s, look(s.name), recipe, today) for s in suggestions]
    suggestions = [
        _decided(s, look(s.name), role) if (role := (roles or {}).get(s.name)) else s
        for s in suggestions
    ]
    if not any(suggestion.role == "quasi" for suggestion in suggestions):
        suggestions = _with_one_quasi(suggestions, look)
    suggestions = _with_one_weight(suggestions)
    identifiers = {s.name: look(s.name) for s in suggestions if s.role in IDENTIFYING}
    whose = _whose(suggestions, identifiers, look, person)
    suggestions = _without_tellers(suggestions, look, whose)
    varieties = {s.name: look(s.name).variety for s in suggestions if s.role == "sensitive"}
    told = [name for name in varieties if whose and everyone_has_one(look(name), whose)]
    quasi = [s.name for s in suggestions if s.role == "quasi"]
    read = [s.name for s in suggestions if s.role in ("quasi", "sensitive")]
    read += [name for name, seen in identifiers.items() if seen.n_written < source.frame.height]
    usual = K if recipe is None else recipe.k
    k = min(usual, whose.n_people if whose else source.n_records)
    return Proposal(
        suggestions=tuple(suggestions),
        privacy=tuple(_models(k, {n: v for n, v in varieties.items() if n not in told})),
        k=k,
        n_records=source.n_records,
        missing_values=(
            *in_list_order([token for name in read for token in tokens[name]]),
            *look.words_in(read),
        ),
        notes=(
            *_note_on_recipe(recipe, k),
            *_notes(source, suggestions, varieties, look),
            *_note_on_words(source, look, read),
            *(() if person == "" else _notes_on_people(identifiers, whose, told)),
            *(() if whose else warn_of_numbers([look(name) for name in quasi])),
        ),
        person=whose,
        recipe=recipe,
    )


def _whose(
    suggestions: Sequence[Suggestion],
    identifiers: Mapping[str, Profile],
    look: _Looker,
    decided: str | None,
) -> Person | None:
    """Who tells people apart: the column that was decided on, a pseudonym, or what seems to."""
    pseudonyms = [s.name for s in suggestions if s.role == "pseudonym"]
    if pseudonyms:
        return person_of(look(pseudonyms[0]))
    if decided is None:
        return person_among(identifiers)
    return person_of(look(decided)) if decided else None


def _decided(suggestion: Suggestion, profile: Profile, role: Role) -> Suggestion:
    """A column in a role that somebody chose."""
    if role == suggestion.role:
        return suggestion
    reason = f"decided by you; {suggestion.role} was proposed: {suggestion.reason}"
    hierarchy = hierarchy_of(profile) if role == "quasi" else None
    chosen = Suggestion(suggestion.name, role, hierarchy, reason)
    if role != "quasi":
        return chosen
    return replace(chosen, format=profile.format, bounds=bounds_of(profile))


def look_at(source: Source, name: str) -> Profile:
    """A column as proposals see it: in its table, which tells what is missing in it."""
    return _Looker.of_table(source, _tokens_in(source))(name)


def _tokens_in(source: Source) -> dict[str, tuple[str, ...]]:
    return {name: tokens_in(source.frame[name]) for name in source.frame.columns}


@dataclass(frozen=True, eq=False)
class _Looker:
    """Profiles by name. They are not kept: a column as read is as long as the table."""

    source: Source
    missing_values: Sequence[str]
    numbers: Mapping[str, Numbers]

    @classmethod
    def of_table(cls, source: Source, tokens: Mapping[str, Sequence[str]]) -> _Looker:
        """With what its columns of text tell about numbers together."""
        missing = in_list_order([token for found in tokens.values() for token in found])
        numbers = numbers_of_table(source.frame, missing, is_text=source.is_text)
        look = cls(source, missing, numbers)
        return replace(look, missing_values=(*missing, *look.words_in(list(numbers))))

    def words_in(self, names: Sequence[str]) -> tuple[str, ...]:
        """Words that mean missing in columns that are of numbers without them."""
        found = (self.numbers[name] for name in names if name in self.numbers)
        return tuple(sorted({word for one in found if not one.n_others for word in one.known}))

    def __call__(self, name: str) -> Profile:
        return Profile(
            self.source.frame[name],
            self.source.is_text,
            self.missing_values,
            self.numbers.get(name),
        )


def _models(k: int, varieties: Mapping[str, Variety]) -> Iterator[Mapping[str, Any]]:
    """Only what the table can keep: as one group, it keeps each of these."""
    yield {"model": "k-anonymity", "k": k}
    for name, variety in varieties.items():
        if variety.n_values >= L:
            yield {"model": "distinct-l-diversity", "column": name, "l": L}


def _with_one_quasi(suggestions: list[Suggestion], look: _Looker) -> list[Suggestion]:
    """A policy needs a quasi-identifier: the column that does least harm as one becomes it."""
    readable = [s for s in suggestions if look(s.name).column is not None]
    if not readable:
        raise InputError(
            "No column can be ordered or generalised: all contain lists or infinite numbers. "
            "Convert them to text or numbers first."
        )
    chosen = min(readable, key=lambda suggestion: _harm(suggestion, look(suggestion.name)))
    return [_as_quasi(s, look(s.name)) if s is chosen else s for s in suggestions]


def _with_one_weight(suggestions: list[Suggestion]) -> list[Suggestion]:
    """A record stands for one number of people: the first column of weights says it."""
    weights = [s for s in suggestions if s.role == "weight"]
    return [
        replace(s, role="drop", reason=f"{s.reason}; but {quoted(weights[0].name)} is the weight")
        if s in weights[1:]
        else s
        for s in suggestions
    ]


def _without_tellers(
    suggestions: list[Suggestion], look: _Looker, person: Person | None
) -> list[Suggestion]:
    """A sensitive column that tells a quasi-identifier would undo its generalisation: both are."""
    persons = None if person is None else person.of_record
    while True:
        columns = {
            role: {s.name: c for s in suggestions if s.role == role and (c := look(s.name).column)}
            for role in ("sensitive", "quasi")
        }
        told = determined_by(columns["sensitive"], columns["quasi"], persons)
        if not told:
            return suggestions
        tells = {found.kept[0]: found.hidden for found in told}
        suggestions = [
            replace(
                s,
                role="quasi",
                hierarchy=hierarchy_of(look(s.name)),
                bounds=bounds_of(look(s.name)),
                reason=f"{s.reason}; but it tells {quoted(tells[s.name])}, so both are generalised",
            )
            if s.name in tells
            else s
            for s in suggestions
        ]


def _harm(suggestion: Suggestion, profile: Profile) -> tuple[int, float]:
    """Numbers can be blurred, free text only hidden; identifiers do the most harm."""
    if suggestion.role == "drop":
        return (DROPPED_TEXT if profile.kind == "text" else DROPPED), 0.0
    return (SENSITIVE if suggestion.role == "sensitive" else IDENTIFIER), -profile.share


def _as_quasi(suggestion: Suggestion, profile: Profile) -> Suggestion:
    reason = f"{suggestion.reason}; would be {suggestion.role}, but one column must be quasi"
    if _harm(suggestion, profile)[0] in (DROPPED_TEXT, IDENTIFIER):
        # Sets and ranges would show the values; under a flat hierarchy they are seen or not.
        reason += ", and values that few records share become *"
        return replace(suggestion, role="quasi", hierarchy="flat", reason=reason)
    return replace(
        suggestion,
        role="quasi",
        hierarchy=hierarchy_of(profile),
        bounds=bounds_of(profile),
        reason=reason,
        format=profile.format,
        notation=profile.notation,
    )


def _notes(
    source: Source,
    suggestions: Sequence[Suggestion],
    varieties: Mapping[str, Variety],
    look: _Looker,
) -> Iterator[str]:
    n_quasi = sum(suggestion.role == "quasi" for suggestion in suggestions)
    if source.n_records < ENOUGH_RECORDS:
        yield "The table has few records, so only column names are a guide: check every role."
    if source.n_records == 1:
        yield "The table has one record, which cannot be protected: quasi columns stay unchanged."
    elif source.n_records < K:
        yield f"k is {source.n_records}, because there are no more records; {K} is usual."
    if n_quasi > MANY_QUASI:
        yield (
            f"{n_quasi} columns are quasi, and each costs detail in all others. Drop the columns "
            "that recipients do not need."
        )
    ranged = [s for s in suggestions if s.role == "quasi" and not s.age_on and not s.zip3]
    yield from _note_on_intervals([p for s in ranged if _as_usual(s, p := look(s.name))])
    schema = Schema({s.name: ColumnSpec(s.role) for s in suggestions})
    yield from warn_of_fingerprints(source, schema)
    if not varieties:
        yield "No column looks sensitive. Give that role to what must not be learned of a person."
    for name, variety in varieties.items():
        if variety.n_values < L:
            yield f"{quoted(name)} is the same in every record, and no model can hide it. Drop it?"
        elif variety.commonest >= NEARLY_ALL:
            yield f"Nearly all records share a value of {quoted(name)}, so groups will be large."


def _as_usual(suggestion: Suggestion, profile: Profile) -> bool:
    """Whether no recipe has other ranges for its dates."""
    usual = bounds_of(profile)
    return usual is None or suggestion.bounds == usual


def _note_on_intervals(quasi: Sequence[Profile]) -> Iterator[str]:
    """What numbers would need under another algorithm than the one that is proposed."""
    numbers = [profile for profile in quasi if profile.kind in NUMBERS and profile.labels]
    widths = {p.name: intervals_of(p) for p in numbers if hierarchy_of(p) is None}
    shown = [
        f"{quoted(name)} {{intervals: [{', '.join(f'{width:g}' for width in found)}]}}"
        for name, found in widths.items()
        if found
    ]
    shown += [f"{quoted(p.name)} {UNITS}" for p in quasi if bounds_of(p)]
    if shown:
        more = f", and {len(shown) - MOST_SHOWN} more" if len(shown) > MOST_SHOWN else ""
        yield (
            "Numbers and dates have no hierarchy: Mondrian publishes ranges. An algorithm that "
            "chooses one "
            "level for each column, such as flash, needs one: "
            f"{', '.join(shown[:MOST_SHOWN])}{more}."
        )


def _note_on_words(source: Source, look: _Looker, read: Sequence[str]) -> Iterator[str]:
    """Words that stand for a missing number and are values of other columns that are read."""
    words = look.words_in(read)
    others = [name for name in read if name not in look.numbers]
    found = [quoted(n) for n in others if words and answers_of([source.frame[n]], words)]
    if found:
        yield (
            "Words for missing numbers, listed under `missing_values`, are also values of "
            f"{', '.join(found)}, where they count as missing too. If they are answers there, "
            "write them otherwise in one of the columns."
        )


def _note_on_recipe(recipe: Recipe | None, k: int) -> Iterator[str]:
    if recipe is not None and k < recipe.k:
        yield f"k is {k}, because there are no more; the recipe {recipe.name} asks for {recipe.k}."


def _notes_on_people(
    identifiers: Mapping[str, Profile], person: Person | None, told: Sequence[str]
) -> Iterator[str]:
    """`told` are sensitive columns of which a value is known of everybody."""
    if person is None:
        if any(profile.repeats for profile in identifiers.values()):
            yield warn_of_rows(identifiers)
        return
    if person.n_people < K:
        yield f"k is {person.n_people}, because there are no more people; {K} is usual."
    for name in told:
        yield f"All people share a value of {quoted(name)}, and no model can hide it. Drop it?"
