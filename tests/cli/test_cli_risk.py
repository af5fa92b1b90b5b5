"""`shoal risk`: figures on stdout, progress on stderr, exit codes, and no cell anywhere."""

from __future__ import annotations

import json
import signal
from pathlib import Path

import numpy as np
import polars as pl
import pytest

SECRET = "xyzzy"
PEOPLE = "age;zip;work\n31;02139;nurse\n31;02139;nurse\n38;02138;cook\n"
TABLE_KEYS = {
    "rows",
    "groups",
    "unique",
    "prosecutor",
    "journalist",
    "fewer_in_population",
    "marketer",
    "columns",
    "combinations",
}


@pytest.fixture
def risk(folder, run):
    """Runs the command; gives the JSON object."""
    Path("people.csv").write_text(PEOPLE)

    def risk(*arguments: object):
        result = run("risk", "patients.csv", "-p", "policy.yaml", "--json", *arguments)
        assert (result.code, result.stderr) == (0, "")
        return json.loads(result.stdout)

    return risk


def test_json_has_every_documented_key(risk):
    found = risk()

    assert found.keys() == {
        "quasi",
        "threshold",
        "population",
        "combinations",
        "data",
        "release",
        "estimates",
        "fewer_records",
        "notes",
    }
    assert found["quasi"] == ["age", "zip", "work"]
    assert (found["threshold"], found["population"], found["release"]) == (0.09, None, None)
    assert found["combinations"] == {
        "counted": 7,
        "left_out": 0,
        "left_out_by_size": {"2": 0, "3": 0},
        "contribution_size": 3,
    }
    data = found["data"]
    assert data.keys() == TABLE_KEYS
    assert data["unique"] == {"records": 6, "share": 1.0}
    assert data["prosecutor"].keys() == {"highest", "average", "at_risk"}
    assert data["marketer"] == {"average": 1.0, "records": 6.0}
    column = data["columns"][0]
    assert column.keys() == {"column", "contribution", "contribution_share", "left_out"}
    assert column["left_out"].keys() == {"groups", "average", "unique", "at_risk"}
    assert len(data["combinations"]) == 7
    assert data["combinations"][0].keys() == {"columns", "groups", "average", "unique", "at_risk"}


def test_the_release_and_the_population_are_read_too(risk, run):
    run("anonymize", "patients.csv", "-p", "policy.yaml", "-o", "release.csv", "--quiet")

    found = risk("--release", "release.csv", "--population", "people.csv")

    assert (found["fewer_records"], found["population"]) == (0, 3)
    assert found["release"].keys() == TABLE_KEYS
    assert found["release"]["unique"] == {"records": 0, "share": 0.0}
    # Two people of the population fit Ann, one fits Bob and nobody the four others.
    assert found["data"]["journalist"]["average"] == pytest.approx((1 / 2 + 1 + 4) / 6)
    assert found["data"]["fewer_in_population"] == 4


def test_people_are_counted_where_the_policy_says_whose_records_they_are(risk, run):
    policy = Path("policy.yaml").read_text()
    Path("policy.yaml").write_text(f"person: name\n{policy}")
    lines = Path("patients.csv").read_text()
    Path("patients.csv").write_text(f"{lines}Ann;31;02139;nurse;Cancer;2;x\n")
    Path("release.csv").write_text("age;zip;work;disease;visits\n" + "*;*;*;Flu;1\n" * 7)

    found = risk("--release", "release.csv")

    assert found["data"].keys() == TABLE_KEYS | {"counted", "people"}
    assert (found["data"]["rows"], found["data"]["people"]) == (7, 6)
    assert found["data"]["unique"] == {"people": 6, "share": 1.0}
    assert found["data"]["marketer"] == {"average": 1.0, "people": 6.0}
    assert found["release"].keys() == TABLE_KEYS | {"counted"}
    assert found["release"]["counted"] == "records"
    printed = run("risk", "patients.csv", "-p", "policy.yaml", "--quiet").stdout
    assert "6 of 6 people (100%) are unique" in printed


def test_options_reach_the_figures(risk):
    found = risk("--threshold", "1", "--most-combinations", "4", "--threads", "1")

    assert found["data"]["prosecutor"]["at_risk"] == {"records": 0, "share": 0.0}
    assert found["combinations"]["left_out_by_size"] == {"2": 2, "3": 1}
    assert any(
        "2 pairs and 1 triple of columns were not evaluated" in note for note in found["notes"]
    )


