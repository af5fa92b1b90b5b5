"""A plot with what belongs to it: a sentence on what is seen, a legend, and its table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from shoal.plot.drawing import swatch
from shoal.plot.markup import Html, element, html, lines, table

WIDE, NARROW = (860.0, 420.0), (340.0, 330.0)  # pixels


@dataclass(frozen=True, eq=False, repr=False)
class Figure:
    """A plot for wide and for narrow screens, its legend, a sentence, and a table of its figures.

    A notebook shows it; `write` makes a picture of it that stands alone.
    """

    title: str
    sentence: str
    wide: tuple[Html, ...]  # several, side by side: small multiples
    narrow: tuple[Html, ...]
    heads: tuple[str, ...]  # of the table
    rows: tuple[tuple[object, ...], ...]
    legend: tuple[tuple[str, int, str], ...] = ()  # name, style, class
    is_open: bool = False  # the table is shown at once

    def __repr__(self) -> str:
        return f"<Figure: {self.title}>"

    def _repr_html_(self) -> str:
        inside = element("div", self.html(), class_="shoal-plot")
        return f"<style>{css()}</style>{inside}"

    @property
    def svg(self) -> str:
        """The picture for wide screens as a file of its own, in light and dark."""
        start, found, rest = self.wide[0].partition(">")
        names = 'xmlns="http://www.w3.org/2000/svg"'
        return f"{start.replace('<svg', f'<svg {names}', 1)}{found}<style>{css()}</style>{rest}\n"

    def write(self, path: str | Path) -> None:
        """Write the picture as an svg file."""
        Path(path).write_text(self.svg, encoding="utf-8")

    def html(self) -> Html:
        """The figure as a part of a page."""
        wide = self._pictures(self.wide, "wide" if self.narrow else "")
        narrow = self._pictures(self.narrow, "narrow") if self.narrow else Html("")
        return element(
            "figure",
            wide,
            narrow,
            self._legend(),
            element("figcaption", self.sentence),
            self._table(),
            class_="plotted",
        )

    def _pictures(self, pictures: Sequence[Html], class_: str) -> Html:
        of = " ".join(filter(None, (class_, "panels" if len(pictures) > 1 else "")))
        return element("div", lines(pictures), class_=of or "one")

    def _legend(self) -> Html:
        """Names with their marks: on narrow screens, and where panels have no labels."""
        if not self.legend:
            return Html("")
        items = (
            element("li", swatch(style), Html(" "), name, class_=f"series {class_}".strip())
            for name, style, class_ in self.legend
        )
        is_always = len(self.wide) > 1
        return element("ul", lines(items), class_="legend" if is_always else "legend narrow")

    def _table(self) -> Html:
        heads = [(head, "number" if i else "label") for i, head in enumerate(self.heads)]
        inside = element("div", table(heads, self.rows), class_="scroll")
        is_open = {"open": "open"} if self.is_open else {}
        return element("details", element("summary", "The figures as a table"), inside, **is_open)


def css() -> str:
    """The style of all plots."""
    return files("shoal.plot").joinpath("plot.css").read_text(encoding="utf-8")


def titled(figure: Figure) -> Html:
    return Html(element("h2", html(figure.title)) + figure.html())
