"""Dossiers and public policies that `anonymize` writes and `check` compares."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner

from cli.conftest import PATIENTS, POLICY, WORK
from shoal.cli import cli
from shoal.report.dossier.embedded import read_dossier

MAKE = ("anonymize", "patients.csv", "-p", "policy.yaml", "-o", "release.csv", "--quiet")
BOTH = ("--report", "in.html", "--report", "in.json", "--report-external", "out.html",
        "--report-external", "out.json", "--public-policy", "policy.public.yaml")  # fmt: skip

FILES = {"patients.csv": PATIENTS, "policy.yaml": POLICY, "work.csv": WORK}


def digest(path: str) -> str:
    return hashlib.sha256(Path(path).read_bytes()).hexdigest()


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A folder with a release and everything that is about it, and what was printed."""
    folder = tmp_path_factory.mktemp("finished")
    for name, text in FILES.items():
        (folder / name).write_text(text)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        result = CliRunner().invoke(cli, [*MAKE, *BOTH])
    assert result.exit_code == 0
    return folder, result.stdout


@pytest.fixture
def made(finished, tmp_path, monkeypatch) -> str:
    """The current folder is a copy of it; what was printed."""
    folder, printed = finished
    copy = shutil.copytree(folder, tmp_path / "made")
    monkeypatch.chdir(copy)
    return printed


def test_one_command_writes_page_and_twin_for_inside_and_outside(made):
    for page, twin in (("in.html", "in.json"), ("out.html", "out.json")):
        assert read_dossier(Path(page)) == json.loads(Path(twin).read_text())
    assert "Wrote release.csv, in.html, in.json, out.html, out.json and policy.public" in made


def test_the_dossier_has_the_digest_of_every_file(made):
    files = {(f["what"], f["name"]): f["sha256"] for f in read_dossier(Path("in.json"))["files"]}

    assert files == {
        ("input", "patients.csv"): digest("patients.csv"),
        ("policy", "policy.yaml"): digest("policy.yaml"),
        ("named by the policy", "work.csv"): digest("work.csv"),
        ("release", "release.csv"): digest("release.csv"),
    }


def test_the_command_is_kept_without_folders(folder, run):
    run(*MAKE[:-2], folder / "release.csv", "--quiet", "--report", folder / "in.json", "--k", "3")

    facts = read_dossier(Path("in.json"))
    assert facts["command"] == (
        "shoal anonymize patients.csv -p policy.yaml -o release.csv --quiet --report in.json --k 3"
    )
    assert str(folder) not in json.dumps(facts)


def test_no_name_is_in_any_file_that_is_for_others(made):
    for path in ("in.html", "out.html", "policy.public.yaml"):
        text = Path(path).read_text()
        assert not [name for name in ("Bob", "Cem", "Dee", "02141", "two\nlines") if name in text]


def test_the_report_is_not_needed(folder, run):
    result = run(*MAKE)

    assert result.code == 0
    assert "Wrote release.csv." in result.stdout
    assert sorted(p.name for p in folder.iterdir()) == [
        "patients.csv", "policy.yaml", "release.csv", "releases.jsonl", "work.csv"
    ]  # fmt: skip


# files that would be lost


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--report", "patients.csv", "--force"), "patients.csv is the data"),
        (("--report-external", "policy.yaml", "--force"), "policy.yaml is the policy"),
        (("--public-policy", "policy.yaml", "--force"), "policy.yaml is the policy"),
        (
            ("--public-policy", "work.csv", "--force"),
            "work.csv is work.csv, which the policy reads",
        ),
        (("--report", "release.csv"), "release.csv is the release"),
        (("--report", "a.html", "--report-external", "a.html"), "a.html is the report"),
        (("--report", "a.html", "--report", "a.html"), "a.html is the report"),
        (("--report", "mine.json"), "mine.json exists"),
        (("--public-policy", "mine.yaml"), "mine.yaml exists"),
    ],
)
def test_no_file_is_written_over(folder, run, options, words):
    for name in ("mine.json", "mine.yaml"):
        Path(name).write_text("{}")
    before = {path: path.read_bytes() for path in folder.iterdir()}

    result = run(*MAKE, *options)

    assert result.code == 2
    assert words in result.stderr
    assert {path: path.read_bytes() for path in folder.iterdir()} == before


def test_what_an_earlier_run_wrote_is_replaced(made, run):
    assert run(*MAKE, *BOTH).code == 0


def test_a_policy_that_nobody_can_check_is_refused_before_anything_is_written(folder, run):
    Path("people.csv").write_text(Path("patients.csv").read_text())
    rules = (
        Path("policy.yaml")
        .read_text()
        .replace("{model: k-anonymity, k: 2}", "{model: k-map, k: 2, population: people.csv}")
    )
    Path("policy.yaml").write_text(rules)

    result = run(*MAKE, "--public-policy", "policy.public.yaml")

    assert result.code == 2
    assert "nothing that anybody could check" in result.stderr
    assert not Path("release.csv").exists()


