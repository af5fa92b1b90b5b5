"""Every test that asks for an algorithm or a model runs with all there are.

Each algorithm is also run inside a wrapper, which knows what the contract declares and no more, and
with its groups refined. All tests see it so, but with one model and one table each, for it is the
same algorithm again; in the quick tier one algorithm of a kind.
"""

from __future__ import annotations

import dataclasses
import typing
from collections.abc import Iterator
from typing import Any

import pytest

from conformance.tables import MODELS
from conformance.wrapper import Wrapper
from shoal import catalog
from shoal.policy.keys import algorithm_of
from shoal.types.algorithm import Algorithm
from shoal.types.named import name_of
from tiers import IS_THOROUGH


def variants(name: str) -> Iterator[dict[str, Any]]:
    """An algorithm as it is, and with every other value of each of its switches."""
    yield {"name": name}
    cls = catalog.load("algorithm", name)
    types = typing.get_type_hints(cls)
    for field in dataclasses.fields(cls):
        if field.name == "effort" and not IS_THOROUGH:
            continue  # how long, not what
        values = (False, True) if types[field.name] is bool else typing.get_args(types[field.name])
        if types[field.name] is bool or typing.get_origin(types[field.name]) is typing.Literal:
            yield from ({"name": name, field.name: v} for v in values if v != field.default)


# In the thorough tier, with these models every variant is run; with all others every algorithm as
# it is by default: all pairs in one test, and half of them in turn in each of the others. In the
# quick tier, one algorithm is run with every model, one of each kind with these, all others with
# k-anonymity.
OFTEN = ("k-anonymity", "t-closeness")
ONE_OF_A_KIND = ("mondrian", "flash", "k-member")
WITH_ALL_PAIRS = "test_every_model_holds_on_the_published_cells"


def is_run(variant: dict[str, Any], model: str, test: str) -> bool:
    is_default = list(variant) == ["name"]
    if IS_THOROUGH:
        place = catalog.names("algorithm").index(variant["name"]) + list(MODELS).index(model)
        is_its_turn = test == WITH_ALL_PAIRS or (place + len(test)) % 2 == 0
        return model in OFTEN or (is_default and is_its_turn)
    models = {"mondrian": MODELS, "flash": OFTEN, "k-member": OFTEN}
    return is_default and model in models.get(variant["name"], OFTEN[:1])


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    models, names = catalog.names("model"), catalog.names("algorithm")
    given = {
        name for mark in metafunc.definition.iter_markers("parametrize") for name in mark.args[:1]
    }
    all_variants = [variant for name in names for variant in variants(name)]
    to_wrap = names if IS_THOROUGH else ONE_OF_A_KIND
    wrapped = [Wrapper(catalog.load("algorithm", name)()) for name in to_wrap]
    wrapped += [algorithm_of({"name": n, "refine": True}) for n in to_wrap if n != "sweep"]
    wants_model = "model" in metafunc.fixturenames and "model" not in given
    match "algorithm" in metafunc.fixturenames, wants_model:
        case True, True:
            pairs = [
                pytest.param(variant, model, id=f"{named(variant)}-{model}")
                for variant in all_variants
                for model in models
                if is_run(variant, model, metafunc.function.__name__)
            ]
            pairs += [
                pytest.param(each, OFTEN[0], id=f"{named(each)}-{OFTEN[0]}") for each in wrapped
            ]
            metafunc.parametrize(("algorithm", "model"), pairs)
        case True, False:
            metafunc.parametrize("algorithm", [*all_variants, *wrapped], ids=named)
        case False, True:
            metafunc.parametrize("model", models)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    items[:] = [item for item in items if not is_repetition(item)]


def is_repetition(item: pytest.Item) -> bool:
    """Whether a wrapper would be run with another table, where one has been enough."""
    if not isinstance(item, pytest.Function) or not hasattr(item, "callspec"):
        return False
    given = item.callspec.params
    return isinstance(given.get("algorithm"), Algorithm) and given.get("seed", 0) > 0


def named(variant: dict[str, Any] | Algorithm) -> str:
    if isinstance(variant, Algorithm):
        is_wrapped = isinstance(variant, Wrapper)
        return f"wrapped {name_of(variant.inner)}" if is_wrapped else f"refined {name_of(variant)}"
    return " ".join(map(str, variant.values()))
