"""`shoal risk` of a table that is a sample: estimates before and after, and for each record."""

from __future__ import annotations

import json
from collections import Counter
from io import StringIO

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from rich.console import Console

import shoal
from naive import population as naive
from shoal.cli import cli
from shoal.errors import BadOption
from shoal.risks.estimates import ESTIMATORS

NAMES = ["age", "sex", "job"]


@pytest.fixture(scope="module")
def people():
    rng = np.random.default_rng(5)
    n = 300
    return pl.DataFrame(
        {
            "age": rng.integers(20, 60, n),
            "sex": rng.choice(["f", "m"], n),
            "job": rng.choice(["a", "b", "c"], n, p=[0.7, 0.2, 0.1]),
            "w": rng.integers(2, 30, n) * 1.5,
        }
    )


def policy(weight="drop", **population):
    rules = {
        "columns": {**dict.fromkeys(NAMES, "quasi"), "w": weight},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    return shoal.Policy.of_mapping(rules | ({"population": population} if population else {}))


def sizes_of(frame):
    records = frame.select(NAMES).rows()
    n_alike = Counter(records)
    return [n_alike[record] for record in records]


def test_estimates_by_weights_are_those_of_each_class(people):
    found = shoal.risk(people, policy("weight"))

    sums = Counter()
    for *record, weight in people.rows():
        sums[tuple(record)] += weight
    records = people.select(NAMES).rows()
    expected = [
        naive.mean_inverse_of_weights(f, sums[record], most=1500)
        for f, record in zip(sizes_of(people), records, strict=True)
    ]
    chance = [
        1 / sums[record] if f == 1 else 0.0
        for f, record in zip(sizes_of(people), records, strict=True)
    ]
    assert found.records["group_size"].to_list() == sizes_of(people)
    assert found.records["expected_risk"].to_list() == pytest.approx(expected, rel=1e-9)
    assert found.records["unique_in_population"].to_list() == pytest.approx(chance, rel=1e-9)
    data = found.estimates.data
    assert data.average == pytest.approx(sum(expected) / 300)
    assert data.n_unique == pytest.approx(sum(chance))
    assert data.highest == pytest.approx(max(expected))
    assert data.n_at_risk == sum(risk > found.threshold for risk in expected)
    assert found.estimates.n_population == round(people["w"].sum())


def test_estimates_before_and_after_fall_with_the_release(people):
    rules = policy(fraction=0.02)
    release = rules.anonymize(people)

    found = shoal.risk(people, rules, release=release.frame).estimates

    assert found.n_population == 15_000
    assert found.release.average < found.data.average
    assert found.release.n_unique == 0
    assert "everybody in the population would be generalised as the release is" in found.assumed


@pytest.mark.parametrize("method", sorted(ESTIMATORS))
def test_every_estimator_answers_by_its_name_within_its_bounds(people, method):
    found = shoal.risk(people, policy(size=9000), estimator=method)

    data = found.estimates.data
    assert data.method.startswith(method)
    assert 0 <= data.n_unique <= found.data.n_unique
    chance = found.records["unique_in_population"]
    assert chance.is_between(0, 1).all()
    assert chance.filter(found.records["group_size"] > 1).sum() == 0
    if data.average is not None:
        risk = found.records["expected_risk"]
        assert (risk <= 1 / found.records["group_size"]).all()
        assert (risk >= chance).all()
        assert data.average <= found.data.prosecutor.average


def test_a_sample_of_everybody_has_the_risk_of_the_table(people):
    found = shoal.risk(people, policy(size=300))

    assert found.estimates.data.average == pytest.approx(found.data.prosecutor.average)
    assert found.estimates.data.n_unique == found.data.n_unique


def test_released_weights_count_and_others_are_said_to_be_equal(people):
    kept, dropped = policy({"role": "weight", "release": True}), policy("weight")
    with_weights = kept.anonymize(people).frame
    without = dropped.anonymize(people).frame

    known = shoal.risk(people, kept, release=with_weights).estimates
    unknown = shoal.risk(people, dropped, release=without).estimates

    assert not any("equally many" in text for text in known.assumed)
    assert any("equally many" in text for text in unknown.assumed)
    assert known.release.average != unknown.release.average


def test_an_estimator_without_a_sample_or_of_another_name_is_refused(people):
    with pytest.raises(BadOption, match="does not say what the table is a sample of"):
        shoal.risk(people, policy(), estimator="pitman")
    with pytest.raises(BadOption, match="counted and nothing is estimated"):
        shoal.risk(people, policy(), population=people, estimator="pitman")
    with pytest.raises(BadOption, match="did you mean 'pitman'"):
        shoal.risk(people, policy(size=9000), estimator="pitmann")


def test_people_with_several_different_records_are_not_estimated(people):
    frame = people.with_columns(who=pl.Series([i // 2 for i in range(300)])).drop("w")
    rules = shoal.Policy.of_roles(
        identifiers=["who"],
        person="who",
        quasi=NAMES,
        privacy=[shoal.KAnonymity(2)],
        population={"size": 9000},
    )

    found = shoal.risk(frame, rules)

    assert "several records" in found.estimates.data.why
    assert found.records is None
    assert "No estimate for the data (tree): some people have several" in printed(found)


def printed(found):
    console = Console(width=400, record=True, file=StringIO())
    found.print_to(console)
    return console.export_text()


def test_the_command_shows_and_prints_what_was_estimated_and_assumed(people, tmp_path):
    people.write_csv(tmp_path / "people.csv")
    policy(size=9000).write(tmp_path / "policy.yaml")
    arguments = ["risk", str(tmp_path / "people.csv"), "-p", str(tmp_path / "policy.yaml")]

    shown = CliRunner().invoke(cli, [*arguments, "--quiet"])
    as_json = CliRunner().invoke(cli, [*arguments, "--json", "--estimator", "snb"])

    assert shown.exit_code == as_json.exit_code == 0
    assert "Estimated for a population of 9,000 people" in shown.output
    assert "Journalist: average risk" in shown.output
    assert "Estimator: tree." in shown.output
    assert "Assumed: the population has 9,000 people" in " ".join(shown.output.split())
    found = json.loads(as_json.output)["estimates"]
    assert found["population"] == 9000
    assert found["data"]["method"] == "snb"
    assert found["data"]["average"] is None
    assert found["release"] is None


def test_the_command_says_when_a_method_cannot_answer(tmp_path):
    pl.DataFrame({"age": range(50)}).write_csv(tmp_path / "people.csv")
    rules = shoal.Policy.of_roles(
        quasi=["age"], privacy=[shoal.KAnonymity(2)], population={"fraction": 0.1}
    )
    rules.write(tmp_path / "policy.yaml")

    shown = CliRunner().invoke(
        cli,
        ["risk", str(tmp_path / "people.csv"), "-p", str(tmp_path / "policy.yaml"), "--quiet"],
    )

    said = " ".join(shown.output.split())
    assert "No estimate for the data (tree): all records are unique, so class sizes tell" in said


def test_the_dossier_has_the_estimates_and_the_one_for_others_has_not(people, tmp_path):
    release = policy(size=9000).anonymize(people)

    release.report(tmp_path / "inside.html", original=people)
    release.report(tmp_path / "outside.html", original=people, external=True)

    page = (tmp_path / "inside.html").read_text(encoding="utf-8")
    assert "Estimated for a population of 9,000 people" in page
    assert "Estimator: tree." in page
    assert "Estimated for" not in (tmp_path / "outside.html").read_text(encoding="utf-8")
