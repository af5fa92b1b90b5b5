"""The commands with a policy of several tables."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import polars as pl
import pytest

POLICY = """\
tables:
  patients:
    file: data/patients.csv
    columns: {mrn: pseudonym, age: quasi, note: keep}
  visits:
    file: data/visits.csv
    key: {mrn: patients}
    columns: {mrn: pseudonym, illness: sensitive}
person: mrn
privacy:
  - {model: k-anonymity, k: 3}
"""
ANONYMIZE = ("anonymize", "-p", "policy.yaml", "-o", "release", "--quiet")
KEYED = (*ANONYMIZE, "--key-file", "patients.key")
CHECK = ("check", "release", "-p", "policy.yaml")


@pytest.fixture
def hospital(tmp_path, monkeypatch) -> Path:
    """The current folder, with twenty patients, two visits of each, their policy and a key."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("SHOAL_KEY", raising=False)
    Path("data").mkdir()
    patients = "".join(f"p{i};{20 + i};n{i % 2}\n" for i in range(20))
    Path("data/patients.csv").write_text("mrn;age;note\n" + patients)
    visits = "".join(f"p{i // 2},{('flu', 'gout', 'cold')[i % 3]}\n" for i in range(40))
    Path("data/visits.csv").write_text("mrn,illness\n" + visits)
    Path("policy.yaml").write_text(POLICY)
    Path("patients.key").write_bytes(bytes(range(32)))
    Path("patients.key").chmod(0o600)
    return tmp_path


def withhold_keys() -> None:
    Path("policy.yaml").write_text(POLICY.replace("pseudonym", "identifier"))


def test_all_tables_are_written_to_a_folder_and_checked(hospital, run):
    result = run(*KEYED)

    assert result.code == 0
    assert result.stdout.startswith("Verified: every person looks like at least 4 other people")
    said = " ".join(result.stdout.split())
    assert "patients 20 rows released of 20 visits 40 rows released of 40" in said
    assert "People 20 released of 20" in said
    assert "Wrote release/patients.csv, release/visits.csv." in said
    assert "Table 'visits'." not in said.partition("Check before sharing")[0]
    patients = pl.read_csv("release/patients.csv", separator=";")
    assert patients.columns == ["mrn", "age", "note"]
    assert not patients["mrn"].str.starts_with("p").all()
    checked = run(*CHECK)
    assert checked.code == 0
    assert checked.stdout.startswith("Verified: every person looks like at least 4 other people")


def test_the_json_has_every_table(hospital, run):
    summary = json.loads(
        run(*KEYED, "--json", "--k", "5", "--algorithm", "ola", "--seed", 1).stdout
    )

    assert summary["files"] == {
        "patients": str(Path("release/patients.csv")), "visits": str(Path("release/visits.csv")),
    }  # fmt: skip
    assert summary["people"] == 20
    assert summary["tables"]["visits"]["privacy"][0]["required"] == {"k": 5}
    verdict = json.loads(run(*CHECK, "--json").stdout)
    assert verdict["holds"]
    assert verdict["tables"]["visits"]["people"] == 20


@pytest.mark.parametrize("role", ["pseudonym", "identifier"])
def test_the_check_finds_what_the_release_achieved(hospital, run, role):
    visits = "".join(f"p{i // 2},{i * 7 % 40}\n" for i in range(40))
    Path("data/visits.csv").write_text("mrn,illness\n" + visits)
    near = "  - {model: t-closeness, column: illness, t: 0.4, distance: ordered}\n"
    Path("policy.yaml").write_text(POLICY.replace("pseudonym", role) + near)
    how = KEYED if role == "pseudonym" else ANONYMIZE

    made = json.loads(run(*how, "--json").stdout)
    found = json.loads(run(*CHECK, "--json").stdout)

    last = [tables["tables"]["visits"]["privacy"][-1] for tables in (made, found)]
    assert last[0]["model"] == "t-closeness"
    assert last[0]["achieved"] == pytest.approx(last[1]["achieved"])


def test_a_check_that_fails_exits_with_1_and_says_what_leaks(hospital, run):
    run(*KEYED)
    path = Path("release/patients.csv")
    path.write_text("\n".join(path.read_text().splitlines()[:-1]) + "\n")

    result = run(*CHECK, "--junit", "result.xml")

    assert result.code == 1
    said = " ".join(result.stdout.split())
    assert "'visits.mrn': 2 records point to people who are not in the table of people" in said
    assert "no key without a person" in Path("result.xml").read_text()


