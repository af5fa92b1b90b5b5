"""`shoal anonymize`: exit codes, what is printed, what is written, and what is refused."""

from __future__ import annotations

import csv
import json
import os
import resource
import stat
from pathlib import Path

import polars as pl
import pytest

from tiers import part

PATIENTS = """\
name;age;zip;work;disease;visits;note
a;31;1;nurse;5;6;7
b;38;2;cook;5;6;7
"""
ANONYMIZE = ("anonymize", "patients.csv", "-p", "policy.yaml")
SUMMARY_KEYS = {
    "shoal", "rows", "released", "suppressed", "groups", "algorithm", "options", "seed", "stopped",
    "privacy", "measures", "seconds", "peak_memory_mb", "output",
}  # fmt: skip
MEASURES = {"loss", "ncp", "il", "iloss", "dm", "cavg", "precision"}
STAGES = {"read", "compile", "encode", "group", "recode", "verify", "write"}


def test_json_is_one_object_with_every_promised_key_and_nothing_else(folder, start):
    process = start(*ANONYMIZE, "-o", "release.csv", "--json")
    out, err = process.communicate()

    assert process.returncode == 0
    summary = json.loads(out)
    assert summary.keys() >= SUMMARY_KEYS
    assert summary["measures"].keys() == MEASURES
    assert summary["seconds"].keys() == STAGES
    assert (summary["rows"], summary["released"], summary["suppressed"]) == (6, 6, 0)
    assert (summary["algorithm"], summary["options"]) == ("mondrian", {"strict": True})
    assert summary["output"] == "release.csv"
    assert summary["privacy"] == [
        {
            "model": "k-anonymity",
            "column": None,
            "required": {"k": 2},
            "achieved": summary["privacy"][0]["achieved"],
            "holds": True,
        }
    ]
    assert "reading the table" in err


def test_quiet_says_nothing_on_stderr(folder, run):
    assert run(*ANONYMIZE, "-o", "release.csv", "--json", "--quiet").stderr == ""


def test_without_json_the_verdict_is_printed_on_stdout(folder, run):
    result = run(*ANONYMIZE, "-o", "release.csv", "--quiet")

    assert result.code == 0
    assert "k-anonymity" in result.stdout
    assert "Wrote release.csv" in result.stdout


def test_delimiter_and_order_of_columns_are_kept_and_withheld_ones_are_gone(folder, run):
    run(*ANONYMIZE, "-o", "release.csv", "--json")

    lines = Path("release.csv").read_text().splitlines()
    assert lines[0] == "age;zip;work;disease;visits"
    assert len(lines) == 7


def test_kept_and_sensitive_cells_leave_as_they_came(folder, run):
    run(*ANONYMIZE, "-o", "release.csv", "--json")

    with Path("release.csv").open(newline="") as file:
        released = [(row["visits"], row["disease"]) for row in csv.DictReader(file, delimiter=";")]
    assert sorted(released) == sorted(
        [
            ("1.10", "Flu"),
            (" 2", "Cancer"),
            ('3"q', "Flu"),
            ("ü", "HIV"),
            ("", "Flu"),
            ("007", "Cancer"),
        ]
    )


@pytest.mark.parametrize(
    "name", ["release.csv", "release.csv.gz", "release.tsv", "release.parquet"]
)
def test_every_kind_of_release_passes_the_check(folder, run, name):
    assert run(*ANONYMIZE, "-o", name, "--json").code == 0

    result = run("check", name, "-p", "policy.yaml", "--json")

    assert result.code == 0
    assert json.loads(result.stdout)["holds"] is True


def test_a_parquet_table_is_anonymized_to_csv(folder, run):
    frame = pl.read_csv("patients.csv", separator=";", schema_overrides={"zip": pl.String})
    frame.write_parquet("patients.parquet")

    result = run(
        "anonymize", "patients.parquet", "-p", "policy.yaml", "-o", "release.csv", "--json"
    )

    assert result.code == 0
    assert Path("release.csv").read_text().startswith("age,zip,work,disease,visits\n")


def test_the_same_command_writes_the_same_file(folder, run):
    for name in ("first.csv", "second.csv"):
        run(*ANONYMIZE, "-o", name, "--json", "--seed", 3)

    assert Path("first.csv").read_bytes() == Path("second.csv").read_bytes()


def test_an_earlier_release_is_replaced_without_asking(folder, run):
    assert run(*ANONYMIZE, "-o", "release.csv", "--json").code == 0
    earlier = Path("release.csv").read_text()

    assert run(*ANONYMIZE, "-o", "release.csv", "--json", "--k", "6").code == 0
    assert Path("release.csv").read_text() != earlier


def test_options_of_the_command_overrule_the_policy(folder, run):
    result = run(
        *ANONYMIZE, "-o", "release.csv", "--json", "--k", 6, "--seed", 9, "--algorithm", "mondrian",
        "--threads", 1, "--delimiter", ";", "--encoding", "utf-8",
    )  # fmt: skip

    summary = json.loads(result.stdout)
    assert summary["privacy"][0]["required"] == {"k": 6}
    assert (summary["groups"], summary["seed"]) == (1, 9)


