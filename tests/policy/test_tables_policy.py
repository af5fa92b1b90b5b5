"""The policy of several tables: how they point to people, and what is refused."""

from __future__ import annotations

import pytest

import shoal
from cases.hospital import hospital_policy
from shoal.errors import PolicyError
from shoal.policy.tables import is_of_tables

FILE = """\
tables:
  patients:
    file: data/patients.csv
    columns: {mrn: pseudonym, age: quasi}
  visits:
    file: visits.parquet
    key: {mrn: patients}
    columns:
      mrn: pseudonym
      illness: sensitive
person: mrn
privacy:
  - {model: k-anonymity, k: 5}
"""


def load(tmp_path, text) -> shoal.TablesPolicy:
    path = tmp_path / "policy.yaml"
    path.write_text(text)
    return shoal.TablesPolicy.load(path)


def changed(table=None, role="pseudonym", **changes):
    """The policy of the hospital with other keys of a table, or of its columns."""
    policy = hospital_policy(role)
    if table is None:
        return policy | changes
    policy["tables"][table]["columns"] |= changes
    return policy


def test_files_are_named_relative_to_the_policy(tmp_path):
    policy = load(tmp_path, FILE)

    assert policy.files == {
        "patients": tmp_path / "data" / "patients.csv",
        "visits": tmp_path / "visits.parquet",
    }
    assert (policy.people, policy.events, policy.key) == ("patients", ("visits",), "mrn")


def test_a_table_without_a_file_is_refused_where_files_are_read(tmp_path):
    policy = load(tmp_path, FILE.replace("    file: visits.parquet\n", ""))

    with pytest.raises(PolicyError, match=r"line 5, tables\.visits: 'file' is needed"):
        _ = policy.files


def test_the_joined_policy_has_what_is_looked_up_and_what_must_not_be_learned():
    joined = shoal.TablesPolicy.of_mapping(hospital_policy()).joined()

    assert list(joined.columns) == ["mrn", "age", "city", "visits.illness", "samples.found"]
    assert [model.about.column for model in joined.privacy] == [None, "visits.illness"]
    assert joined.person == ("mrn",)


def test_a_table_alone_has_the_models_about_it():
    policy = shoal.TablesPolicy.of_mapping(hospital_policy("identifier"))

    assert policy.alone("samples") is None
    assert [type(model).__name__ for model in policy.alone("patients").privacy] == ["KAnonymity"]
    assert [model.about.column for model in policy.models_of("visits")] == [None, "illness"]


def test_settings_of_the_command_line_replace_those_of_the_policy():
    policy = shoal.TablesPolicy.of(hospital_policy())

    assert policy.with_k(9).joined().privacy[0] == shoal.KAnonymity(9)
    assert policy.with_seed(3).joined().seed == 3
    assert policy.with_algorithm("ola").joined().algorithm == shoal.Ola()
    assert shoal.TablesPolicy.of(policy) is policy


def test_a_column_named_like_an_option_does_not_change_that_option():
    policy = changed("visits", equal="sensitive")
    policy["privacy"] = [{"model": "t-closeness", "column": "equal", "t": 0.3, "distance": "equal"}]

    (model,) = shoal.TablesPolicy.of(policy).joined().privacy

    assert (model.column, model.distance) == ("visits.equal", "equal")


@pytest.mark.parametrize(
    ("policy", "path", "message"),
    [
        (changed(person=None), ("person",), "`person` is needed"),
        (changed(person="mr"), ("person",), "'mr' is not a column of the table 'patients'.*'mrn'"),
        (changed(columns={}), ("columns",), "under each of the `tables`"),
        (changed(persons="mrn"), ("persons",), "'persons' is unknown.*'person'"),
        (changed(suppression=3), ("suppression",), "between 0 and 1"),
        (changed(privacy=[]), ("privacy",), "no privacy model"),
        (
            changed("visits", patient="keep"),
            ("tables", "visits", "columns", "patient"),
            "must be pseudonym or identifier, not keep",
        ),
        (
            changed("visits", patient="identifier"),
            ("tables", "visits", "columns", "patient"),
            "identifier here and pseudonym in 'patients'",
        ),
        (
            changed("visits", ward="pseudonym"),
            ("tables", "visits", "columns", "ward"),
            "only the key 'patient'",
        ),
        (
            changed("patients", **{"visits.ward": "keep"}),
            ("tables", "patients", "columns", "visits.ward"),
            "called like one of another table",
        ),
        (changed("patients", age="keep", city="keep"), ("tables",), "no column is a quasi"),
        (
            changed("patients", "identifier", age="keep", city="keep"),
            ("tables",),
            "no column is a quasi",
        ),
        (
            changed(privacy=[{"model": "distinct-l-diversity", "column": "ilness", "l": 2}]),
            ("privacy", 0, "column"),
            "not a sensitive column of any table",
        ),
        (
            changed(
                role="identifier",
                privacy=[{"model": "distinct-l-diversity", "column": "illness", "l": 2}],
            ),
            ("privacy",),
            "no model is about the table 'patients', which has quasi-identifiers",
        ),
        (
            changed(privacy=[{"model": "severity-closeness", "column": "illness", "t": 0.1}]),
            ("privacy", 0, "column"),
            "needs a severity of the column 'visits.illness'",
        ),
    ],
)
def test_what_is_wrong_is_refused_with_its_place(policy, path, message):
    with pytest.raises(PolicyError, match=message) as refused:
        shoal.TablesPolicy.of_mapping(policy)

    assert refused.value.path == path


def test_a_model_about_a_column_of_two_tables_must_say_which():
    policy = changed("samples", illness="sensitive")

    with pytest.raises(PolicyError, match=r"several tables; write for example 'visits\.illness'"):
        shoal.TablesPolicy.of_mapping(policy)

    policy["privacy"][1]["column"] = "samples.illness"
    assert shoal.TablesPolicy.of(policy).joined().privacy[1].about.column == "samples.illness"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("    key: {mrn: patients}\n", "", "line 1, tables: one table must be of people.*2 have"),
        ("{mrn: patients}", "{mrn: visits}", "line 7.*must point to 'patients'"),
        ("{mrn: patients}", "{mrn: patients, a: b}", "line 7.*give one column"),
        (
            "    file: visits.parquet\n",
            "    fil: visits.parquet\n",
            "line 6.*'fil' is unknown.*file",
        ),
        ("  visits:\n", "  ../visits:\n", "a table's name becomes that of a file"),
        ("illness: sensitive", "illness: sensitiv", "line 10.*'sensitive'"),
    ],
)
def test_errors_in_a_file_name_the_line(tmp_path, old, new, message):
    with pytest.raises(PolicyError, match=message):
        load(tmp_path, FILE.replace(old, new, 1))


def test_one_table_and_several_are_told_apart(tmp_path):
    load(tmp_path, FILE)
    one = tmp_path / "one.yaml"
    one.write_text("columns: {tables: quasi}\nprivacy: [{model: k-anonymity, k: 2}]\n")

    assert is_of_tables(tmp_path / "policy.yaml")
    assert not is_of_tables(one)
    with pytest.raises(PolicyError, match=r"several tables, which `shoal anonymize`"):
        shoal.Policy.load(tmp_path / "policy.yaml")