def test_the_text_is_on_stdout_and_the_progress_on_stderr(risk, run):
    result = run("risk", "patients.csv", "-p", "policy.yaml", "--top", "2")

    assert result.code == 0
    assert "6 of 6 records (100%) are unique" in result.stdout
    assert "and 5 more combinations" in result.stdout
    assert "counting unique records" in result.stderr
    quiet = run("risk", "patients.csv", "-p", "policy.yaml", "--quiet", "--top", "0")
    assert quiet.stderr == ""
    assert "combinations that identify" not in quiet.stdout


BAD = {
    "no such file": (["nobody.csv"], "nobody.csv"),
    "no population": (["--population", "nobody.csv"], "nobody.csv"),
    "threshold of nothing": (["--threshold", "0"], "--threshold"),
    "threshold of nan": (["--threshold", "nan"], "threshold"),
    "threshold above one": (["--threshold", "1.5"], "--threshold"),
    "no combinations": (["--most-combinations", "0"], "--most-combinations"),
    "column of the population": (["--population", "few.csv"], "did you mean 'works'?"),
    "longer release": (["--release", "long.csv"], "7 records, but the original has only 6"),
    "column of the release": (["--release", "people.csv"], "'disease' is not in the release"),
    "column of the data": (["people.csv"], "'name' is not in the data"),
    "no records": (["empty.csv"], "no records"),
}


@pytest.mark.parametrize("what", BAD)
def test_bad_input_ends_with_two_and_says_what_is_wrong(risk, run, what):
    arguments, said = BAD[what]
    Path("few.csv").write_text("age;zip;works\n1;2;3\n")
    rows = "31;02139;nurse;Flu;1\n" * 7
    Path("long.csv").write_text("age;zip;work;disease;visits\n" + rows)
    Path("empty.csv").write_text("name;age;zip;work;disease;visits;note\n")
    data = [] if arguments[0].startswith("-") else [arguments.pop(0)]

    result = run("risk", *(data or ["patients.csv"]), "-p", "policy.yaml", "--quiet", *arguments)

    assert result.code == 2
    assert said in result.stderr
    assert result.stdout == ""


def test_no_cell_is_shown_in_any_way_of_telling(folder, run):
    lines = [";".join(f"{SECRET}-{column}-{i}" for column in "abc") for i in range(6)]
    Path("secret.csv").write_text("\n".join(["a;b;c", *lines, lines[0], ""]))
    Path("people.csv").write_text("\n".join(["a;b;c", *lines, f"{SECRET};{SECRET};{SECRET}", ""]))
    roles = "columns: {a: quasi, b: quasi, c: quasi}\nprivacy: [{model: k-anonymity, k: 2}]\n"
    Path("secret.yaml").write_text(roles)
    run("anonymize", "secret.csv", "-p", "secret.yaml", "-o", "release.csv", "--quiet")
    beside = ["--population", "people.csv", "--release", "release.csv"]

    for arguments in ([], ["--json"], beside, [*beside, "--json"], ["--release", "people.csv"]):
        result = run("risk", "secret.csv", "-p", "secret.yaml", *arguments)

        assert result.code == 0
        assert SECRET not in result.stdout + result.stderr


def test_an_interrupt_ends_a_long_count(folder, start):
    rng = np.random.default_rng(0)
    names = [f"c{i}" for i in range(40)]
    pl.DataFrame({name: rng.integers(0, 50, 20_000) for name in names}).write_csv("wide.csv")
    columns = ", ".join(f"{name}: quasi" for name in names)
    Path("wide.yaml").write_text(
        f"columns: {{{columns}}}\nprivacy: [{{model: k-anonymity, k: 2}}]\n"
    )

    # It says on a line of its own when counting begins.
    first = (
        "from shoal.runs import risk\n"
        "count = risk.survey_all\n"
        "def told(*arguments): print('counting', flush=True); return count(*arguments)\n"
        "risk.survey_all = told\n"
    )
    many = ["--most-combinations", 10**6, "--quiet", "--threads", 1]
    process = start("risk", "wide.csv", "-p", "wide.yaml", *many, first=first)
    assert process.stdout.readline() == "counting\n"
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate()

    assert process.returncode == 130
    assert "interrupted" in stderr
