"""Estimates for the population in a terminal: what is expected, and what was assumed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from shoal.report import words

if TYPE_CHECKING:
    from shoal.risks.estimates import EstimatedRisk, Estimates
    from shoal.types.unit import Unit

Figure = Callable[["EstimatedRisk"], str | None]
UNKNOWN = "-"


def title_of(estimates: Estimates) -> str:
    return f"Estimated for a population of {estimates.n_population:,} people"


def figures(estimates: Estimates, threshold: float, unit: Unit) -> Table:
    """A line for each figure, a column for each table."""
    names = ["data"] if estimates.release is None else ["data", "release"]
    grid = Table(
        box=None,
        padding=(0, 2, 0, 0),
        header_style="dim",
        expand=True,
        show_header=len(names) > 1,
    )
    grid.add_column("", overflow="fold", ratio=1)
    for name in names:
        grid.add_column(name, justify="right", no_wrap=True)
    for label, texts in rows(estimates, threshold, unit.many):
        grid.add_row(Text(label), *(Text(texts.get(name, UNKNOWN)) for name in names))
    return grid


def rows(estimates: Estimates, threshold: float, noun: str) -> Iterator[tuple[str, dict[str, str]]]:
    """What is said of the data and of the release, by a label; the dossier has the same."""
    for label, figure in _lines(threshold, noun):
        said = {name: figure(found) for name, found in estimates.found.items()}
        texts = {name: text for name, text in said.items() if text is not None}
        if texts:
            yield label, texts


def _lines(threshold: float, noun: str) -> Iterator[tuple[str, Figure]]:
    yield f"{noun.capitalize()} that are unique in the population", _unique
    yield "Journalist: average risk", lambda e: _with_interval(e, "average", e.average)
    yield "Journalist: highest risk", lambda e: _share(e.highest)
    yield f"Journalist: {noun} above {100 * threshold:.4g}%", _at_risk
    yield f"Marketer: {noun} found, expected", _found
    yield "People who are unique in the population", _uniques


def sentences(estimates: Estimates) -> list[str]:
    """Which method, what was assumed, and why there is no estimate where there is none."""
    said = [
        f"No estimate for the {name} ({answer.method}): {answer.why}."
        for name, answer in estimates.not_found.items()
    ]
    methods = {found.method for found in estimates.found.values()}
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
