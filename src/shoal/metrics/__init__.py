"""Metrics: measures of what a release loses, one file each; the file name is the metric's name.

Lower is better. What can be done with a metric, it declares itself: `types/metric.py` says how.
"""

from __future__ import annotations

import numpy as np

from shoal import catalog
from shoal.errors import BadOption, PolicyError, nearest
from shoal.types.metric import AnyMetric, Bound, Metric
from shoal.types.outcome import Outcome


def in_every_summary() -> tuple[str, ...]:
    """The names of the measures of every summary, in their order there."""
    places = [(kind.place_in_summary, name) for name, kind in _kinds().items()]
    return tuple(name for _, name in sorted((p, n) for p, n in places if p is not None))


def measures_of(outcome: Outcome) -> dict[str, float]:
    """What every summary says of a release, over all input records.

    A suppressed record has the root in every cell.
    """
    kinds = _kinds()
    measured = {name: kinds[name]().measure(outcome) for name in in_every_summary()}
    return {name: np.asarray(value).item() for name, value in measured.items()}  # plain numbers


def minimisable(bound: Bound | None = None) -> tuple[str, ...]:
    """The names of those that a full-domain search can minimise, perhaps by one kind of bound."""
    kinds = {name: kind for name, kind in _kinds().items() if kind.bound is not None}
    return tuple(name for name, kind in kinds.items() if bound in (None, kind.bound))


def metric_to_minimise(chosen: AnyMetric | str) -> AnyMetric:
    """A metric as it is, or that of a name. Raises `BadOption` if no search can minimise it."""
    metric = _named(chosen) if isinstance(chosen, str) else chosen
    if not isinstance(metric, Metric) or metric.bound is None:
        known = minimisable()
        raise BadOption(f"metric must be one of {', '.join(known)}{nearest(str(chosen), known)}")
    return metric


def _named(name: str) -> AnyMetric | None:
    try:
        kind: type[AnyMetric] = catalog.load("metric", name)
    except PolicyError as error:
        if name in catalog.names("metric"):
            raise BadOption(error.message) from None
        return None
    return kind()


def _kinds() -> dict[str, type[AnyMetric]]:
    return catalog.loadable("metric")
