"""init notices how numbers are written, and words among them, and says so in the policy."""

from __future__ import annotations

import polars as pl
import pytest
import yaml

import shoal
from shoal.proposals.policy_text import policy_text
from shoal.proposals.propose import propose
from shoal.read.source import Source
from shoal.runs.anonymize import anonymize

N = 60


def csv(**columns):
    return Source(pl.DataFrame(columns), is_text=True)


def proposed(source):
    proposal = propose(source)
    text = policy_text(proposal, data_name="data.csv")
    return proposal, yaml.safe_load(text), text


def numbers(form, n=N):
    return [form.format(20 + i % 30, i % 10) for i in range(n)]


@pytest.mark.parametrize(
    ("form", "keys"),
    [
        ("{},{}", {"decimal": ","}),
        ("1.0{},{}", {"decimal": ",", "thousands": "."}),
        ("1 0{},{}", {"decimal": ",", "thousands": " "}),
        ("1,0{}.{}", {"decimal": ".", "thousands": ","}),
        ("1'0{}.{}", {"decimal": ".", "thousands": "'"}),
        ("{}.{}", {}),
    ],
)
@pytest.mark.parametrize("is_text", [True, False], ids=["csv", "frame"])
def test_the_notation_is_found_and_written_with_its_reason(form, keys, is_text):
    source = Source(pl.DataFrame({"bmi": numbers(form)}), is_text=is_text)

    proposal, policy, _ = proposed(source)

    found = policy["columns"]["bmi"]
    assert {key: found[key] for key in found if key in ("decimal", "thousands")} == keys
    assert ("numbers are written" in found["reason"]) == bool(keys)
    release = anonymize(source, shoal.Policy.of_mapping(policy))
    is_read = is_text or keys
    assert any(cell.startswith("[") for cell in release.published["bmi"]) == bool(is_read)
    assert proposal.missing_values == ("",)


def test_three_digits_after_each_comma_may_be_two_things():
    _, policy, _ = proposed(csv(pay=[f"{i + 10},{100 + 7 * i}" for i in range(N)], sex=["f"] * N))

    assert policy["columns"]["pay"]["role"] == "drop"
    assert "decimal: ',' or thousands: ','" in policy["columns"]["pay"]["reason"]


@pytest.mark.parametrize(
    ("form", "keys"),
    [("{},{}", {"decimal": ","}), ("1,0{}.{}", {"decimal": ".", "thousands": ","})],
)
def test_another_column_tells_which(form, keys):
    unclear = [f"{i % 9 + 10},{100 + 7 * (i % 9)}" for i in range(N)]

    _, policy, _ = proposed(csv(height=unclear, bmi=numbers(form)))

    found = policy["columns"]["height"]
    assert found["role"] == "quasi"
    assert {key: found[key] for key in found if key in ("decimal", "thousands")} == keys


def test_points_before_three_digits_are_between_thousands_in_a_table_with_decimal_commas():
    thousands = [f"{i % 9 + 10}.{100 + 7 * (i % 9)}" for i in range(N)]

    _, policy, _ = proposed(csv(rent=thousands, bmi=numbers("{},{}")))
    _, alone, _ = proposed(csv(rent=thousands))

    assert policy["columns"]["rent"]["thousands"] == "."
    assert "thousands" not in alone["columns"]["rent"]


@pytest.mark.parametrize("word", ["unknown", "UNKNOWN", "keine Angabe"])
def test_words_for_missing_among_numbers_are_counted_and_proposed(word):
    ages = [str(20 + i % 30) for i in range(N)]
    source = csv(age=[word, *ages, word], sex=["f", "m"] * (N // 2 + 1))

    proposal, policy, text = proposed(source)

    assert policy["missing_values"] == ["", word]
    assert "2 records (3.2%) have a word in place of a number, which counts as missing" in text
    assert policy["columns"]["age"]["role"] == "quasi"
    cells = anonymize(source, shoal.Policy.of_mapping(policy)).published["age"].drop_nulls()
    assert cells.str.starts_with("[").any()
    assert proposal.missing_values == ("", word)


def test_a_word_that_is_not_known_is_never_shown():
    ages = [str(20 + i % 30) for i in range(N)]

    _, policy, text = proposed(csv(age=["Johnson", *ages], sex=["f"] * (N + 1)))

    assert "Johnson" not in text
    assert policy["missing_values"] == [""]
    assert "1 record (1.6%) has a word in place of a number, so the column is read as text" in text


def test_a_word_that_is_an_answer_in_another_column_is_not_missing():
    ages = [str(20 + i % 30) for i in range(N)]
    smokes = ["none", "some", *["heavy"] * (N - 1)]

    _, policy, text = proposed(csv(age=["none", *ages], smokes=smokes))

    assert policy["missing_values"] == [""]
    assert "so the column is read as text" in text


def test_codes_of_a_frame_that_look_like_few_numbers_stay_texts():
    frame = pl.DataFrame({"stage": ["1", "2", "3", "4"] * 20 + ["unknown"]})

    _, policy, _ = proposed(Source(frame))

    assert "decimal" not in policy["columns"]["stage"]


def test_a_word_that_says_unknown_is_missing_in_all_columns_and_a_note_names_them():
    ages = [str(20 + i % 30) for i in range(N)]
    races = ["unknown", "white", *["black"] * (N - 1)]

    proposal, policy, text = proposed(csv(age=["unknown", *ages], race=races))

    assert policy["missing_values"] == ["", "unknown"]
    assert policy["columns"]["age"]["role"] == "quasi"
    assert "so the column is read as text" not in text
    assert any("are also values of race" in note for note in proposal.notes)
