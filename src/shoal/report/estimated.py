"""Estimates for the population in a terminal: what is expected, and what was assumed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from shoal.report import words
from shoal.risks.estimates import EstimatedRisk

if TYPE_CHECKING:
    from shoal.risks.estimates import Estimates
    from shoal.types.unit import Unit

Figure = Callable[[EstimatedRisk], str | None]
UNKNOWN = "-"


def title_of(estimates: Estimates) -> str:
    return f"Estimated for a population of {estimates.n_population:,} people"


def figures(estimates: Estimates, threshold: float, unit: Unit) -> Table:
    """A line for each figure, a column for each table."""
    answers = [estimates.data, *([] if estimates.release is None else [estimates.release])]
    grid = Table(
        box=None,
        padding=(0, 2, 0, 0),
        header_style="dim",
        expand=True,
        show_header=len(answers) > 1,
    )
    grid.add_column("", overflow="fold", ratio=1)
    for name, _ in zip(("data", "release"), answers, strict=False):
        grid.add_column(name, justify="right", no_wrap=True)
    for label, figure in lines(threshold, unit.many):
        shown = [figure(a) if isinstance(a, EstimatedRisk) else None for a in answers]
        if any(text is not None for text in shown):
            grid.add_row(Text(label), *(Text(text or UNKNOWN) for text in shown))
    return grid


def lines(threshold: float, noun: str) -> Iterator[tuple[str, Figure]]:
    """What is said of a table, by a label; the dossier has the same lines."""
    yield f"{noun.capitalize()} that are unique in the population", _unique
    yield "Journalist: average risk", lambda e: _with_interval(e, "average", e.average)
    yield "Journalist: highest risk", lambda e: _share(e.highest)
    yield f"Journalist: {noun} above {100 * threshold:.4g}%", _at_risk
    yield f"Marketer: {noun} found, expected", _found
    yield "People who are unique in the population", _uniques


def sentences(estimates: Estimates) -> list[str]:
    """Which method, what was assumed, and why there is no estimate where there is none."""
    named = {"data": estimates.data, "release": estimates.release}
    said = []
    for name, answer in named.items():
        if answer is not None and not isinstance(answer, EstimatedRisk):
            said.append(f"No estimate for the {name} ({answer.method}): {answer.why}.")
    methods = {a.method for a in named.values() if isinstance(a, EstimatedRisk)}
    if methods:
        said.append(f"Estimator: {', '.join(sorted(methods))}.")
    assumed = "; ".join(estimates.assumed)
    return [*said, f"Assumed: {assumed}."]


def _unique(found: EstimatedRisk) -> str:
    n, share = found.n_unique, words.share(found.unique_share)
    interval = found.intervals.get("unique_share")
    ends = "" if interval is None else f", {_ends(interval)}"
    return f"{n:,.0f} ({share}{ends})" if round(n) else f"fewer than 1 ({share}{ends})"


def _with_interval(found: EstimatedRisk, name: str, value: float | None) -> str | None:
    interval = found.intervals.get(name)
    text = _share(value)
    return text if interval is None or text is None else f"{text} ({_ends(interval)})"


def _ends(interval: Sequence[float]) -> str:
    low, high = interval
    return f"{words.share(low)} to {words.share(high)}"


def _share(value: float | None) -> str | None:
    return None if value is None else words.share(value)


def _at_risk(found: EstimatedRisk) -> str | None:
    n = found.n_at_risk
    if n is None:
        return None
    return f"{n:,} ({words.share(n, found.n_counted)})" if n else "none"


def _found(found: EstimatedRisk) -> str | None:
    if found.average is None:
        return None
    return f"{found.average * found.n_counted:,.0f} ({words.share(found.average)})"


def _uniques(found: EstimatedRisk) -> str | None:
    return None if found.n_uniques is None else f"{found.n_uniques:,.0f}"
