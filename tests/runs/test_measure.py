"""Measuring a released file beside its original."""

from __future__ import annotations

import json

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import shoal
from shoal.cli.measure import measure as command
from shoal.errors import BadOption, InputError
from shoal.read.source import Source
from shoal.runs.read_release import read_release
from tiers import seeds

MEASURES = (
    "loss,ncp,il,iloss,dm,cavg,precision,level,utility,protection,c-l,query-error:queries=200"
)
JOBS = {"care": ["nurse", "doctor"], "else": ["cook", "maid", "pilot"]}


def people(seed, n=80):
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": [None if x == 0 else int(x) + 20 for x in rng.integers(0, 30, n)],
            "born": rng.integers(0, 3000, n).astype("datetime64[D]"),
            "job": rng.choice([job for jobs in JOBS.values() for job in jobs], n),
            "city": rng.choice(["Bonn", "Lima", "Oslo", "Rome"], n),
            "ill": rng.choice(["flu", "gout", "cold"], n),
            "visits": rng.integers(0, 9, n),
        }
    )


def policy(algorithm="mondrian", **more):
    return shoal.Policy.of_roles(
        quasi={"age": None, "born": None, "job": shoal.tree(JOBS), "city": None},
        sensitive=["ill"],
        keep=["visits"],
        privacy=[shoal.KAnonymity(3)],
        algorithm=algorithm,
        suppression=0.1,
        **more,
    )


@pytest.mark.parametrize("algorithm", ["mondrian", "k-member", "flash"])
@pytest.mark.parametrize("seed", seeds(1, thorough=10))
def test_a_file_measures_as_the_release_does(algorithm, seed):
    frame, rules = people(seed), policy(algorithm)
    release = rules.anonymize(frame)

    found = shoal.measure(release.frame, original=frame, policy=rules, measures=MEASURES)

    for one in found.found:
        expected = release.measure(one.measure, **one.options)
        assert one.value == pytest.approx(expected), one.measure


def test_classes_learned_from_a_file_are_those_learned_from_the_release():
    frame, rules = people(3, 200), policy("flash")  # no two groups of which cover the same record
    release = rules.anonymize(frame)

    asked = "classification:ill"
    found = shoal.measure(release.frame, original=frame, policy=rules, measures=asked)

    assert found["classification"] == release.measure("classification", target="ill")


@pytest.mark.parametrize("algorithm", ["mondrian", "k-member"])
def test_the_origin_of_a_released_record_is_covered_by_its_cells(algorithm):
    frame = people(4).drop("born")
    rules = shoal.Policy.of_roles(
        quasi=["age", "city"],
        sensitive=["ill"],
        keep=["job", "visits"],
        privacy=[shoal.KAnonymity(4)],
        algorithm=algorithm,
    )
    released = rules.anonymize(frame).frame

    beside = read_release(Source(released), Source(frame), rules).beside
    origins = beside.origins()

    found = origins >= 0
    assert found.mean() > 0.9
    assert len(set(origins[found])) == found.sum()
    for row, origin in zip(released.rows(named=True), origins, strict=True):
        if origin >= 0:
            before = frame.row(int(origin), named=True)
            assert row["ill"] == before["ill"]
            assert before["city"] in row["city"] or row["city"] == "*"
            assert row["age"] == "*" or (row["age"] is None) == (before["age"] is None)


def test_a_cell_that_stands_for_nothing_is_refused_without_showing_it():
    frame = pl.DataFrame({"age": [20, 25], "city": ["Bonn", "Oslo"]})
    rules = shoal.Policy.of_roles(quasi=["age", "city"], privacy=[shoal.KAnonymity(2)])
    released = pl.DataFrame({"age": ["[20, 25]"] * 2, "city": ["Rome", "Rome"]})

    with pytest.raises(InputError, match=r"'city': 1 cell \(2 records\) stand for no") as caught:
        shoal.measure(released, original=frame, policy=rules)

    assert "Rome" not in str(caught.value)


def test_a_file_of_means_cannot_be_measured():
    rules = shoal.Policy.of_mapping(
        {
            "columns": {"age": {"role": "quasi", "publish": "mean"}},
            "privacy": [{"model": "k-anonymity", "k": 2}],
        }
    )

    with pytest.raises(InputError, match="'age' publishes a mean"):
        shoal.measure(
            pl.DataFrame({"age": ["22", "22"]}),
            original=pl.DataFrame({"age": [20, 24]}),
            policy=rules,
        )


@pytest.mark.parametrize(
    ("measures", "message"),
    [
        ("quey-error", "'quey-error'; did you mean 'query-error'"),
        ("protection", "protection: it is about a sensitive column, and the policy has none"),
        ("fitness", "fitness: it is about a sensitive column"),
        ("entropy", "entropy is about levels"),
        ("query-error:queries=few", "query-error: must be a whole number"),
        ("dm:3", "dm: '' is unknown here"),
        (" , ", "Name at least one measure"),
    ],
)
def test_a_measure_that_cannot_be_had_is_refused_before_any_table_is_read(measures, message):
    rules = shoal.Policy.of_roles(quasi=["age"], privacy=[shoal.KAnonymity(2)])
    empty = pl.DataFrame({"other": [1]})  # would be refused if it were looked at

    with pytest.raises(BadOption, match=message):
        shoal.measure(empty, original=empty, policy=rules, measures=measures)


def test_without_names_all_that_the_policy_allows_and_is_quick_is_measured():
    frame = pl.DataFrame({"age": [20, 25, 50, 60]})
    rules = shoal.Policy.of_roles(quasi=["age"], privacy=[shoal.KAnonymity(2)])
    released = rules.anonymize(frame).frame

    names = {one.measure for one in shoal.measure(released, original=frame, policy=rules).found}

    assert {"loss", "query-error", "marginals"} < names
    assert not names & {"classification", "protection", "severity-distance", "entropy"}


def test_the_command_prints_values_and_what_is_behind_them(tmp_path):
    frame, rules = people(5).drop("age", "born"), policy()
    rules = shoal.Policy.of_roles(
        quasi=["city"], sensitive=["ill"], keep=["job", "visits"], privacy=[shoal.KAnonymity(3)]
    )
    frame.write_csv(tmp_path / "people.csv")
    rules.write(tmp_path / "policy.yaml")
    rules.anonymize(frame).write(tmp_path / "released.csv")
    arguments = [str(tmp_path / "released.csv"), "--original", str(tmp_path / "people.csv")]
    arguments += ["-p", str(tmp_path / "policy.yaml"), "--measures", "marginals,loss"]

    shown = CliRunner().invoke(command, [*arguments, "--quiet"], catch_exceptions=False)
    printed = CliRunner().invoke(command, [*arguments, "--json"], catch_exceptions=False)

    assert "marginals" in shown.stdout
    assert "worst" in shown.stdout
    facts = json.loads(printed.stdout)
    assert [one["measure"] for one in facts["measures"]] == ["marginals", "loss"]
    assert facts["measures"][1]["better"] == "lower"
