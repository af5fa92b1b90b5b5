"""What is seen in a plot, in plain sentences that are computed from its figures."""

from __future__ import annotations

from collections.abc import Mapping

from shoal.comparison.measures import Measure
from shoal.plot.scale import number
from shoal.report.comparison.layout import Found, Layout, listed, short

SAME = 1e-9  # relative; figures that differ by less are equal
Figures = Mapping[tuple[str, str, str], Found]


def sentence_of(layout: Layout, measure: Measure) -> str:
    """Who is best where, how it moves along the axis, how far apart the methods are."""
    figures = layout.figures(measure)
    if not figures:
        return "No run has this figure."
    parts = [
        _best(layout, measure, figures),
        _trend(layout, measure, figures),
        _range(layout, measure, figures),
        _same(layout, figures),
        _seeds(layout, figures),
        _missing(layout, figures),
    ]
    return " ".join(part for part in parts if part)


def best_lines(figures: Figures, place: tuple[str, str], *, lower: bool) -> list[str]:
    """The lines with the best figure at a place, several if they are equal."""
    here = {name: found.mean for (name, *at), found in figures.items() if tuple(at) == place}
    best = min(here.values()) if lower else max(here.values())
    return [name for name, mean in here.items() if abs(mean - best) <= SAME * abs(best)]


def _word(measure: Measure) -> str:
    return "Lowest" if measure.lower_is_better else "Highest"


def _best(layout: Layout, measure: Measure, figures: Figures) -> str:
    places = _places(layout, figures)
    if len({name for name, _, _ in figures}) < 2:
        return ""
    lower = measure.lower_is_better
    winners = {place: tuple(best_lines(figures, place, lower=lower)) for place in places}
    start = f"{_word(measure)} {measure.label} (which is better):"
    if len(set(winners.values())) == 1:
        where = "" if len(places) == 1 else " everywhere"
        return f"{start} {listed(winners[places[0]])}{where}."
    if layout.panel is not None or layout.x is None:
        counts: dict[str, int] = {}
        for names in winners.values():
            for name in names:
                counts[name] = counts.get(name, 0) + 1
        most = sorted(counts, key=lambda name: -counts[name])[:3]
        said = [f"{name} at {counts[name]} of {len(places)} places" for name in most]
        return f"{start} {listed(said)}."
    said = []
    for names in dict.fromkeys(winners.values()):
        at = [x for (x, _), who in winners.items() if who == names]
        said.append(f"{listed(names)} at {short(layout.x)} = {listed(at, 6)}")
    return f"{start} {'; '.join(said)}."


def _trend(layout: Layout, measure: Measure, figures: Figures) -> str:
    """How the line that is best most often moves from the first value to the last."""
    if layout.x is None:
        return ""
    values, panel = layout.dimensions[layout.x], layout.panels[0]
    lines = [line.name for line in layout.lines]
    whole = [
        name for name in lines if all((name, x, panel) in figures for x in (values[0], values[-1]))
    ]
    if not whole:
        return ""
    lower = measure.lower_is_better

    def wins(name: str) -> int:
        places = _places(layout, figures)
        return sum(name in best_lines(figures, place, lower=lower) for place in places)

    name = max(whole, key=wins)
    first, last = (figures[name, x, panel].mean for x in (values[0], values[-1]))
    where = f"from {short(layout.x)} = {values[0]} to {values[-1]}"
    if layout.panel is not None:
        where += f" with {short(layout.panel)} = {panel}"
    if abs(last - first) <= 0.005 * max(abs(first), abs(last)):
        return f"That of {name} stays at about {number(first)} {where}."
    verb = "rises" if last > first else "falls"
    return f"That of {name} {verb} from {number(first)} to {number(last)} {where}."


def _range(layout: Layout, measure: Measure, figures: Figures) -> str:
    """How far apart the methods are, at the last place."""
    place = _places(layout, figures)[-1]
    here = {name: found.mean for (name, *at), found in figures.items() if tuple(at) == place}
    low, high = min(here, key=lambda n: here[n]), max(here, key=lambda n: here[n])
    if len(here) < 2 or here[low] == here[high]:
        return ""
    worst, best = (high, low) if measure.lower_is_better else (low, high)
    at = "" if layout.x is None else f" at {short(layout.x)} = {place[0]}"
    if layout.panel is not None:
        at += f" and {short(layout.panel)} = {place[1]}"
    ratio = here[high] / here[low] if here[low] > 0 else 0.0
    much = "as much" if measure.lower_is_better else "as little"
    times = f": {ratio:.3g} times {much}" if ratio >= 1.05 else ""
    said = f"{number(here[worst])}, against {number(here[best])} of {best}"
    return f"The worst{at} is {worst} with {said}{times}."


def _same(layout: Layout, figures: Figures) -> str:
    """Methods whose lines lie on each other."""
    drawn: dict[tuple[tuple[str, ...], ...], list[str]] = {}
    for line in layout.lines:
        own = {(x, panel): f.mean for (name, x, panel), f in figures.items() if name == line.name}
        shape = tuple((*at, f"{mean:.9g}") for at, mean in sorted(own.items()))
        if shape:
            drawn.setdefault(shape, []).append(line.name)
    alike = [names for names in drawn.values() if len(names) > 1]
    return "".join(f"{listed(names, 8)} have the same figures. " for names in alike).strip()


def _seeds(layout: Layout, figures: Figures) -> str:
    several = {key: found for key, found in figures.items() if found.n > 1}
    if layout.n_seeds < 2 or not several:
        return ""

    def width(key: tuple[str, str, str]) -> float:
        found = several[key]
        return (found.high - found.low) / abs(found.mean) if found.mean else 0.0

    widest = max(several, key=width)
    start = f"Bands reach from the lowest to the highest of {layout.n_seeds} seeds"
    return f"{start}; the widest, of {widest[0]}, is {width(widest):.2g} times its mean."


def _missing(layout: Layout, figures: Figures) -> str:
    """How many places have no figure, because runs have none."""
    n_places = len({(layout.line_name(run), run.k, tuple(run.options.items()))
                    for run in layout.comparison.runs if not run.is_verified})  # fmt: skip
    if not n_places:
        return ""
    runs = "1 combination has" if n_places == 1 else f"{n_places} combinations have"
    return f"{runs} no verified release; see the list of runs."


def _places(layout: Layout, figures: Figures) -> list[tuple[str, str]]:
    have = {(x, panel) for _, x, panel in figures}
    xs = [""] if layout.x is None else layout.dimensions[layout.x]
    return [(x, panel) for panel in layout.panels for x in xs if (x, panel) in have]