# what is refused


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["--k", "7"], 1, "k-anonymity needs at least 7 records"),
        (["--k", "0"], 2, "k must be a whole number, at least 1"),
        (["--k", "-2"], 2, "k must be a whole number, at least 1"),
        (["--k", "five"], 2, "not a valid integer"),
        (["--k", "2.5"], 2, "not a valid integer"),
        (["--algorithm", "mondrain"], 2, "did you mean 'mondrian'?"),
        (["--threads", "0"], 2, "--threads"),
        (["--encoding", "cp9999"], 2, "Unknown"),
        (["--encoding", "ascii"], 2, "line 5"),
        (["--delimiter", ","], 2, "is its delimiter another one"),
        (["--no-such-option"], 2, "No such option"),
        (["-o", "release.xls"], 2, "must end in .csv"),
        (["-o", "nowhere/release.csv"], 2, "does not exist"),
        (["-o", "folder.csv"], 2, "folder.csv"),
        (["-o", "patients.csv"], 2, "is the data"),
        (["-o", "./patients.csv"], 2, "is the data"),
        (["-o", "symlink.csv"], 2, "is the data"),
        (["-o", "hardlink.csv"], 2, "is the data"),
        (["-p", "policy.csv", "-o", "policy.csv"], 2, "is the policy"),
        (["-p", "nopolicy.yaml"], 2, "no such policy file"),
        (["-p", "."], 2, "directory"),
        (["--report", "patients.csv"], 2, "is the data"),
        (["--report", "release.csv"], 2, "is the release"),
        (["--report", "work.csv"], 2, "--force"),
        (["--report", "nowhere/report.html"], 2, "does not exist"),
    ],
    ids=str,
)
def test_what_cannot_be_done_is_refused_and_no_file_is_touched(
    folder, run, arguments, code, message
):
    Path("folder.csv").mkdir()
    Path("symlink.csv").symlink_to("patients.csv")
    os.link("patients.csv", "hardlink.csv")
    Path("policy.csv").write_text(Path("policy.yaml").read_text())
    Path("release.csv").write_text("earlier")
    before = {path: path.read_bytes() for path in Path().iterdir() if path.is_file()}

    force = [] if message == "--force" else ["--force"]
    result = run(*ANONYMIZE, "-o", "release.csv", "--json", *force, *arguments)

    assert result.code == json.loads(result.stdout)["error"]["code"] == code
    assert message in result.stderr
    assert {path: path.read_bytes() for path in Path().iterdir() if path.is_file()} == before


def test_a_hierarchy_of_the_policy_is_not_overwritten(folder, run):
    before = Path("work.csv").read_text()

    result = run(*ANONYMIZE, "-o", "work.csv", "--json")

    assert result.code == 2
    assert Path("work.csv").read_text() == before


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("", 2, "the file is empty"),
        ("name;age;zip;work;disease;visits;note\n", 2, "a header but no records"),
        ("name;age;zip;work;disease;visits;note\na;1;2;nurse\n", 2, "line 2: 4 fields"),
        ("name;age;zip;work;disease;visits;name\na;1;2;nurse;5;6;7\n", 2, "have the same name"),
        ("name;age;zip;work;disease;visits\na;1;2;nurse;5;6\n", 2, "line 8, columns.note"),
        ("name;age;zipp;work;disease;visits;note\na;1;2;nurse;5;6;7\n", 2, "did you mean 'zip'?"),
        ("name;age;zip;work;disease;visits;note;x\na;1;2;nurse;5;6;7;8\n", 2, "'x' of the data"),
        ("name;age;zip;work;disease;visits;note\na;1;2;nurse;5;6;7\n", 1, "has only 1 record"),
        (PATIENTS.replace("31", "young"), 2, "intervals need numbers"),
        (PATIENTS.replace("nurse", "pilot", 1), 2, "1 value (1 record)"),
    ],
)  # fmt: skip
def test_a_bad_table_is_refused_and_nothing_is_written(folder, run, text, code, message):
    Path("patients.csv").write_text(text)

    result = run(*ANONYMIZE, "-o", "release.csv", "--json")

    assert result.code == json.loads(result.stdout)["error"]["code"] == code
    assert message in result.stderr
    assert not Path("release.csv").exists()


def test_a_table_that_is_not_there_is_refused_and_the_nearest_name_offered(folder, run):
    result = run("anonymize", "patient.csv", "-p", "policy.yaml", "-o", "release.csv")

    assert result.code == 2
    assert "did you mean 'patients.csv'?" in result.stderr


def test_a_policy_that_cannot_be_met_has_exit_code_one(folder, run):
    with Path("policy.yaml").open("a") as file:
        file.write("  - {model: distinct-l-diversity, column: disease, l: 4}\n")

    result = run(*ANONYMIZE, "-o", "release.csv", "--json")

    assert result.code == json.loads(result.stdout)["error"]["code"] == 1
    assert "distinct-l-diversity cannot be satisfied" in result.stderr
    assert not Path("release.csv").exists()


