"""A file that is not a release of Shoal's is not overwritten unasked."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

ANONYMIZE = ("anonymize", "patients.csv", "-p", "policy.yaml", "--quiet", "-o")


@pytest.fixture
def precious(folder):
    path = folder / "precious.csv"
    path.write_text("precious,data\n1,2\n")
    return path


def test_a_file_of_somebody_else_stays(run, precious):
    done = run(*ANONYMIZE, "precious.csv")

    assert done.code == 2
    assert "precious.csv exists, and is not known to be a release of Shoal's" in done.stderr
    assert precious.read_text() == "precious,data\n1,2\n"
    assert run(*ANONYMIZE, "precious.csv", "--force").code == 0
    assert precious.read_text() != "precious,data\n1,2\n"


@pytest.mark.parametrize("output", ["r.csv", "r.parquet", "r.csv.gz"])
def test_an_earlier_release_is_replaced(run, folder, output):
    assert run(*ANONYMIZE, "other.csv").code == 0  # the same cells, in another file
    assert run(*ANONYMIZE, output).code == 0
    before = Path(output).read_bytes()

    assert run(*ANONYMIZE, output, "--k", "4").code == 0
    assert Path(output).read_bytes() != before


def test_an_earlier_release_that_was_edited_stays(run, folder):
    assert run(*ANONYMIZE, "r.csv").code == 0
    with Path("r.csv").open("a") as file:
        file.write("my,notes\n")

    assert run(*ANONYMIZE, "r.csv").code == 2
    assert Path("r.csv").read_text().endswith("my,notes\n")


def test_without_a_registry_a_recoding_tells_a_release(run, folder):
    flash = ("--no-registry", "--algorithm", "flash")
    assert run(*ANONYMIZE, "r.csv", *flash).code == 0
    assert run(*ANONYMIZE, "r.csv", *flash).code == 0

    assert run(*ANONYMIZE, "m.csv", "--no-registry").code == 0
    assert run(*ANONYMIZE, "m.csv", "--no-registry").code == 2
    assert run(*ANONYMIZE, "m.csv", "--no-registry", "--force").code == 0


def test_apply_overwrites_nothing_unasked_either(run, precious):
    assert run(*ANONYMIZE, "r.csv", "--algorithm", "flash").code == 0
    apply = ("apply", "patients.csv", "-r", "r.recoding.json", "--quiet", "-o", "precious.csv")

    assert run(*apply).code == 2
    assert precious.read_text() == "precious,data\n1,2\n"
    assert run(*apply, "--force").code == 0


def test_apply_takes_another_share_to_suppress(run, folder):
    assert run(*ANONYMIZE, "r.csv", "--algorithm", "flash").code == 0
    lines = Path("patients.csv").read_text().splitlines()
    Path("new.csv").write_text("\n".join([lines[0], *lines[1:4]]) + "\n")
    apply = ("apply", "new.csv", "-r", "r.recoding.json", "--quiet", "-o", "n.csv")

    failed = run(*apply)
    assert failed.code == 1
    assert "--suppression" in failed.stderr
    done = run(*apply, "--suppression", "0.4", "--json")
    assert done.code == 0
    assert json.loads(done.stdout)["suppressed"] == 1
    assert run(*apply, "--suppression", "7").code == 2


def test_apply_says_how_dates_were_written_where_others_are_written_otherwise(run, folder):
    Path("jan.csv").write_text("born\n" + "".join(f"19{i}-01-31\n" for i in range(50, 60)))
    Path("feb.csv").write_text("born\n" + "".join(f"1/31/19{i}\n" for i in range(50, 60)))
    Path("dates.yaml").write_text(
        "columns: {born: {role: quasi, hierarchy: {date: [year, decade]}}}\n"
        "privacy: [{model: k-anonymity, k: 2}]\nalgorithm: {name: flash}\n"
    )
    assert run("anonymize", "jan.csv", "-p", "dates.yaml", "-o", "j.csv", "--quiet").code == 0

    done = run("apply", "feb.csv", "-r", "j.recoding.json", "-o", "f.csv", "--quiet")

    assert done.code == 2
    assert "not written YYYY-MM-DD, as the dates of the release were" in done.stderr
