"""`--earlier` and the registry on the command line."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

REGISTRY = "releases.jsonl"


@pytest.fixture
def released(folder, run):
    """Two releases of the patients, the second at levels that are higher or the same."""
    for name, k in (("low", 2), ("high", 6)):
        code = run("anonymize", "patients.csv", "-p", "policy.yaml", "-o", f"{name}.csv",
                   "--algorithm", "flash", "--k", k, "--no-registry").code  # fmt: skip
        assert code == 0
    return folder


def anonymize(run, *more, output="release.csv"):
    return run("anonymize", "patients.csv", "-p", "policy.yaml", "-o", output, *more)


def test_a_finer_release_passes_together_with_a_coarser_one(released, run):
    result = anonymize(run, "--algorithm", "flash", "--earlier", "high.csv", "--json")

    assert result.code == 0
    assert Path("release.csv").read_bytes() == Path("low.csv").read_bytes()
    facts = json.loads(result.stdout)
    assert [one.get("releases", 1) for one in facts["privacy"]] == [1, 2]
    assert any("Verified together with 1 earlier release" in note for note in facts["notes"])


def test_more_than_the_earlier_release_promised_cannot_be_promised(released, run):
    result = anonymize(run, "--algorithm", "flash", "--k", 6, "--earlier", "low.csv")

    assert result.code == 1
    assert "The earlier release low.csv does not satisfy this policy by itself" in result.stderr
    assert not Path("release.csv").exists()


def test_a_release_that_fails_together_is_not_written(released, run):
    Path("release.csv").write_text("old")

    result = anonymize(run, "--algorithm", "k-member", "--earlier", "low.csv", "--force")

    assert result.code == 1
    assert "cannot be satisfied together with the earlier release low.csv" in result.stderr
    assert Path("release.csv").read_text() == "old"
    assert not Path(REGISTRY).exists()


def test_check_judges_releases_together(released, run):
    arguments = ("check", "high.csv", "-p", "policy.yaml", "--original", "patients.csv")

    together = run(*arguments, "--earlier", "low.csv", "--json")

    assert together.code == 0
    assert [one.get("releases", 1) for one in json.loads(together.stdout)["privacy"]] == [1, 2]


def test_check_needs_the_original(released, run):
    result = run("check", "high.csv", "-p", "policy.yaml", "--earlier", "low.csv")

    assert result.code == 2
    assert "--earlier needs --original" in result.stderr


def test_attack_tries_all_releases(released, run):
    arguments = ("attack", "high.csv", "-p", "policy.yaml", "--original", "patients.csv")

    as_json = run(*arguments, "--earlier", "low.csv", "--json")
    as_text = run(*arguments, "--earlier", "low.csv")

    (found,) = json.loads(as_json.stdout)["intersection"]
    assert len(found["certain_alone"]) == 2
    assert "Intersection: do several releases tell more" in as_text.stdout
    assert "intersection" not in json.loads(run(*arguments, "--json").stdout)


def test_a_second_release_is_noticed_in_the_terminal_the_page_and_the_json(folder, run):
    first = anonymize(run, output="first.csv")
    second = anonymize(run, "--k", 4, "--report", "page.html", "--json", output="second.csv")
    again = anonymize(run, "--k", 4, "--earlier", "first.csv", output="third.csv")

    assert first.code == second.code == 0
    (note,) = [n for n in json.loads(second.stdout)["notes"] if "released before" in n]
    assert "as first.csv" in note
    assert "still where it was written" in note
    assert str(folder) not in note
    assert "released before" in Path("page.html").read_text()
    assert "released before" not in first.stdout
    assert "first.csv" in again.stdout + again.stderr


def test_a_release_that_is_gone_is_noticed_too(folder, run):
    anonymize(run, output="first.csv")
    Path("first.csv").unlink()

    second = anonymize(run, "--k", 4, "--json", output="second.csv")

    assert "no longer where it was written" in json.loads(second.stdout)["notes"][-1]


def test_the_registry_lies_with_the_data_and_can_be_chosen_or_left_out(folder, run):
    Path("out").mkdir()
    anonymize(run, output="out/release.csv")
    assert Path(REGISTRY).stat().st_mode & 0o777 == 0o600
    Path(REGISTRY).unlink()

    anonymize(run, "--no-registry")
    assert not Path(REGISTRY).exists()

    anonymize(run, "--registry", "out/mine.jsonl", "--force")
    assert not Path(REGISTRY).exists()
    assert len(Path("out/mine.jsonl").read_text().splitlines()) == 1


@pytest.mark.parametrize("name", ["patients.csv", "policy.yaml", "work.csv", "release.csv"])
def test_the_registry_is_never_an_input_or_another_output(folder, run, name):
    before = {path.name: path.read_bytes() for path in folder.iterdir()}

    result = anonymize(run, "--registry", name)

    assert result.code == 2
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_an_earlier_release_is_never_overwritten(released, run):
    before = Path("low.csv").read_bytes()

    result = anonymize(run, "--earlier", "low.csv", "--force", output="low.csv")

    assert result.code == 2
    assert "the earlier release low.csv" in result.stderr
    assert Path("low.csv").read_bytes() == before
