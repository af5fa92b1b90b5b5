"""Released tables, checked by whoever has them."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from cases.hospital import KEY, hospital, hospital_policy
from shoal.errors import InputError, PolicyError
from shoal.report import words


def released(role="pseudonym", **changes) -> dict[str, pl.DataFrame]:
    key = KEY if role == "pseudonym" else None
    return shoal.anonymize_tables(hospital(), hospital_policy(role, **changes), key=key).frames


def kinds(verdict) -> list[tuple[str, str | None, int]]:
    return [(leak.kind, leak.column, leak.count) for leak in verdict.whole.leaks]


def test_linked_tables_are_counted_by_people():
    verdict = shoal.check_tables(released(), hospital_policy())

    assert verdict.holds
    assert verdict.whole.n_people == 60
    assert words.headline(verdict.whole) == (
        "Verified: every person looks like at least 4 other people"
    )
    assert [f.model for f in verdict.whole.findings] == ["k-anonymity", "distinct-l-diversity"]
    assert any("'patient' shows which rows belong" in note for note in verdict.notes)


def test_stricter_rules_fail_with_what_fails():
    verdict = shoal.check_tables(
        released(), hospital_policy(privacy=[{"model": "k-anonymity", "k": 30}])
    )

    assert not verdict
    assert all(not table.holds for table in verdict.tables.values())
    assert words.headline(verdict.whole).startswith("Not verified")
    assert verdict.as_dict()["holds"] is False


def test_values_that_fail_do_so_in_their_table():
    frames = released()
    frames["visits"] = frames["visits"].with_columns(illness=pl.lit("flu"))
    everybody = pl.DataFrame({"patient": frames["patients"]["mrn"], "illness": "flu", "ward": "w"})
    frames["visits"] = pl.concat([frames["visits"], everybody])

    verdict = shoal.check_tables(frames, hospital_policy())

    assert {name: table.holds for name, table in verdict.tables.items()} == {
        "patients": True, "visits": False, "samples": True,
    }  # fmt: skip


@pytest.mark.parametrize("n", [1, 2])
def test_a_key_without_a_person_is_a_leak(n):
    frames = released()
    gone = frames["visits"]["patient"].unique()[:n].implode()
    n_rows = int(frames["visits"]["patient"].is_in(gone).sum())
    frames["patients"] = frames["patients"].filter(~pl.col("mrn").is_in(gone))

    verdict = shoal.check_tables(
        frames, hospital_policy(privacy=[{"model": "k-anonymity", "k": 1}])
    )

    assert ("key without a person", "visits.patient", n_rows) in kinds(verdict)
    said = [words.leak(leak) for leak in verdict.whole.leaks]
    assert any("people who are not in the table of people" in text for text in said)
    assert not verdict.holds


def test_a_missing_key_is_a_leak_too():
    frames = released()
    frames["visits"] = frames["visits"].with_columns(
        patient=pl.when(pl.int_range(pl.len()) < 2).then(None).otherwise(pl.col("patient"))
    )

    verdict = shoal.check_tables(frames, hospital_policy())

    assert kinds(verdict) == [("key without a person", "visits.patient", 2)]


def test_a_withheld_column_and_an_index_are_leaks():
    frames = released()
    frames["samples"] = frames["samples"].with_columns(by=pl.lit("Dr. 1")).with_row_index("index")

    verdict = shoal.check_tables(frames, hospital_policy())

    n = frames["samples"].height
    assert kinds(verdict) == [
        ("index", "samples.index", n),
        ("withheld column", "samples.by", n),
    ]


def test_a_person_in_two_groups_is_a_leak():
    frames = released()
    twice = frames["patients"][:1].with_columns(age=frames["patients"]["age"][-1:])
    frames["patients"] = pl.concat([frames["patients"], twice])

    verdict = shoal.check_tables(frames, hospital_policy())

    assert kinds(verdict) == [("person in several groups", "patients.mrn", 1)]


def test_tables_without_keys_are_checked_by_rows_and_say_so():
    verdict = shoal.check_tables(released("identifier"), hospital_policy("identifier"))

    assert verdict.holds
    assert verdict.whole.n_people is None
    assert words.headline(verdict.whole).startswith("Rows, not people, were counted")
    assert any("People cannot be counted from it" in note for note in verdict.notes)


def test_a_table_without_keys_that_fails_is_named():
    frames = released("identifier")
    frames["patients"] = pl.concat(
        [frames["patients"], frames["patients"][:1].with_columns(age=pl.lit("99"))]
    )
    frames["samples"] = frames["samples"].with_columns(mrn=pl.lit(1))

    verdict = shoal.check_tables(frames, hospital_policy("identifier"))

    assert not verdict.tables["patients"].holds
    assert ("withheld column", "samples.mrn", frames["samples"].height) in kinds(verdict)
    assert any(f.found.startswith("In 'patients': ") for f in verdict.whole.findings)


def test_a_column_that_the_policy_does_not_know_is_refused():
    frames = released()
    frames["visits"] = frames["visits"].with_columns(phone=pl.lit("x"))

    with pytest.raises(PolicyError, match="the table 'visits' has a column 'phone'"):
        shoal.check_tables(frames, hospital_policy())
    del frames["visits"]
    with pytest.raises(InputError, match="'visits' of the policy is missing"):
        shoal.check_tables(frames, hospital_policy())
