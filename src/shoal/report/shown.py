"""What commands print in a terminal, as a text or for a notebook. No second set of words."""

from __future__ import annotations

import io
from collections.abc import Callable

from rich.console import Console

WIDTH = 80
# Colours of the page around it, so that it can be read on a dark one too.
PAGE = (
    '<pre style="white-space: pre; overflow-x: auto; line-height: 1.3; color: inherit; '
    'background: none">{code}</pre>'
)


def as_text(show: Callable[[Console], None]) -> str:
    """Without colours, in lines of 80 letters.

    >>> as_text(lambda console: console.print("done", style="bold"))
    'done'
    """
    console = Console(
        file=io.StringIO(), width=WIDTH, highlight=False, color_system=None, record=True,
        force_jupyter=False,
    )  # fmt: skip
    show(console)
    lines = console.export_text().splitlines()
    return "\n".join(line.rstrip() for line in lines).strip("\n")


def as_html(show: Callable[[Console], None]) -> str:
    """A part of a page, in which nothing that a column is called is taken for html.

    >>> "&lt;b&gt;" in as_html(lambda console: console.print("<b>"))
    True
    """
    console = Console(
        file=io.StringIO(), width=WIDTH, highlight=False, color_system="truecolor", record=True,
        force_jupyter=False,
    )  # fmt: skip
    show(console)
    return console.export_html(inline_styles=True, code_format=PAGE)
