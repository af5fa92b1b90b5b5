"""A recoding as the keys of a JSON file, and back.

The keys are those of a policy file, with the level and the kind of each quasi-identifier.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, get_args

from shoal.errors import HierarchyError, InputError, KeyPath, PolicyError
from shoal.policy.context import context_keys
from shoal.policy.keys import column_of, hierarchy_of, models_of, settings_of
from shoal.policy.policy import Policy
from shoal.policy.written import column_keys, settings_keys
from shoal.saved_recoding.fixed import Fixed, Nothing
from shoal.saved_recoding.given_levels import GivenLevels
from shoal.types import named
from shoal.types.column import Kind
from shoal.types.hierarchy_spec import HierarchySpec
from shoal.types.named import name_of
from shoal.types.schema import ColumnSpec, Schema

Document = dict[str, Any]


def document_of(policy: Policy) -> Document:
    """The keys of a policy whose hierarchies are fixed and whose levels are given."""
    levels = dict(zip(Schema(policy.columns).quasi, levels_of(policy), strict=True))
    return {
        "columns": {
            name: _column_keys(spec, levels.get(name)) for name, spec in policy.columns.items()
        },
        "privacy": [
            {"model": name_of(model), **named.settings_of(model)} for model in policy.privacy
        ],
        **settings_keys(policy),
        **({"context": said} if (said := context_keys(policy.context)) else {}),
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
        raise InputError("a key is missing or has a value of the wrong type") from None


def levels_of(policy: Policy) -> tuple[int, ...]:
    assert isinstance(policy.algorithm, GivenLevels)
    return policy.algorithm.levels


def _quasi(specs: Mapping[str, ColumnSpec]) -> dict[str, ColumnSpec]:
    return {name: spec for name, spec in specs.items() if spec.role == "quasi"}


def _column_keys(spec: ColumnSpec, level: int | None) -> Document:
    """Rules as rules, so that they apply to new values; lists as their paths."""
    keys = column_keys(spec, None)
    if isinstance(spec.hierarchy, Fixed):
        return {"role": spec.role, "level": level, "kind": spec.hierarchy.kind, **keys}
    return keys


def _column_of(name: str, keys: Mapping[str, Any]) -> ColumnSpec:
    path: KeyPath = ("columns", name)
    plain = {key: keys[key] for key in keys if key not in ("kind", "level", "hierarchy")}
    spec = column_of(plain, path, Path())
    hierarchy = _hierarchy_of(keys.get("hierarchy"), (*path, "hierarchy"))
    if spec.role == "quasi":
        if keys["kind"] not in get_args(Kind) or hierarchy is None:
            raise KeyError
        hierarchy = Fixed(hierarchy, keys["kind"], spec.top)
    return replace(spec, hierarchy=hierarchy)


def _hierarchy_of(keys: Any, path: KeyPath) -> HierarchySpec | None:
    return Nothing() if keys == name_of(Nothing()) else hierarchy_of(keys, path, folder=None)


def _level_of(name: str, keys: Mapping[str, Any], spec: ColumnSpec) -> int:
    assert isinstance(spec.hierarchy, Fixed)
    level, height = keys["level"], spec.hierarchy.height
    if isinstance(level, bool) or not isinstance(level, int) or not 0 <= level <= height:
        raise InputError(f"column {name!r}: the level must be a whole number from 0 to {height}")
    return level
