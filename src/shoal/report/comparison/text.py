"""A comparison in the terminal: a row for each method and what varies, the best of each marked."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from rich.markup import escape
from rich.table import Table
from rich.text import Text

from shoal.comparison.comparison import Comparison, value_of
from shoal.comparison.measures import SECONDS, Measure
from shoal.comparison.run import Run
from shoal.errors import counted
from shoal.plot.scale import number
from shoal.report.comparison.layout import listed, short
from shoal.report.printable import printable

if TYPE_CHECKING:
    from rich.console import Console

FIRST = ("loss", "query-error", "protection", "average-risk", "utility", "dm", "cavg")
SPREAD = "±"
Key = tuple[str, int, tuple[str, ...]]  # method, k, values of the options


def print_comparison(comparison: Comparison, console: Console) -> None:
    """The figures that fit the width, then what failed, then what was left out."""
    groups = dict(sorted(grouped(comparison).items(), key=lambda item: item[0][1]))
    firsts = [[printable(key[0]), f"{key[1]:,}", *map(printable, key[2])] for key in groups]
    heads = ["method", "k", *(printable(short(path)) for path in comparison.paths)]
    used = [max(map(len, column)) + 2 for column in zip(heads, *firsts, strict=True)]
    columns = shown_columns(comparison, groups, console.width - sum(used))
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    for i, head in enumerate(heads):
        table.add_column(escape(head), justify="right" if i else "left", overflow="fold")
    for column in columns:
        arrow = "" if column.measure.lower_is_better else " ↑"
        table.add_column(escape(column.measure.label) + arrow, justify="right", no_wrap=True)
    last_k = None
    for i, (key, first) in enumerate(zip(groups, firsts, strict=True)):
        if last_k not in (None, key[1]) and len(groups) > 3:
            table.add_row()
        last_k = key[1]
        table.add_row(*map(escape, first), *(column.cells[i] for column in columns))
    console.print(table)
    for line in _lines(comparison, len(columns)):
        console.print(line, style="dim", markup=False)


class Column(NamedTuple):
    """A measure and its cells, one for each row of the table."""

    measure: Measure
    cells: list[Text]

    @property
    def width(self) -> int:
        return max(len(self.measure.label) + 2, *(len(cell) for cell in self.cells)) + 2


def shown_columns(comparison: Comparison, groups: dict[Key, list[Run]], room: int) -> list[Column]:
    """Those that fit: the ones people ask for first, and the processor time last."""
    known = {measure.label: measure for measure in comparison.measures}
    order = [known[name] for name in FIRST if name in known]
    order += [measure for measure in comparison.measures if measure not in order]
    seconds = _column(groups, SECONDS)
    chosen: list[Column] = []
    for measure in order:
        column = _column(groups, measure)
        if chosen and sum(c.width for c in (*chosen, column, seconds)) > room:
            break
        chosen.append(column)
    return [*chosen, seconds]


def _column(groups: dict[Key, list[Run]], measure: Measure) -> Column:
    best = set() if measure is SECONDS else best_keys(groups, measure)
    return Column(measure, [_cell(runs, measure, key in best) for key, runs in groups.items()])


def grouped(comparison: Comparison) -> dict[Key, list[Run]]:
    """Runs that differ in their seed alone, together."""
    found: dict[Key, list[Run]] = {}
    for run in comparison.runs:
        options = tuple(run.options.get(path, "–") for path in comparison.paths)
        found.setdefault((run.method, run.k, options), []).append(run)
    return found


def mean_of(runs: Sequence[Run], measure: Measure) -> float | None:
    values = [value_of(run, measure) for run in runs if run.is_verified]
    found = [value for value in values if value is not None]
    return sum(found) / len(found) if found else None


def best_keys(groups: dict[Key, list[Run]], measure: Measure) -> set[Key]:
    """The best of each k; equal ones all of them."""
    best: set[Key] = set()
    for k in {key[1] for key in groups}:
        means = {key: mean_of(runs, measure) for key, runs in groups.items() if key[1] == k}
        known = {key: mean for key, mean in means.items() if mean is not None}
        if len(known) > 1:
            top = min(known.values()) if measure.lower_is_better else max(known.values())
            best |= {key for key, mean in known.items() if math.isclose(mean, top, rel_tol=1e-9)}
    return best


def _cell(runs: Sequence[Run], measure: Measure, is_best: bool) -> Text:
    mean = mean_of(runs, measure)
    if mean is None and measure is SECONDS:
        return Text(runs[0].outcome, style="yellow")
    if mean is None:
        return Text("–  ")
    values = [v for run in runs if (v := value_of(run, measure)) is not None]
    spread = 0.0 if measure is SECONDS or math.isinf(mean) else (max(values) - min(values)) / 2
    text = number(mean) + (f" {SPREAD}{spread:.2g}" if spread else "")
    return Text(f"{text} *", style="bold green") if is_best else Text(f"{text}  ")


def _lines(comparison: Comparison, n_shown: int) -> Iterator[str]:
    n_seeds = len({run.seed for run in comparison.runs})
    several = len({(method, options) for method, _, options in grouped(comparison)}) > 1
    said = ["* the best of each k."] if several else []
    said += [f"Means of {n_seeds} seeds, {SPREAD} half of the spread."] if n_seeds > 1 else []
    if said:
        yield " ".join(said)
    reasons: dict[str, list[str]] = {}
    for run in comparison.runs:
        if run.why:
            reasons.setdefault(run.why, []).append(f"{run.method}, k = {run.k}")
    for why, names in reasons.items():
        yield f"{printable(listed(list(dict.fromkeys(names))))}: {printable(why)}"
    left = len(comparison.measures) + 1 - n_shown
    if left:
        yield f"{counted(left, 'more measure')} in the table and on the page."
