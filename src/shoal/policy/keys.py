"""The parts of a policy, read from the keys of a file or from a caller's values."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from shoal import catalog
from shoal.catalog import SEARCHES
from shoal.errors import HierarchyError, KeyPath, PolicyError, nearest
from shoal.policy.context import context_of
from shoal.policy.fields import (
    build_named,
    build_of_value,
    convert,
    given_name,
    needs_options,
    number,
    one_of,
)
from shoal.policy.minimums import minimums_of
from shoal.policy.population import in_folder, population_of
from shoal.policy.said_keys import day_of, format_of, zip3_of
from shoal.types.algorithm import Algorithm
from shoal.types.column import PUBLISH, ROLES, Publish, Role
from shoal.types.grid import GRID_UNITS, GridUnit, OnGrid
from shoal.types.hierarchy_spec import HierarchySpec
from shoal.types.model import PrivacyModel
from shoal.types.named import name_of
from shoal.types.notation import DECIMALS, LOOKALIKES, THOUSANDS, Notation, notation_of
from shoal.types.schema import ColumnSpec, Determines, Missing, Order, Rare, Severities, Unknown
from shoal.types.text import number_of

HEAVIEST = 1_000_000  # a weight; beyond, sums would drown the other columns
COLUMN_KEYS = ("role", "hierarchy", "weight", "publish", "bounds", "format", "age_on", "top",
               "zip3", "decimal", "thousands", "rare", "severity", "determines", "release",
               "reason")  # fmt: skip
# Others would be ignored: only quasi-identifiers have a weight or `publish`.
KEYS_OF_ROLE: dict[Role, tuple[str, ...]] = {
    "identifier": ("reason",),
    "pseudonym": ("reason",),
    "quasi": ("hierarchy", "weight", "publish", "bounds", "format", "age_on", "top", "zip3",
              "decimal", "thousands", "rare", "reason"),
    "sensitive": ("hierarchy", "severity", "decimal", "thousands", "determines", "reason"),
    "keep": ("determines", "reason"),
    "drop": ("reason",),
    "weight": ("release", "decimal", "thousands", "determines", "reason"),
}  # fmt: skip


def column_of(value: Any, path: KeyPath, folder: Path) -> ColumnSpec:
    if isinstance(value, str):
        return ColumnSpec(one_of(value, ROLES, path))
    keys = mapping_of(value, path)
    for key in keys:
        if key not in COLUMN_KEYS:
            raise PolicyError(
                f"{key!r} is unknown{nearest(key, COLUMN_KEYS)} "
                f"A column takes {', '.join(COLUMN_KEYS)}.",
                (*path, key),
            )
    _check_fitting(keys, path)
    if "role" not in keys:
        raise PolicyError(f"'role' is needed: one of {', '.join(ROLES)}", path)
    weight = number(keys.get("weight", 1), (*path, "weight"))
    if not 0 < weight <= HEAVIEST:
        raise PolicyError(f"must be a number above 0, at most {HEAVIEST:,}", (*path, "weight"))
    publish = keys.get("publish")
    if publish is not None:
        publish = one_of(publish, PUBLISH, (*path, "publish"))
    hierarchy = hierarchy_of(keys.get("hierarchy"), (*path, "hierarchy"), folder)
    notation = _notation(keys, hierarchy, path)
    return ColumnSpec(
        role=one_of(keys["role"], ROLES, (*path, "role")),
        hierarchy=hierarchy,
        weight=weight,
        publish=publish,
        severity=_severity(keys.get("severity"), (*path, "severity"), folder),
        bounds=_bounds(keys, publish, (*path, "bounds")),
        reason=convert(keys.get("reason") or "", str, (*path, "reason")),
        format=format_of(keys, (*path, "format")),
        age_on=day_of(keys, (*path, "age_on")),
        zip3=zip3_of(keys, (*path, "zip3")),
        top=_top(keys, publish, hierarchy, (*path, "top")),
        decimal=notation.decimal if notation else "",
        thousands=notation.thousands if notation else "",
        determines=convert(keys.get("determines", ""), Determines, (*path, "determines")),
        rare=convert(keys.get("rare", "hide"), Rare, (*path, "rare")),
        release=convert(keys.get("release", False), bool, (*path, "release")),
    )


def _notation(
    keys: Mapping[str, Any], hierarchy: HierarchySpec | None, path: KeyPath
) -> Notation | None:
    """How the numbers of a column are written, where it says so."""
    given = [key for key in ("decimal", "thousands") if keys.get(key)]
    if not given:
        return None
    path = (*path, given[0])
    if keys.get("role") == "quasi" and hierarchy is not None and hierarchy.reads_text:
        raise PolicyError("this hierarchy takes values letter by letter, not as numbers", path)
    if keys.get("format") or keys.get("age_on"):
        raise PolicyError("a column of dates has no numbers. Remove one of the two", path)
    return _signs(keys.get("decimal"), keys.get("thousands"), path[:-1])


def _signs(decimal: Any, thousands: Any, path: KeyPath) -> Notation:
    of_decimal = _sign(decimal, DECIMALS, (*path, "decimal"))
    of_thousands = _sign(thousands, THOUSANDS, (*path, "thousands"))
    notation = notation_of(of_decimal, of_thousands)
    if notation.decimal == notation.thousands:
        raise PolicyError("the same sign cannot stand before fractions too", (*path, "thousands"))
    return notation


def _sign(value: Any, signs: tuple[str, ...], path: KeyPath) -> str:
    found = next((s for s in signs if value in (s, *LOOKALIKES.get(s, ""))), "")
    if not found and value not in (None, ""):
        raise PolicyError(f"must be one of {', '.join(map(repr, signs))}", path)
    return found


def notation_in_table(decimal: str, thousands: str) -> Notation:
    """How a table writes its numbers, as a policy says."""
    return _signs(decimal, thousands, ())


def _top(
    keys: Mapping[str, Any],
    publish: Publish | None,
    hierarchy: HierarchySpec | None,
    path: KeyPath,
) -> float | None:
    if keys.get("top") is None:
        return None
    if "bounds" in keys or publish in ("mean", "median"):
        raise PolicyError(
            "a highest value has no place on a grid, and none in a mean or median. Remove one of "
            "the two",
            path,
        )
    if hierarchy is not None and (hierarchy.reads_text or not hierarchy.measures):
        raise PolicyError(
            "a highest value needs a column without a hierarchy, or with intervals", path
        )
    top = number(keys["top"], path)
    if not math.isfinite(top):
        raise PolicyError("must be a number, such as 90", path)
    return top


def _bounds(keys: Mapping[str, Any], publish: Publish | None, path: KeyPath) -> OnGrid | None:
    """From `tight`, `grid` or `{grid: STEP}`, a number or a unit of time."""
    if "bounds" not in keys:
        return None
    if publish is None and keys.get("hierarchy") is not None:
        raise PolicyError(
            "`bounds` are of ranges; add `publish: range`, or remove one of two", path
        )
    if publish in ("node", "set"):
        raise PolicyError(f"`bounds` are of ranges, but the column publishes a {publish}", path)
    value = keys["bounds"]
    if isinstance(value, str):
        wanted = OnGrid() if one_of(value, ("tight", "grid"), path) == "grid" else None
    else:
        wanted = OnGrid(_step(mapping_of(value, path), path))
    if wanted is None and publish in ("mean", "median"):
        raise PolicyError(
            f"a {publish} is always rounded, because the exact one gives the last member of a "
            "group away to who knows the others. Use grid, or name a step: {grid: 5}",
            path,
        )
    return wanted


def _step(keys: Mapping[str, Any], path: KeyPath) -> float | GridUnit:
    if keys.keys() != {"grid"}:
        raise PolicyError("must be tight, grid, or a grid with its step, as in {grid: 5}", path)
    value, path = keys["grid"], (*path, "grid")
    if isinstance(value, str) and number_of(value) is None:
        unit: GridUnit = one_of(value, GRID_UNITS, path)
        return unit
    step = number(value, path)
    if not 0 < step < math.inf:
        raise PolicyError("must be a number above 0, or a unit of time", path)
    return step


def column_in_role(role: str, value: Any, path: KeyPath) -> ColumnSpec:
    """A column as Python callers give it: a hierarchy, severities with one, or nothing."""
    from shoal.read.severities import Graded

    severities = None
    if isinstance(value, Graded):
        if role != "sensitive":
            raise PolicyError(f"a column with the role {role} has no severity", path)
        severities, value = value
    if value is not None and not _is_hierarchy(value):
        raise PolicyError(
            "this is not a hierarchy; try shoal.intervals, prefix, dates, levels or tree", path
        )
    return ColumnSpec(one_of(role, ROLES, ()), value, severity=severities)


def _is_hierarchy(value: Any) -> bool:
    return not isinstance(value, type) and isinstance(value, HierarchySpec)


def _check_fitting(keys: Mapping[str, Any], path: KeyPath) -> None:
    """Refuse keys that would be ignored."""
    role = keys.get("role")
    for key in keys:
        if role in ROLES and key not in ("role", *KEYS_OF_ROLE[role]):
            raise PolicyError(f"a column with the role {role} has no {key}", (*path, key))


def hierarchy_of(value: Any, path: KeyPath, folder: Path | None) -> HierarchySpec | None:
    """From `{KIND: value}`, the name of a kind that needs no options, or that of a level table.

    Without a folder, no file may be named.
    """
    if value is None:
        return None
    name, of = _kind_and_value(value, path)
    cls = _kind(name, path)
    try:
        made = cls.of_value(of, folder)
        return build_of_value(cls, of, (*path, name)) if made is None else made
    except HierarchyError as error:
        if isinstance(value, str):  # it is about a file, which it names
            raise
        raise PolicyError(str(error), path) from None


def _kind_and_value(value: Any, path: KeyPath) -> tuple[str, Any]:
    if isinstance(value, str):
        is_kind = value in catalog.names("hierarchy") and not needs_options(_kind(value, path))
        return (value, {}) if is_kind else ("levels", value)
    keys = mapping_of(value, path)
    if len(keys) != 1:
        raise PolicyError(f"give one of {_kinds()}, or a file", path)
    ((name, of),) = keys.items()
    return str(name), of


def _kind(name: str, path: KeyPath) -> type[HierarchySpec]:
    try:
        cls: type[HierarchySpec] = catalog.load("hierarchy", name)
    except PolicyError:
        if name in catalog.names("hierarchy"):
            raise
        near = nearest(name, catalog.names("hierarchy"))  # `name` itself may be a value of the data
        near = near if near != "." else f"; give one of {_kinds()}, or a file"
        raise PolicyError(f"unknown kind of hierarchy{near}", path) from None
    return cls


def _kinds() -> str:
    return ", ".join(catalog.names("hierarchy"))


def _severity(value: Any, path: KeyPath, folder: Path) -> Severities | None:
    from shoal.read.severities import severities_of_file, severities_of_mapping

    if value is None:
        return None
    try:
        if isinstance(value, str):
            return severities_of_file(folder / value)
        return severities_of_mapping(value)
    except PolicyError as error:
        raise PolicyError(error.message, path) from None


def models_of(value: Any, folder: Path | None = None) -> tuple[PrivacyModel, ...]:
    """Models, and the files they name relative to a folder."""
    models = [
        model_of(model, ("privacy", i)) for i, model in enumerate(_listed(value) if value else [])
    ]
    return tuple(
        model
        if (file := model.about.population) is None
        else replace(model, population=str((folder or Path()) / file))
        for model in models
    )


def models_with_k(models: tuple[PrivacyModel, ...], k: int) -> tuple[PrivacyModel, ...]:
    """The same with another k in every model that has one, or with k-anonymity added."""
    path: KeyPath = ("k",)
    if all(model.about.k is None for model in models):
        return (*models, model_of({"model": "k-anonymity", "k": k}, path))
    try:
        return tuple(model if model.about.k is None else replace(model, k=k) for model in models)
    except ValueError as error:
        raise PolicyError(str(error), path) from None


def model_of(value: Any, path: KeyPath) -> PrivacyModel:
    if not isinstance(value, type) and isinstance(value, PrivacyModel):
        return value
    keys = _keys_of(value, PrivacyModel, path)
    if "model" not in keys:
        raise PolicyError("'model' is needed, for example {model: k-anonymity, k: 5}", path)
    model: PrivacyModel = build_named("model", keys.pop("model"), keys, (*path, "model"))
    return model


def algorithm_of(value: Any) -> Algorithm:
    if not isinstance(value, type) and isinstance(value, Algorithm):
        return value
    path: KeyPath = ("algorithm",)
    keys = {"name": value} if isinstance(value, str) else _keys_of(value, Algorithm, path)
    if "name" not in keys:
        raise PolicyError("'name' is needed, for example {name: mondrian}", path)
    refine = convert(keys.pop("refine", False), bool, (*path, "refine"))
    name = path if isinstance(value, str) else (*path, "name")
    algorithm: Algorithm = build_named("algorithm", keys.pop("name"), keys, name)
    if refine and name_of(algorithm) == SEARCHES:
        raise PolicyError(f"{SEARCHES} is this search itself; leave it out", (*path, "refine"))
    return catalog.refined(algorithm) if refine else algorithm


def _keys_of(value: Any, contract: type, path: KeyPath) -> dict[str, Any]:
    """Of a model or an algorithm that is not made yet."""
    if not isinstance(value, Mapping):
        contract_name = f"{contract.__module__}.{contract.__name__}"
        raise PolicyError(
            f"this must be keys with values or, in Python, inherit from {contract_name}", path
        )
    return dict(value)


def mapping_of(value: Any, path: KeyPath) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise PolicyError(f"this must be keys with values, not {given_name(value)}", path)
    return value


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else [value]


def settings_of(given: Mapping[str, Any], folder: Path | None = None) -> dict[str, Any]:
    """What is neither columns, privacy nor algorithm, checked and converted."""
    converters: dict[str, Callable[[Any, KeyPath], Any]] = {
        "suppression": number,
        "missing": lambda value, path: convert(value, Missing, path),
        "missing_values": _texts,
        "unknown": lambda value, path: convert(value, Unknown, path),
        "order": lambda value, path: convert(value, Order, path),
        "decimal": lambda value, path: _sign(value, DECIMALS, path),
        "thousands": lambda value, path: _sign(value, THOUSANDS, path),
        "seed": lambda value, path: convert(value, int, path),
        "person": _names,
        "population": lambda value, path: in_folder(population_of(value, path), folder),
        "context": context_of,
        "utility": lambda value, path: minimums_of(value, folder),
    }
    for name in given:
        if name not in converters:
            raise PolicyError(f"{name!r} is unknown{nearest(name, converters)}", (name,))
    return {name: converters[name](value, (name,)) for name, value in given.items()}


def _names(value: Any, path: KeyPath) -> tuple[str, ...]:
    names = () if value is None else tuple(_listed(value))
    if not all(isinstance(name, str) for name in names):
        raise PolicyError("must be the name of a column, or a list of names", path)
    if len(set(names)) != len(names):
        raise PolicyError("names a column twice", path)
    return names


def _texts(value: Any, path: KeyPath) -> tuple[str, ...]:
    texts = tuple("" if text is None else text for text in _listed(value))
    if not texts or not all(isinstance(text, str) for text in texts):
        raise PolicyError('must be a list of texts, such as ["", "?"]', path)
    return texts
