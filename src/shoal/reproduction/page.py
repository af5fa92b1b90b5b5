"""docs/reproduction.md: the verdict on each claim, and what it rests on."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from shoal.errors import counted
from shoal.plot.figure import Figure
from shoal.reproduction.claims.claim import Judged, Part
from shoal.reproduction.claims.seen import Grid, Spread
from shoal.reproduction.plots import PLOTS
from shoal.reproduction.scale import Scale

TITLES = {
    "Loukides and Shao 2008": "Loukides and Shao: *Data utility and privacy protection trade-off "
    "in k-anonymisation*, PAIS 2008 ([tgc](algorithms/tgc.md), "
    "[k-member-p](algorithms/k-member-p.md))",
    "Kayem and Meinel": "Kayem and Meinel: *Clustering heuristics for efficient t-closeness "
    "anonymisation* ([t-clustering](algorithms/t-clustering.md))",
    "Babu et al. 2013": "Babu, Reddy, Kumar, Elliot and Jena: *Achieving k-anonymity using "
    "improved greedy heuristics for very large relational databases*, 2013 "
    "([improved-greedy](algorithms/improved-greedy.md), [datafly](algorithms/datafly.md), "
    "[samarati](algorithms/samarati.md))",
    "Venkata Ramana and Valli Kumari": "Venkata Ramana and Valli Kumari: *Achieving k-anonymity "
    "using minimum spanning tree based partitioning* ([mstk](algorithms/mstk.md), "
    "[incognito](algorithms/incognito.md))",
    "Lin and Wei 2008": "Lin and Wei: *An efficient clustering method for k-anonymization*, PAIS "
    "2008 ([oka](algorithms/oka.md), [k-member](algorithms/k-member.md))",
}
COMMON = 3  # claims of a paper that share an assumption, from which on it stands at its head
MARKS = {True: "holds", False: "fails", None: "not measured"}


class Page:
    """Lines of the page; a table of figures that two claims need stands at the first of them."""

    def __init__(self, judged: Sequence[Judged], scales: Mapping[str, tuple[Scale, ...]],
                 pictures: Mapping[str, Figure], where: str) -> None:  # fmt: skip
        self._judged, self._pictures, self._where = judged, pictures, where
        self._scales = {id_: tuple(one.name for one in of) for id_, of in scales.items()}
        self._words = {one.name: one.in_words for of in scales.values() for one in of}
        self._shown: dict[object, str] = {}

    def text(self, notes: Sequence[str]) -> str:
        return "\n".join([*self._head(notes), *self._summary(), *self._papers()]) + "\n"

    def _head(self, notes: Sequence[str]) -> Iterator[str]:
        used = [self._words[name] for name in dict.fromkeys(sum(self._scales.values(), ()))]
        yield "# Do five papers hold?\n"
        yield (
            "Written by `shoal reproduce`, and not by hand. Figures were made "
            f"{'; others were made '.join(used)}.\n"
        )
        yield (
            "Shoal implements the methods of five papers. This page runs their experiments again "
            "and says of each claim whether it holds. A claim has a condition, set down before "
            "anything was measured, in one or several parts. How a part is read was settled "
            "with figures at hand in one case, C28: its first part may fail at one k in five; "
            "the verdict is the same at every k. **Confirmed**: all parts hold. "
            "**Refuted**: all fail. **Confirmed in part**: some hold. **Not testable**: what it "
            "needs cannot be had. Where a paper leaves something open, such as hierarchies or an "
            "order, each reading is a part. Readings that do not count are marked so.\n"
        )
        yield (
            "`shoal reproduce` runs everything again (`--quick`: a small scale, `--only C12,C40`: "
            f"some claims); it goes on where it was ended. All figures are in "
            f"[figures.csv]({self._where}/figures.csv), a row for each trial and measure. Every "
            "release among them was verified. Means over seeds; lowest and highest in brackets.\n"
        )
        for note in notes:
            yield f"Left out: {note}\n"

    def _summary(self) -> Iterator[str]:
        found = Counter(one.verdict for one in self._judged)
        said = ", ".join(f"{n} {verdict}" for verdict, n in sorted(found.items()))
        yield f"{counted(len(self._judged), 'claim')}: {said}.\n"
        yield "| claim | paper | what it says | verdict | scale |\n|--|--|--|--|--|"
        for one in self._judged:
            claim = one.claim
            link = f"[{claim.id}](#{claim.id.lower()})"
            scale = " and ".join(self._scales[claim.id])
            yield f"| {link} | {claim.paper} | {claim.says} | {one.verdict} | {scale} |"
        yield ""

    def _papers(self) -> Iterator[str]:
        for paper, group in groupby(self._judged, key=lambda one: one.claim.paper):
            claims = list(group)
            used = Counter(text for one in claims for text in one.claim.assumes)
            common = [text for text, n in used.items() if n >= COMMON]
            yield f"## {paper}\n\n{TITLES[paper]}\n"
            if common:
                yield "Assumptions, here and below unless a claim says otherwise:\n"
                yield "\n".join(f"- {text}" for text in common) + "\n"
            for one in claims:
                yield from self._claim(one, set(common))

    def _claim(self, one: Judged, common: set[str]) -> Iterator[str]:
        claim = one.claim
        yield f"### {claim.id}\n"
        yield f"**{claim.says}** ({claim.where})\n"
        yield f"**{one.verdict.capitalize()}.** {one.why} {one.evidence.remark}".strip() + "\n"
        yield f"Set-up: {claim.setup} Scale: {' and '.join(self._scales[claim.id])}.\n"
        own = [text for text in claim.assumes if text not in common]
        if own:
            yield "\n".join(f"- {text}" for text in own) + "\n"
        yield f"Condition: `{claim.passes}`\n"
        yield from self._parts(one.evidence.parts)
        for name in claim.plots:
            yield from self._picture(name, claim.id)
        for grid in one.evidence.grids:
            yield from self._grid(grid, claim.id)

    def _parts(self, parts: Sequence[Part]) -> Iterator[str]:
        if not parts:
            return
        yield "| part | found | |\n|--|--|--|"
        for part in parts:
            aside = "" if part.counts else " (does not count)"
            yield f"| {part.says} | {part.found} | {MARKS[part.holds]}{aside} |"
        yield ""

    def _picture(self, name: str, id_: str) -> Iterator[str]:
        if name not in self._pictures:
            return
        if name in self._shown:
            yield f"Drawn under [{self._shown[name]}](#{self._shown[name].lower()}): {name}.\n"
            return
        self._shown[name] = id_
        title = self._pictures[name].title
        yield f"![{title}]({self._where}/{name}.svg)\n\n*Redrawn: {PLOTS[name].source}.*\n"

    def _grid(self, grid: Grid, id_: str) -> Iterator[str]:
        if not grid.curves:
            return
        key = (*grid[:4], tuple(grid.at.items()), tuple(grid.curves))
        caption = caption_of(grid)
        if key in self._shown:
            yield f"{caption}: see [{self._shown[key]}](#{self._shown[key].lower()}).\n"
            return
        self._shown[key] = id_
        yield f"{caption}:\n"
        yield "\n".join(table_of(grid)) + "\n"


def caption_of(grid: Grid) -> str:
    """Which rows of the csv file a table is made of."""
    fixed = "".join(f", {name} = {value:g}" for name, value in grid.at.items())
    table = f" `{grid.table}`" if grid.table else ""
    return f"`{grid.measure}` by {grid.axis}, `{grid.experiment}`{table}{fixed}"


def table_of(grid: Grid) -> Iterator[str]:
    """A row for each value of the axis, a column for each method."""
    yield f"| {grid.axis} | " + " | ".join(grid.curves) + " |"
    yield "|--" * (len(grid.curves) + 1) + "|"
    for x in grid.values:
        cells = (shown(curve.get(x)) for curve in grid.curves.values())
        yield f"| {x:g} | " + " | ".join(cells) + " |"


def shown(found: Spread | None) -> str:
    """A mean in four digits, and its spread.

    >>> shown(Spread(0.25, 0.2, 0.3, 2)), shown(None), shown(Spread(12345678, 1, 1, 1))
    ('0.25 (0.2–0.3)', '–', '12350000')
    """
    if found is None:
        return "–"
    if found.n > 1 and found.low < found.high:
        return f"{digits(found.mean)} ({digits(found.low)}–{digits(found.high)})"
    return digits(found.mean)


def digits(value: float) -> str:
    """Four of them, without a power of ten."""
    if not math.isfinite(value) or value == 0:
        return f"{value:g}"
    places = max(0, 3 - math.floor(math.log10(abs(value))))
    rounded = float(f"{value:.4g}")
    return f"{rounded:.{places}f}".rstrip("0").rstrip(".") if places else f"{rounded:.0f}"


def page_of(
    judged: Sequence[Judged],
    scales: Mapping[str, tuple[Scale, ...]],
    pictures: Mapping[str, Figure],
    notes: Sequence[str],
    where: str,
) -> str:
    return Page(judged, scales, pictures, where).text(notes)
