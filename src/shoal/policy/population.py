"""The `population` of a policy and its column of weights: read from keys, and written back."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from shoal.errors import KeyPath, PolicyError
from shoal.policy.fields import build, given_name
from shoal.types.options import file_key, options_given
from shoal.types.population import Population
from shoal.types.schema import ColumnSpec


def population_of(value: Any, path: KeyPath) -> Population | None:
    """From `{size: N}`, `{fraction: F}` or `{file: PATH}`.

    >>> population_of({"fraction": "0.01"}, ("population",))
    Population(size=None, fraction=0.01, file=None)
    """
    if value is None or isinstance(value, Population):
        return value
    if not isinstance(value, Mapping):
        raise PolicyError(
            "this must be {size: N}, {fraction: F} or {file: PATH}, not " + given_name(value), path
        )
    given = {key: _without_spaces(of) if key == "size" else of for key, of in value.items()}
    population: Population = build(Population, given, path)
    return population


def _without_spaces(size: Any) -> Any:
    """5_400_000 is easier to read than 5400000."""
    return size.replace("_", "") if isinstance(size, str) else size


def in_folder(population: Population | None, folder: Path | None) -> Population | None:
    """With its file relative to that of the policy."""
    if population is None or population.file is None or folder is None:
        return population
    return replace(population, file=str(folder / population.file))


def population_keys(
    population: Population | None, folder: Path | None = None
) -> dict[str, Any] | None:
    if population is None:
        return None
    keys = options_given(population)
    if "file" in keys and folder is not None:
        keys["file"] = file_key(keys["file"], folder)
    return keys


def check_weights(columns: Mapping[str, ColumnSpec], population: Population | None) -> None:
    """One column of weights at most; it says how large the population is, so nothing else may."""
    names = [name for name, spec in columns.items() if spec.role == "weight"]
    if len(names) > 1:
        raise PolicyError(
            f"{len(names)} columns have the role weight. A record stands for one number of "
            "people: give all but one the role keep or drop",
            ("columns", names[1]),
        )
    if names and population is not None:
        raise PolicyError(
            f"the weights of column {names[0]!r} add up to the population, so it must not be said "
            "a second time. Remove this key, or give the column the role keep or drop",
            ("population",),
        )
