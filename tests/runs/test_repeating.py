"""Every run that counts rows says so where an identifier repeats."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.read.source import Source
from shoal.runs.check import check
from shoal.types.repeating import Repeating

K2 = [shoal.KAnonymity(2)]
VISITS = pl.DataFrame({"mrn": ["a", "a", "b", "c", "", ""], "age": [31, 32, 38, 52, 55, 56]})
FOUND = (Repeating("mrn", 3, 4),)


def rules(**settings) -> shoal.Policy:
    ages = {"age": shoal.intervals(10)}
    return shoal.Policy.of_roles(identifiers=["mrn"], quasi=ages, privacy=K2, **settings)


def test_anonymize_finds_it():
    release = rules().anonymize(VISITS)

    assert release.verdict.repeating == FOUND
    assert release.verdict.holds
    assert release.summary()["repeating_identifiers"] == ["mrn"]


def test_texts_that_mean_missing_do_not_repeat():
    table = VISITS.with_columns(mrn=pl.Series(["a", "b", "c", "d", "?", "?"]))

    assert rules().anonymize(table).repeating == ("mrn",)
    assert rules(missing_values=["?"]).anonymize(table).repeating == ()


def test_an_identifier_of_which_every_value_is_different_leaves_no_doubt():
    release = rules().anonymize(VISITS.with_columns(mrn=pl.Series(list("abcdef"))))

    assert release.verdict.repeating == ()


def test_a_policy_that_says_whose_records_they_are_leaves_no_doubt_about_identifiers():
    assert rules(person="mrn").anonymize(VISITS).repeating == ()


def test_apply_finds_it_in_the_new_records():
    recoding = rules(algorithm="flash").anonymize(VISITS).recoding
    fresh = VISITS.with_columns(mrn=pl.Series(list("abcdef")))

    assert recoding.apply(VISITS).verdict.repeating == FOUND
    assert recoding.apply(fresh).verdict.repeating == ()
    assert recoding.apply(VISITS, earlier=recoding.apply(fresh).frame).verdict.repeating == FOUND


@pytest.mark.parametrize(("original", "found"), [(None, ()), (Source(VISITS), FOUND)])
def test_check_finds_it_in_the_original(original, found):
    release = rules().anonymize(VISITS)

    verdict = check(Source(release.published), rules(), original=original)

    assert verdict.repeating == found
    assert verdict.holds


def test_check_says_that_a_release_does_not_tell_people_apart():
    policy = rules(person="mrn")
    release = policy.anonymize(VISITS)

    verdict = check(Source(release.published), policy)

    assert verdict.person == ("mrn",)
    assert verdict.is_of_rows_only
