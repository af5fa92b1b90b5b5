"""Errors about a policy get the line of the key that they are about."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from shoal.errors import KeyPath, PolicyError


@contextmanager
def locating(lines: Mapping[KeyPath, int]) -> Iterator[None]:
    """Errors about a policy that are raised inside get the line of their key."""
    try:
        yield
    except PolicyError as error:
        raise with_line(error, lines) from None


def with_line(error: PolicyError, lines: Mapping[KeyPath, int]) -> PolicyError:
    """The same error with the line of its key, or of the nearest key above it."""
    if error.line is not None:
        return error
    by_path = {_hyphened(path): line for path, line in lines.items()}
    path = _hyphened(error.path)
    while path not in by_path and path:
        path = path[:-1]
    return PolicyError(error.message, error.path, by_path.get(path))


def _hyphened(path: KeyPath) -> KeyPath:
    return tuple(step.replace("_", "-") if isinstance(step, str) else step for step in path)
