"""A policy written back: as the keys of a file, and as its text."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.errors import HierarchyError, OutputError, PolicyError
from shoal.policy.context import context_keys
from shoal.policy.minimums import minimum_keys
from shoal.policy.population import population_keys
from shoal.policy.yaml_text import flow, key_of, laid_out
from shoal.types.model import PrivacyModel
from shoal.types.named import name_of
from shoal.types.options import file_key, options_given
from shoal.types.schema import ColumnSpec, Severities

if TYPE_CHECKING:
    from shoal.policy.policy import Policy

Keys = dict[str, Any]
OWN_PARTS = ("columns", "privacy", "algorithm", "utility", "context", "lines")


def keys_of(policy: Policy, folder: Path) -> Keys:
    """The keys that `Policy.of_mapping` takes; what has its default is left out."""
    defaults = {f.name: f.default for f in fields(policy)}
    settings = settings_keys(policy) | {"population": population_keys(policy.population, folder)}
    return {
        "columns": {name: _short(column_keys(c, folder)) for name, c in policy.columns.items()},
        "privacy": [_model_keys(model, folder) for model in policy.privacy],
        "algorithm": {"name": name_of(policy.algorithm), **options_given(policy.algorithm)},
        **{
            name: list(value) if isinstance(value, tuple) else value
            for name, value in settings.items()
            if value != defaults[name]
        },
        **({"utility": use} if (use := _utility_keys(policy, folder)) else {}),
        **({"context": said} if (said := context_keys(policy.context)) else {}),
    }


def column_keys(spec: ColumnSpec, folder: Path | None) -> Keys:
    """The keys of a column. Without a folder no file is named: what was read is listed."""
    keys: Keys = {"role": spec.role}
    if spec.hierarchy is not None:
        keys["hierarchy"] = spec.hierarchy.keys(folder)
    if spec.weight != 1:
        keys["weight"] = spec.weight
    if spec.publish is not None:
        keys["publish"] = spec.publish
    if spec.bounds is not None:
        keys["bounds"] = "grid" if spec.bounds.step is None else {"grid": spec.bounds.step}
    if spec.severity is not None:
        keys["severity"] = _severity_keys(spec.severity, folder)
    if spec.format:
        keys["format"] = spec.format
    if spec.age_on:
        keys["age_on"] = spec.age_on
    if spec.top is not None:
        keys["top"] = int(spec.top) if spec.top.is_integer() else spec.top
    if spec.zip3 is not None:
        keys["zip3"] = list(spec.zip3) or "census"
    if spec.decimal:
        keys["decimal"] = spec.decimal
    if spec.thousands:
        keys["thousands"] = spec.thousands
    if spec.determines:
        keys["determines"] = spec.determines
    if spec.rare != "hide":
        keys["rare"] = spec.rare
    if spec.release:
        keys["release"] = True
    if spec.reason:
        keys["reason"] = spec.reason
    return keys


def settings_keys(policy: Policy) -> Keys:
    """What is neither columns, privacy nor algorithm, but decides a release."""
    keys = {f.name: getattr(policy, f.name) for f in fields(policy) if f.name not in OWN_PARTS}
    return keys | {"population": population_keys(policy.population)}


def text_of(policy: Policy, folder: Path) -> str:
    """The text of a policy file in a folder. It is read back as a check before it is returned."""
    keys = keys_of(policy, folder)
    text = "\n".join(lines_of(keys)) + "\n"
    if not _is_read_back(policy, text, folder):
        raise OutputError(
            "The policy cannot be written down: a model, a hierarchy or the algorithm is a class "
            "of your own that the catalog does not have, or an option is not a plain value."
        )
    return text


def lines_of(keys: Keys) -> Iterator[str]:
    """The lines of a policy file that has these keys."""
    yield "columns:"
    for name, column in keys["columns"].items():
        key = f"  {key_of(name)}"
        if key.startswith("  ? "):  # too long for a line with its value
            key = f"{key.removesuffix(' : ')}\n  : "
        yield key + laid_out(column, 2, len(key))
    yield "privacy:"
    for model in keys["privacy"]:
        yield f"  - {laid_out(model, 4, 4)}"
    for name, value in keys.items():
        if name not in ("columns", "privacy", "utility", "context"):
            yield f"{name}: {flow(value)}"
    if "utility" in keys:
        yield "utility:"
        yield from (f"  - {laid_out(minimum, 4, 4)}" for minimum in keys["utility"])
    if "context" in keys:
        yield "context:"
        yield from (f"  {key_of(name)}{laid_out(v, 2, 4)}" for name, v in keys["context"].items())


def _is_read_back(policy: Policy, text: str, folder: Path) -> bool:
    """Whether the text means this policy. Populations may have other paths to the same files."""
    from shoal.policy.file import parse_policy

    try:
        read = type(policy).of_mapping(parse_policy(text).content, folder=folder)
    except (PolicyError, HierarchyError):
        return False
    models = [[(type(m), _model_keys(m, folder)) for m in p.privacy] for p in (policy, read)]
    use = [_utility_keys(p, folder) for p in (policy, read)]
    same = [population_keys(p.population, folder) for p in (policy, read)]
    rest = replace(
        read, privacy=policy.privacy, utility=policy.utility, population=policy.population
    )
    return rest == policy and all(one == other for one, other in (models, use, same))


def _short(column: Keys) -> Keys | str:
    """A role alone needs no key."""
    role: str = column["role"]
    return role if column.keys() == {"role"} else column


def _model_keys(model: PrivacyModel, folder: Path) -> Keys:
    options = options_given(model)
    if "population" in options:
        options["population"] = file_key(options["population"], folder)
    return {"model": name_of(model), **options}


def _utility_keys(policy: Policy, folder: Path) -> list[Keys]:
    return [minimum_keys(minimum, folder) for minimum in policy.utility]


def _severity_keys(severity: Severities, folder: Path | None) -> Any:
    if severity.file is None or folder is None:
        return dict(severity.of_value)
    return file_key(severity.file, folder)
