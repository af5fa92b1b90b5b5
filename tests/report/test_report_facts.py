"""What reports say, before it is made into a page or lines."""

from __future__ import annotations

import json
from dataclasses import replace

import polars as pl
import pytest

import shoal
from report.secret_tables import NUMBERS, SECRET, people, release_of
from shoal.report.sizes import size_facts
from shoal.report.summarise import summarise


def assert_no_cell_in(text: str) -> None:
    assert SECRET not in text
    assert "771" not in text, f"a number that begins like {NUMBERS[0]}"


def test_no_cell_of_the_table_is_among_the_facts(complete, shortened):
    for release in (complete, shortened):
        assert_no_cell_in(json.dumps(summarise(release)))


def test_facts_are_plain_data(shortened):
    facts = summarise(shortened)

    assert json.loads(json.dumps(facts)) == facts


def test_the_headline_counts_those_who_look_alike(complete):
    smallest = min(complete.verdict.group_sizes)

    assert summarise(complete)["headline"].endswith(f"at least {smallest - 1} others")


def test_a_release_in_which_a_record_may_stand_alone_does_not_say_that_it_looks_like_others():
    release = release_of(people(12), privacy=[shoal.KAnonymity(1)])

    assert (
        summarise(release)["headline"]
        == "Verified: the release satisfies every model of its policy"
    )


def test_records_add_up_without_suppression(complete):
    records = summarise(complete)["records"]

    assert records == {"read": 24, "released": 24, "suppressed": 0, "may_be_suppressed": 0}


def test_records_add_up_with_suppression(shortened):
    records = summarise(shortened)["records"]

    assert records == {"read": 25, "released": 24, "suppressed": 1, "may_be_suppressed": 1}


def test_every_model_says_what_it_requires_and_what_was_found(complete):
    first, second = summarise(complete)["privacy"]

    assert (first["model"], first["column"], first["holds"]) == ("k-anonymity", None, True)
    assert first["requires"] == "Every record looks like at least 2 others."
    assert second["column"] == "illness"
    assert second["requires"] == "Every group has at least 2 different values of 'illness'."


def test_every_column_has_its_role_and_its_way_of_leaving(complete):
    columns = {c["column"]: (c["role"], c["published"]) for c in summarise(complete)["columns"]}

    assert columns == {
        "name": ("identifier", "not released"),
        "income": ("quasi-identifier", "range, from lowest to highest"),
        "born in": ("quasi-identifier", "set of the values in the group"),
        "work": ("quasi-identifier", "hierarchy with 2 levels"),
        "illness": ("sensitive", "unchanged"),
        "visits": ("kept", "unchanged"),
        "note": ("dropped", "not released"),
    }


@pytest.mark.parametrize(
    ("hierarchy", "words"),
    [
        (shoal.intervals(5, 10), "intervals of 5, 10"),
        (shoal.prefix(2), "code of 2 characters, shortened from its end"),
        (shoal.flat(), "the value, or * where it is hidden"),
    ],
)
def test_a_hierarchy_built_from_values_is_told_in_words(hierarchy, words):
    ages = pl.DataFrame({"age": [31, 32, 45, 47]})
    release = shoal.anonymize(ages, quasi={"age": hierarchy}, privacy=[shoal.KAnonymity(2)])

    assert summarise(release)["columns"][0]["published"] == words


def test_a_full_domain_release_says_the_level_of_each_column(complete):
    release = replace(complete, grouping=replace(complete.grouping, levels=(0, 0, 1)))

    work = summarise(release)["columns"][3]

    assert work["published"] == "hierarchy with 2 levels; every cell at level 1 of 2"


def test_columns_that_lost_most_come_first(complete):
    losses = [entry["loss"] for entry in summarise(complete)["loss_by_column"]]

    assert losses == sorted(losses, reverse=True)
    assert len(losses) == 3


def test_every_measure_has_a_meaning(complete):
    measures = summarise(complete)["measures"]

    assert {entry["name"] for entry in measures} == set(complete.measures)
    assert all(entry["meaning"] for entry in measures)


def test_group_sizes_of_the_histogram_hold_all_records(complete):
    sizes = summarise(complete)["sizes"]

    assert sum(entry["members"] for entry in sizes["bins"]) == 24
    assert sum(entry["groups"] for entry in sizes["bins"]) == complete.verdict.n_groups


def test_bins_double_from_k():
    bins = size_facts({5: 2, 9: 1, 10: 1, 45: 1}, k=5)["bins"]

    assert [(b["low"], b["high"], b["groups"]) for b in bins] == [
        (5, 9, 3), (10, 19, 1), (20, 39, 0), (40, 79, 1),
    ]  # fmt: skip


def test_many_bins_end_in_an_open_one():
    bins = size_facts({2: 1, 1_000_000: 1}, k=2)["bins"]

    assert len(bins) == 8
    assert (bins[-1]["low"], bins[-1]["high"], bins[-1]["members"]) == (256, None, 1_000_000)


def test_bins_begin_where_groups_do():
    assert [b["low"] for b in size_facts({700: 1}, k=1)["bins"]] == [512]


@pytest.mark.parametrize(("sizes", "median"), [({3: 2, 9: 1}, 3), ({3: 1, 9: 1}, 6), ({4: 5}, 4)])
def test_the_median_is_that_of_the_groups(sizes, median):
    assert size_facts(sizes, k=1)["median"] == median


def test_no_groups_have_no_sizes():
    assert size_facts({}, k=5) == {
        "smallest": None, "median": None, "mean": None, "largest": None, "bins": [],
    }  # fmt: skip


def test_keeping_the_order_of_the_input_is_noted():
    release = release_of(people(), order="input")

    assert any("order of the input" in note for note in summarise(release)["notes"])


def test_a_search_that_was_ended_early_is_noted(complete):
    release = replace(complete, grouping=replace(complete.grouping, trace={"stopped": "interrupt"}))

    assert any("interrupt" in note for note in summarise(release)["notes"])


def test_of_the_output_only_the_name_is_told(complete):
    assert summarise(complete, output="/home/somebody/release.csv")["output"] == "release.csv"
