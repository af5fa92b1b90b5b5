"""Pieces of a page: every text that comes in is escaped here, and nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape


class Html(str):
    """Text that is HTML already."""

    __slots__ = ()


def html(text: object) -> Html:
    """Text made safe to stand in a page; what is HTML already stays.

    >>> html("<b>"), html(Html("<b>"))
    ('&lt;b&gt;', '<b>')
    """
    return text if isinstance(text, Html) else Html(escape(str(text)))


def element(tag: str, *content: object, **attributes: str) -> Html:
    """An element around its content; `class_` is written for `class`.

    >>> element("p", "1 < 2", class_="lead")
    '<p class="lead">1 &lt; 2</p>'
    """
    given = "".join(
        f' {name.rstrip("_").replace("_", "-")}="{escape(value)}"'
        for name, value in attributes.items()
    )
    return Html(f"<{tag}{given}>{''.join(map(html, content))}</{tag}>")


def lines(parts: Iterable[Html]) -> Html:
    return Html("\n".join(parts))


def table(heads: Sequence[tuple[str, str]], rows: Iterable[Sequence[object]]) -> Html:
    """A table; `heads` are the columns' titles and classes, and a row's first cell names it."""
    classes = [class_ for _, class_ in heads]
    head = element("tr", *(_cell("th", title, class_, "col") for title, class_ in heads))
    body = (
        element(
            "tr",
            *(
                _cell("td" if i else "th", content, class_, None if i else "row")
                for i, (content, class_) in enumerate(zip(row, classes, strict=True))
            ),
        )
        for row in rows
    )
    return element("table", element("thead", head), element("tbody", Html("\n"), lines(body)))


def _cell(tag: str, content: object, class_: str, scope: str | None) -> Html:
    attributes = {"class_": class_} if class_ else {}
    if scope:
        attributes["scope"] = scope
    return element(tag, content, **attributes)
