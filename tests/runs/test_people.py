"""Why people are counted: a hospital whose patients come more than once."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from naive.people import people_in

N_PATIENTS, N_VISITS = 300, 5


def hospital():
    """Five visits of each patient, who stays as old and lives where they lived."""
    rng = np.random.default_rng(0)
    patient = np.repeat(np.arange(N_PATIENTS), N_VISITS)
    return pl.DataFrame(
        {
            "patient": patient,
            "age": rng.integers(18, 90, N_PATIENTS)[patient],
            "zip": [f"{code:05}" for code in rng.integers(10_000, 99_999, N_PATIENTS)[patient]],
            "disease": rng.choice(["flu", "cold", "gout", "none"], len(patient)),
        }
    )


def anonymized(visits, **settings):
    return shoal.anonymize(
        visits,
        identifiers=["patient"],
        quasi={"age": shoal.intervals(5, 10, 20), "zip": shoal.prefix(5)},
        sensitive=["disease"],
        privacy=[shoal.KAnonymity(5)],
        **settings,
    )


def fewest_people(visits, release):
    members = people_in(visits["patient"].to_list(), release.groups.tolist())
    return min(map(len, members.values()))


def test_groups_of_visits_have_as_many_patients_as_was_asked_for():
    visits = hospital()

    release = anonymized(visits, person="patient")

    assert fewest_people(visits, release) >= 5
    assert release.verdict.n_people == N_PATIENTS
    assert release.verdict.n_records == len(visits)
    assert release.verdict.findings[0].achieved >= 5
    assert "person" in release.verdict.findings[0].demand


def test_without_people_five_visits_of_one_patient_are_a_group():
    visits = hospital()

    release = anonymized(visits)

    assert fewest_people(visits, release) == 1
    assert release.verdict.findings[0].achieved == 5  # records, all of the same person


def test_a_list_of_columns_tells_people_apart_too():
    visits = hospital().with_columns(ward=pl.col("patient") // 100, patient=pl.col("patient") % 100)

    release = shoal.anonymize(
        visits,
        identifiers=["patient", "ward"],
        quasi=["age", "zip"],
        keep=["disease"],
        privacy=[shoal.KAnonymity(5)],
        person=["ward", "patient"],
    )

    assert release.verdict.n_people == N_PATIENTS
    everyone = list(zip(visits["ward"], visits["patient"], strict=True))
    members = people_in(everyone, release.groups.tolist())
    assert min(map(len, members.values())) >= 5


def test_generalised_people_are_not_counted_in_a_check_of_the_release():
    visits = pl.DataFrame({"patient": [1, 1, 2, 3, 4], "age": [30, 31, 32, 33, 34]})
    release = shoal.anonymize(
        visits, quasi=["patient", "age"], person="patient", privacy=[shoal.KAnonymity(2)]
    )

    verdict = shoal.check(release.frame, release.policy, original=visits)

    assert verdict.holds
    assert verdict.n_people is None
    assert any("which the release has only generalised" in note for note in verdict.notes)


@pytest.mark.parametrize("algorithm", ["mondrian", "flash"])
def test_what_cannot_be_suppressed_is_counted_in_entries_of_people(algorithm):
    visits = pl.DataFrame(
        {
            "patient": ["a", "a", "a", "b", "c"],
            "age": [30, 30, 40, 31, 32],
            "ill": ["flu", "gout", "flu", "flu", "flu"],
        }
    )

    with pytest.raises(shoal.errors.CannotSatisfy) as refused:
        shoal.anonymize(
            visits,
            identifiers=["patient"],
            person="patient",
            quasi=["age"],
            sensitive=["ill"],
            privacy=[shoal.DistinctLDiversity("ill", 2)],
            algorithm=algorithm,
            suppression=0.3,
        )

    assert "1 group with 4 entries of people fails" in str(refused.value)
    assert "at most 1 entry of a person may be suppressed" in str(refused.value)
