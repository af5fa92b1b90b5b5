"""A bar on stderr: how many runs ended, what is running, and how long the rest will take."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from shoal.comparison.run import Run
from shoal.comparison.variants import Variant
from shoal.errors import counted

MOST_NAMED = 3


class Estimate:
    """How long the rest will take: runs of a method take about as long as others of it."""

    def __init__(self, variants: Sequence[Variant], n_runs: int, n_at_once: int) -> None:
        self.left = {variant.id: variant.method for variant in variants}  # as far as known
        self.n_left, self.n_at_once = n_runs, n_at_once
        self.spent: dict[str, list[float]] = {}
        self.begun: dict[str, float] = {}
        self.names: dict[str, str] = {}

    def began(self, variant: Variant) -> None:
        self.begun[variant.id], self.names[variant.id] = time.monotonic(), variant.name

    def ended(self, run: Run) -> None:
        start = self.begun.pop(run.id, None)
        self.left.pop(run.id, None)
        self.n_left -= 1
        if start is not None:  # else it was known before
            self.spent.setdefault(run.method, []).append(time.monotonic() - start)

    def seconds(self) -> float | None:
        """None as long as nothing has ended."""
        if not self.spent:
            return None
        means = {method: sum(spent) / len(spent) for method, spent in self.spent.items()}
        usual = sum(means.values()) / len(means)
        whole = sum(means.get(method, usual) for method in self.left.values())
        whole += max(self.n_left - len(self.left), 0) * usual
        done = sum(time.monotonic() - start for start in self.begun.values())
        return max(whole - done, 0.0) / max(1, min(self.n_at_once, self.n_left))

    def running(self) -> str:
        names = [self.names[id_] for id_ in self.begun]
        more = len(names) - MOST_NAMED
        return " · ".join(names[:MOST_NAMED]) + (f" · {more} more" if more > 0 else "")

    def rest(self) -> str:
        """In words.

        >>> Estimate([], 0, 1).rest()
        ''
        """
        seconds = self.seconds()
        if seconds is None or self.n_left < 1:
            return ""
        if seconds < 90:
            return f"about {counted(max(round(seconds), 1), 'second')} left"
        return f"about {counted(round(seconds / 60), 'minute')} left"


class Bar:
    """A listener to runs that shows them."""

    def __init__(self, estimate: Estimate) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

        self.estimate = estimate
        self.progress = Progress(
            TextColumn("trying policies"),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rest]}"),
            TextColumn("[dim]{task.fields[running]}", markup=True),
            console=Console(stderr=True, highlight=False),
            transient=True,
        )
        total = estimate.n_left or None
        self.task = self.progress.add_task("", total=total, rest="", running="")

    def began(self, variant: Variant) -> None:
        self.estimate.began(variant)
        self._show()

    def ended(self, run: Run) -> None:
        self.estimate.ended(run)
        self.progress.advance(self.task)
        self._show()

    def _show(self) -> None:
        from rich.markup import escape

        shown = escape(self.estimate.running())
        self.progress.update(self.task, rest=self.estimate.rest(), running=shown)


@contextmanager
def show_runs(
    variants: Sequence[Variant], n_runs: int, n_at_once: int, *, quiet: bool
) -> Iterator[Bar | None]:
    """The listener to runs; None if quiet."""
    if quiet:
        yield None
        return
    bar = Bar(Estimate(variants, n_runs, n_at_once))
    with bar.progress:
        yield bar
