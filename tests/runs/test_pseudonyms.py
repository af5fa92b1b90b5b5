"""Releases with pseudonyms: the same stand-in for the same person, and what linked rows tell."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import shoal
from shoal import catalog
from shoal.errors import CannotSatisfy, InputError, NotVerified, OutputError, PolicyError
from shoal.read.key import Key
from shoal.read.source import Source
from shoal.recode import pseudonyms as values
from shoal.recode.pseudonyms import keyed
from shoal.runs.anonymize import anonymize
from tiers import part

KEY = bytes(range(32))
PEOPLE = 40


def visits(**changes) -> pl.DataFrame:
    """Two visits of each person; all that is asked for on top replaces a column."""
    n = 2 * PEOPLE
    columns = {
        "note": [f"note {i % 7}" for i in range(n)],
        "patient": [f"secret-{i // 2}" for i in range(n)],
        "age": [20 + i // 2 for i in range(n)],
        "drug": [f"drug {i % 5}" for i in range(n)],
    }
    return pl.DataFrame(columns | changes)


def policy(**settings) -> shoal.Policy:
    roles = {"quasi": ["age"], "keep": ["note"], "sensitive": ["drug"], "pseudonyms": ["patient"]}
    models = [shoal.KAnonymity(4), shoal.DistinctLDiversity("drug", 2)]
    return shoal.Policy.of_roles(**roles | {"privacy": models} | settings)


def test_every_row_has_the_pseudonym_of_its_person():
    release = policy().anonymize(visits(), key=KEY)

    expected = keyed([f"secret-{i}" for i in range(PEOPLE)], KEY)
    assert release.frame.columns == ["note", "patient", "age", "drug"]
    assert sorted(release.frame["patient"]) == sorted([*expected, *expected])
    before = visits().with_columns(patient=pl.Series(expected).gather([i // 2 for i in range(80)]))
    same = ["note", "patient", "drug"]
    assert sorted(release.frame.select(same).rows()) == sorted(before.select(same).rows())
    assert release.mapping is None


def test_one_key_gives_the_same_file_whatever_the_order_and_the_threads():
    first = policy().anonymize(visits(), key=KEY, threads=1).frame
    other = policy().anonymize(
        visits().sample(fraction=1, shuffle=True, seed=3), key=KEY, threads=2
    )

    assert first.equals(other.frame)


@pytest.mark.parametrize("algorithm", part(catalog.names("algorithm"), 5))
def test_every_algorithm_keeps_the_rows_of_a_person_together(algorithm):
    rules = policy(algorithm=algorithm, suppression=0.1)
    table = visits(age=[20 + i // 2 % 7 for i in range(2 * PEOPLE)])

    release = rules.anonymize(table, key=KEY)
    shuffled = rules.anonymize(table.sample(fraction=1, shuffle=True, seed=5), key=KEY)

    assert release.frame.equals(shuffled.frame)
    assert release.linked_rows.n_in_several_groups == 0
    assert min(release.verdict.group_sizes) >= 4
    assert rules.check(release.frame, original=table).holds


def test_a_later_table_under_the_same_key_links_and_one_under_another_key_does_not():
    late = visits().filter(pl.col("age") < 40)

    def stand_ins(table, key):
        return set(policy().anonymize(table, key=key).frame["patient"])

    assert stand_ins(late, KEY) < stand_ins(visits(), KEY)
    assert not stand_ins(late, KEY[::-1]) & stand_ins(visits(), KEY)


def test_random_pseudonyms_come_with_a_mapping_for_the_owner(tmp_path):
    release = policy().anonymize(visits())

    of = dict(release.mapping.iter_rows())
    assert of.keys() == {f"secret-{i}" for i in range(PEOPLE)}
    assert set(release.frame["patient"]) == set(of.values())
    release.write_mapping(tmp_path / "mapping.csv")
    assert pl.read_csv(tmp_path / "mapping.csv").equals(release.mapping)
    with pytest.raises(OutputError, match="exists"):
        release.write_mapping(tmp_path / "mapping.csv")
    release.write_mapping(tmp_path / "mapping.csv", overwrite=True)


def test_a_release_under_a_key_has_no_mapping_to_write(tmp_path):
    with pytest.raises(OutputError, match="has no mapping"):
        policy().anonymize(visits(), key=KEY).write_mapping(tmp_path / "mapping.csv")


@pytest.mark.parametrize("kind", [pd.DataFrame, pa.Table])
def test_other_kinds_of_frames_get_the_same_pseudonyms(kind):
    given = visits().to_pandas() if kind is pd.DataFrame else visits().to_arrow()

    release = policy().anonymize(given, key=KEY)

    assert isinstance(release.frame, kind)
    assert pl.DataFrame(release.frame).equals(policy().anonymize(visits(), key=KEY).frame)


@pytest.mark.parametrize("kind", ["pandas", "arrow"])
def test_columns_keep_their_order_where_only_cells_and_pseudonyms_are_released(kind):
    table = visits().select("patient", "age")
    rules = policy(keep=[], sensitive=[], privacy=[shoal.KAnonymity(4)])

    release = rules.anonymize(getattr(table, f"to_{kind}")(), key=KEY)

    assert list(pl.DataFrame(release.frame).columns) == ["patient", "age"]


def test_numbers_and_their_text_have_the_same_pseudonyms():
    numbers = [i // 2 for i in range(2 * PEOPLE)]

    of_numbers = policy().anonymize(visits(patient=numbers), key=KEY).frame
    texts = Source(visits(patient=list(map(str, numbers))).cast(pl.String), is_text=True)
    of_texts = anonymize(texts, policy(), key=Key(KEY)).published

    assert (
        set(of_numbers["patient"])
        == set(of_texts["patient"])
        == set(keyed(map(str, range(PEOPLE)), KEY))
    )


def test_records_without_an_identifier_have_pseudonyms_of_their_own():
    patients = [None if i < 6 else f"secret-{i // 2}" for i in range(2 * PEOPLE)]

    release = policy().anonymize(visits(patient=patients), key=KEY)

    rows_of = Counter(release.frame["patient"])
    assert Counter(rows_of.values()) == {1: 6, 2: PEOPLE - 3}
    assert release.frame["patient"].null_count() == 0
    assert any("6 records do not say whose they are" in note for note in release.notes)


def test_missing_identifiers_are_refused_or_left_out_if_the_policy_says_so():
    patients = [None if i < 8 else f"secret-{i // 2}" for i in range(2 * PEOPLE)]

    with pytest.raises(InputError, match="8 records of the table do not say whose they are"):
        policy(missing="error").anonymize(visits(patient=patients), key=KEY)
    release = policy(missing="suppress", suppression=0.2).anonymize(
        visits(patient=patients), key=KEY
    )

    assert release.n_released == 2 * PEOPLE - 8
    assert release.frame["patient"].null_count() == 0


def test_a_quasi_identifier_that_differs_within_a_person_is_refused():
    ages = [20 + (i if i < 6 else i // 2) for i in range(2 * PEOPLE)]

    with pytest.raises(PolicyError, match="'age' differs between the records of 3 people") as error:
        policy().anonymize(visits(age=ages), key=KEY)

    assert "secret" not in str(error.value)
    identifier = {"pseudonyms": [], "identifiers": ["patient"]}
    assert policy(**identifier).anonymize(visits(age=ages)).verdict.holds


def test_noise_is_refused_where_rows_are_linked():
    rules = policy(algorithm=shoal.TClustering(noise=0.1, t=0.5))

    with pytest.raises(PolicyError, match="noise cannot be combined with `person`"):
        rules.anonymize(visits(), key=KEY)


def test_k_counts_people_and_not_their_rows():
    few = visits().filter(pl.col("age") < 23)  # three people with six rows

    with pytest.raises(CannotSatisfy, match="3 people"):
        policy().anonymize(few, key=KEY)


def test_people_who_stand_out_by_their_number_of_rows_are_counted():
    table = pl.concat([visits(), visits()[:1], visits()[:1]])

    release = policy().anonymize(table, key=KEY)

    facts = release.summary()["rows_per_person"]
    assert facts == {"most": 4, "standing_out": 1, "k": 4}
    assert any("1 person stands out" in note for note in release.notes)
    even = policy().anonymize(visits(), key=KEY)
    assert not any("stand" in note for note in even.notes)


def test_a_release_with_an_identifier_left_in_it_does_not_exist(monkeypatch):
    monkeypatch.setattr(values, "keyed", lambda texts, _: pl.Series(texts))

    with pytest.raises(NotVerified):
        policy().anonymize(visits(), key=KEY)


def test_a_release_is_checked_by_its_pseudonyms():
    release = policy().anonymize(visits(), key=KEY)

    verdict = policy().check(release.frame, original=visits())

    assert verdict.holds
    assert verdict.n_people == PEOPLE
    assert min(verdict.group_sizes) >= 4
    assert verdict.notes == ()


def test_check_finds_identifiers_that_were_not_replaced():
    release = policy().anonymize(visits(), key=KEY).frame
    some = pl.when(pl.int_range(pl.len()) < 5).then(pl.lit("secret-1")).otherwise("patient")
    forged = release.with_columns(patient=some)

    alone = policy().check(forged)
    compared = policy().check(forged, original=visits())

    assert any("do not look like pseudonyms" in note for note in alone.notes)
    assert ("identifier", "patient", 5) in [(k.kind, k.column, k.count) for k in compared.leaks]


def test_check_finds_people_in_several_groups():
    release = policy().anonymize(visits(), key=KEY).frame
    one = release["patient"][0]
    elsewhere = release.with_columns(
        patient=pl.when(pl.col("age") == release["age"][-1]).then(pl.lit(one)).otherwise("patient")
    )

    kinds = [leak.kind for leak in policy().check(elsewhere).leaks]

    assert "person in several groups" in kinds


def test_a_key_without_a_pseudonym_is_refused():
    rules = policy(pseudonyms=[], identifiers=["patient"])

    with pytest.raises(PolicyError, match="no column has the role pseudonym"):
        rules.anonymize(visits(), key=KEY)


def test_keys_are_read_from_files_and_short_ones_are_refused(tmp_path):
    (tmp_path / "my.key").write_bytes(KEY + b"\n")
    (tmp_path / "my.key").chmod(0o600)

    by_file = policy().anonymize(visits(), key=tmp_path / "my.key").frame

    assert by_file.equals(policy().anonymize(visits(), key=KEY).frame)
    with pytest.raises(InputError, match="at least 32"):
        policy().anonymize(visits(), key=b"secret")


def test_a_key_that_others_may_read_is_noted_in_the_release(tmp_path):
    (tmp_path / "my.key").write_bytes(KEY)
    (tmp_path / "my.key").chmod(0o644)

    release = policy().anonymize(visits(), key=tmp_path / "my.key")

    assert any("chmod 600" in note for note in release.notes)


def test_nothing_that_a_release_says_has_an_identifier_or_a_pseudonym(tmp_path):
    release = policy().anonymize(visits())

    release.report(tmp_path / "report.html")
    said = f"{release!r} {release.summary()} {(tmp_path / 'report.html').read_text()}"

    assert "secret" not in said
    assert not re.search(r"\b[a-z2-7]{26}\b", said)


def test_a_roles_list_of_shoal_anonymize_takes_the_pseudonym():
    release = shoal.anonymize(
        visits(),
        pseudonyms=["patient"],
        quasi=["age"],
        keep=["note", "drug"],
        privacy=[shoal.KAnonymity(4)],
        key=KEY,
    )

    assert release.policy.person == ("patient",)
    assert replace(release.policy, person=()) == release.policy
