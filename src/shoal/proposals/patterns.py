"""What texts look like: addresses, codes, dates in other orders, prose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

import polars as pl

Look = Literal[
    "contact", "number", "other date", "diagnosis", "postcode", "place", "code", "free text",
    "short text",
]  # fmt: skip

SAMPLE = 2_000  # different values that are looked at, spread over all of them
NEARLY_ALL = 0.95
LONG = 60  # characters on average
WORDY = 8  # words on average


class Pattern(NamedTuple):
    """A regular expression, and how reasons call what it finds."""

    regex: str
    called: str


CONTACTS = (
    Pattern(r"^[^@\s]+@[^@\s]+\.[^@\s]+$", "e-mail addresses"),
    Pattern(r"(?i)^(https?|ftp)://", "web addresses"),
    Pattern(r"(?i)^\{?[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}\}?$", "UUIDs"),
    Pattern(r"^((25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(25[0-5]|2[0-4]\d|1?\d?\d)$", "IP addresses"),
    Pattern(r"(?i)^([0-9a-f]{1,4}:){7}[0-9a-f]{1,4}$", "IP addresses"),
    Pattern(r"(?i)^([0-9a-f]{2}[:-]){5}[0-9a-f]{2}$", "addresses of network devices"),
    Pattern(r"^[A-Z]{2}\d{2}( ?[A-Z0-9]){11,30}$", "bank account numbers (IBAN)"),
)
# Numbers that a state gives to a person, where their form alone tells them from others.
NATIONAL_IDS = (
    Pattern(r"^\d{3}-\d{2}-\d{4}$", "US social security numbers"),
    Pattern(
        r"(?i)^[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z] ?(\d{2} ?){3}[A-D]$", "UK insurance numbers"
    ),
    Pattern(r"(?i)^[A-Z]{6}\d{2}[A-EHLMPRST]\d{2}[A-Z]\d{3}[A-Z]$", "Italian fiscal codes"),
    Pattern(r"(?i)^(\d{8}|[XYZ]\d{7})-?[A-HJ-NP-TV-Z]$", "Spanish identity numbers"),
    Pattern(r"^\d{3}\.\d{3}\.\d{3}-\d{2}$", "Brazilian CPF numbers"),
    Pattern(r"^756\.\d{4}\.\d{4}\.\d{2}$", "Swiss insurance numbers"),
    Pattern(r"^(\d{2})?\d{2}(0[1-9]|1[0-2])\d{2}[-+]\d{4}$", "Nordic personal numbers"),
    Pattern(r"(?i)^\d{6}[-+A-FU-Y]\d{3}[0-9A-Y]$", "Finnish personal codes"),
    Pattern(r"^[12]\d{2}(0[1-9]|1[0-2])(\d{2}|2[AB])\d{6}( ?\d{2})?$", "French NIR numbers"),
)
DIAGNOSES = (
    Pattern(r"(?i)^[A-TV-Z]\d[0-9AB](\.[0-9A-Z]{1,4})?$", "ICD-10 codes"),
    Pattern(r"(?i)^[A-TV-Z]\d[0-9AB][0-9A-Z]{0,4}$", "ICD-10 codes"),
    Pattern(r"(?i)^(\d{3}(\.\d{1,2})?|V\d{2}(\.\d{1,2})?|E\d{3}(\.\d)?)$", "ICD-9 codes"),
)
POSTCODES = (
    Pattern(r"^\d{5}-\d{4}$", "US postcodes (ZIP+4)"),
    Pattern(r"(?i)^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$", "UK postcodes"),
    Pattern(r"(?i)^[ABCEGHJ-NPRSTVXY]\d[A-Z][ -]?\d[A-Z]\d$", "Canadian postcodes"),
    Pattern(r"^[1-9]\d{3} ?[A-Z]{2}$", "Dutch postcodes"),
)
PLACES = (
    Pattern(r"^[(]?-?\d{1,2}\.\d{2,}[°NS]*[,; ]+-?\d{1,3}\.\d{2,}[°EW]*[)]?$", "coordinates"),
)
CHAPTERS = 3
SEVERAL = 10  # different codes, below which their form may be chance
OTHER_DATES = (
    Pattern(r"^\d{1,2}\.\d{1,2}\.(\d{2}|\d{4})$", "DD.MM.YYYY"),
    Pattern(r"^\d{1,2}/\d{1,2}/(\d{2}|\d{4})$", "DD/MM/YYYY or MM/DD/YYYY"),
    Pattern(r"^\d{1,2}-\d{1,2}-(\d{2}|\d{4})$", "DD-MM-YYYY"),
    Pattern(r"^\d{4}[/.]\d{1,2}[/.]\d{1,2}$", "YYYY/MM/DD"),
    Pattern(r"^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}.*)?$", "YYYY-MM-DD, but not in every record"),
)
# Seven digits and more, with the signs that people put between them: a year range has those too,
# so whoever asks must see that the values hardly repeat.
TELEPHONE = Pattern(r"^[+(]?\d[\d ()/.-]*[ ()/.-][\d ()/.-]*\d$|^\+\d{7,15}$", "telephone numbers")
N_DIGITS = (7, 15)


class Looks(NamedTuple):
    """What the values of a text column look like, and how that is called in a reason."""

    look: Look
    called: str = ""


def looks_of(labels: Sequence[str]) -> Looks:
    """What most of these texts look like.

    >>> looks_of(["ann@example.org", "bob@example.org"])
    Looks(look='contact', called='e-mail addresses')
    >>> looks_of(["02139", "02142"]), looks_of(["red", "blue"])
    (Looks(look='code', called=''), Looks(look='short text', called=''))
    """
    texts = pl.Series(labels[:: len(labels) // SAMPLE + 1], dtype=pl.String).str.strip_chars()
    if not len(texts):
        return Looks("short text")
    if called := _first_fitting(texts, CONTACTS):
        return Looks("contact", called)
    if called := _first_fitting(texts, NATIONAL_IDS):
        return Looks("contact", called)
    if called := _first_fitting(texts, OTHER_DATES):
        return Looks("other date", called)
    if called := _first_fitting(texts, PLACES):
        return Looks("place", called)
    if called := _first_fitting(texts, POSTCODES):
        return Looks("postcode", called)
    if len(texts) >= SEVERAL and (called := _diagnoses(texts)):
        return Looks("diagnosis", called)
    if _share(_are_telephone_numbers(texts)) >= NEARLY_ALL:
        return Looks("number", TELEPHONE.called)
    if is_code(labels):
        return Looks("code")
    return Looks("free text" if _is_prose(texts) else "short text")


def is_code(labels: Sequence[str]) -> bool:
    """Whether all have one length of 3 to 10, letters and digits only, a digit in each."""
    texts = pl.Series(labels, dtype=pl.String)
    lengths = texts.str.len_chars()
    return bool(
        len(texts)
        and lengths.min() == lengths.max()
        and texts.str.contains(r"^[0-9A-Za-z]{3,10}$").all()
        and texts.str.contains(r"\d").all()
    )


def _first_fitting(texts: pl.Series, patterns: Sequence[Pattern]) -> str | None:
    fitting = (p for p in patterns if _share(texts.str.contains(p.regex)) >= NEARLY_ALL)
    return next((pattern.called for pattern in fitting), None)


def _diagnoses(texts: pl.Series) -> str | None:
    """ICD codes by their form, which codes of other registers may have by chance.

    ICD-9 needs a V, an E or a leading zero, or it is any number. ICD-10 needs three chapters, which
    have different letters, and a dot in a code or codes of different lengths.
    """
    letters = texts.str.to_uppercase().str.head(1)
    called = _first_fitting(texts, DIAGNOSES)
    if called == "ICD-9 codes":
        return called if letters.is_in(["V", "E", "0"]).any() else None
    is_varied = texts.str.contains(r"\.").any() or texts.str.len_chars().n_unique() > 1
    return called if is_varied and letters.n_unique() >= CHAPTERS else None


def _are_telephone_numbers(texts: pl.Series) -> pl.Series:
    n_digits = texts.str.count_matches(r"\d")
    return texts.str.contains(TELEPHONE.regex) & n_digits.is_between(*N_DIGITS)


def _is_prose(texts: pl.Series) -> bool:
    n_words = texts.str.count_matches(r"\S+")
    return _mean(texts.str.len_chars()) >= LONG or _mean(n_words) >= WORDY


def _share(is_so: pl.Series) -> float:
    return _mean(is_so.cast(pl.Int64))


def _mean(numbers: pl.Series) -> float:
    return float(numbers.to_numpy().mean())
