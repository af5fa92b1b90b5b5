"""Public names and options of algorithms, models and metrics."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass
from typing import Any

from shoal.types.metric import Metric


class Improving:
    """What has the name and the options of an algorithm whose groups it improves afterwards."""

    refines: object


def name_of(thing: object) -> str:
    """The public name of a model or algorithm: `KAnonymity(5)` -> `k-anonymity`.

    >>> from shoal.privacy.distinct_l_diversity import DistinctLDiversity
    >>> name_of(DistinctLDiversity("disease", 2))
    'distinct-l-diversity'
    """
    thing = thing.refines if isinstance(thing, Improving) else thing
    return re.sub(r"(?<!^)(?=[A-Z])", "-", type(thing).__name__).lower()


def settings_of(thing: object) -> dict[str, Any]:
    """The options of a model or algorithm, by the names that users write."""
    if not is_dataclass(thing) or isinstance(thing, type):
        return {}
    if isinstance(thing, Improving):
        return settings_of(thing.refines) | {"refine": True}
    values = {f.name.replace("_", "-"): getattr(thing, f.name) for f in fields(thing)}
    return {name: _plain(value) for name, value in values.items()}


def _plain(value: Any) -> Any:
    """An option as users write it: a metric by its name, and its options if it has any."""
    if isinstance(value, Metric):
        options = settings_of(value)
        return {"name": name_of(value), **options} if options else name_of(value)
    return settings_of(value) if is_dataclass(value) else value
