"""The files of a run: one set, for those alone who may read the data."""

from __future__ import annotations

import errno
import hashlib
import json
import stat
from pathlib import Path

import pytest

from shoal.read import files as reading
from shoal.write import atomic

ANONYMIZE = ("anonymize", "patients.csv", "-p", "policy.yaml", "-o", "release.csv")
FLASH = (*ANONYMIZE, "--algorithm", "flash")
WRITTEN = ["release.csv", "release.recoding.json", "report.html"]


def mode_of(name: str) -> int:
    return stat.S_IMODE(Path(name).stat().st_mode)


def digest_of(name: str) -> str:
    return hashlib.sha256(Path(name).read_bytes()).hexdigest()


def recoding() -> dict:
    return json.loads(Path("release.recoding.json").read_text())


@pytest.mark.usefixtures("folder")
def test_what_is_made_from_a_private_table_is_private(run, monkeypatch):
    monkeypatch.setattr(atomic, "_UMASK", 0)
    Path("patients.csv").chmod(0o600)

    assert run(*FLASH, "--report", "report.html").code == 0
    assert run("init", "patients.csv", "-o", "proposed.yaml").code == 0

    assert [mode_of(name) for name in (*WRITTEN, "proposed.yaml")] == [0o600] * 4


@pytest.mark.usefixtures("folder")
def test_internal_files_are_private_though_the_table_is_not(run, monkeypatch):
    monkeypatch.setattr(atomic, "_UMASK", 0)
    Path("patients.csv").chmod(0o644)

    assert run(*FLASH, "--report", "report.html").code == 0
    assert run("apply", "-r", "release.recoding.json", "--sql", "query.sql").code == 0

    assert [mode_of(name) for name in (*WRITTEN, "query.sql")] == [0o644, 0o600, 0o600, 0o600]


@pytest.mark.usefixtures("folder")
def test_several_tables_are_as_private_as_the_most_private_of_them(run, monkeypatch):
    monkeypatch.setattr(atomic, "_UMASK", 0)
    Path("people.csv").write_text("id,age\n1,31\n2,38\n")
    Path("visits.csv").write_text("id,ward\n1,A\n2,B\n")
    Path("visits.csv").chmod(0o600)
    Path("tables.yaml").write_text(
        "person: id\nprivacy: [{model: k-anonymity, k: 2}]\ntables:\n"
        "  people: {file: people.csv, columns: {id: identifier, age: quasi}}\n"
        "  visits: {file: visits.csv, key: {id: people}, columns: {id: identifier, ward: keep}}\n"
    )

    assert run("anonymize", "-p", "tables.yaml", "-o", "out").code == 0

    assert [mode_of(f"out/{name}.csv") for name in ("people", "visits")] == [0o600, 0o600]


@pytest.mark.parametrize("name", WRITTEN)
@pytest.mark.usefixtures("folder")
def test_if_one_file_cannot_be_replaced_none_is(run, monkeypatch, name):
    assert run(*FLASH, "--report", "report.html").code == 0
    before = {path.name: path.read_bytes() for path in Path().iterdir()}
    place = atomic._place

    def fails(draft) -> None:
        if draft.target.name == name:
            raise OSError(errno.ENOSPC, "full")
        place(draft)

    monkeypatch.setattr(atomic, "_place", fails)

    result = run(*FLASH, "--report", "report.html", "--k", 3)

    assert result.code == 2
    assert f"{name}: cannot be written (No space left on device)" in result.stderr
    assert {path.name: path.read_bytes() for path in Path().iterdir()} == before


@pytest.mark.usefixtures("folder")
def test_a_hidden_file_that_cannot_be_removed_is_named_after_a_run_that_worked(run, monkeypatch):
    assert run(*FLASH).code == 0
    remove = Path.unlink

    def fails(path: Path, *, missing_ok: bool = False) -> None:
        if path.name.endswith(".old") and path.exists():
            raise PermissionError(errno.EPERM, "not now")
        remove(path, missing_ok=missing_ok)

    backup = atomic._backup

    def backed_up(target: Path) -> Path:
        with monkeypatch.context() as undisturbed:
            undisturbed.setattr(Path, "unlink", remove)
            return backup(target)

    monkeypatch.setattr(atomic, "_backup", backed_up)
    monkeypatch.setattr(Path, "unlink", fails)

    result = run(*FLASH, "--k", 3)

    assert result.code == 0
    assert "could not be removed" in result.stderr
    assert recoding()["release_sha256"] == digest_of("release.csv")


@pytest.mark.usefixtures("folder")
def test_a_recoding_knows_the_release_that_it_was_written_with(run):
    assert run(*FLASH).code == 0

    assert recoding()["release_sha256"] == digest_of("release.csv")


APPLY = ("apply", "patients.csv", "-r", "release.recoding.json", "-o", "new.csv", "--json")


@pytest.mark.parametrize("option", [(), ("--release", "release.csv")], ids=["alone", "together"])
@pytest.mark.usefixtures("folder")
def test_apply_says_when_the_release_is_of_another_run(run, option):
    assert run(*FLASH).code == 0
    fitting = json.loads(run(*APPLY, *option).stdout)
    lines = Path("release.csv").read_text().splitlines()
    Path("release.csv").write_text("\n".join([lines[0], *lines[:0:-1]]) + "\n")  # rows turned

    other = json.loads(run(*APPLY, *option).stdout)

    assert not any("SHA-256" in note for note in fitting["notes"])
    assert any("release.csv is not the file" in note for note in other["notes"])


@pytest.mark.usefixtures("folder")
def test_a_recoding_without_a_release_is_not_compared(run):
    assert run(*FLASH).code == 0
    Path("release.csv").rename("elsewhere.csv")

    notes = json.loads(run(*APPLY).stdout)["notes"]

    assert not any("SHA-256" in note for note in notes)


@pytest.mark.usefixtures("folder")
def test_a_table_that_grows_after_it_was_read_is_not_released(run, monkeypatch):
    read = reading.read_file

    def read_and_grow(path: Path, **how):
        source = read(path, **how)
        with path.open("a") as file:
            file.write("Zoe;44;02139;cook;Flu;1;x\n")
        return source

    monkeypatch.setattr(reading, "read_file", read_and_grow)

    result = run(*FLASH)

    assert result.code == 2
    assert "patients.csv changed while it was used" in result.stderr
    assert not Path("release.csv").exists()
    assert not Path("release.recoding.json").exists()
