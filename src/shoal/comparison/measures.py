"""The measures that a comparison asks for, each with its options."""

from __future__ import annotations

import dataclasses
import inspect
import typing
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from shoal import catalog
from shoal.errors import BadOption, PolicyError
from shoal.policy.fields import build_named, needs_options
from shoal.policy.policy import Policy
from shoal.types.metric import AnyMetric, Metric
from shoal.types.named import name_of
from shoal.types.options import options_given
from shoal.types.schema import Schema

PATH = ("measure", "name")
TO_SENSITIVE = "Give the role sensitive to a column of the policy, or leave this measure out"
TO_GRADE = "Give a sensitive column a `severity` in the policy, or leave this measure out"


class Measure(NamedTuple):
    """What is measured, and what its column of the table is called."""

    label: str
    metric: AnyMetric | None  # None: the processor time of a run
    summary: str
    unit: str = "number"
    lower_is_better: bool = True


SECONDS = Measure("seconds", None, "Processor time of the run.", "seconds")


def measure_of(given: Any) -> Measure:
    """From `c-l`, `c-l:figure=l`, `classification:income`, keys with a name, or a metric.

    >>> measure_of("c-l:figure=l").metric
    CL(column=None, figure='l')
    >>> measure_of("c-l:disease").label
    'c-l:column=disease'
    """
    if isinstance(given, str):
        name, *said = given.split(":")
        metric = build_named("metric", name, _options_of(name, said), PATH)
    elif isinstance(given, Mapping):
        options = {key: value for key, value in given.items() if key != "name"}
        metric = build_named("metric", given.get("name"), options, PATH)
    elif isinstance(given, Metric) and not isinstance(given, type):
        metric = given
    else:
        raise PolicyError("a measure is a name, keys with a `name`, or a metric", ("measures",))
    if "levels" in metric.needs:
        raise PolicyError(
            f"{name_of(metric)} is about levels, for searches only; a release has none of it",
            ("measures",),
        )
    summary = (inspect.getdoc(type(metric)) or "").partition("\n")[0]
    return Measure(label_of(metric), metric, summary, metric.unit, metric.lower_is_better)


def label_of(metric: AnyMetric) -> str:
    """The name, and the options that differ from their defaults."""
    said = (f":{key}={_shown(value)}" for key, value in options_given(metric).items())
    return name_of(metric) + "".join(said)


def measures_asked(policy: Policy, asked: Sequence[Any]) -> list[Measure]:
    """Those that were asked for, if the policy can have them."""
    found = [measure_of(one) for one in asked]
    for measure in found:
        why = misfit(policy, measure)
        if why:
            raise PolicyError(why, ("measures", measure.label))
    return list({measure.label: measure for measure in found}.values())


def measures_of(policy: Policy) -> list[Measure]:
    """All that releases by a policy have, quick and without options: those of summaries first."""
    kinds = {
        name: kind
        for name, kind in catalog.loadable("metric").items()
        if "levels" not in kind.needs and not needs_options(kind) and not kind.is_costly
    }
    found = [measure_of(name) for name in sorted(kinds, key=lambda name: _place(kinds[name], name))]
    return [measure for measure in found if not misfit(policy, measure)]


def misfit(policy: Policy, measure: Measure) -> str:
    """Why a release by a policy cannot have a measure, and what to do; empty if it can."""
    schema, name = Schema(policy.columns), measure.label.partition(":")[0]
    needs = () if measure.metric is None else measure.metric.needs
    if "sensitive" in needs and not schema.sensitive:
        return f"{name} is about sensitive values, and the policy has none. {TO_SENSITIVE}"
    graded = [column for column in schema.sensitive if policy.columns[column].severity]
    if "severity" in needs and not graded:
        return f"{name} is about severities, and the policy has none. {TO_GRADE}"
    try:
        if measure.metric is not None:
            measure.metric.refuse(policy.columns)
    except BadOption as error:
        said = str(error)
        return said if said.startswith(name) else f"{name}: {said}"
    return ""


def _place(kind: type[AnyMetric], name: str) -> tuple[float, str]:
    place = kind.place_in_summary
    return (float("inf") if place is None else place, name)


def _options_of(name: str, said: Sequence[str]) -> dict[str, Any]:
    """From `income` or `figure=l`; a list is written `age+sex`."""
    kind = catalog.load("metric", name)
    names = [field.name for field in dataclasses.fields(kind)]
    hints = typing.get_type_hints(kind)
    options: dict[str, Any] = {}
    for part in said:
        key, has_key, value = part.partition("=")
        if not has_key:
            if not names:
                raise PolicyError(f"{name} takes no options", ("measures", name))
            key, value = names[0].replace("_", "-"), part
        is_list = typing.get_origin(hints.get(key.replace("-", "_"))) is tuple
        options[key] = value.split("+") if is_list else value
    return options


def _shown(value: Any) -> str:
    return "+".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
