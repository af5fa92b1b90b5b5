"""Measures as users name them: in a policy, on the command line, from Python."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import fields
from typing import Any

from shoal import catalog
from shoal.errors import BadOption, PolicyError
from shoal.policy.fields import build_named
from shoal.types.metric import AnyMetric, Metric
from shoal.types.named import name_of
from shoal.types.schema import ColumnSpec


def measures_of_text(text: str) -> tuple[AnyMetric, ...]:
    """Measures by name, perhaps with options.

    >>> measures_of_text("dm,query-error:columns=age+sex:queries=500")
    (Dm(), QueryError(columns=('age', 'sex'), selectivity=0.015, queries=500, seed=0, workload='',
                      answer='count', of=''))
    >>> measures_of_text("classification:income")[0].target
    'income'
    """
    found = [part.strip() for part in text.split(",") if part.strip()]
    if not found:
        raise BadOption("Name at least one measure. `shoal metrics` lists them.")
    return tuple(_of_text(part) for part in found)


def _of_text(text: str) -> AnyMetric:
    name, *given = text.split(":")
    options: dict[str, Any] = {}
    for option in given:
        key, sign, value = option.partition("=")
        if not sign:  # the first option by itself
            key, value = _first_option(name), option
        options[key] = value.split("+") if "+" in value else value
    return measure_named(name, options)


def _first_option(name: str) -> str:
    known = fields(_loaded(name))
    return known[0].name if known else ""


def _loaded(name: str) -> Any:
    try:
        return catalog.load("metric", name)
    except PolicyError as error:
        raise BadOption(f"{_capital(error.message)}") from None


def measure_named(name: str, options: Mapping[str, Any]) -> AnyMetric:
    """A measure by its name. Raises `BadOption`, which names the nearest, where there is none."""
    _loaded(name)
    try:
        metric: AnyMetric = build_named("metric", name, options, ("measure",))
    except PolicyError as error:
        raise BadOption(f"{name}: {error.message.rstrip('.')}.") from None
    return metric


def chosen_measures(
    measures: str | Sequence[str | AnyMetric] | None, columns: Mapping[str, ColumnSpec]
) -> tuple[AnyMetric, ...]:
    """Those that are asked for, or all that a table of these columns can have and are not costly.

    Raises `BadOption` where one of them cannot be had.
    """
    if measures is None:
        kinds = catalog.loadable("metric").values()
        made = [kind() for kind in kinds if not kind.is_costly and "levels" not in kind.needs]
        return tuple(metric for metric in made if _suits(metric, columns))
    if isinstance(measures, str):
        measures = [measures]
    chosen: list[AnyMetric] = []
    for given in measures:
        chosen += [given] if isinstance(given, Metric) else measures_of_text(given)
    for metric in chosen:
        refuse_measure(metric, columns)
    return tuple(chosen)


def refuse_measure(metric: AnyMetric, columns: Mapping[str, ColumnSpec]) -> None:
    """Raise `BadOption` if a release of these columns cannot have a measure."""
    name = name_of(metric)
    if "levels" in metric.needs:
        raise BadOption(f"{name} is about levels, for searches only; a release has none of it.")
    try:
        metric.refuse(columns)
    except BadOption as error:
        said = str(error)
        raise BadOption(said if said.startswith(name) else f"{name}: {said}") from None


def _suits(metric: AnyMetric, columns: Mapping[str, ColumnSpec]) -> bool:
    try:
        metric.refuse(columns)
    except BadOption:
        return False
    return True


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
