"""Kept columns that tell what generalised ones hide are refused before anything is written."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.errors import PolicyError
from shoal.read.columns import read_column
from shoal.read.determines import Determined, determined_by
from shoal.read.source import Source
from shoal.runs.anonymize import anonymize
from tiers import seeds

N = 200


def people(seed=0):
    rng = np.random.default_rng(seed)
    zips = rng.choice([f"{code}" for code in range(13050, 13090)], N)
    return pl.DataFrame(
        {
            "age": rng.integers(20, 80, N),
            "zip": zips,
            "sex": rng.choice(["f", "m"], N),
            "chance": rng.integers(0, 50, N),
            "unique": rng.permutation(N) + rng.random(N),
        }
    )


def found_in(frame, kept, hidden, persons=None):
    columns = {name: read_column(frame[name]) for name in frame.columns}
    return determined_by({k: columns[k] for k in kept}, {h: columns[h] for h in hidden}, persons)


@pytest.mark.parametrize(
    ("kept", "hidden"),
    [
        (pl.col("zip"), "zip"),
        (2 * pl.col("age") + 1, "age"),
        (-pl.col("age") + pl.col("unique") / 10_000, "age"),  # unique, and it grows as age falls
        (pl.col("zip") + "-" + pl.col("unique").cast(pl.String), "zip"),
        (pl.col("zip").replace({"13051": "13052"}) + pl.col("sex"), "sex"),
    ],
    ids=["copy", "twice", "finer number", "finer code", "part of a code"],
)
def test_a_column_that_tells_another_is_found(kept, hidden):
    frame = people().with_columns(kept.alias("kept"))

    assert found_in(frame, ["kept", "chance"], [hidden]) == (Determined(("kept",), hidden),)


@pytest.mark.parametrize("seed", seeds(2, thorough=20))
def test_columns_that_are_independent_tell_nothing(seed):
    frame = people(seed)

    assert found_in(frame, ["chance", "unique"], ["age", "zip", "sex"]) == ()


def test_two_columns_that_tell_another_together_are_found():
    frame = people().with_columns(
        (pl.col("age") + pl.col("chance") % 5).alias("sum"), (pl.col("chance") % 5).alias("part")
    )

    assert found_in(frame, ["sum", "part"], ["age"]) == (Determined(("sum", "part"), "age"),)


def test_several_records_of_a_person_show_nothing():
    frame = pl.concat([people()] * 5)
    persons = np.tile(np.arange(N), 5)

    assert found_in(frame, ["unique"], ["zip"], persons) == ()
    assert found_in(frame, ["unique"], ["zip"]) != ()


def policy(kept):
    columns = {"age": "quasi", "kept": kept}
    return shoal.Policy.of_mapping(
        {"columns": columns, "privacy": [{"model": "k-anonymity", "k": 5}]}
    )


@pytest.mark.parametrize("role", ["keep", "sensitive"])
def test_a_release_with_such_a_column_is_refused_unless_the_policy_accepts_it(role):
    source = Source(people().select("age", (2 * pl.col("age") + 1).alias("kept")))

    with pytest.raises(PolicyError, match=r"columns.kept: column 'kept' tells the value of 'age'"):
        anonymize(source, policy(role))

    rules = policy({"role": role, "determines": "accepted"})
    assert any("which the policy accepts" in note for note in anonymize(source, rules).notes)
    assert shoal.Policy.of_mapping(rules.keys()) == rules


def test_a_column_that_is_published_as_it_was_hides_nothing():
    frame = pl.DataFrame({"age": [30, 40] * 50, "kept": [61, 81] * 50})

    assert anonymize(Source(frame), policy("keep")).verdict.holds


def test_rows_that_are_unique_in_all_released_columns_are_counted():
    frame = pl.DataFrame({"age": [30, 30, 30, 40, 40], "kept": [1, 1, 2, 7, 8]})
    rules = {
        "columns": {"age": "quasi", "kept": "keep"},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }

    assert shoal.Policy.of_mapping(rules).anonymize(frame).n_unique_rows == 3
