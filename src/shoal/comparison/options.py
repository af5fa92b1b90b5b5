"""Options of a policy by a path: `algorithm.s`, `privacy.t-closeness.t`, `suppression`."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from shoal import catalog
from shoal.errors import PolicyError, nearest
from shoal.policy.keys import COLUMN_KEYS, algorithm_of, column_of, models_of, settings_of
from shoal.policy.policy import Policy
from shoal.policy.written import column_keys
from shoal.types.model import PrivacyModel
from shoal.types.named import name_of
from shoal.types.options import options_given

SETTINGS = ("suppression", "missing", "missing-values", "unknown", "order")
STARTS = ("algorithm", "privacy", "columns", "k", *SETTINGS)
EXAMPLES = "`algorithm.s`, `tgc.weights.utility`, `privacy.t-closeness.t`, `suppression`"


def with_option(policy: Policy, path: str, value: Any) -> Policy:
    """The same policy with another value of one option.

    >>> policy = Policy.of_roles(quasi=["age"], privacy=[{"model": "k-anonymity", "k": 5}])
    >>> with_option(policy, "suppression", "0.01").suppression
    0.01
    >>> with_option(policy, "algorithm.strict", False).algorithm
    Mondrian(strict=False)
    """
    start, _, rest = path.partition(".")
    if start == "k":
        return policy.with_k(_whole(value))
    if start in SETTINGS:
        return replace(policy, **settings_of({start.replace("-", "_"): value}))
    if start == "privacy":
        return _with_model(policy, rest, value)
    if start == "columns":
        return _with_column(policy, rest, value)
    return replace(policy, algorithm=_set_algorithm(policy, rest, value))


def applies(policy: Policy, path: str) -> bool:
    """Whether a policy has this option: its algorithm may have no such one.

    What no policy could have is refused.
    """
    start, _, rest = path.partition(".")
    if start in ("k", *SETTINGS) and not rest:
        return True
    if start == "privacy":
        _refuse_model(policy, rest)
        return True
    if start == "columns":
        _refuse_column(policy, rest)
        return True
    name = name_of(policy.algorithm)
    if start != "algorithm" and start not in catalog.names("algorithm"):
        raise PolicyError(
            f"unknown option{nearest(start, [*STARTS, *catalog.names('algorithm')])} An option is "
            f"named by its way through the policy: {EXAMPLES}",
            (path,),
        )
    if not rest:
        raise PolicyError(f"say which option: {EXAMPLES}", (path,))
    return start in ("algorithm", name) and rest.partition(".")[0] in _fields(policy.algorithm)


def options_of(policy: Policy) -> list[str]:
    """The paths of the options that the algorithm of a policy has, for messages."""
    return [f"algorithm.{name}" for name in _fields(policy.algorithm)]


def _set_algorithm(policy: Policy, path: str, value: Any) -> Any:
    name, given = name_of(policy.algorithm), options_given(policy.algorithm)
    inner = path.partition(".")[2]
    try:
        return algorithm_of({"name": name, **_set(given, path, value)})
    except PolicyError:
        if not inner:
            raise
        # Weights add up to 1: where one is set, what was said of the others is left out.
        first = path.partition(".")[0]
        others = {key: option for key, option in given.items() if key != first}
        try:
            return algorithm_of({"name": name, **_set(others, path, value)})
        except PolicyError as error:
            raise PolicyError(error.message, ("algorithm", *path.split("."))) from None


def _with_model(policy: Policy, path: str, value: Any) -> Policy:
    name, option = _refuse_model(policy, path)

    def changed(model: PrivacyModel) -> PrivacyModel:
        if name_of(model) != name:
            return model
        return models_of([{"model": name, **options_given(model), option: value}])[0]

    return replace(policy, privacy=tuple(map(changed, policy.privacy)))


def _with_column(policy: Policy, path: str, value: Any) -> Policy:
    name, key = _refuse_column(policy, path)
    keys = {**column_keys(policy.columns[name], None), key: value}
    spec = column_of(keys, ("columns", name), Path())
    if key != "hierarchy":  # the one that was read, which knows its file
        spec = replace(spec, hierarchy=policy.columns[name].hierarchy)
    spec = replace(spec, severity=policy.columns[name].severity)
    return replace(policy, columns={**policy.columns, name: spec})


def _refuse_model(policy: Policy, path: str) -> tuple[str, str]:
    """The model and its option."""
    name, _, option = path.partition(".")
    have = {name_of(model): model for model in policy.privacy}
    if name not in have:
        raise PolicyError(
            f"the policy has no model {name!r}{nearest(name, have)} It has {', '.join(have)}",
            ("privacy", name),
        )
    known = _fields(have[name])
    if option not in known:
        raise PolicyError(
            f"{name} has no option {option!r}{nearest(option, known)} It has {', '.join(known)}",
            ("privacy", name),
        )
    return name, option


def _refuse_column(policy: Policy, path: str) -> tuple[str, str]:
    """The column, whose name may have points, and its key."""
    name, _, key = path.rpartition(".")
    if name not in policy.columns:
        raise PolicyError(
            f"the policy has no column {name!r}{nearest(name, policy.columns)} Write "
            "`columns.NAME.weight`",
            ("columns",),
        )
    if key not in COLUMN_KEYS or key in ("role", "reason"):
        known = [known for known in COLUMN_KEYS if known not in ("role", "reason")]
        raise PolicyError(
            f"a column has no {key!r} to vary{nearest(key, known)} It has {', '.join(known)}",
            ("columns", name),
        )
    return name, key


def _set(options: Mapping[str, Any], path: str, value: Any) -> dict[str, Any]:
    """Options with one more, which may be inside another."""
    first, _, rest = path.partition(".")
    if not rest:
        return {**options, first: value}
    inside = options.get(first)
    inside = inside if isinstance(inside, Mapping) else {}
    return {**options, first: _set(inside, rest, value)}


def _fields(thing: object) -> list[str]:
    if not dataclasses.is_dataclass(thing):
        return []
    return [field.name.replace("_", "-") for field in dataclasses.fields(thing)]


def _whole(value: Any) -> int:
    try:
        number = int(value)
    except (TypeError, ValueError):
        raise PolicyError("must be a whole number", ("k",)) from None
    if number != float(value):
        raise PolicyError("must be a whole number", ("k",))
    return number
