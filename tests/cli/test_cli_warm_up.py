"""`shoal warm-up`, and what shells and lists say of algorithms."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from shoal import catalog
from shoal.cli import cli
from shoal.runs.warm_up_algorithms import warm_up_algorithm
from tiers import IS_THOROUGH, only_thorough


@pytest.mark.parametrize("name", catalog.names("algorithm") if IS_THOROUGH else ["ola", "k-member"])
def test_every_algorithm_can_be_warmed_up(name):
    warm_up_algorithm(name)


def test_warm_up_says_what_is_ready(run):
    done = run("warm-up", "mondrian", "flash", "mondrian")

    assert done.code == 0
    assert done.stdout.startswith("The kernels of 2 algorithms are ready (")
    assert "mondrian" in done.stderr
    assert run("warm-up", "flash", "--quiet").stderr == ""


def test_warm_up_refuses_what_is_no_algorithm(run):
    done = run("warm-up", "mondrain")

    assert done.code == 2
    assert "did you mean 'mondrian'" in done.stderr


@only_thorough
def test_after_warming_up_nothing_is_compiled(tmp_path):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "kernels")}

    def shoal(*arguments):
        command = [sys.executable, "-m", "shoal", *arguments]
        subprocess.run(command, env=environment, check=True, capture_output=True, cwd=tmp_path)
        return {path.name for path in (tmp_path / "kernels").rglob("*.kernel")}

    kernels = shoal("warm-up", "mondrian", "flash")
    assert kernels
    assert shoal("demo", "--quiet") == kernels
    where = ("shoal-demo/adult.csv", "-p", "shoal-demo/policy.yaml")
    assert shoal("anonymize", *where, "-o", "other.csv", "--algorithm", "flash") == kernels
    assert shoal("risk", *where) == kernels


@pytest.mark.parametrize(
    ("words", "begun"), [("shoal anonymize --algorithm ", "k-m"), ("shoal warm-up ", "k-m")]
)
def test_shells_complete_the_names_of_algorithms(words, begun):
    environment = {"_SHOAL_COMPLETE": "bash_complete", "COMP_WORDS": words + begun,
                   "COMP_CWORD": str(len(words.split()))}  # fmt: skip

    completed = CliRunner(env=environment).invoke(cli, prog_name="shoal")

    assert completed.output.split() == ["plain,k-member", "plain,k-member-p"]


def test_the_list_of_algorithms_shows_their_options(run):
    listed = " ".join(run("algorithms").stdout.split())

    assert "Options: strict (true)" in listed
    assert "seeding (seed-to-seed, oka-text, last-added)" in listed


def test_the_list_of_models_shows_their_keys(run):
    listed = " ".join(run("models").stdout.split())

    assert "Keys: column, t, distance (equal, ordered, hierarchical)" in listed


def test_a_command_that_is_printed_works_as_printed(folder):
    """Also where the shell does not know `shoal`: whoever called it otherwise is told so."""

    def printed_by(*command):
        run = subprocess.run([*command], cwd=folder, capture_output=True, text=True, check=False)
        assert run.returncode == 0, run.stderr
        return run.stdout.strip().splitlines()[-1].split()

    program = Path(sys.executable).with_name("shoal")
    for start in ([sys.executable, "-m", "shoal"], [str(program)]):
        words = printed_by(*start, "init", "patients.csv", "--quiet", "--force")
        assert (
            words[: len(start)] == start or words[0] == "shoal" == Path(shutil.which("shoal")).name
        )
        printed_by(*words, "--quiet", "--force")


def test_the_demo_ends_with_a_command(run, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    last = run("demo", "--quiet").stdout.split("\n")[-2]

    where = "shoal-demo/adult.csv -p shoal-demo/policy.yaml -o shoal-demo/release.csv"
    assert last == f"  shoal anonymize {where}"
