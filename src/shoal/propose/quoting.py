"""Texts as YAML, on one line and in quotes where they could be misread."""

from __future__ import annotations

import json
import re

PLAIN = re.compile(r"[^\W\d_][\w-]*")
WORDS = frozenset(["y", "n", "yes", "no", "on", "off", "true", "false", "null"])  # not texts


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
