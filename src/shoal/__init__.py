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
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from shoal.errors import ShoalError as ShoalError
    from shoal.hierarchies.date import dates as dates
    from shoal.hierarchies.flat import flat as flat
    from shoal.hierarchies.intervals import intervals as intervals
    from shoal.hierarchies.levels import levels as levels
    from shoal.hierarchies.library import library as library
    from shoal.hierarchies.prefix import prefix as prefix
    from shoal.hierarchies.tree import tree as tree
    from shoal.policy.policy import Columns, Sensitive
    from shoal.policy.policy import Policy as Policy
    from shoal.policy.tables import TablesPolicy as TablesPolicy
    from shoal.read.severities import severity as severity
    from shoal.release.release import Release as Release
    from shoal.release.tables import TablesRelease as TablesRelease
    from shoal.runs.anonymize_tables import anonymize_tables as anonymize_tables
    from shoal.runs.attack import attack as attack
    from shoal.runs.check_tables import check_tables as check_tables
    from shoal.runs.risk import risk as risk
    from shoal.saved_recoding.recoding import Recoding as Recoding
    from shoal.types.algorithm import Algorithm
    from shoal.types.model import PrivacyModel
    from shoal.types.schema import Missing, Order, Unknown
    from shoal.types.tables_verdict import TablesVerdict as TablesVerdict
    from shoal.types.verdict import Verdict as Verdict
    from shoal.types.watch import Progress as Progress
    from shoal.types.watch import Watch as Watch

__version__ = "0.1.0"

# Public names and where they live; each is imported when it is first used.
_PLACES = {
    "Policy": "shoal.policy.policy",
    "TablesPolicy": "shoal.policy.tables",
    "TablesRelease": "shoal.release.tables",
    "TablesVerdict": "shoal.types.tables_verdict",
    "anonymize_tables": "shoal.runs.anonymize_tables",
    "check_tables": "shoal.runs.check_tables",
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
    "library": "shoal.hierarchies.library",
    "prefix": "shoal.hierarchies.prefix",
    "risk": "shoal.runs.risk",
    "severity": "shoal.read.severities",
    "tree": "shoal.hierarchies.tree",
    "catalog": "",
    "datasets": "",
    "errors": "",
}
__all__ = ["anonymize", "check", *_PLACES]


def anonymize(
    frame: Any,
    *,
    quasi: Columns,
    privacy: Sequence[PrivacyModel | Mapping[str, Any]],
    identifiers: Sequence[str] = (),
    pseudonyms: Sequence[str] = (),
    sensitive: Sensitive = (),
    keep: Sequence[str] = (),
    drop: Sequence[str] = (),
    algorithm: str | Mapping[str, Any] | Algorithm = "mondrian",
    suppression: float = 0.0,
    missing: Missing = "category",
    missing_values: Sequence[str] = ("",),
    unknown: Unknown = "error",
    order: Order = "published",
    seed: int = 0,
    person: str | Sequence[str] = (),
    key: str | Path | bytes | None = None,
    threads: int | None = None,
    watch: Watch | None = None,
    earlier: Any = (),
    registry: str | Path | None = None,
    **misspelt: Any,
) -> Release:
    """Anonymize a polars, pandas or pyarrow table; the same kind comes back, verified.

    Every column needs a role: `identifiers` and `drop` are left out, `quasi` are generalised,
    `sensitive` are released and protected by models, `keep` are released as they are. `quasi` and
    `sensitive` are lists of names, or map names to hierarchies (`shoal.intervals`, `prefix`,
    `dates`, `levels`, `tree`, `library`, `flat`). `privacy` lists models. `person` names the
    column, or the columns, that say whose record it is, where people have several: then people are
    counted, not rows. One such column may be in `pseudonyms`: it is released as a stand-in for the
    person, made with a `key` (the name of its file, or the key itself as bytes), or at random. At
    most the share `suppression` of the records is left out. The result is the same for any number
    of `threads`. A
    `watch` hears how far it is, and can cancel it from another thread. `earlier` releases of the
    same table, frames or names of files, must keep the models together with this one. A
    `registry`, the name of a file, remembers the release, so that a later one is noticed.

    >>> import polars as pl, shoal
    >>> people = pl.DataFrame({"name": ["Ann", "Bob", "Cem", "Dee"], "age": [31, 38, 52, 55],
    ...                        "illness": ["flu", "gout", "flu", "cold"]})
    >>> release = shoal.anonymize(people, identifiers=["name"], sensitive=["illness"],
    ...                           quasi={"age": shoal.intervals(10)}, privacy=[shoal.KAnonymity(2)])
    >>> release.frame.rows()
    [('[30, 39]', 'flu'), ('[30, 39]', 'gout'), ('[50, 59]', 'cold'), ('[50, 59]', 'flu')]
    >>> release.verdict.holds, f"{release.measures['loss']:.2f}"
    (True, '0.33')
    """
    from shoal.policy.policy import Policy

    rules = Policy.of_roles(
        quasi=quasi,
        privacy=privacy,
        identifiers=identifiers,
        pseudonyms=pseudonyms,
        sensitive=sensitive,
        keep=keep,
        drop=drop,
        algorithm=algorithm,
        suppression=suppression,
        missing=missing,
        missing_values=missing_values,
        unknown=unknown,
        order=order,
        seed=seed,
        person=person,
        **misspelt,  # refused with the nearest name
    )
    return rules.anonymize(
        frame, key=key, threads=threads, watch=watch, earlier=earlier, registry=registry
    )


def check(
    frame: Any,
    policy: Policy | str | Path,
    original: Any = None,
    *,
    earlier: Any = (),
    watch: Watch | None = None,
) -> Verdict:
    """Verify a released table against a policy, or a policy file.

    With the `original`, models that compare groups with the whole table know its values too, and
    leaks are found that the release alone does not show: the order of its records. `earlier`
    releases of the original, frames or names of files, must keep the policy together with this one.

    >>> import polars as pl, shoal
    >>> policy = shoal.Policy.of_roles(quasi=["age"], privacy=[shoal.KAnonymity(2)])
    >>> bool(shoal.check(pl.DataFrame({"age": ["[20, 30]", "[20, 30]"]}), policy))
    True
    >>> verdict = shoal.check(pl.DataFrame({"age": ["[20, 30]", "40"]}), policy)
    >>> verdict.holds, verdict.findings[0].n_failing_groups
    (False, 2)
    """
    from shoal.policy.policy import Policy

    return Policy.of(policy).check(frame, original=original, earlier=earlier, watch=watch)


def __getattr__(name: str) -> Any:
    if name in _PLACES:
        module = importlib.import_module(_PLACES[name] or f"shoal.{name}")
        return getattr(module, name) if _PLACES[name] else module
    if name[:1].isupper():  # an algorithm or a model; lower-case names are modules, not there yet
        found = importlib.import_module("shoal.catalog").find_class(name)
        if found is not None:
            return found
    raise AttributeError(f"module 'shoal' has no attribute {name!r}")
