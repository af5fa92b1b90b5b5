"""The options of models, algorithms and hierarchies as a policy writes them."""

from __future__ import annotations

import dataclasses
import os
import typing
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shoal.types.metric import Metric
from shoal.types.named import Improving, name_of


def options_given(thing: object) -> dict[str, Any]:
    """The options that differ from their defaults, as plain values: what they are built from.

    >>> from shoal.group.partition.mondrian import Mondrian
    >>> options_given(Mondrian()), options_given(Mondrian(strict=False))
    ({}, {'strict': False})
    """
    if isinstance(thing, Improving):
        return options_given(thing.refines) | {"refine": True}
    values = {field: _plain(getattr(thing, field.name)) for field in _fields(thing)}
    return {
        _spelled(field): value for field, value in values.items() if value != plain_default(field)
    }


def options_in_words(cls: type) -> str:
    """The options of a class: what each may be, or what it is unless somebody says otherwise.

    >>> from shoal.privacy.t_closeness import TCloseness
    >>> options_in_words(TCloseness)
    'column, t, distance (equal, ordered, hierarchical)'
    """
    hints = typing.get_type_hints(cls)
    return ", ".join(
        f"{_spelled(field)}{_may_be(hints[field.name], plain_default(field))}"
        for field in _fields(cls)
    )


def _may_be(wanted: Any, default: Any) -> str:
    if typing.get_origin(wanted) is typing.Literal:
        return f" ({', '.join(map(str, typing.get_args(wanted)))})"
    if default is dataclasses.MISSING or default is None:
        return ""
    shown = _plain(default)
    if isinstance(shown, Mapping):
        return f" ({', '.join(f'{key}: {value}' for key, value in shown.items())})" if shown else ""
    return f" ({str(shown).lower() if isinstance(shown, bool) else shown})"


def _fields(thing: object) -> tuple[dataclasses.Field[Any], ...]:
    return dataclasses.fields(thing) if dataclasses.is_dataclass(thing) else ()


def _spelled(field: dataclasses.Field[Any]) -> str:
    return field.name.replace("_", "-")


def value_of(thing: object) -> Any:
    """The options given, or the first option alone where others have their defaults."""
    options = options_given(thing)
    firsts = [
        options[_spelled(field)] for field in _fields(thing)[:1] if _spelled(field) in options
    ]
    is_alone = len(firsts) == len(options) == 1 and not isinstance(firsts[0], Mapping)
    return firsts[0] if is_alone else options


def plain_default(field: dataclasses.Field[Any]) -> Any:
    """The default of an option as a plain value; `dataclasses.MISSING` where it is needed."""
    made = field.default_factory
    return _plain(field.default if made is dataclasses.MISSING else made())


def _plain(value: Any) -> Any:
    if isinstance(value, Metric):
        options = options_given(value)
        return {"name": name_of(value), **options} if options else name_of(value)
    if dataclasses.is_dataclass(value):
        return options_given(value)
    return [_plain(item) for item in value] if isinstance(value, tuple | list) else value


def file_key(file: str | Path, folder: Path) -> str:
    """How a policy in a folder names a file. Of an absolute one in a relative folder: as it is."""
    if Path(file).is_absolute() and not folder.is_absolute():
        return Path(file).as_posix()
    try:
        return Path(file).relative_to(folder).as_posix()
    except ValueError:
        pass
    try:  # resolved, for `..` of a folder that is a link leads elsewhere
        return Path(os.path.relpath(Path(file).resolve(), folder.resolve())).as_posix()
    except ValueError:  # on another drive
        return Path(file).resolve().as_posix()
