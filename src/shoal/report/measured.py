"""Measures in the terminal: the value, which way is better, and what stands behind it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.markup import escape
from rich.table import Table

from shoal.report import words
from shoal.report.printable import printable

if TYPE_CHECKING:
    from rich.console import Console

    from shoal.runs.measure import Measures
    from shoal.types.measurement import Measurement


def print_measures(measures: Measures, console: Console) -> None:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="bold")
    table.add_column("measure")
    table.add_column("value", justify="right")
    table.add_column("better")
    table.add_column("behind it", overflow="fold")
    for one in measures.found:
        better = "lower" if one.lower_is_better else "higher"
        table.add_row(
            _named(one),
            words.number(one.value),
            better,
            escape(printable(words.behind(one.details))),
        )
    console.print(table)


def _named(one: Measurement) -> str:
    options = ", ".join(f"{key} {words.detail(value)}" for key, value in one.options.items())
    return escape(printable(f"{one.measure} ({options})" if options else one.measure))
