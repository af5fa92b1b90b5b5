"""Taxonomies that many need, read from the files in `taxonomies/`.

A file begins with lines of comment: its title, its source, and the names of its levels. Most list
names: below `[sub-region < region]` a line for each place, with all its spellings. Others have
ranges of codes, so that every code finds its place.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from shoal.types.zip3 import SMALL

FOLDER = Path(__file__).parent / "taxonomies"
TO = "–"  # between the ends of a range: a spreadsheet would take 5-9 for a date
Above = tuple[str, ...]  # the nodes above a value, without the root


@dataclass(frozen=True)
class Head:
    """What a file says of itself."""

    title: str
    source: str
    levels: tuple[str, ...]


class Taxonomy(ABC):
    """Where each value has its place."""

    head: Head
    a_value: str  # some value that has a place

    @abstractmethod
    def above(self, value: str) -> Above | None:
        """The nodes above a value, from the lowest; None where it has no place."""

    def spellings(self) -> Mapping[str, Above] | None:
        """All values that have a place, in small letters; None where they are a rule's."""
        return None


class Names(Taxonomy):
    """A list of names and codes; small letters mean the same as large ones."""

    def __init__(self, name: str) -> None:
        self.head, lines = _read(name)
        self._above: dict[str, Above] = {}
        above: Above = ()
        firsts = []
        for line in lines:
            if line.startswith("["):
                above = tuple(part.strip() for part in line.strip("[]").split("<"))
                continue
            spelled = line.split("|")
            firsts.append(spelled[0])
            for spelling in (*spelled, *_without_zeros(spelled)):
                known = self._above.setdefault(spelling.casefold(), above)
                assert known == above, f"{spelling!r} has two places in the taxonomy {name!r}"
        self.a_value = firsts[0]

    def above(self, value: str) -> Above | None:
        return self._above.get(value.casefold())

    def spellings(self) -> Mapping[str, Above]:
        return self._above


class Diagnoses(Taxonomy):
    """ICD: a category is within a range, the block, below a chapter."""

    def __init__(self, name: str, code: str, a_value: str) -> None:
        self.head, lines = _read(name)
        self._code = re.compile(code)
        self.a_value = a_value
        self._found: dict[str, Above | None] = {}
        self._ranges: list[tuple[str, str, str, str]] = []  # first, last, block, chapter
        self._chapters: list[tuple[str, str, str]] = []
        for line in lines:
            if line.endswith(")"):
                first, last = line[line.rindex("(") + 1 : -1].split("-")
                self._chapters.append((first, last, line.replace("-", TO)))
                continue
            for part in line.split():
                whole, *others = part.split(",")
                first, last = whole.split("-")
                for begin, end in ((first, last), *((other, other) for other in others)):
                    self._ranges.append((begin, end, f"{first}{TO}{last}", self._chapters[-1][2]))

    def above(self, value: str) -> Above | None:
        found = self._code.fullmatch(value.upper())
        if found is None:
            return None
        category = found[1]
        if category not in self._found:
            self._found[category] = self._above_category(category)
        return self._found[category]

    def _above_category(self, category: str) -> Above | None:
        for first, last, block, chapter in self._ranges:
            if first <= category <= last and len(first) == len(category):
                return category, block, chapter
        for first, last, chapter in self._chapters:  # a code that no block has yet
            if first <= category <= last and len(first) == len(category):
                return category, category, chapter
        return None


class ZipCodes(Taxonomy):
    """First three digits, state, division, region."""

    a_value = "00501"
    _code = re.compile(r"([0-9]{3})([0-9]{2}(-?[0-9]{4})?)?")

    def __init__(self) -> None:
        self.head, lines = _read("us-zip")
        states = taxonomy("us-states")
        self._state = {}
        for line in lines:
            digits, _, state = line.partition(" ")
            first, _, last = digits.partition("-")
            above = states.above(state) or (state, state)
            for number in range(int(first), int(last or first) + 1):
                self._state[f"{number:03}"] = (state, *above)

    def above(self, value: str) -> Above | None:
        if value == SMALL:  # all small areas, wherever they are: their own node at every level
            return (SMALL,) * len(self.head.levels)
        found = self._code.fullmatch(value)
        above = self._state.get(found[1]) if found else None
        return None if found is None or above is None else (f"{found[1]}**", *above)


