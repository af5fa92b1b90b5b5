"""Shoal anonymizes tables of people so that they can be shared.

>>> import shoal, polars as pl
>>> people = pl.DataFrame({"name": ["Ann", "Bob", "Cem", "Dee"], "age": [31, 38, 52, 55]})
>>> release = shoal.anonymize(people, identifiers=["name"], quasi=["age"],
...                           privacy=[shoal.KAnonymity(2)])
>>> release.frame["age"].to_list()
['[31, 38]', '[31, 38]', '[52, 55]', '[52, 55]']
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from shoal.errors import ShoalError as ShoalError
    from shoal.hierarchies.date import dates as dates
    from shoal.hierarchies.flat import flat as flat
    from shoal.hierarchies.intervals import intervals as intervals
    from shoal.hierarchies.levels import levels as levels
    from shoal.hierarchies.prefix import prefix as prefix
    from shoal.hierarchies.tree import tree as tree
    from shoal.policy.policy import Policy as Policy
    from shoal.read.severities import severity as severity
    from shoal.release.release import Release as Release
    from shoal.runs.attack import attack as attack
    from shoal.runs.risk import risk as risk
    from shoal.saved_recoding.recoding import Recoding as Recoding
    from shoal.types.verdict import Verdict as Verdict
    from shoal.types.watch import Progress as Progress
    from shoal.types.watch import Watch as Watch

__version__ = "0.1.0"

# Public names and where they live; each is imported when it is first used.
_PLACES = {
    "Policy": "shoal.policy.policy",
    "Progress": "shoal.types.watch",
    "Recoding": "shoal.saved_recoding.recoding",
    "Release": "shoal.release.release",
    "ShoalError": "shoal.errors",
    "Verdict": "shoal.types.verdict",
    "Watch": "shoal.types.watch",
    "attack": "shoal.runs.attack",
    "dates": "shoal.hierarchies.date",
    "flat": "shoal.hierarchies.flat",
    "intervals": "shoal.hierarchies.intervals",
    "levels": "shoal.hierarchies.levels",
    "prefix": "shoal.hierarchies.prefix",
    "risk": "shoal.runs.risk",
    "severity": "shoal.read.severities",
    "tree": "shoal.hierarchies.tree",
    "datasets": "",
    "errors": "",
}
__all__ = ["anonymize", "check", *_PLACES]


def anonymize(
    frame: Any, *, threads: int | None = None, watch: Watch | None = None, **policy: Any
) -> Release:
    """Anonymize a polars, pandas or pyarrow table; the same kind comes back, verified.

    The keywords are those of `Policy.of_roles`: lists of columns by role (`identifiers`,
    `quasi`, `sensitive`, `keep`, `drop`), `privacy`, `algorithm`, `suppression`, `missing`,
    `missing_values`, `unknown`, `order` and `seed`. A `watch` hears how far it is, and can cancel
    it from another thread.
    """
    from shoal.policy.policy import Policy

    rules: Policy = Policy.of_roles(**policy)
    return rules.anonymize(frame, threads=threads, watch=watch)


def check(frame: Any, policy: Policy | str | Path, *, watch: Watch | None = None) -> Verdict:
    """Verify a released table against a policy, or a policy file."""
    from shoal.policy.policy import Policy

    return Policy.of(policy).check(frame, watch=watch)


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        module = importlib.import_module(_PLACES[name] or f"shoal.{name}")
        return getattr(module, name) if _PLACES[name] else module
    if name[:1].isupper():  # an algorithm or a model; lower-case names are modules, not there yet
        found = importlib.import_module("shoal.catalog").find_class(name)
        if found is not None:
            return found
    raise AttributeError(f"module 'shoal' has no attribute {name!r}")
