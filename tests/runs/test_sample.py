"""Tables that are samples: what the policy may say, what is refused, and what weights tell."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.errors import InputError, PolicyError, ShoalError
from shoal.types.population import Population

RUNS = [shoal.risk, lambda frame, rules: rules.anonymize(frame)]


def people(weights=None, n=40):
    frame = {"age": [20 + i % 10 for i in range(n)], "sex": ["f", "m"] * (n // 2)}
    return pl.DataFrame(frame | ({} if weights is None else {"w": weights}))


def policy(**others):
    return shoal.Policy.of_roles(quasi=["age", "sex"], privacy=[shoal.KAnonymity(2)], **others)


def keys(population=None, **columns):
    rules = {
        "columns": {"age": "quasi", "sex": "quasi", **columns},
        "privacy": [{"model": "k-anonymity", "k": 2}],
    }
    return rules if population is None else rules | {"population": population}


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        (None, "2 records have no weight"),
        ("much", "2 records have text or an infinite number"),
        ("-3", "2 records have a negative weight"),
        ("0", "2 records have the weight 0"),
        ("0.5", "2 records have a weight between 0 and 1"),
    ],
)
@pytest.mark.parametrize("run", RUNS)
def test_weights_that_cannot_be_are_counted_and_refused(wrong, words, run):
    frame = people([wrong, wrong, *["12.5"] * 38])

    with pytest.raises(InputError) as caught:
        run(frame, policy(weight="w"))

    assert f"Column 'w' has the role weight: {words}." in str(caught.value)
    assert "at least 1. Correct them" in str(caught.value)


@pytest.mark.parametrize(
    ("population", "words"),
    [
        ({"fraction": 1.5}, "fraction must be above 0 and at most 1"),
        ({"fraction": 0}, "fraction must be above 0 and at most 1"),
        ({"size": 0}, "size must be a number of people"),
        ({"size": "many"}, "whole number"),
        ({"size": 5, "fraction": 0.1}, "give one of size and fraction"),
        ({}, "one of size, fraction and file is needed"),
        ({"sise": 4}, "'sise' is unknown"),
        ("5000", "this must be {size: N}"),
    ],
)
def test_a_population_that_cannot_be_is_refused_when_the_policy_is_read(population, words):
    with pytest.raises(PolicyError) as caught:
        shoal.Policy.of_mapping(keys(population))

    assert words in str(caught.value)


@pytest.mark.parametrize("run", RUNS)
def test_a_population_smaller_than_the_table_is_refused_before_any_work(run):
    rules = shoal.Policy.of_mapping(keys({"size": 39}))

    with pytest.raises(PolicyError) as caught:
        run(people(), rules)

    assert "the population has 39 people, but the table has 40 records" in str(caught.value)


def test_weights_and_a_population_do_not_go_together_nor_do_two_weights():
    with pytest.raises(PolicyError, match="must not be said a second time"):
        shoal.Policy.of_mapping(keys({"size": 50}, w="weight"))
    with pytest.raises(PolicyError, match="2 columns have the role weight"):
        shoal.Policy.of_mapping(keys(w="weight", v="weight"))
    with pytest.raises(PolicyError, match="do not tell people apart"):
        shoal.Policy.of_mapping(keys(w="weight") | {"person": "w"})
    with pytest.raises(PolicyError, match="weight has no hierarchy"):
        shoal.Policy.of_mapping(keys(w={"role": "weight", "hierarchy": "flat"}))


def test_weights_are_of_people_with_one_record_each():
    frame = people([10] * 40).with_columns(who=pl.Series([i // 2 for i in range(40)]))
    rules = policy(weight="w", identifiers=["who"], person="who")

    with pytest.raises(PolicyError, match="20 people have 40 records"):
        shoal.risk(frame, rules)


@pytest.mark.parametrize("written", ["80000", "80_000", 80000])
def test_a_size_may_be_written_with_underscores(written):
    assert shoal.Policy.of_mapping(keys({"size": written})).population == Population(size=80000)


@pytest.mark.parametrize(
    "population", [{"size": 80000}, {"fraction": 0.25}, {"file": "register.csv"}]
)
def test_a_population_comes_back_from_the_text_of_its_policy(population, tmp_path):
    rules = shoal.Policy.of_mapping(keys(population), folder=tmp_path)

    rules.write(tmp_path / "policy.yaml")

    again = shoal.Policy.load(tmp_path / "policy.yaml")
    assert again == rules
    assert again.keys(tmp_path)["population"] == population
    assert again.files == ((tmp_path / "register.csv",) if "file" in population else ())


def test_weights_are_released_as_they_are_only_if_the_policy_says_so():
    frame = people([10.5, 12.0] * 20)

    withheld = shoal.Policy.of_mapping(keys(w="weight")).anonymize(frame)
    released = shoal.Policy.of_mapping(keys(w={"role": "weight", "release": True})).anonymize(frame)

    assert withheld.frame.columns == ["age", "sex"]
    assert released.frame.columns == ["age", "sex", "w"]
    assert sorted(released.frame["w"].to_list()) == sorted(frame["w"].to_list())
    assert not any("weight" in note for note in withheld.notes)


def test_a_released_weight_is_measured_and_warned_of():
    weights = [10.0 + (i == 7) for i in range(40)]

    release = shoal.Policy.of_mapping(keys(w={"role": "weight", "release": "yes"})).anonymize(
        people(weights)
    )

    note = next(note for note in release.notes if "released weight" in note)
    assert "2 different values" in note
    assert "the smallest group has 1 record, and 1 record is unique" in note


def test_a_release_that_has_withheld_weights_is_caught():
    rules = shoal.Policy.of_mapping(keys(w="weight"))
    frame = people([10] * 40)
    release = rules.anonymize(frame)
    leaked = release.frame.with_columns(w=pl.Series([10] * 40))

    assert not rules.check(leaked).holds


def test_the_population_may_be_a_file_that_the_policy_names(tmp_path):
    people(n=400).write_csv(tmp_path / "register.csv")
    rules = shoal.Policy.of_mapping(keys({"file": "register.csv"}), folder=tmp_path)

    found = shoal.risk(people(), rules)

    assert found.n_population == 400
    assert found.data.journalist.average == pytest.approx(1 / 40)
    assert found.estimates is None
    assert found.records["expected_risk"].to_list() == pytest.approx([1 / 40] * 40)


def test_keywords_of_anonymize_take_a_population_and_a_weight():
    release = shoal.anonymize(
        people([10] * 40), quasi=["age", "sex"], weight="w", privacy=[shoal.KAnonymity(2)]
    )

    assert release.policy.columns["w"].role == "weight"
    with pytest.raises(ShoalError, match="39 people"):
        shoal.anonymize(
            people(),
            quasi=["age", "sex"],
            population={"size": 39},
            privacy=[shoal.KAnonymity(2)],
        )


def test_several_tables_take_neither_weights_nor_a_population():
    tables = {
        "a": {"columns": {"id": "identifier", "age": "quasi", "w": "weight"}},
        "b": {"key": {"id": "a"}, "columns": {"id": "identifier", "x": "keep"}},
    }
    rules = {"person": "id", "tables": tables, "privacy": [{"model": "k-anonymity", "k": 2}]}

    with pytest.raises(PolicyError, match="for a policy of one table"):
        shoal.anonymize_tables({}, rules)
    with pytest.raises(PolicyError, match="'population' is unknown"):
        shoal.anonymize_tables({}, rules | {"population": {"size": 4}})


def test_a_saved_recoding_keeps_the_population_and_the_weights(tmp_path):
    rules = keys({"size": 8000}, w="drop") | {"algorithm": "ola"}
    weighted = keys(w={"role": "weight", "release": True}) | {"algorithm": "ola"}
    frame = people([10.5, 12.0] * 20)

    for content in (rules, weighted):
        policy = shoal.Policy.of_mapping(content)
        policy.anonymize(frame).recoding.write(tmp_path / "recoding.json")
        again = shoal.Recoding.load(tmp_path / "recoding.json").policy

        assert again.population == policy.population
        assert again.columns["w"] == policy.columns["w"]
