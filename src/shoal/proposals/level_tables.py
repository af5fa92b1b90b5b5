"""How a level table of a column is filled in first, where nobody says it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

from shoal.policy.policy import Policy
from shoal.proposals.hierarchies import DATE_UNITS, intervals_of, widths_within
from shoal.proposals.patterns import is_code
from shoal.proposals.profile import Profile
from shoal.proposals.propose import look_at
from shoal.read.source import Source
from shoal.types.schema import ColumnSpec

NUMBERS = ("integer", "number")
DATES = ("month", "quarter", *DATE_UNITS[1:])


def profile_of(source: Source, name: str, policy: Path | None) -> Profile:
    """A column as `shoal init` sees it, or as a policy says that it is read."""
    if policy is None:
        return look_at(source, name)
    rules = Policy.load(policy)
    spec = rules.columns.get(name, ColumnSpec("quasi"))
    spec = replace(spec, role="quasi", hierarchy=None, publish=None, top=None, age_on="")
    return Profile(source.frame[name], source.is_text, rules.missing_values, said=spec)


def way_for(profile: Profile) -> tuple[Any, Any]:
    """Dates by unit, numbers by round widths, codes by prefix, else what fits or how frequent."""
    if profile.kind in ("date", "datetime"):
        return "dates", list(DATES)
    if profile.library is not None:
        return "library", profile.library
    if profile.kind in NUMBERS:
        low, high = profile.span
        widths = intervals_of(profile) or widths_within(
            high - low, is_whole=profile.kind == "integer"
        )
        return ("widths", list(widths)) if widths else ("quantiles", 2)
    if profile.labels and is_code(profile.labels):
        return "prefix", len(profile.labels[0])
    return "frequency", None
