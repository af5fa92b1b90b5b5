"""Texts as YAML, on one line and in quotes where they could be misread."""

from __future__ import annotations

import math
import re

import yaml

PLAIN = re.compile(r"[^\W\d_][\w-]*")


def quoted(text: str) -> str:
    """A text as YAML.

    >>> quoted("age"), quoted("yes"), quoted("a: #1"), quoted("two\\nlines")
    ('age', '"yes"', '"a: #1"', '"two\\\\nlines"')
    """
    if PLAIN.fullmatch(text) and text.isprintable() and yaml.safe_load(text) == text:
        return text
    return in_quotes(text)


def in_quotes(text: str) -> str:
    """Always in quotes. Unlike JSON's, these also escape what YAML takes for a line break."""
    written = yaml.safe_dump(text, default_style='"', allow_unicode=True, width=math.inf)
    return written.removesuffix("\n")
