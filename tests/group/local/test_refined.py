"""`refine: true`: what any algorithm found, made better and never worse."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal import catalog
from shoal.errors import PolicyError
from tiers import part, seeds

NAMES = [name for name in catalog.names("algorithm") if name != "sweep"]
QUASI = {
    "age": shoal.intervals(5, 10, 20),
    "job": shoal.tree({"Care": ["nurse", "doctor"], "Kitchen": ["cook", "baker"]}),
    "town": None,
}
MODELS = {
    "k": [],
    "l": [shoal.DistinctLDiversity("illness", 2)],
    "t": [shoal.TCloseness("illness", 0.4)],
}


def people(seed, n=120):
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": rng.integers(0, 60, n),
            "job": rng.choice(["nurse", "doctor", "cook", "baker"], n),
            "town": rng.choice(list("pqrs"), n),
            "illness": rng.choice(["x", "y", "z"], n, p=[0.5, 0.3, 0.2]),
        }
    )


def released(name, models, seed, **options):
    return shoal.anonymize(
        people(seed),
        quasi=QUASI,
        sensitive=["illness"],
        privacy=[shoal.KAnonymity(4), *MODELS[models]],
        algorithm={"name": name, **options},
        suppression=0.05,
    )


@pytest.mark.parametrize("seed", seeds(1, thorough=4))
@pytest.mark.parametrize("models", MODELS)
@pytest.mark.parametrize("name", part(NAMES, 4))
def test_it_never_loses_more_and_mostly_less(name, models, seed):
    plain, refined = (released(name, models, seed, refine=on) for on in (False, True))

    assert refined.verdict.holds
    assert refined.measures["loss"] <= plain.measures["loss"] + 1e-12
    assert refined.summary()["options"]["refine"] is True
    assert refined.summary()["algorithm"] == name


def test_levels_of_columns_are_given_up_for_cells_of_groups():
    plain, refined = (released("flash", "k", 0, refine=on) for on in (False, True))

    assert refined.measures["loss"] < plain.measures["loss"]
    assert refined.grouping.levels is None


def test_a_policy_with_it_is_written_and_read_back(tmp_path):
    policy = shoal.Policy.of_roles(
        quasi=["age"], privacy=[shoal.KAnonymity(2)], algorithm={"name": "oka", "refine": "yes"}
    )
    policy.write(tmp_path / "policy.yaml")

    assert policy.keys()["algorithm"] == {"name": "oka", "refine": True}
    assert shoal.Policy.load(tmp_path / "policy.yaml").algorithm == policy.algorithm


def test_sweep_itself_is_not_refined():
    with pytest.raises(PolicyError, match="sweep is this search itself"):
        released("best", "k", 0, refine=True)
