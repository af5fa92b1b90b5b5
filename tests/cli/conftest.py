"""Running the command in this process, or in one of its own, in an empty folder."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

PATIENTS = """\
name;age;zip;work;disease;visits;note
Ann;31;02139;nurse;Flu;1.10;"a; b"
Bob;38;02138;cook;Cancer; 2;x
Cem;52;02139;nurse;Flu;"3""q";
Dee;55;02141;cook;HIV;ü;"two
lines"
Eve;41;02139;cook;Flu;;y
Fay;47;02142;nurse;Cancer;007;z
"""
POLICY = """\
columns:
  name: identifier
  age: {role: quasi, hierarchy: {intervals: [5, 10]}}
  zip: {role: quasi, hierarchy: {prefix: 5}}
  work: {role: quasi, hierarchy: work.csv}
  disease: sensitive
  visits: keep
  note: drop
privacy:
  - {model: k-anonymity, k: 2}
"""
WORK = "nurse;care;*\ncook;kitchen;*\n"


class Result(NamedTuple):
    code: int
    stdout: str
    stderr: str


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """The current folder, with a table, its policy and a hierarchy."""
    monkeypatch.chdir(tmp_path)
    Path("patients.csv").write_text(PATIENTS)
    Path("policy.yaml").write_text(POLICY)
    Path("work.csv").write_text(WORK)
    return tmp_path


@pytest.fixture
def run(monkeypatch, capsys):
    """Runs `shoal` with some arguments in this process, through its `main`."""
    from shoal.cli import main

    before = signal.getsignal(signal.SIGTERM)

    def run(*arguments: object) -> Result:
        monkeypatch.setattr(sys, "argv", ["shoal", *map(str, arguments)])
        capsys.readouterr()
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else int(end.code is not None)
        return Result(code, *capsys.readouterr())

    yield run
    signal.signal(signal.SIGTERM, before)


@pytest.fixture
def start():
    """Starts `shoal` as a process of its own; what still runs at the end is killed."""
    started: list[subprocess.Popen[str]] = []

    def start(*arguments: object, first: str = "", **how) -> subprocess.Popen[str]:
        """`first` is code that the process runs beforehand."""
        how = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | how
        how["env"] = os.environ | {"PYTHONUNBUFFERED": "1"} | how.get("env", {})
        process = subprocess.Popen(
            [
                sys.executable,
                "-c",
                f"{first}\nfrom shoal.cli import main\nmain()",
                *map(str, arguments),
            ],
            **how,
        )
        started.append(process)
        return process

    yield start
    for process in started:
        with process:  # which closes its pipes and waits for it
            process.kill()
