"""Numbers that are not plain: with decimal commas, signs between thousands, or words among them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import polars as pl

from shoal.read.numbers import TEXT
from shoal.types.notation import COMMA, PLAIN, POINT, Notation

# What people write in place of a number, in a dozen languages, in small letters.
WORDS = frozenset(
    ["unknown", "not known", "unk", "missing", "none", "not available", "not applicable",
     "not recorded", "not reported", "no data", "no answer", "refused", "declined",
     "prefer not to say",
     "n.a.", "n. a.", "nil", "not stated", "undisclosed",
     "unbekannt", "keine angabe", "k.a.", "k. a.", "fehlt", "entfällt", "verweigert",
     "inconnu", "inconnue", "non renseigné", "nr", "desconocido", "desconocida", "no consta",
     "sconosciuto", "non noto", "onbekend", "geen", "nieznany", "nieznane", "brak", "okänd",
     "okänt",
     "ukendt", "ukjent", "tuntematon", "desconhecido", "desconhecida", "neznámé", "bilinmiyor"]
)  # fmt: skip
# Of these, what may be an answer: where another column has it as one, it is not taken for missing.
ANSWERS = frozenset(
    ["none", "not applicable", "no answer", "refused", "declined", "prefer not to say", "n.a.",
     "n. a.", "nil", "entfällt", "verweigert", "nr", "geen", "brak"]
)  # fmt: skip
NUMBERS = 0.9  # of the records, above which other texts are words among numbers
FEW_WORDS = 5  # different ones; more are another kind of value
MANY = 20  # different values
FIRST = 1_000  # records, of which one at least must begin as a number does
NOTATIONS = tuple(
    Notation(decimal, thousands)
    for decimal, signs in ((POINT, ("", COMMA, " ", "'")), (COMMA, ("", POINT, " ", "'")))
    for thousands in signs
)


class Numbers(NamedTuple):
    """How the numbers of a column of text are written, and what stands among them."""

    notations: tuple[Notation, ...]  # more than one where the values do not tell
    may_have_points: bool = False  # between thousands: each has three digits after a point
    known: tuple[str, ...] = ()  # words that say that a number is missing
    n_records: int = 0  # with any word
    n_others: int = 0  # different words that may say something else

    @property
    def is_unclear(self) -> bool:
        return len(self.notations) > 1

    @property
    def are_plain(self) -> bool:
        return self.notations == (PLAIN,) and not self.n_records


def numbers_in(series: pl.Series, missing_values: Sequence[str]) -> Numbers | None:
    """How the numbers of a column are written, or nothing where it is of something else.

    >>> numbers_in(pl.Series(["1.234,5", "12,25"]), [""]).notations
    (Notation(decimal=',', thousands='.'),)
    """
    if series.dtype not in TEXT:
        return None
    texts = series.alias("texts").cast(pl.String).drop_nulls()
    if not texts.head(FIRST).str.contains(r"^-?[0-9.,]").any():
        return None
    counts = texts.filter(~texts.is_in(["", *missing_values])).value_counts(name="n")
    n_records = int(counts["n"].sum())
    if not n_records:
        return None
    fitting: dict[Notation, pl.DataFrame] = {}
    for notation in NOTATIONS:
        is_number = counts["texts"].str.contains(notation.regex)
        if counts.filter(is_number)["n"].sum() >= NUMBERS * n_records:
            fitting[notation] = counts.filter(~is_number)
    if not fitting:
        return None
    n_left = {notation: int(others["n"].sum()) for notation, others in fitting.items()}
    best = [n for n in fitting if n_left[n] == min(n_left.values())]
    return _described(best, counts, fitting[best[0]])


def numbers_of_table(
    frame: pl.DataFrame, missing_values: Sequence[str], *, is_text: bool
) -> dict[str, Numbers]:
    """The columns of text whose numbers are not plain, by what all columns tell together.

    A frame that has types means its texts as such: there, plain ones with words must be many.
    """
    every = {column.name: numbers_in(column, missing_values) for column in frame}
    found = resolved({name: numbers for name, numbers in every.items() if numbers is not None})
    found = without_answers(found, frame)
    return {
        name: numbers
        for name, numbers in found.items()
        if not numbers.are_plain
        and (is_text or numbers.notations != (PLAIN,) or frame[name].n_unique() > MANY)
    }


def resolved(found: Mapping[str, Numbers]) -> dict[str, Numbers]:
    """The same, where other columns of the table tell what one alone does not."""
    clear = {n.notations[0].decimal for n in found.values() if _shows_a_decimal(n)}
    if len(clear) != 1:
        return dict(found)
    (decimal,) = clear
    return {name: _with_decimal(numbers, decimal) for name, numbers in found.items()}


def without_answers(found: Mapping[str, Numbers], frame: pl.DataFrame) -> dict[str, Numbers]:
    """The same, where a word that is an answer in another column is not known to mean missing."""
    known = [word for numbers in found.values() for word in numbers.known]
    words = [word for word in known if word.strip().casefold() in ANSWERS]
    answers = answers_of((column for column in frame if column.name not in found), words)
    return {
        name: numbers._replace(
            known=tuple(word for word in numbers.known if word not in answers),
            n_others=numbers.n_others + len(answers & set(numbers.known)),
        )
        for name, numbers in found.items()
    }


def answers_of(columns: Iterable[pl.Series], words: Sequence[str]) -> set[str]:
    """Those of the words that are values of one of these columns."""
    found: set[str] = set()
    for column in columns:
        if words and column.dtype in TEXT:
            texts = column.alias("texts").cast(pl.String)
            found |= set(texts.filter(texts.is_in(list(words)).fill_null(False)))
    return found


def _described(best: list[Notation], counts: pl.DataFrame, others: pl.DataFrame) -> Numbers | None:
    words = others["texts"].sort().to_list()
    if len(words) > FEW_WORDS or any(any(map(str.isdigit, word)) for word in words):
        return None
    known = tuple(word for word in words if word.strip().casefold() in WORDS)
    texts = counts["texts"].filter(~counts["texts"].is_in(words))
    return Numbers(
        notations=tuple(notation for notation in best if _is_needed(notation, best, texts)),
        may_have_points=PLAIN in best and Notation(COMMA, POINT) in best and _has(texts, POINT),
        known=known,
        n_records=int(others["n"].sum()),
        n_others=len(words) - len(known),
    )


def _is_needed(notation: Notation, best: list[Notation], texts: pl.Series) -> bool:
    """Whether no simpler one does: each sign that it asks for must occur."""
    if PLAIN in best:
        return notation == PLAIN
    if notation.decimal == COMMA and not _has(texts, COMMA):
        return False
    signs = notation.separators
    return not signs or any(_has(texts, sign) for sign in signs)


def _has(texts: pl.Series, sign: str) -> bool:
    return bool(texts.str.contains(sign, literal=True).any())


def _shows_a_decimal(numbers: Numbers) -> bool:
    return not numbers.is_unclear and numbers.notations[0] != PLAIN


def _with_decimal(numbers: Numbers, decimal: str) -> Numbers:
    if numbers.is_unclear:
        kept = tuple(n for n in numbers.notations if n.decimal == decimal)
        return numbers._replace(notations=kept or numbers.notations)
    if numbers.may_have_points and decimal == COMMA:
        return numbers._replace(notations=(Notation(COMMA, POINT),))
    return numbers