class Activities(Taxonomy):
    """NACE: group 47.1, division 47, section G."""

    a_value = "01"
    _code = re.compile(r"(?:([A-U])\.?)?(?:([0-9]{2})(?:\.?([0-9])([0-9])?)?)?")

    def __init__(self) -> None:
        self.head, lines = _read("nace")
        self._section = {}
        for line in lines:
            numbers, _, section = line.partition(" ")
            first, _, last = numbers.partition("-")
            self._section[section[0]] = section
            for number in range(int(first), int(last or first) + 1):
                self._section[f"{number:02}"] = section

    def above(self, value: str) -> Above | None:
        found = self._code.fullmatch(value.upper())
        if found is None or not value:
            return None
        letter, division, group, _ = found.groups()
        section = self._section.get(division or letter)
        if section is None or (letter and not section.startswith(letter)):
            return None
        if division is None:
            return letter, letter, section
        return (f"{division}.{group}" if group else division), division, section


class Occupations(Taxonomy):
    """ISCO-08: minor group 221, sub-major group 22, major group 2."""

    a_value = "1"
    _code = re.compile(r"([0-9])([0-9]([0-9][0-9]?)?)?")

    def __init__(self) -> None:
        self.head, lines = _read("isco-08")
        self._major = {line[0]: line for line in lines}

    def above(self, value: str) -> Above | None:
        # 0110, armed forces, loses its zero as a number, and no minor group ends with one.
        if not self._code.fullmatch(value) or (len(value) == 3 and value.endswith("0")):
            return None
        return value[:3], value[:2], self._major[value[0]]


class Ages(Taxonomy):
    """Years of life in fives and in phases."""

    a_value = "0"
    _oldest_band = 85

    def __init__(self) -> None:
        self.head, lines = _read("ages")
        self._phase = {}
        for line in lines:
            years, _, phase = line.partition(" ")
            first, _, last = years.partition("-")
            for year in range(int(first), int(last) + 1):
                self._phase[year] = phase.replace("-", TO)

    def above(self, value: str) -> Above | None:
        if not re.fullmatch(r"0|[1-9][0-9]{0,2}", value) or int(value) not in self._phase:
            return None
        low = int(value) // 5 * 5
        oldest = self._oldest_band
        band = f"{oldest}+" if low >= oldest else f"{low}{TO}{low + 4}"
        return band, self._phase[int(value)]


NAMES = ("ages", "countries", "icd-10", "icd-9", "isco-08", "languages", "months", "nace",
         "us-states", "us-zip")  # fmt: skip


@cache
def taxonomy(name: str) -> Taxonomy:
    """One of `NAMES`."""
    match name:
        case "icd-10":
            code = r"([A-Z][0-9][0-9A-Z])(?:\.?[0-9A-Z]{1,4})?[-+*†‡!]?"
            return Diagnoses(name, code, "A00")
        case "icd-9":
            return Diagnoses(name, r"([0-9]{3}|V[0-9]{2}|E[0-9]{3})(?:\.?[0-9]{1,2})?", "001")
        case "us-zip":
            return ZipCodes()
        case "nace":
            return Activities()
        case "isco-08":
            return Occupations()
        case "ages":
            return Ages()
    return Names(name)


def _read(name: str) -> tuple[Head, list[str]]:
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    comments = [line.removeprefix("# ") for line in lines if line.startswith("#")]
    levels = next(line for line in comments if line.startswith("Levels: "))
    source = next(line for line in comments if line.startswith("Source: "))
    head = Head(
        comments[0],
        source.removeprefix("Source: "),
        tuple(levels.removeprefix("Levels: ").split(", ")),
    )
    return head, [line for line in lines if not line.startswith("#")]


def _without_zeros(spelled: list[str]) -> Iterator[str]:
    """Codes of digits as a column of numbers has them: 4 for 004."""
    for spelling in spelled:
        if spelling.isdigit() and spelling.startswith("0"):
            yield spelling.lstrip("0")
