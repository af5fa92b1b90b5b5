"""A recoding as the keys of a JSON file, and back.

The keys are those of a policy file, with the level and the kind of each quasi-identifier.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, get_args

from shoal.errors import HierarchyError, InputError, PolicyError
from shoal.policy.keys import column_of, models_of, settings_of
from shoal.policy.policy import Policy
from shoal.read import hierarchies
from shoal.read.hierarchies import Dates, Flat, Intervals, Levels, Prefix
from shoal.saved_recoding.fixed import Fixed, Nothing
from shoal.saved_recoding.given_levels import GivenLevels
from shoal.types import named
from shoal.types.column import Kind
from shoal.types.schema import ColumnSpec, HierarchySpec, Schema

Document = dict[str, Any]
OWN_PARTS = ("columns", "privacy", "algorithm", "lines")


def document_of(policy: Policy) -> Document:
    """The keys of a policy whose hierarchies are fixed and whose levels are given."""
    settings = {f.name: getattr(policy, f.name) for f in fields(policy) if f.name not in OWN_PARTS}
    levels = dict(zip(Schema(policy.columns).quasi, levels_of(policy), strict=True))
    return {
        "columns": {
            name: _column_keys(spec, levels.get(name)) for name, spec in policy.columns.items()
        },
        "privacy": [
            {"model": named.name_of(model), **named.settings_of(model)} for model in policy.privacy
        ],
        **settings,
    }


def policy_of(document: Mapping[str, Any]) -> Policy:
    """The policy that these keys were made of. Raises `InputError` where they make none."""
    try:
        given = dict(document)
        columns, models = given.pop("columns"), given.pop("privacy")
        specs = {name: _column_of(name, keys) for name, keys in columns.items()}
        levels = tuple(_level_of(name, columns[name], spec) for name, spec in _quasi(specs).items())
        return Policy(
            columns=specs,
            privacy=models_of(models),
            algorithm=GivenLevels(levels),
            **settings_of(given),
        )
    except (PolicyError, HierarchyError) as error:
        raise InputError(str(error).removeprefix("Policy, ").removeprefix("Policy: ")) from None
    except (KeyError, TypeError, ValueError, AttributeError):  # whose text may show a leaf
        raise InputError("a key is missing or holds what does not belong there") from None


def levels_of(policy: Policy) -> tuple[int, ...]:
    assert isinstance(policy.algorithm, GivenLevels)
    return policy.algorithm.levels


def _quasi(specs: Mapping[str, ColumnSpec]) -> dict[str, ColumnSpec]:
    return {name: spec for name, spec in specs.items() if spec.role == "quasi"}


def _column_keys(spec: ColumnSpec, level: int | None) -> Document:
    keys: Document = {"role": spec.role}
    hierarchy = spec.hierarchy
    if isinstance(hierarchy, Fixed):
        keys |= {"level": level, "kind": hierarchy.kind}
        hierarchy = hierarchy.hierarchy
    if hierarchy is not None:
        keys["hierarchy"] = _hierarchy_keys(hierarchy)
    if spec.severity is not None:
        keys["severity"] = dict(spec.severity.of_value)
    for f in fields(spec):
        is_plain = f.name not in ("role", "hierarchy", "severity")
        if is_plain and getattr(spec, f.name) != f.default:
            keys[f.name] = getattr(spec, f.name)
    return keys


def _hierarchy_keys(hierarchy: HierarchySpec) -> Any:
    """Rules as rules, so that they hold for values nobody has seen; lists as their paths."""
    match hierarchy:
        case Levels(paths=paths):
            return {"levels": paths}
        case Intervals(widths=widths):
            return {"intervals": widths}
        case Prefix(length=length):
            return {"prefix": length}
        case Dates(units=units):
            return {"date": units}
        case Flat():
            return "flat"
        case Nothing():
            return "nothing"
    raise TypeError(type(hierarchy).__name__)


def _column_of(name: str, keys: Mapping[str, Any]) -> ColumnSpec:
    plain = {key: keys[key] for key in keys if key not in ("kind", "level", "hierarchy")}
    spec = column_of(plain, ("columns", name), Path())
    hierarchy = _hierarchy_of(keys["hierarchy"]) if "hierarchy" in keys else None
    if spec.role == "quasi":
        if keys["kind"] not in get_args(Kind) or hierarchy is None:
            raise KeyError
        hierarchy = Fixed(hierarchy, keys["kind"])
    return replace(spec, hierarchy=hierarchy)


def _hierarchy_of(keys: Any) -> HierarchySpec:
    if keys in ("flat", "nothing"):
        return Flat() if keys == "flat" else Nothing()
    ((kind, of),) = keys.items()
    match kind:
        case "levels":
            return hierarchies.levels([tuple(path) for path in of])
        case "intervals":
            return hierarchies.intervals(*of)
        case "prefix":
            return hierarchies.prefix(of)
        case "date":
            return hierarchies.dates(*of)
    raise KeyError


def _level_of(name: str, keys: Mapping[str, Any], spec: ColumnSpec) -> int:
    assert isinstance(spec.hierarchy, Fixed)
    level, height = keys["level"], spec.hierarchy.height
    if isinstance(level, bool) or not isinstance(level, int) or not 0 <= level <= height:
        raise InputError(f"column {name!r}: the level must be a whole number from 0 to {height}")
    return level