def test_withheld_keys_are_not_written_and_people_not_counted_again(hospital, run):
    withhold_keys()

    assert run(*ANONYMIZE).stdout.startswith("Verified: every person")

    assert Path("release/visits.csv").read_text().startswith("illness\ncold\n")
    result = run(*CHECK)
    assert result.code == 0
    assert result.stdout.startswith("Rows, not people, were counted")


def test_a_mapping_is_written_and_told_of(hospital, run):
    result = run(*ANONYMIZE, "--mapping", "who.csv")

    assert "who.csv was written too. It is INTERNAL" in result.stdout
    assert pl.read_csv("who.csv")["identifier"].str.starts_with("p").all()
    assert "needs a key or a mapping" in run(*ANONYMIZE, "--force").stderr
    withhold_keys()
    assert "--key-file is for a column" in run(*KEYED, "--force").stderr


def test_the_key_may_be_in_the_environment(hospital, run, monkeypatch):
    monkeypatch.setenv("SHOAL_KEY", bytes(range(1, 33)).hex())

    assert run(*ANONYMIZE).code == 0


def test_each_file_stays_of_its_kind(hospital, run):
    pl.read_csv("data/visits.csv").write_parquet("data/visits.parquet")
    patients = Path("data/patients.csv").read_bytes()
    Path("data/patients.csv.gz").write_bytes(gzip.compress(patients))
    text = POLICY.replace("visits.csv", "visits.parquet").replace("s.csv", "s.csv.gz")
    Path("policy.yaml").write_text(text)

    assert run(*KEYED).code == 0

    assert sorted(path.name for path in Path("release").iterdir()) == [
        "patients.csv.gz", "visits.parquet",
    ]  # fmt: skip
    assert run(*CHECK).code == 0


def test_an_existing_file_is_overwritten_only_if_told_to(hospital, run):
    Path("release").mkdir()
    Path("release/visits.csv").write_text("mine")

    refused = run(*KEYED)
    assert refused.code == 2
    assert "visits.csv exists. Choose another folder, or use `--force`" in refused.stderr
    assert [path.name for path in Path("release").iterdir()] == ["visits.csv"]

    assert run(*KEYED, "--force").code == 0
    assert "mine" not in Path("release/visits.csv").read_text()


def test_inputs_are_never_overwritten(hospital, run):
    before = Path("data/visits.csv").read_bytes()

    result = run(
        "anonymize", "-p", "policy.yaml", "-o", "data", "--key-file", "patients.key", "--force"
    )

    assert result.code == 2
    assert "is the table 'patients'. Choose another name" in result.stderr
    assert Path("data/visits.csv").read_bytes() == before
    mapping = run(*ANONYMIZE, "--mapping", "data/visits.csv", "--force")
    assert "is the table 'visits'" in mapping.stderr


def test_a_run_that_fails_leaves_no_folder(hospital, run):
    result = run(*KEYED, "--k", "50")

    assert result.code == 1
    assert not Path("release").exists()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("anonymize", "data/patients.csv", *KEYED[1:]), "Leave DATA out"),
        ((*KEYED, "--report", "report.html"), "--report is for one table"),
        ((*KEYED, "--neighbours"), "--neighbours is for one table"),
        ((*CHECK, "--original", "data/patients.csv"), "--original is for one table"),
        (("risk", "data/patients.csv", "-p", "policy.yaml"), "this policy is of several tables"),
        (
            ("attack", "data/patients.csv", "--original", "data/patients.csv", "-p", "policy.yaml"),
            "this policy is of several tables",
        ),
        (("check", "data/visits.csv", "-p", "policy.yaml"), "is not a folder"),
        (("check", ".", "-p", "policy.yaml"), "one file of the table 'patients'"),
        (("anonymize", "-p", "policy.yaml", "-o", "policy.yaml"), "is a file. With `tables`"),
        (("anonymize", "-p", "policy.yaml", "-o", "no/such"), "does not exist. Create it first"),
    ],
)
def test_what_does_not_fit_is_refused_in_a_sentence(hospital, run, arguments, message):
    result = run(*arguments)

    assert result.code == 2
    assert message in result.stderr


def test_one_table_still_needs_its_data(folder, run):
    result = run("anonymize", "-p", "policy.yaml", "-o", "release.csv")

    assert result.code == 2
    assert "Missing argument 'DATA'" in result.stderr


def test_a_table_whose_file_is_missing_is_named(hospital, run):
    Path("data/visits.csv").unlink()

    result = run(*KEYED)

    assert result.code == 2
    assert "visits.csv: there is no such file" in result.stderr
    assert not Path("release").exists()
