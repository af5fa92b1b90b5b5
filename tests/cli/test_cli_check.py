"""`shoal check`: a good release passes, and every kind of bad one fails."""

from __future__ import annotations

import gzip
import json
from datetime import datetime
from pathlib import Path
from xml.etree import ElementTree

import polars as pl
import pytest


@pytest.fixture
def release(folder, run) -> Path:
    run("anonymize", "patients.csv", "-p", "policy.yaml", "-o", "release.csv", "--json", "--quiet")
    return Path("release.csv")


@pytest.fixture
def check(run):
    def check(name: object, *arguments: object):
        result = run("check", name, "-p", "policy.yaml", "--json", *arguments)
        return result.code, json.loads(result.stdout)

    return check


def test_a_release_passes_with_every_promised_key(release, check):
    code, verdict = check(release)

    assert code == 0
    assert verdict.keys() >= {"rows", "groups", "holds", "privacy", "leaks"}
    assert (verdict["rows"], verdict["holds"], verdict["leaks"]) == (6, True, [])
    assert verdict["privacy"][0].keys() == {"model", "column", "required", "achieved", "holds"}


def test_without_json_the_verdict_is_printed(release, run):
    result = run("check", release, "-p", "policy.yaml")

    assert result.code == 0
    assert "k-anonymity" in result.stdout


def tampered(path: Path, ending: str) -> Path:
    """The release with the age of its first record put in the clear."""
    frame = pl.read_csv(path, separator=";", infer_schema=False)
    frame[0, "age"] = "31"
    target = path.with_name(f"tampered.{ending}")
    if ending == "parquet":
        frame.write_parquet(target)
    elif ending == "csv":
        frame.write_csv(target)
    else:
        target.write_bytes(gzip.compress(frame.write_csv().encode()))
    return target


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet"])
def test_a_release_that_was_tampered_with_fails(release, check, ending):
    code, verdict = check(tampered(release, ending))

    assert code == 1
    assert verdict["holds"] is False
    assert verdict["privacy"][0]["achieved"] == 1


def test_one_record_taken_out_of_a_group_of_k_fails(folder, run, check):
    run("anonymize", "patients.csv", "-p", "policy.yaml", "-o", "release.csv", "--k", 3, "--json")
    lines = Path("release.csv").read_text().splitlines()
    Path("release.csv").write_text("\n".join(lines[:-1]) + "\n")
    Path("policy.yaml").write_text(Path("policy.yaml").read_text().replace("k: 2", "k: 3"))

    code, verdict = check("release.csv")

    assert code == 1
    assert verdict["privacy"][0]["achieved"] == 2


def test_the_original_itself_fails_for_its_groups_and_its_withheld_columns(folder, check):
    code, verdict = check("patients.csv")

    assert code == 1
    assert {(leak["kind"], leak["column"], leak["count"]) for leak in verdict["leaks"]} == {
        ("withheld column", "name", 6),
        ("withheld column", "note", 6),
        ("rare value", "age", 6),
        ("rare value", "zip", 3),
    }


@pytest.mark.parametrize("column", ["name", "note"])
def test_an_identifier_or_dropped_column_left_in_fails_although_the_groups_hold(
    release, check, column
):
    frame = pl.read_csv(release, separator=";", infer_schema=False)
    frame.with_columns(pl.lit("x").alias(column)).write_csv("leaking.csv")

    code, verdict = check("leaking.csv")

    assert code == 1
    assert verdict["privacy"][0]["holds"] is True
    assert verdict["leaks"] == [{"kind": "withheld column", "column": column, "count": 6}]


def test_a_sensitive_column_with_too_few_values_fails(release, check):
    with Path("policy.yaml").open("a") as file:
        file.write("  - {model: distinct-l-diversity, column: disease, l: 4}\n")

    code, verdict = check(release)

    assert code == 1
    assert [finding["holds"] for finding in verdict["privacy"]] == [True, False]


def test_two_ways_to_write_missing_are_one_value(folder, check):
    lines = ["age;zip;work;disease;visits", "*;*;*;?;1", "*;*;*;;2"]
    Path("release.csv").write_text("\n".join(lines) + "\n")
    with Path("policy.yaml").open("a") as file:
        file.write("  - {model: distinct-l-diversity, column: disease, l: 2}\n")
        file.write("missing_values: ['', '?']\n")

    assert check("release.csv")[0] == 1


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ("age;zip;work;disease", "'visits' is not in the release"),
        ("age;zip;work;diseas;visits", "did you mean 'diseas'?"),
        ("age;zip;work;disease;visits;x", "a column 'x' that the policy does not name"),
        ("age;zip;work;disease;age", "have the same name"),
    ],
)
def test_a_release_with_other_columns_is_bad_input(folder, run, header, message):
    row = ";".join("*" for _ in header.split(";"))
    Path("release.csv").write_text(f"{header}\n{row}\n{row}\n")

    result = run("check", "release.csv", "-p", "policy.yaml", "--json")

    assert result.code == json.loads(result.stdout)["error"]["code"] == 2
    assert message in result.stderr


@pytest.mark.parametrize("content", ["", "age;zip;work;disease;visits\n"])
def test_a_release_without_records_is_bad_input(folder, run, content):
    Path("release.csv").write_text(content)

    assert run("check", "release.csv", "-p", "policy.yaml").code == 2


