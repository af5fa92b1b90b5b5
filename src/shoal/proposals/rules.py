"""The rules that give a column its role. The first that has an answer decides.

They are careful: a column that no rule recognises is quasi, and none is proposed to be kept.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import polars as pl

from shoal.proposals.hierarchies import bounds_of, hierarchy_of, is_age, is_birth_year
from shoal.proposals.hints import names_a_person, says_money
from shoal.proposals.profile import FEW, FEWEST, Profile
from shoal.proposals.proposal import Suggestion
from shoal.proposals.said import said_of_numbers
from shoal.read.dates import Ambiguous
from shoal.read.fingerprints import ENOUGH_RECORDS
from shoal.types.column import Role

NUMBERS = ("integer", "number")
Rule = Callable[[Profile], Suggestion | None]

SELDOM_REPEATED = 0.2  # different values by records, from which ids and names are those of people
SELDOM_SHARED = 0.5  # the same for telephone numbers
ANSWERS = frozenset(
    ["yes", "no", "y", "n", "true", "false", "t", "f", "0", "1", "ja", "nein", "j", "oui", "non",
     "o", "si", "sí", "s", "nee", "tak", "nie"]
)  # fmt: skip
MOST_ANSWERS = 4  # yes, no, and two ways to be missing
FINGERPRINT = "unchanged it identifies records, generalised it costs much detail"
LOOKED_UP = "people can be found by it"
TO_BE_SAFE = "quasi to be safe"
MOSTLY = 0.5
OUTERMOST = 180  # degrees
NUMBERS_READ: tuple[Role, ...] = ("quasi", "sensitive", "weight")
DATE_KINDS = {"date": "a date", "datetime": "a date with a time"}


def suggest(profile: Profile) -> Suggestion:
    """The role of a column, with a hierarchy where it is to be generalised, and the reason."""
    suggestion = _by_rule(profile)
    said = said_of_numbers(profile)
    if suggestion.role == "identifier" or not said:
        return suggestion
    notation = profile.notation if suggestion.role in NUMBERS_READ else None
    if isinstance(suggestion.hierarchy, Mapping) and "prefix" in suggestion.hierarchy:
        notation = None  # letter by letter
    return replace(suggestion, reason=f"{suggestion.reason}; {said}", notation=notation)


def _by_rule(profile: Profile) -> Suggestion:
    for rule in RULES:
        suggestion = rule(profile)
        if suggestion is not None:
            return suggestion
    if profile.means("known"):
        return _quasi(profile, f"{_name_says(profile)}: {LOOKED_UP}")
    return _quasi(profile, f"{_described(profile)}; {TO_BE_SAFE}")


def _named_after_a_person(profile: Profile) -> Suggestion | None:
    """By name alone; but `has e-mail`, answered by yes and no, is not an e-mail address."""
    if not profile.means("person"):
        return None
    if len(profile.series) >= ENOUGH_RECORDS and profile.n_written <= MOST_ANSWERS:
        answers = {label.casefold() for label in profile.labels}
        if answers and answers <= ANSWERS:
            return None
    return _say(profile, "identifier", _name_says(profile))


def _household_number(profile: Profile) -> Suggestion | None:
    """`household id`, `hhid`: of a group that is found with any of its members."""
    if not profile.means("household") or profile.kind not in ("text", "integer"):
        return None
    if len(profile.labels) < FEW:
        return None
    reason = f"{_name_says(profile)}: it numbers households, and who finds a member finds all"
    return _say(profile, "identifier", reason)


def _survey_weight(profile: Profile) -> Suggestion | None:
    """By name, and if every record stands for one person at least, perhaps for a fraction more."""
    if not profile.means("weight") or profile.kind not in ("integer", "number"):
        return None
    column = profile.column
    assert column is not None
    assert column.numbers is not None
    if column.has_missing or not column.numbers.min() >= 1 or len(profile.labels) == 1:
        return None
    reason = (
        f"{_name_says(profile)} and no number is below 1: a survey weight, how many people a "
        "record stands for. `release: true` would publish it"
    )
    return _say(profile, "weight", reason)


def _named_free_text(profile: Profile) -> Suggestion | None:
    if not profile.means("free text"):
        return None
    if profile.is_plainly_text or (profile.kind == "text" and profile.labels):
        return _say(profile, "drop", f"{_name_says(profile)}: free text may contain anything")
    return None


def _not_readable(profile: Profile) -> Suggestion | None:
    if profile.column is not None:
        return None
    dtype = profile.series.dtype
    what = (
        "durations, which could be numbers, such as days"
        if dtype == pl.Duration
        else "lists or other nested values"
        if dtype.is_nested()
        else "infinite numbers"
        if dtype.is_float()
        else "values of several kinds, or of none that has an order"
    )
    return _say(profile, "drop", f"its values cannot be ordered or generalised: {what}")


def _of_one_value(profile: Profile) -> Suggestion | None:
    if not profile.labels:
        return _quasi(profile, "missing in every record, so generalising it loses nothing")
    if profile.variety.n_values == 1 and profile.n_present > 1 and not profile.means("sensitive"):
        return _quasi(profile, "constant, so generalising it loses nothing")
    return None


def _looks_like_contact(profile: Profile) -> Suggestion | None:
    look, called = profile.looks
    if look == "contact" or (look == "number" and profile.share >= SELDOM_SHARED):
        return _say(profile, "identifier", f"its values look like {called}")
    return None


def _row_number(profile: Profile) -> Suggestion | None:
    if profile.numbers_the_rows and not profile.means("age", "sex", "sensitive"):
        return _say(profile, "identifier", "it numbers the records")
    return None


def _date(profile: Profile) -> Suggestion | None:
    if profile.kind not in ("date", "datetime"):
        return None
    written = f" written {profile.format}" if profile.format else ""
    return _quasi(profile, f"looks like {DATE_KINDS[profile.kind]}{written}, which others may know")


def _demographic(profile: Profile) -> Suggestion | None:
    if not profile.means("postcode", "age", "sex", "birth") or not _is_as_named(profile):
        return None
    return _quasi(profile, f"{_name_says(profile)}: {LOOKED_UP}")


def _is_as_named(profile: Profile) -> bool:
    """Ages are not told from any other numbers once they pass 120, nor texts once all differ."""
    if profile.means("postcode"):
        return True
    if profile.kind in ("integer", "number") and not profile.means("sex"):
        return is_age(profile) or is_birth_year(profile)
    is_date = profile.looks.look == "other date" or profile.written_dates is not None
    return not profile.is_nearly_unique and not is_date


def _sensitive(profile: Profile) -> Suggestion | None:
    if not profile.means("sensitive"):
        return None
    name_says = _name_says(profile)
    if profile.is_nearly_unique and profile.has_many_values:
        if profile.kind in NUMBERS:
            return _ranges(profile, name_says)
        return _say(
            profile, "drop", f"{name_says}, but {_uniqueness(profile)}: it identifies records"
        )
    if _is_free_text(profile):
        return _say(profile, "drop", f"{name_says}, but it is long free text")
    return _say(profile, "sensitive", f"{name_says}: must not be learned about a person")


def _unclear_numbers(profile: Profile) -> Suggestion | None:
    """Dropped: as texts, its values would be told one by one."""
    if profile.numbers is None or not profile.numbers.is_unclear:
        return None
    return _say(
        profile,
        "drop",
        "numbers with a comma, all with three digits after it: it may stand before a fraction or "
        "between thousands. To generalise it, say which: role: quasi, and decimal: ',' or "
        "thousands: ','",
    )


def _diagnosis(profile: Profile) -> Suggestion | None:
    """By values, whatever the column is called."""
    if profile.looks.look != "diagnosis" or profile.is_nearly_unique:
        return None
    reason = f"its values look like {profile.looks.called}: must not be learned about a person"
    return _say(profile, "sensitive", reason)


def _place(profile: Profile) -> Suggestion | None:
    """A point on the map is a home; coarser ones are better told as regions."""
    reason = "exact places identify homes; a region or postcode would keep some detail"
    if profile.looks.look == "place":
        return _say(profile, "drop", f"its values look like {profile.looks.called}: {reason}")
    if not profile.means("place") or profile.kind != "number":
        return None
    low, high = profile.span
    if low >= -OUTERMOST and high <= OUTERMOST and profile.has_many_values:
        return _say(profile, "drop", f"{_name_says(profile)}: {reason}")
    return None


def _postcode(profile: Profile) -> Suggestion | None:
    if profile.looks.look != "postcode":
        return None
    return _quasi(profile, f"its values look like {profile.looks.called}: {LOOKED_UP}")


def _free_text(profile: Profile) -> Suggestion | None:
    if not _is_free_text(profile):
        return None
    return _say(profile, "drop", "long free text, which may contain anything")


def _other_date(profile: Profile) -> Suggestion | None:
    """Dropped: as texts, its values would be told one by one."""
    unclear = profile.written_dates
    if isinstance(unclear, Ambiguous):
        reason = (
            f"a date, {unclear.first} or {unclear.second}: no day is above 12. To generalise it, "
            f"say which: role: quasi, format: {unclear.second}, hierarchy: {{date: [month, year]}}"
        )
        return _say(profile, "drop", reason)
    if profile.looks.look != "other date":
        return None
    reason = (
        f"looks like a date ({profile.looks.called}); if every record had YYYY-MM-DD, it could "
        "be generalised to months and years"
    )
    return _say(profile, "drop", reason)


def _numbers_people(profile: Profile) -> Suggestion | None:
    """`patient`, `subject no`: people, however often they repeat, for they may have many records.

    Names of school subjects repeat more often than those of people.
    """
    if not names_a_person(profile.name) or not profile.repeats or len(profile.labels) < FEW:
        return None
    if profile.is_numbered or (profile.kind == "text" and profile.share >= SELDOM_REPEATED):
        return _say(profile, "identifier", "its name says a person, who may have several records")
    return None


def _numbered_or_named(profile: Profile) -> Suggestion | None:
    """`ward id`, `city name`: of people where the values seldom repeat, else of groups."""
    if not profile.means("number", "name") or profile.kind not in ("text", "integer"):
        return None
    if profile.n_present < ENOUGH_RECORDS or profile.share >= SELDOM_REPEATED:
        return _say(profile, "identifier", f"{_name_says(profile)}, and its values rarely repeat")
    return None


def _nearly_unique(profile: Profile) -> Suggestion | None:
    if not profile.is_nearly_unique:
        return None
    if profile.kind == "text":
        reason = f"{_uniqueness(profile)}: it identifies people"
        return _say(profile, "identifier", reason)
    if profile.has_many_values and profile.kind in NUMBERS and says_money(profile.name):
        return _ranges(profile, "its name says money")
    if profile.has_many_values:
        return _say(profile, "drop", f"{_uniqueness(profile)}: {FINGERPRINT}")
    return None


RULES: tuple[Rule, ...] = (
    _household_number,
    _named_after_a_person,
    _named_free_text,
    _not_readable,
    _looks_like_contact,
    _of_one_value,
    _row_number,
    _date,
    _survey_weight,
    _demographic,
    _sensitive,
    _unclear_numbers,
    _diagnosis,
    _place,
    _postcode,
    _free_text,
    _other_date,
    _numbers_people,
    _numbered_or_named,
    _nearly_unique,
)


def _ranges(profile: Profile, why: str) -> Suggestion:
    """Numbers that are worth their cost in detail, and would identify records as they are."""
    reason = (
        f"{why}, but {_uniqueness(profile)}: it identifies records, so it is generalised to ranges "
        "with round ends"
    )
    return replace(_say(profile, "quasi", reason), bounds="grid")


def _say(profile: Profile, role: Role, reason: str) -> Suggestion:
    return Suggestion(profile.name, role, None, reason)


def _quasi(profile: Profile, reason: str) -> Suggestion:
    hierarchy = hierarchy_of(profile)
    if hierarchy is None and profile.kind == "text" and profile.n_present >= ENOUGH_RECORDS:
        rare = profile.rare
        if rare.of_values > MOSTLY:
            advice = f"{rare.n_values:,} values are of fewer than {FEWEST} records; a hierarchy"
            if rare.of_records > MOSTLY:
                return _say(profile, "drop", f"{reason}; {advice} could keep some detail")
            reason = f"{reason}; {advice} would keep more than the values that are not"
            return Suggestion(profile.name, "quasi", "flat", reason)
    if isinstance(hierarchy, Mapping) and "library" in hierarchy:
        reason = f"{reason}; all values have a place in the library {hierarchy['library']}"
    bounds = bounds_of(profile)
    return Suggestion(profile.name, "quasi", hierarchy, reason, profile.format, bounds=bounds)


def _name_says(profile: Profile) -> str:
    assert profile.hint is not None
    return f'its name says "{profile.hint.word}"'


def _is_free_text(profile: Profile) -> bool:
    is_varied = profile.n_present < ENOUGH_RECORDS or profile.share >= SELDOM_REPEATED
    return profile.looks.look == "free text" and is_varied


def _uniqueness(profile: Profile) -> str:
    if len(profile.labels) == profile.n_present:
        return "every value is different"
    return f"{int(profile.share * 100)}% of its values are different"


def _described(profile: Profile) -> str:
    words = {"text": "texts", "boolean": "answers", "time": "times of day"}
    n = len(profile.labels)
    return f"{n:,} different {words.get(profile.kind or '', 'numbers')}" if n > 1 else "one value"