@pytest.mark.parametrize("option", ["--report", "--report-external", "--public-policy"])
def test_several_tables_have_no_dossier(folder, run, option):
    Path("tables.yaml").write_text("tables: {}\n")

    result = run("anonymize", "-p", "tables.yaml", "-o", "out", option, "x.html")

    assert result.code == 2
    assert f"{option} is for one table" in result.stderr


# is this dossier of this file?


@pytest.mark.parametrize("dossier", ["in.html", "in.json", "out.html", "out.json"])
def test_a_dossier_is_of_its_release_without_any_policy(made, run, dossier):
    result = run("check", "release.csv", "--report", dossier)

    assert result.code == 0
    assert f"The dossier {dossier} is of this file" in result.stdout
    assert "Verified" in result.stdout


def test_a_policy_may_be_given_too(made, run):
    result = run("check", "release.csv", "-p", "policy.yaml", "--report", "in.html", "--json")

    assert result.code == 0
    found = json.loads(result.stdout)
    assert found["holds"]
    assert found["dossier"]["holds"]
    assert len(found["dossier"]["agrees"]) == 3


def test_another_file_is_told(made, run):
    Path("other.csv").write_text(Path("release.csv").read_text() + "\n")

    result = run("check", "other.csv", "--report", "out.html")

    assert result.code == 1
    assert "is NOT of this file, or was changed" in result.stdout
    assert "the SHA-256 differs" in result.stdout


def test_figures_that_were_edited_are_told(made, run):
    facts = json.loads(Path("in.json").read_text())
    facts["groups"] += 1
    facts["sizes"]["smallest"] = 99
    Path("in.json").write_text(json.dumps(facts))

    result = run("check", "release.csv", "--report", "in.json", "--json")

    assert result.code == 1
    differs = json.loads(result.stdout)["dossier"]["differs"]
    assert [text for text in differs if "99 for the smallest group" in text]
    assert [text for text in differs if "for the groups" in text]


def test_a_page_that_was_edited_is_told(made, run):
    page = Path("in.html").read_text()
    Path("in.html").write_text(page.replace("Verified: every record", "Verified: each record", 1))

    result = run("check", "release.csv", "--report", "in.html")

    assert result.code == 1
    assert "The text of the page was changed after it was made." in result.stdout


def test_a_dossier_without_a_digest_is_of_no_file(made, run):
    facts = json.loads(Path("in.json").read_text()) | {"files": []}
    Path("in.json").write_text(json.dumps(facts))

    result = run("check", "release.csv", "--report", "in.json")

    assert result.code == 1
    assert "does not say which file" in result.stdout


@pytest.mark.parametrize(
    "policy",
    [
        {"columns": {"age": {"role": "quasi", "hierarchy": "secret.csv"}}, "privacy": []},
        {
            "columns": {"age": "quasi"},
            "privacy": [{"model": "k-map", "k": 2, "population": "x.csv"}],
        },
        {"columns": {"age": "quasi"}, "privacy": [{"model": "k-anonymity", "k": 2}], "person": "x"},
        {"columns": 5},
        [],
    ],
)
def test_a_policy_in_a_dossier_reads_no_file(made, run, policy):
    Path("secret.csv").write_text("1;2;*\n")
    facts = json.loads(Path("in.json").read_text()) | {"policy": {"keys": policy, "left_out": []}}
    Path("in.json").write_text(json.dumps(facts))

    result = run("check", "release.csv", "--report", "in.json")

    assert result.code == 2
    assert "not one that Shoal writes" in result.stderr


def test_a_file_that_is_not_a_dossier_is_refused(made, run):
    result = run("check", "release.csv", "--report", "patients.csv")

    assert result.code == 2
    assert "patients.csv is not a dossier of Shoal" in result.stderr


def test_a_check_needs_a_policy_or_a_dossier(made, run):
    result = run("check", "release.csv")

    assert result.code == 2
    assert "Give a policy (-p), or a dossier" in result.stderr


# the public policy


def test_anybody_can_check_with_the_public_policy(made, run):
    result = run("check", "release.csv", "-p", "policy.public.yaml")

    assert result.code == 0
    text = Path("policy.public.yaml").read_text()
    assert "k-anonymity, k: 2" in text
    assert not [word for word in ("name", "note", "work.csv", "nurse", "intervals", "seed:")
                if f" {word}" in text.replace("It names", "")]  # fmt: skip


def test_the_public_policy_fails_a_release_that_does(made, run):
    lines = Path("release.csv").read_text().splitlines(keepends=True)
    Path("release.csv").write_text("".join(lines[:-2]))  # of three nurses one is left

    assert run("check", "release.csv", "-p", "policy.public.yaml").code == 1


def test_the_public_policy_refuses_a_column_that_leaked(made, run):
    lines = Path("release.csv").read_text().splitlines()
    leaked = [f"{line};{'name' if i == 0 else f'Ann {i}'}" for i, line in enumerate(lines)]
    Path("leaked.csv").write_text("\n".join(leaked) + "\n")

    result = run("check", "leaked.csv", "-p", "policy.public.yaml")

    assert result.code == 2
    assert "'name' that the policy does not name" in result.stderr
