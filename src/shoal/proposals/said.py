"""What a reason says of the way in which numbers are written."""

from __future__ import annotations

from shoal.errors import counted
from shoal.proposals.profile import Profile


def said_of_numbers(profile: Profile) -> str:
    """In a few words, without a word of the data; nothing where numbers are plain."""
    numbers = profile.numbers
    if numbers is None or numbers.is_unclear or numbers.are_plain:
        return ""
    (notation,) = numbers.notations
    said = [] if notation.is_plain else [f"numbers are written {notation.describe()}"]
    if numbers.n_records:
        share = 100 * numbers.n_records / max(len(profile.series), 1)
        of_records = f"{counted(numbers.n_records, 'record')} ({share:.2g}%)"
        have = "has" if numbers.n_records == 1 else "have"
        words = f"{of_records} {have} a word in place of a number"
        said.append(
            f"{words}, which counts as missing"
            if not numbers.n_others
            else f"{words}, so the column is read as text: list what means missing under "
            "missing_values"
        )
    return "; ".join(said)
