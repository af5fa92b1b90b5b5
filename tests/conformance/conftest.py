"""Every test that asks for an algorithm or a model runs with all there are."""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterator
from typing import Any

import pytest

from shoal import catalog


def variants(name: str) -> Iterator[dict[str, Any]]:
    """An algorithm as it is, and with every other value of each of its switches."""
    yield {"name": name}
    cls = catalog.load("algorithm", name)
    types = typing.get_type_hints(cls)
    for field in dataclasses.fields(cls):
        values = (False, True) if types[field.name] is bool else typing.get_args(types[field.name])
        if types[field.name] is bool or typing.get_origin(types[field.name]) is typing.Literal:
            yield from ({"name": name, field.name: v} for v in values if v != field.default)


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "algorithm" in metafunc.fixturenames:
        all_variants = [v for name in catalog.names("algorithm") for v in variants(name)]
        metafunc.parametrize(
            "algorithm", all_variants, ids=lambda v: " ".join(map(str, v.values()))
        )
    if "model" in metafunc.fixturenames:
        metafunc.parametrize("model", catalog.names("model"))
