"""Texts without control characters, whatever a column or a file is called."""

from __future__ import annotations


def printable(text: str) -> str:
    """A text that cannot clear the screen or change the title of a terminal.

    >>> printable("age\\x1b[2J"), printable("two\\nlines")
    ('age?[2J', 'two?lines')
    """
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def printable_lines(text: str) -> str:
    """The same for a text of several lines.

    >>> printable_lines("two\\nlines\\x07")
    'two\\nlines?'
    """
    return "\n".join(map(printable, text.split("\n")))