# the order of the original


def ordered_table() -> str:
    """Ages that descend while visits do not: sorting by cells changes the order."""
    rows = [f"n{i};{60 - i};02139;nurse;d{i * 7 % 5};{i * 7 % 11};x" for i in range(20)]
    return "\n".join(["name;age;zip;work;disease;visits;note", *rows]) + "\n"


@pytest.mark.parametrize("suppression", ["0", "0.2"])
@pytest.mark.parametrize("order", ["input", "published"])
def test_the_order_of_the_original_is_found_where_it_was_kept(
    folder, run, check, order, suppression
):
    Path("patients.csv").write_text(ordered_table())
    with Path("policy.yaml").open("a") as file:
        file.write(f"order: {order}\nsuppression: {suppression}\n")
    run("anonymize", "patients.csv", "-p", "policy.yaml", "-o", "release.csv", "--json")

    code, verdict = check("release.csv", "--original", "patients.csv")

    kinds = [leak["kind"] for leak in verdict["leaks"]]
    assert (code, kinds) == ((1, ["order of the original"]) if order == "input" else (0, []))


def test_the_order_is_found_in_parquet_too(folder, run, check):
    Path("patients.csv").write_text(ordered_table())
    with Path("policy.yaml").open("a") as file:
        file.write("order: input\n")
    run("anonymize", "patients.csv", "-p", "policy.yaml", "-o", "release.parquet", "--json")

    assert check("release.parquet", "--original", "patients.csv")[0] == 1


def test_the_order_of_a_parquet_original_is_found_in_a_csv_release(folder, run, check):
    days = [datetime(2020, 1, 1 + i * 7 % 20, 12) for i in range(20)]
    pl.DataFrame({"age": range(20, 0, -1), "day": days}).write_parquet("patients.parquet")
    Path("policy.yaml").write_text(
        "columns: {age: quasi, day: keep}\nprivacy: [{model: k-anonymity, k: 2}]\norder: input\n"
    )
    arguments = ("patients.parquet", "-p", "policy.yaml", "-o", "release.csv", "--json")
    assert run("anonymize", *arguments).code == 0

    assert check("release.csv", "--original", "patients.parquet")[0] == 1


@pytest.mark.parametrize("values", [[[1], [2], [3], [4]], [b"\xff", b"1", b"2", b"3"]], ids=str)
def test_the_order_is_looked_for_in_nested_and_binary_columns(folder, run, check, values):
    pl.DataFrame({"age": ["2", "2", "1", "1"], "x": values}).write_parquet("release.parquet")
    Path("policy.yaml").write_text(
        "columns: {age: quasi, x: keep}\nprivacy: [{model: k-anonymity, k: 2}]\n"
    )

    assert check("release.parquet", "--original", "release.parquet")[0] == 1


def test_an_original_that_is_not_there_is_bad_input(release, run):
    result = run("check", release, "-p", "policy.yaml", "--original", "patient.csv")

    assert result.code == 2
    assert "'patients.csv'" in result.stderr


# junit


def test_junit_of_a_good_release_is_well_formed_and_without_failures(release, run):
    result = run("check", release, "-p", "policy.yaml", "--json", "--junit", "result.xml")

    suite = ElementTree.parse("result.xml").getroot()
    assert result.code == 0
    assert (suite.tag, suite.get("tests"), suite.get("failures")) == ("testsuite", "1", "0")
    assert suite.find("testcase").get("name").startswith("k-anonymity")


def test_junit_of_a_bad_release_names_every_failure(folder, run):
    result = run("check", "patients.csv", "-p", "policy.yaml", "--json", "--junit", "result.xml")

    suite = ElementTree.parse("result.xml").getroot()
    assert result.code == 1
    assert (suite.get("tests"), suite.get("failures")) == ("5", "5")
    assert len(suite.findall("testcase/failure")) == 5


def test_junit_of_odd_names_is_well_formed(folder, run):
    Path("a&b<.csv").write_text('"x<&>""";y\n1;2\n1;2\n')
    Path("policy.yaml").write_text(
        "columns: {'x<&>\"': quasi, y: sensitive}\n"
        "privacy: [{model: k-anonymity, k: 2}, {model: distinct-l-diversity, column: y, l: 2}]\n"
    )

    result = run("check", "a&b<.csv", "-p", "policy.yaml", "--json", "--junit", "result.xml")

    assert result.code == 1
    assert ElementTree.parse("result.xml").getroot().get("name") == "shoal check a&b<.csv"


@pytest.mark.parametrize("name", ["release.csv", "policy.yaml", "patients.csv", "work.csv"])
def test_junit_overwrites_none_of_what_was_read(release, run, name):
    before = Path(name).read_bytes()

    arguments = ("--original", "patients.csv", "--junit", name, "--json")
    result = run("check", release, "-p", "policy.yaml", *arguments)

    assert result.code == 2
    assert Path(name).read_bytes() == before


def test_junit_that_cannot_be_written_is_bad_input(release, run):
    result = run("check", release, "-p", "policy.yaml", "--json", "--junit", "nowhere/result.xml")

    assert result.code == 2
    assert "does not exist" in result.stderr
