"""The figures of the papers, drawn again from what was measured."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import polars as pl

from shoal.plot.drawing import Axis
from shoal.plot.figure import WIDE, Figure
from shoal.plot.line_plot import Point, Series, line_plot
from shoal.plot.scale import given_scale, measure_scale, number
from shoal.reproduction.claims.kayem import by_n
from shoal.reproduction.claims.seen import Grid, Seen

SIZE = (WIDE[0], 330.0)
UNITS = {
    "UM": "mean over groups", "protection": "mean over groups", "DM": "records",
    "ARE1": "share of the true count", "ARE2": "share of the true count", "c": "mean over groups",
    "l": "values", "iloss": "total", "il": "total", "CAVG": "times k", "level": "levels",
    "checks": "nodes", "group_seconds": "seconds", "evaluations": "looks", "loss": "share",
    "k": "records", "n": "records", "s": "records", "columns": "columns",
}  # fmt: skip
NAMES = {"group_seconds": "processor time", "evaluations": "looks at records",
         "ARE1": "error of counts", "ARE2": "error of counts",
         "il": "information loss"}  # fmt: skip


@dataclass(frozen=True)
class Plot:
    """Which figures are drawn: of an experiment, a measure, and what is fixed."""

    source: str  # which figure of which paper it redraws
    experiment: str
    measure: str
    start: str = ""  # a pattern of how the table's name begins
    at: Mapping[str, float] = field(default_factory=dict)
    methods: tuple[str, ...] = ()


PLOTS = {
    "tgc-delta-um": Plot("Loukides and Shao, Figure 5", "tgc-delta", "UM", at={"k": 5}),
    "tgc-delta-protection": Plot("Loukides and Shao, Figure 5", "tgc-delta", "protection",
                                 at={"k": 5}),
    "tgc-um": Plot("Loukides and Shao, Figure 6", "tgc-quality", "UM"),
    "tgc-dm": Plot("Loukides and Shao, Figure 7", "tgc-quality", "DM"),
    "tgc-are1": Plot("Loukides and Shao, Figure 8", "tgc-quality", "ARE1"),
    "tgc-are2": Plot("Loukides and Shao, Figure 9", "tgc-quality", "ARE2"),
    "tgc-protection": Plot("Loukides and Shao, Figure 10", "tgc-quality", "protection"),
    "tgc-c": Plot("Loukides and Shao, Figure 11", "tgc-values", "c"),
    "tgc-l": Plot("Loukides and Shao, Figure 12", "tgc-values", "l"),
    "normal-um": Plot("Loukides and Shao, Figure 13", "tgc-normal", "UM"),
    "normal-protection": Plot("Loukides and Shao, Figure 14", "tgc-normal", "protection"),
    "adult-s-um": Plot("Loukides and Shao, Figure 15", "tgc-s", "UM", "adult", {"k": 5}),
    "adult-s-protection": Plot("Loukides and Shao, Figure 15", "tgc-s", "protection", "adult",
                               {"k": 5}),
    "normal-s-um": Plot("Loukides and Shao, Figure 16", "tgc-s", "UM", "normal", {"k": 5}),
    "normal-s-protection": Plot("Loukides and Shao, Figure 16", "tgc-s", "protection", "normal",
                                {"k": 5}),
    "normal-r-um": Plot("Loukides and Shao, Figure 17", "tgc-r", "UM", at={"k": 5}),
    "normal-r-protection": Plot("Loukides and Shao, Figure 17, with r = 1 in the measure", "tgc-r",
                                "protection", at={"k": 5}),
    "normal-weights-um": Plot("Loukides and Shao, Figure 18", "tgc-weights", "UM", at={"k": 10}),
    "normal-weights-protection": Plot("Loukides and Shao, Figure 18", "tgc-weights", "protection",
                                      at={"k": 10}),
    "n-looks": Plot("Loukides and Shao, Figure 19, counted", "tgc-n", "evaluations", at={"k": 5}),
    "n-seconds": Plot("Loukides and Shao, Figure 19", "tgc-n", "group_seconds", at={"k": 5}),
    "s-looks": Plot("Loukides and Shao, Figure 20, counted", "tgc-cost-s", "evaluations",
                    at={"k": 5}),
    "s-seconds": Plot("Loukides and Shao, Figure 20", "tgc-cost-s", "group_seconds", at={"k": 5}),
    "kayem-distance": Plot("Kayem and Meinel, Table 1, occupation", "kayem-table",
                           "distance:occupation"),
    "kayem-seconds": Plot("Kayem and Meinel, Table 1", "kayem-table", "group_seconds"),
    "kayem-loss": Plot("Kayem and Meinel, Section 5", "kayem-sizes", "loss", at={"value": 0.0}),
    "babu-checks": Plot("Babu et al., Figure 4, counted", "babu-k", "checks", r"adult-babu-\d",
                        {"value": 0.01}),
    "babu-seconds": Plot("Babu et al., Figure 4", "babu-k", "group_seconds", r"adult-babu-\d",
                         {"value": 0.01}),
    "babu-iloss": Plot("Babu et al., Figure 6", "babu-k", "iloss", r"adult-babu-\d",
                       {"value": 0.01}),
    "babu-level": Plot("Babu et al., Figure 8", "babu-k", "level", r"adult-babu-\d",
                       {"value": 0.01}),
    "census-level": Plot("in place of Babu et al., Figure 9", "babu-census", "level"),
    "babu-columns-checks": Plot("Babu et al., Figure 10, counted", "babu-columns", "checks",
                                r"adult-babu-\d", {"k": 10}),
    "mstk-iloss": Plot("Venkata Ramana and Valli Kumari, Figure 6(a)", "mstk-k", "iloss"),
    "mstk-dm": Plot("Venkata Ramana and Valli Kumari, Figure 6(b)", "mstk-k", "DM"),
    "mstk-cavg": Plot("Venkata Ramana and Valli Kumari, Figure 6(c)", "mstk-k", "CAVG"),
    "mstk-seconds": Plot("Venkata Ramana and Valli Kumari, Section 8", "mstk-k", "group_seconds",
                         methods=("MSTK", "MSTK, merging with any", "Incognito")),
    "oka-il": Plot("Lin and Wei, Figure 3", "oka-k", "il"),
    "oka-evaluations": Plot("Lin and Wei, Figure 4, counted", "oka-n", "evaluations",
                            at={"k": 10}),
    "oka-seconds": Plot("Lin and Wei, Figure 4", "oka-k", "group_seconds"),
}  # fmt: skip


def plots_of(frame: pl.DataFrame) -> dict[str, Figure]:
    """All plots for which there are figures."""
    seen = Seen(frame)
    drawn = {name: draw(grid_of(seen, plot), plot.source) for name, plot in PLOTS.items()}
    return {name: figure for name, figure in drawn.items() if figure is not None}


def grid_of(seen: Seen, plot: Plot) -> Grid:
    if plot.experiment == "kayem-table":
        return by_n(seen, plot.measure)
    frame = seen.frame.filter(pl.col("table").str.contains(f"^{plot.start}"))
    return Seen(frame).grid(plot.experiment, plot.measure, plot.methods, table="", **plot.at)


def draw(grid: Grid, source: str) -> Figure | None:
    """A line for each method, with a band from the lowest to the highest seed."""
    if not grid.curves:
        return None
    spreads = [found for curve in grid.curves.values() for found in curve.values()]
    ends = [end for found in spreads for end in (found.low, found.high)]
    measure = NAMES.get(grid.measure, grid.measure)
    x = Axis(grid.axis, UNITS.get(grid.axis, "share"), given_scale(grid.values))
    y = Axis(measure, UNITS.get(grid.measure, "figure"), measure_scale(ends))
    series = [
        Series(name, i, tuple(Point(at, *found[:3]) for at, found in curve.items()))
        for i, (name, curve) in enumerate(grid.curves.items())
    ]
    title = f"{measure} by {grid.axis}: {source}"
    wide = line_plot(series, x=x, y=y, title=title, size=SIZE)
    rows = tuple(
        (name, *(number(curve[at].mean) if at in curve else "–" for at in grid.values))
        for name, curve in grid.curves.items()
    )
    heads = ("method", *(number(at) for at in grid.values))
    return Figure(title, f"{title}.", (wide,), (), heads, rows)
