"""Runs that count people: counted rows, later records, refusals, and what they say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import shoal
from cases.visits import rules, visits
from shoal.errors import CannotSatisfy, InputError, PolicyError
from shoal.read.source import Source
from shoal.runs.anonymize import anonymize

CONSTANT = ("sex", "born")


def people_of_groups(release: shoal.Release, persons: pl.Series) -> list[int]:
    """How many different people each group has, counted one by one."""
    groups: dict[int, set[object]] = {}
    for group, person in zip(release.groups.tolist(), persons, strict=True):
        groups.setdefault(group, set()).add(person)
    groups.pop(-1, None)
    return [len(people) for people in groups.values()]


@pytest.mark.parametrize("quasi", [CONSTANT, ("sex", "born", "admitted")])
@pytest.mark.parametrize("algorithm", ["mondrian", "k-member", "flash"])
def test_counted_rows_of_people_give_the_release_of_their_records(algorithm, quasi):
    table = pl.concat([visits(40), visits(40)])  # every record twice
    policy = rules(quasi=quasi, algorithm=algorithm)
    different = table.group_by(table.columns, maintain_order=True).len()

    of_records = anonymize(Source(table), policy)
    of_counts = anonymize(
        Source(different.drop("len"), counts=different["len"].to_numpy().astype(np.int64)), policy
    )

    assert of_counts.records().rows() == of_records.records().rows()
    assert of_counts.verdict.n_people == of_records.verdict.n_people == 40
    assert of_counts.n_read == of_records.n_read == 400


def test_later_records_are_recoded_only_in_groups_of_enough_people():
    policy = rules(quasi=CONSTANT, algorithm="flash", suppression=0.5)
    recoding = policy.anonymize(visits(seed=1)).recoding
    later = visits(60, seed=2)
    few = later.filter(pl.col("sex") == "f")["patient"].unique().sort()[:4]
    later = later.filter((pl.col("sex") == "m") | pl.col("patient").is_in(few.implode()))

    release = recoding.apply(later)

    assert min(people_of_groups(release, later["patient"])) >= 5
    assert release.frame["sex"].unique().to_list() == ["m"]  # four women with twenty visits are few


def test_later_records_must_say_whose_they_are():
    recoding = rules(quasi=CONSTANT, algorithm="flash").anonymize(visits()).recoding

    with pytest.raises(InputError, match="told apart by column 'patient', which the data does not"):
        recoding.apply(visits(60).drop("patient"))


def test_noise_is_refused_because_a_mean_of_visits_undoes_it():
    with pytest.raises(PolicyError, match="noise cannot be combined with `person`"):
        rules(algorithm={"name": "t-clustering", "noise": 0.1}).anonymize(visits(30))


@pytest.mark.parametrize(
    ("quasi", "what"),
    [(CONSTANT, "20 people fails, but no person may"), (None, "100 entries of people fails")],
)
def test_a_refusal_counts_what_would_be_suppressed(quasi, what):
    table = visits(20).with_columns(illness=pl.lit("flu"))
    policy = rules(quasi=quasi or ("sex", "born", "admitted"))
    policy = replace(policy, privacy=(*policy.privacy, shoal.DistinctLDiversity("illness", 2)))

    with pytest.raises(CannotSatisfy, match=what):
        policy.anonymize(table)


def test_a_table_of_too_few_people_is_refused_however_many_rows_it_has():
    with pytest.raises(CannotSatisfy, match=r"at least 5 people in every group, .* only 4 people"):
        rules().anonymize(visits(4))


def some_without_a_person() -> pl.DataFrame:
    is_known = pl.int_range(pl.len()) % 10 > 0
    return visits(60).with_columns(patient=pl.when(is_known).then("patient").cast(pl.String))


@pytest.mark.parametrize("missing", ["category", "suppress"])
def test_records_that_do_not_say_whose_they_are(missing):
    table = some_without_a_person()

    release = rules(missing=missing, suppression=0.2).anonymize(table)

    assert len(table) - len(release.frame) == (30 if missing == "suppress" else 0)
    has_note = any("30 records do not say whose they are" in note for note in release.notes)
    assert has_note == (missing == "category")


def test_records_that_do_not_say_whose_they_are_can_be_refused():
    with pytest.raises(InputError, match="30 records of the table do not say whose they are"):
        rules(missing="error", suppression=0.2).anonymize(some_without_a_person())


def test_a_check_without_the_person_says_that_people_cannot_be_counted():
    policy = rules()

    verdict = policy.check(policy.anonymize(visits()).frame)

    assert verdict.holds
    assert verdict.n_people is None
    assert any("People cannot be counted from it" in note for note in verdict.notes)


def test_an_identifier_that_tells_fewer_people_apart_is_noted():
    table = visits(40).with_row_index("visit")
    policy = shoal.Policy.of_roles(
        identifiers=["visit", "patient"],
        quasi=["sex", "born"],
        drop=["admitted", "illness"],
        privacy=[shoal.KAnonymity(5)],
        person="visit",
    )

    (note,) = policy.anonymize(table).notes

    assert note.startswith("Column 'patient' is an identifier too, and has fewer different values")
    assert not replace(policy, person=("patient",)).anonymize(table).notes
