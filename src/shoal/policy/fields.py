"""Building an algorithm, a model or a metric from the keys a user gave."""

from __future__ import annotations

import dataclasses
import os
import re
import types
import typing
from collections.abc import Mapping
from typing import Any

from shoal import catalog
from shoal.catalog import Part
from shoal.errors import KeyPath, PolicyError, nearest
from shoal.types.frames import File
from shoal.types.metric import Metric
from shoal.types.text import number_of

GIVEN_NAMES: tuple[tuple[Any, str], ...] = (
    (str, "text"),
    (bool, "true or false"),  # before int: a bool is one
    (int, "a whole number"),
    (float, "a number"),
    (Mapping, "keys with values"),
    (list | tuple, "a list"),
)
YES, NO = ("true", "yes", "on"), ("false", "no", "off")


def build(cls: type, options: Mapping[str, Any], path: KeyPath) -> Any:
    """An instance of a dataclass, its fields taken from `options` and checked against their types.

    >>> from shoal.privacy.k_anonymity import KAnonymity
    >>> build(KAnonymity, {"k": "5"}, ("privacy", 0))
    KAnonymity(k=5)
    """
    fields = {field.name: field for field in dataclasses.fields(cls)}
    types_of = typing.get_type_hints(cls)
    given: dict[str, Any] = {}
    for key, value in options.items():
        name = key.replace("-", "_")
        if name not in fields:
            known = [field.replace("_", "-") for field in fields]
            have = f"It takes {', '.join(known)}." if known else "It takes no options."
            raise PolicyError(f"{key!r} is unknown here{nearest(key, known)} {have}", (*path, key))
        given[name] = convert(value, types_of[name], (*path, key))
    needed = [
        name
        for name, field in fields.items()
        if name not in given
        and field.default is dataclasses.MISSING
        and field.default_factory is dataclasses.MISSING
    ]
    if needed:
        raise PolicyError(f"{needed[0].replace('_', '-')!r} is needed here", path)
    try:
        return cls(**given)
    except ValueError as error:
        about = str(error).partition(" ")[0]  # "k must be at least 1" is about k
        raise PolicyError(str(error), (*path, about) if about in options else path) from None


def build_named(part: Part, name: Any, options: Mapping[str, Any], path: KeyPath) -> Any:
    """An instance of what the catalog has by this name; `path` is that of the name."""
    if not isinstance(name, str):
        raise PolicyError(f"must be a name, not {given_name(name)}", path)
    try:
        cls = catalog.load(part, name)
    except PolicyError as error:
        raise PolicyError(error.message, path) from None
    return build(cls, options, path[:-1] if len(path) > 1 else path)


def convert(value: Any, wanted: Any, path: KeyPath) -> Any:
    """A value from a file or a caller as the type that is wanted."""
    origin = typing.get_origin(wanted)
    if origin in (typing.Union, types.UnionType):
        if value is None:
            return None
        inner = [arg for arg in typing.get_args(wanted) if arg is not type(None)]
        return convert(value, inner[0], path)
    if origin is tuple:
        items = value if isinstance(value, list | tuple) else [value]
        return tuple(convert(item, typing.get_args(wanted)[0], path) for item in items)
    if origin is typing.Literal:
        return one_of(value, typing.get_args(wanted), path)
    if wanted is bool:
        return _boolean(value, path)
    if wanted is int:
        return _whole_number(value, path)
    if wanted is float:
        return number(value, path)
    if wanted is str and isinstance(value, str):
        return value
    if (origin or wanted) is Metric:
        return _metric(value, path)
    if dataclasses.is_dataclass(wanted) and isinstance(value, Mapping):
        return build(typing.cast(type, wanted), value, path)
    raise PolicyError(f"expected {_wanted_name(wanted)} here, got {given_name(value)}", path)


def _wanted_name(wanted: Any) -> str:
    return "text" if wanted is str else "keys with values"


def given_name(value: Any) -> str:
    """What kind of thing a user gave; never the value itself, which may be one of the data."""
    if value is None:
        return "nothing"
    for kinds, name in GIVEN_NAMES:
        if isinstance(value, kinds):
            return name
    return f"a Python {type(value).__name__}"


def file_of_policy(given: Any) -> File:
    """The path of a policy file, where nothing else was given that can be a policy."""
    if isinstance(given, str | os.PathLike):
        return given
    raise PolicyError(
        "a policy must be a Policy, the path of a policy file, or the keys of one, not "
        f"{given_name(given)}"
    )


def _metric(value: Any, path: KeyPath) -> Any:
    """A name, which the algorithm that takes it looks up, or a name with options."""
    if isinstance(value, str | Metric):
        return value
    if not isinstance(value, Mapping) or "name" not in value:
        raise PolicyError("must be a name, or keys such as {name: loss}", path)
    options = {key: option for key, option in value.items() if key != "name"}
    return build_named("metric", value["name"], options, (*path, "name"))


def one_of(value: Any, allowed: tuple[str, ...], path: KeyPath) -> Any:
    if isinstance(value, str):
        spelled = value if value in allowed else value.replace("_", "-")
        if spelled in allowed:
            return spelled
    near = nearest(value, allowed) if isinstance(value, str) else ""
    raise PolicyError(f"must be one of {', '.join(allowed)}{near}", path)


def number(value: Any, path: KeyPath) -> float:
    read = number_of(value) if isinstance(value, str) else value  # YAML values come as text
    try:
        if read is None or isinstance(read, bool):
            raise ValueError
        return float(read)
    except (TypeError, ValueError):
        raise PolicyError(f"must be a number, not {given_name(value)}", path) from None


def _whole_number(value: Any, path: KeyPath) -> int:
    try:
        if isinstance(value, bool) or (isinstance(value, float) and value != int(value)):
            raise ValueError
        if isinstance(value, str) and not re.fullmatch(r"[+-]?[0-9]+", value):
            raise ValueError
        return int(value)
    except (TypeError, ValueError, OverflowError):
        raise PolicyError(f"must be a whole number, not {given_name(value)}", path) from None


def _boolean(value: Any, path: KeyPath) -> bool:
    if isinstance(value, bool):
        return value
    if isinstance(value, str) and value.lower() in YES + NO:
        return value.lower() in YES
    raise PolicyError(f"must be true or false, not {given_name(value)}", path)


def needs_options(cls: type) -> bool:
    return any(
        field.default is field.default_factory is dataclasses.MISSING
        for field in dataclasses.fields(cls)
    )


def build_of_value(cls: type, value: Any, path: KeyPath) -> Any:
    """An instance from a mapping of options, or from the value of its first option alone.

    Keys may be values of the data in the wrong place, so errors do not show them.
    """
    names = [field.name.replace("_", "-") for field in dataclasses.fields(cls)]
    if not names and value not in (None, {}):
        raise PolicyError("it takes no options", path)
    options = value if isinstance(value, Mapping) else {names[0]: value} if names else {}
    for key in options:
        if str(key).replace("_", "-") not in names:
            near = nearest(str(key), names)
            raise PolicyError(f"unknown option{near} It takes {', '.join(names)}.", path)
    try:
        return build(cls, options, path)
    except PolicyError as error:
        raise PolicyError(error.message, error.path if options is value else path) from None
