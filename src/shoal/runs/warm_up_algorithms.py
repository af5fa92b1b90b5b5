"""Compiling what an algorithm may need before there is a table: for images of containers."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import Any

import polars as pl

from shoal.errors import NotPrivate
from shoal.policy.policy import Policy
from shoal.read.source import Source
from shoal.runs.anonymize import anonymize
from shoal.runs.risk import risk_of

N_PEOPLE = 40
COLUMNS: Mapping[str, Any] = {
    "age": {"role": "quasi", "hierarchy": {"intervals": [5, 10, 20]}},
    "zip": {"role": "quasi", "hierarchy": {"prefix": 3}},
    "pay": "quasi",
    "job": "quasi",
    "ill": {
        "role": "sensitive",
        "severity": {"a": 1, "b": 2, "c": 3},
        "determines": "accepted",
    },
}
MODELS = (
    {"model": "k-anonymity", "k": 3},
    {"model": "distinct-l-diversity", "column": "ill", "l": 2},
)


def warm_up_algorithm(name: str) -> None:
    """Anonymize a few made-up records in the ways that need other kernels.

    With a sensitive column and without, with people who have one record and with others who have
    several.
    """
    records, visits = _records(), pl.concat([_records(), _records(later=1)])
    for n_models in (1, 2):
        _try(name, records, n_models)
        _try(name, visits, n_models, person="who")


def warm_up_risk() -> None:
    """The kernels of `shoal risk` and of the dossier."""
    for frame, person in ((_records(), ()), (pl.concat([_records(), _records(later=1)]), "who")):
        risk_of(Source(frame), _policy("mondrian", 1, person))


def _try(name: str, frame: pl.DataFrame, n_models: int, person: str | tuple[str, ...] = ()) -> None:
    with contextlib.suppress(NotPrivate):  # what cannot be kept was tried, and compiled
        anonymize(Source(frame), _policy(name, n_models, person))


def _policy(name: str, n_models: int, person: str | tuple[str, ...]) -> Policy:
    return Policy.of_mapping(
        {
            "columns": {"who": "identifier", **COLUMNS},
            "privacy": list(MODELS[:n_models]),
            "algorithm": {"name": name},
            "suppression": 0.2,
            "person": person,
        }
    )


def _records(later: int = 0) -> pl.DataFrame:
    people = range(N_PEOPLE)
    return pl.DataFrame(
        {
            "who": [f"p{i}" for i in people],
            "age": [20 + 7 * i % 50 + later * (i % 3) for i in people],
            "zip": [f"{100 + 13 * i % 40}" for i in people],
            "pay": [1000.5 + 37 * i % 400 for i in people],
            "job": [["cook", "nurse", "clerk"][i % 3] for i in people],
            "ill": ["abc"[(i * i // 5 + later) % 3] for i in people],
        }
    )
