"""A release that is worth too little is refused, with what would reach it."""

from __future__ import annotations

import json
import re

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import shoal
from shoal.cli.anonymize import anonymize as command
from shoal.errors import CannotSatisfy


def people(n=60):
    rng = np.random.default_rng(2)
    return pl.DataFrame({"age": rng.integers(20, 80, n), "city": rng.choice(list("abcd"), n)})


def policy(utility, k=6, **more):
    return shoal.Policy.of_roles(
        quasi=["age", "city"], privacy=[shoal.KAnonymity(k)], utility=utility, **more
    )


def test_what_the_policy_asks_to_measure_is_in_the_summary_the_text_and_the_dossier(tmp_path):
    release = policy([{"measure": "loss", "at-most": 0.9}, "marginals"]).anonymize(people())
    release.report(tmp_path / "dossier.html")
    release.report(tmp_path / "outside.html", external=True)

    use = release.summary()["utility"]

    assert use[0]["value"] == release.measures["loss"]
    assert use[0]["required"] == {"at-most": 0.9}
    assert use[1]["details"]["worst"] in ("age", "city")
    assert "required at most 0.9" in str(release)
    dossier = (tmp_path / "dossier.html").read_text(encoding="utf-8")
    assert "What the policy asks to measure" in dossier
    assert "What the policy asks to measure" not in (tmp_path / "outside.html").read_text()


def test_a_release_that_misses_a_minimum_is_refused_with_what_reaches_it():
    frame, limit = people(), 0.3
    rules = policy([{"measure": "loss", "at-most": limit}], k=8)

    with pytest.raises(CannotSatisfy, match=r"loss must be at most 0.3, and is 0.36") as caught:
        rules.anonymize(frame)

    assert caught.value.exit_code == 1
    assert "`- {model: k-anonymity, k: 7}` reaches it: loss" in str(caught.value)
    name = re.search(r"`algorithm: \{name: ([a-z-]+)\}` reaches it: loss", str(caught.value))[1]
    assert rules.with_algorithm(name).anonymize(frame).measures["loss"] <= limit
    assert rules.with_k(7).anonymize(frame).measures["loss"] <= limit


def test_a_minimum_that_nothing_reaches_says_so():
    with pytest.raises(CannotSatisfy, match=r"None of \d changes that were tried reaches it"):
        policy([{"measure": "loss", "at-most": 0}], k=30).anonymize(people())


def test_a_refused_release_is_not_written(tmp_path):
    people().write_csv(tmp_path / "people.csv")
    policy([{"measure": "loss", "at-most": 0.0}], k=30).write(tmp_path / "policy.yaml")
    files = [str(tmp_path / "people.csv"), "-p", str(tmp_path / "policy.yaml")]

    result = CliRunner().invoke(command, [*files, "-o", str(tmp_path / "out.csv"), "--quiet"])

    assert isinstance(result.exception, CannotSatisfy)
    assert not (tmp_path / "out.csv").exists()


def test_minimums_are_in_the_json_of_the_command(tmp_path):
    people().write_csv(tmp_path / "people.csv")
    policy([{"measure": "loss", "at-most": 0.9}]).write(tmp_path / "policy.yaml")
    files = [str(tmp_path / "people.csv"), "-p", str(tmp_path / "policy.yaml")]

    result = CliRunner().invoke(command, [*files, "-o", str(tmp_path / "out.csv"), "--json"])

    assert json.loads(result.stdout)["utility"][0]["holds"] is True
