"""Plain values as YAML: mappings and lists in brackets, texts in quotes where they need them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

WIDTH = 100  # of a line, where something can be broken
LONGEST_KEY = 1_000  # characters; YAML wants longer keys marked
LARGEST_WHOLE = 1e15  # a float below it is written without `.0`
PLAIN = re.compile(r"[^\W\d_][\w./-]*")
WORDS = frozenset(["y", "n", "yes", "no", "on", "off", "true", "false", "null"])  # not texts


def flow(value: Any) -> str:
    """Mappings, lists, numbers and texts on one line.

    >>> flow({"role": "quasi", "hierarchy": {"intervals": [5.0, 10]}, "NO": "9th"})
    '{role: quasi, hierarchy: {intervals: [5, 10]}, "NO": "9th"}'
    """
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{key_of(key)}{flow(of)}" for key, of in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flow, value)) + "]"
    return quoted(value) if isinstance(value, str) else _number(value)


def laid_out(value: Any, indent: int, start: int, after: int = 0) -> str:
    """On one line where that fits, else a line for each item.

    It begins at the place `start` of a line, and `after` brackets follow it.
    """
    line = flow(value)
    is_short = start + len(line) + after <= WIDTH
    if is_short or not isinstance(value, Mapping | list | tuple) or not value:
        return line
    begin = "\n" + " " * (indent + 2)
    items = f",{begin}".join(_items(value, indent + 2, after + 1))
    return f"{line[0]}{begin}{items}{line[-1]}"


def _items(value: Any, indent: int, after: int) -> Iterator[str]:
    is_mapping = isinstance(value, Mapping)
    for name in value:
        key, item = (key_of(name), value[name]) if is_mapping else ("", name)
        yield key + laid_out(item, indent, indent + len(key), after)


def key_of(name: str) -> str:
    """A key, its colon and a space.

    >>> key_of("age"), key_of("yes")
    ('age: ', '"yes": ')
    """
    text = quoted(name)
    return f"? {text} : " if len(text) > LONGEST_KEY else f"{text}: "


def _number(value: Any) -> str:
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    is_whole = isinstance(value, float) and value.is_integer() and abs(value) < LARGEST_WHOLE
    return str(int(value)) if is_whole else repr(value)


def quoted(text: str) -> str:
    """A text as YAML.

    >>> quoted("age"), quoted("yes"), quoted("a: #1"), quoted("two\\nlines")
    ('age', '"yes"', '"a: #1"', '"two\\\\nlines"')
    """
    is_plain = PLAIN.fullmatch(text) and text.isprintable() and text.lower() not in WORDS
    return text if is_plain else in_quotes(text)


def in_quotes(text: str) -> str:
    """Always in quotes: JSON's, with every letter escaped that YAML forbids or breaks lines at."""
    written = json.dumps(text, ensure_ascii=False)
    return "".join(letter if letter.isprintable() else _escaped(letter) for letter in written)


def _escaped(letter: str) -> str:
    # JSON would write two escapes for letters beyond FFFF, which YAML reads as two letters.
    number = ord(letter)
    return f"\\u{number:04x}" if number <= 0xFFFF else f"\\U{number:08x}"
