"""Some seeds of `make fuzz`, and that it notices what is wrong."""

from __future__ import annotations

import random

import pytest

import fuzz
from conformance.tables import MODELS, patients
from naive import privacy as naive
from naive.release import PATHS, is_broken, tree_distance
from privacy.earth_mover import earth_movers_distance
from tiers import only_thorough, seeds


@pytest.mark.parametrize("name", ["policy", "hierarchy", "table", "cell"])
def test_random_texts_are_read_or_refused(name):
    for seed in seeds(1, thorough=10):
        fuzz.try_seed(name, seed)


@only_thorough
@pytest.mark.parametrize("seed", seeds(1, thorough=60))
def test_releases_of_random_tables_keep_their_models(seed):
    fuzz.runs(seed)


def test_what_goes_wrong_is_told_with_the_way_to_repeat_it(monkeypatch, capsys):
    def fail(seed):
        raise ValueError("wrong")

    monkeypatch.setattr(fuzz, "runs", fail)

    assert fuzz.fuzz("runs", 0, 42) == (0, False)
    assert "python tools/fuzz.py runs --seed 42" in capsys.readouterr().out


@pytest.mark.parametrize("model", sorted(MODELS))
def test_the_checker_finds_a_table_as_it_was_to_break_every_model(model):
    """Nothing is generalised, so nearly every record is alone."""
    original = patients(60, missing=0).to_dicts()
    options = MODELS[model] | ({"max": 0.01} if model == "delta-presence" else {})
    quasi = ["zip", "sex", "job"]

    assert is_broken(model, options, original, original, quasi, original)


@pytest.mark.parametrize("model", sorted(MODELS.keys() - {"delta-presence"}))
def test_the_checker_finds_nothing_wrong_with_one_large_group(model):
    original = patients(60, missing=0).to_dicts()
    released = [record | {"zip": "*", "sex": "*"} for record in original]

    assert not is_broken(model, MODELS[model], released, original, ["zip", "sex"], original)


@pytest.mark.parametrize("seed", seeds(5, thorough=50))
def test_the_distance_along_the_tree_is_the_earth_movers(seed):
    rng = random.Random(seed)
    table = [rng.choice(list(PATHS)) for _ in range(30)] + list(PATHS)
    group = rng.sample(table, 7)

    def distance(one, other):
        return naive.hierarchical_distance(one, other, PATHS)

    assert float(tree_distance(group, table)) == pytest.approx(
        earth_movers_distance(group, table, distance), abs=1e-7
    )
