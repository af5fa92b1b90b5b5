"""Refusing parameters that make no sense."""

from __future__ import annotations


def require_whole(name: str, value: object, *, at_least: int) -> None:
    """Raise `ValueError` unless the value is a whole number of at least so much."""
    if isinstance(value, bool) or not isinstance(value, int) or value < at_least:
        raise ValueError(f"{name} must be a whole number, at least {at_least}")