@pytest.mark.parametrize("arguments", [[], ["bogus"], ["anonymize"], ["anonymize", "patients.csv"]])
def test_wrong_usage_has_exit_code_two(folder, run, arguments):
    assert run(*arguments).code == 2


@pytest.mark.parametrize("arguments", [["--help"], ["-h"], ["--version"], ["anonymize", "--help"]])
def test_help_and_version_have_exit_code_zero(run, arguments):
    result = run(*arguments)

    assert result.code == 0
    assert "shoal" in result.stdout


@pytest.mark.parametrize(
    ("command", "name"),
    [
        ("algorithms", "mondrian"),
        ("models", "k-anonymity"),
        ("metrics", "precision"),
        ("hierarchies", "intervals"),
    ],
)
def test_what_there_is_is_listed(run, command, name):
    result = run(command)

    assert result.code == 0
    assert name in result.stdout


# columns with one value or none


@pytest.mark.parametrize("value", ["", "7"])
def test_a_column_of_one_value_or_all_missing_is_allowed_with_a_note(folder, run, value):
    lines = ["name;age;zip;work;disease;visits;note"]
    lines += [f"n{i};{value};0213{i % 2};nurse;Flu;1;x" for i in range(4)]
    Path("patients.csv").write_text("\n".join(lines) + "\n")

    result = run(*ANONYMIZE, "-o", "release.csv", "--json")

    assert result.code == 0
    assert any("'age'" in note for note in json.loads(result.stdout)["notes"])


# how files are replaced


def test_a_linked_release_keeps_its_link_and_its_permissions(folder, run):
    Path("real").mkdir()
    Path("real/release.csv").write_text("earlier")
    Path("real/release.csv").chmod(0o640)
    Path("release.csv").symlink_to("real/release.csv")

    assert run(*ANONYMIZE, "-o", "release.csv", "--json", "--force").code == 0

    assert Path("release.csv").is_symlink()
    assert Path("real/release.csv").read_text() != "earlier"
    assert stat.S_IMODE(Path("real/release.csv").stat().st_mode) == 0o640
    assert [path.name for path in Path("real").iterdir()] == ["release.csv"]


def test_a_link_to_a_device_is_refused(folder, run):
    Path("release.csv").symlink_to("/dev/full")

    result = run(*ANONYMIZE, "-o", "release.csv", "--json")

    assert result.code == 2
    assert "is not a file" in result.stderr


@pytest.mark.parametrize("name", part(["release.csv", "release.csv.gz", "release.parquet"], 1))
def test_a_full_disk_leaves_the_old_file_and_no_draft(folder, start, name):
    lines = ["name;age;zip;work;disease;visits;note"]
    lines += [f"n{i};{i % 90};{i % 77:05};nurse;Flu;{i * 7919};x" for i in range(5000)]
    Path("patients.csv").write_text("\n".join(lines) + "\n")
    Path(name).write_text("earlier")

    def limit_file_size() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))

    process = start(
        *ANONYMIZE, "-o", name, "--json", "--quiet", "--force", preexec_fn=limit_file_size
    )
    out, err = process.communicate()

    assert process.returncode == json.loads(out)["error"]["code"] == 2
    assert "cannot be written" in err
    assert Path(name).read_text() == "earlier"
    assert {path.name for path in Path().iterdir()} == {
        "patients.csv", "policy.yaml", "work.csv", name,
    }  # fmt: skip


def test_a_report_is_written_beside_the_release_and_may_be_replaced(folder, run):
    for _ in range(2):
        assert run(*ANONYMIZE, "-o", "release.csv", "--report", "report.html", "--json").code == 0

    assert "<html" in Path("report.html").read_text()


def test_a_report_replaces_another_file_with_force(folder, run):
    Path("report.html").write_text("somebody's page")
    arguments = (*ANONYMIZE, "-o", "release.csv", "--report", "report.html", "--json")

    assert run(*arguments).code == 2
    assert Path("report.html").read_text() == "somebody's page"
    assert run(*arguments, "--force").code == 0
    assert "<html" in Path("report.html").read_text()


def test_a_reader_that_goes_away_does_not_mean_that_the_policy_is_not_met(folder, start):
    reading, writing = os.pipe()
    os.close(reading)

    process = start(*ANONYMIZE, "-o", "release.csv", "--json", "--quiet", stdout=writing)
    os.close(writing)

    process.communicate()
    assert process.returncode != 1


def test_a_summary_that_cannot_be_printed_does_not_deny_the_release(folder, start):
    with Path("/dev/full").open("w") as full:
        process = start(*ANONYMIZE, "-o", "release.csv", "--json", "--quiet", stdout=full)
        _, err = process.communicate()

    assert Path("release.csv").exists()
    assert "Nothing was released" not in err


def test_suppressing_every_record_ends_with_an_exit_code(folder, start):
    text = Path("policy.yaml").read_text().replace("work.csv", "{tree: [pilot]}")
    Path("policy.yaml").write_text(text + "unknown: suppress\nsuppression: 1\n")

    process = start(*ANONYMIZE, "-o", "release.csv", "--json", "--quiet")
    process.communicate()

    assert process.returncode in (0, 1)
