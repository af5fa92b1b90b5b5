"""Measures in the terminal: the value, which way is better, and what stands behind it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rich.markup import escape
from rich.table import Table

from shoal.report.printable import printable
from shoal.report.words import number

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
        table.add_row(_named(one), number(one.value), better, escape(printable(behind(one))))
    console.print(table)


def _named(one: Measurement) -> str:
    options = ", ".join(f"{key} {_plain(value)}" for key, value in one.options.items())
    return escape(printable(f"{one.measure} ({options})" if options else one.measure))


def behind(one: Measurement) -> str:
    """What stands behind a value, in words.

    >>> from shoal.types.measurement import Measurement
    >>> behind(Measurement("marginals", 0.25, details={"worst": "job", "mean": 0.1}))
    'worst job, mean 0.1'
    """
    said = {key: value for key, value in one.details.items() if not _is_long(value)}
    return ", ".join(f"{key.replace('_', ' ')} {_plain(value)}" for key, value in said.items())


def _is_long(value: Any) -> bool:
    return isinstance(value, Mapping) and "columns" not in value


def _plain(value: Any) -> str:
    if isinstance(value, Mapping):  # the worst pair of columns
        pair = " and ".join(value["columns"])
        return f"{pair} ({_plain(value['before'])} before, {_plain(value['after'])} after)"
    if isinstance(value, list | tuple):
        return " to ".join(map(_plain, value)) if _are_numbers(value) else ", ".join(value)
    return number(value) if isinstance(value, int | float) else str(value)


def _are_numbers(values: list[Any] | tuple[Any, ...]) -> bool:
    return all(isinstance(value, int | float) for value in values)
