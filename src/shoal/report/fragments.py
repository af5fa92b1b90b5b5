"""Pieces of the pages of a report; what all pages are made of is in `plot/markup.py`."""

from __future__ import annotations

import re
from collections.abc import Iterable

from shoal.plot.markup import Html as Html
from shoal.plot.markup import element as element
from shoal.plot.markup import html as html
from shoal.plot.markup import lines as lines
from shoal.plot.markup import table as table


def prose(text: str) -> Html:
    """A sentence in which `backticks` mark what is typed.

    >>> prose("Raise `k` & wait.")
    'Raise <code>k</code> &amp; wait.'
    """
    return Html(re.sub(r"`([^`]+)`", r"<code>\1</code>", html(text)))


def column_name(column: str) -> Html:
    """A column's name, kept apart from the text around it whatever its script's direction."""
    return element("bdi", column)


def definitions(pairs: Iterable[tuple[object, object]], *, boxed: bool = False) -> Html:
    """The inside of a `dl`; boxed, every pair is in a `div` of its own."""
    parts = (Html(element("dt", term) + element("dd", text)) for term, text in pairs)
    return lines(element("div", part) if boxed else part for part in parts)
