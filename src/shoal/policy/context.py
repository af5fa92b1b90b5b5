"""The `context` of a policy: read from keys, and written back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from shoal.errors import KeyPath, PolicyError
from shoal.policy.fields import build, given_name
from shoal.types.context import Context


def context_of(value: Any, path: KeyPath) -> Context:
    """From the keys under `context`; one that has no text yet is not said.

    >>> context_of({"recipient": "a university", "controls": "a contract"}, ("context",)).controls
    ('a contract',)
    """
    if isinstance(value, Context):
        return value
    if value is not None and not isinstance(value, Mapping):
        raise PolicyError(f"this must be keys with values, not {given_name(value)}", path)
    known = {field.name for field in fields(Context)}
    said = {
        key: given
        for key, given in (value or {}).items()
        if given is not None or str(key).replace("-", "_") not in known  # which is refused
    }
    context: Context = build(Context, said, path)
    return context


def context_keys(context: Context) -> dict[str, Any]:
    """The keys that a context was made of; what is not said is left out.

    >>> context_keys(Context(purpose="research", controls=("a contract",)))
    {'purpose': 'research', 'controls': ['a contract']}
    """
    unsaid = asdict(Context())
    said = {name: given for name, given in asdict(context).items() if given != unsaid[name]}
    if "acknowledged" in said:
        said["acknowledged"] = [_without_gaps(entry) for entry in said["acknowledged"]]
    return {
        name: list(given) if isinstance(given, tuple) else given for name, given in said.items()
    }


def _without_gaps(keys: dict[str, str]) -> dict[str, str]:
    return {name: text for name, text in keys.items() if text}
