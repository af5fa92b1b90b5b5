"""Parts of claims that many of them share, and figures in words."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

from shoal.plot.scale import number
from shoal.reproduction.claims.claim import Part
from shoal.reproduction.claims.seen import Curve, shared

Holds = Callable[..., bool]


def at_every(says: str, holds: Holds, *curves: Curve, counts: bool = True, axis: str = "k") -> Part:
    """A condition on the means of several curves, at every value of the axis."""
    return at_share(says, holds, *curves, share=1.0, counts=counts, axis=axis)


def at_share(
    says: str, holds: Holds, *curves: Curve, share: float, counts: bool = True, axis: str = "k"
) -> Part:
    """The same at a share of the values at least."""
    values = shared(*curves)
    if not values:
        return Part(says, None, "not measured", counts)
    results = {x: holds(*(curve[x].mean for curve in curves)) for x in values}
    n_true = sum(results.values())
    failing = ", ".join(number(x) for x, ok in results.items() if not ok)
    of_those = f", not at {axis} = {failing}" if failing else ""
    found = f"at {n_true} of {len(values)} values of {axis}{of_those}"
    return Part(says, n_true >= share * len(values) - 1e-9, found, counts)


def compared(
    says: str, figure: float | None, holds: Callable[[float], bool], counts: bool = True
) -> Part:
    """A condition on one figure."""
    if figure is None or math.isnan(figure):
        return Part(says, None, "not measured", counts)
    return Part(says, holds(figure), f"{figure:.3g}", counts)


def ratio(one: Curve, other: Curve) -> float:
    """The largest ratio of two curves where both are."""
    values = shared(one, other)
    return max((one[x].mean / other[x].mean for x in values), default=math.nan)


def least(curves: Mapping[str, Curve]) -> Curve:
    """The lowest of several curves at each value that all have."""
    values = shared(*curves.values())
    return {x: min((curve[x] for curve in curves.values()), key=lambda s: s.mean) for x in values}


def most(curves: Mapping[str, Curve]) -> Curve:
    """The highest of several curves at each value that all have."""
    values = shared(*curves.values())
    return {x: max((curve[x] for curve in curves.values()), key=lambda s: s.mean) for x in values}
