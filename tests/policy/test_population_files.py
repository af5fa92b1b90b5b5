"""Populations as they come: written in other ways, incomplete, of another encoding."""

import datetime as dt

import polars as pl
import pytest

import shoal
from shoal.errors import InputError
from shoal.read.files import read_file
from shoal.runs.anonymize import anonymize

RULES = """
columns:
  born: {role: quasi, hierarchy: {date: [month, year]}}
  city: quasi
privacy: [{model: k-map, k: 2, population: people.csv}]
"""
DAYS = ["02.11.1980", "03.11.1980", "17.01.1990", "18.01.1990"]
CITIES = ["Köln", "Köln", "Bonn", "Bonn"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "policy.yaml").write_text(RULES)
    pl.DataFrame({"born": DAYS, "city": CITIES}).write_csv("data.csv")
    return tmp_path


def released(encoding=None):
    data = read_file("data.csv", encoding=encoding)
    return anonymize(data, shoal.Policy.load("policy.yaml"))


def iso(day):
    return dt.datetime.strptime(day, "%d.%m.%Y").date()


def test_dates_of_a_population_may_be_written_in_another_form(folder):
    days = [iso(day) for day in DAYS]
    pl.DataFrame({"born": days, "city": CITIES}).write_csv("people.csv")

    assert sorted(set(released().frame["born"].to_list())) == ["1980-11", "1990-01"]


def test_a_population_may_be_parquet_with_types(folder):
    days = [iso(day) for day in DAYS]
    pl.DataFrame({"born": days, "city": CITIES}).write_parquet("people.parquet")
    (folder / "policy.yaml").write_text(RULES.replace("people.csv", "people.parquet"))

    assert sorted(set(released().frame["born"].to_list())) == ["1980-11", "1990-01"]


def test_a_population_has_the_encoding_of_the_data_if_it_is_not_utf_8(folder):
    text = pl.DataFrame({"born": DAYS, "city": CITIES}).write_csv()
    for name in ("data.csv", "people.csv"):
        (folder / name).write_text(text, encoding="cp1252")

    assert released("cp1252").verdict.holds
    with pytest.raises(InputError, match="encoding"):
        released()


def test_a_note_says_that_the_population_lacks_people_of_the_table(folder):
    everybody = pl.DataFrame({"born": DAYS, "city": CITIES})
    everybody.write_csv("people.csv")
    complete = released()
    everybody.head(3).write_csv("people.csv")

    (note,) = [note for note in released().notes if "people.csv" in note]

    assert "For 1 record the population people.csv has fewer matching people" in note
    assert not any("people.csv" in note for note in complete.notes)


def test_a_population_without_a_column_is_refused_with_the_nearest_name(folder):
    pl.DataFrame({"born": DAYS, "cities": CITIES}).write_csv("people.csv")

    with pytest.raises(InputError, match="no column 'city'; did you mean 'cities'"):
        released()


def test_records_that_stand_alone_without_a_model_against_it_are_noted(folder):
    pl.DataFrame({"born": DAYS * 2, "city": CITIES * 2}).write_csv("people.csv")

    release = released()

    assert release.verdict.group_sizes == {1: 4}
    assert any("4 records stand alone" in note for note in release.notes)
