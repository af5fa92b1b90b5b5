"""A section of the dossier, and the pieces that several of them are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from shoal.report.fragments import Html, element, html, prose
from shoal.report.summarise import Facts


class Section(NamedTuple):
    """A title, which part of a regulator's form it fills, and the content."""

    id: str
    title: str
    fills: str
    content: tuple[Html, ...]


def rendered(section: Section, number: int) -> Html:
    title = element(
        "h2",
        element("span", f"{number}", class_="place"),
        Html(" "),
        section.title,
        id=section.id,
    )
    fills = element("p", section.fills, class_="fills") if section.fills else Html("")
    return element("section", title, fills, *section.content, aria_labelledby=section.id)


def paragraph(*sentences: str) -> Html:
    """Sentences, in which `backticks` mark what is typed; empty ones are left out."""
    return element("p", Html(" ".join(prose(sentence) for sentence in sentences if sentence)))


def advice(when: str, what: str) -> Html:
    return element("p", element("strong", when), Html(" "), prose(what), class_="advice")


def figure(caption: str, *content: Html) -> Html:
    return element("figure", element("figcaption", element("p", prose(caption))), *content)


def listed(texts: Sequence[str]) -> Html:
    return element("ul", *(element("li", prose(text)) for text in texts))


def to_fill_in(key: str) -> Html:
    """A line to write on, and how to have it filled the next time."""
    hint = prose(f"Not stated: `{key}` under `context` in the policy.")
    return element("span", hint, class_="blank")


def said(facts: Facts, key: str) -> Html:
    """What the context says, or a line to fill in; for a reader outside, just that it is not."""
    text = facts["context"].get(key)
    if not text:
        return to_fill_in(key) if is_internal(facts) else html("Not stated.")
    return listed(text) if isinstance(text, list) else html(text)


def is_internal(facts: Facts) -> bool:
    return bool(facts["dossier"]["audience"] == "internal")
