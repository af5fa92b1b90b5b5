"""`shoal init --ask` under a real pseudo-terminal."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from shoal.cli._options import RECIPES as NAMED
from shoal.policy.policy import Policy
from shoal.proposals.recipes import RECIPES

COLUMNS = ["name", "age", "zip", "work", "disease", "visits", "note"]


@pytest.fixture
def ask(folder):
    """Types answers, one after each question, and gives what the terminal showed."""

    def ask(*answers, options=()):
        ours, theirs = pty.openpty()
        command = [sys.executable, "-m", "shoal", "init", "patients.csv", "--ask", "--force",
                   "--quiet", *options]  # fmt: skip
        process = subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, cwd=folder)
        os.close(theirs)
        shown, waiting = "", list(answers)
        while True:
            try:
                piece = os.read(ours, 4096).decode()
            except OSError:  # the other end is closed
                break
            shown += piece
            n_asked = shown.count("  role [") + shown.count("  person [")
            while waiting and n_asked > len(answers) - len(waiting):
                os.write(ours, f"{waiting.pop(0)}\n".encode())
            if not waiting and n_asked > len(answers):  # a question that nobody expected
                process.kill()
        os.close(ours)
        return process.wait(), shown, waiting

    return ask


def roles():
    return {name: spec.role for name, spec in Policy.load("policy.yaml").columns.items()}


def test_enter_accepts_every_proposal(ask, run):
    assert run("init", "patients.csv", "--force", "--quiet").code == 0
    proposed = roles()
    Path("policy.yaml").unlink()

    code, shown, left = ask(*[""] * (len(COLUMNS) + 1))

    assert (code, left) == (0, []), shown
    assert roles() == proposed
    assert "1 of 7  name" in shown
    assert "Wrote policy.yaml" in shown


def test_another_role_may_be_chosen_and_says_so(ask):
    code, shown, _ = ask("", "", "drop", "", "", "k", "", "")

    assert code == 0, shown
    assert (roles()["zip"], roles()["visits"]) == ("drop", "keep")
    assert "decided by you" in Path("policy.yaml").read_text()


def test_a_question_mark_explains_and_b_goes_back(ask):
    code, shown, _ = ask("?", "", "s", "b", "q", *[""] * 6)

    assert code == 0, shown
    assert "never released: it names or numbers a person" in shown
    assert shown.count("2 of 7  age") == 2
    assert roles()["age"] == "quasi"


def test_nonsense_is_asked_again(ask):
    code, shown, _ = ask("whatever", *[""] * 8)

    assert code == 0, shown
    assert shown.count("Enter accepts") == 2


def test_one_column_must_be_quasi(ask):
    code, shown, _ = ask(*["d"] * 7, "d", "q", *["d"] * 5, "")

    assert code == 0, shown
    assert "No column is quasi" in shown
    assert roles()["age"] == "quasi"


def test_a_pseudonym_tells_people_apart_without_a_question(ask, run):
    code, shown, _ = ask("p", "", "p", "q", *[""] * 4)

    assert code == 0, shown
    assert "name is the pseudonym already, and there can be only one." in shown
    assert (roles()["name"], roles()["zip"]) == ("pseudonym", "quasi")
    assert Policy.load("policy.yaml").person == ("name",)
    assert "--mapping who-is-who.csv" in shown
    command = ["anonymize", "patients.csv", "-p", "policy.yaml", "-o", "release.csv", "--quiet"]
    assert run(*command, "--mapping", "who-is-who.csv").code == 0


def test_a_column_may_be_named_that_tells_people_apart(ask):
    code, shown, _ = ask(*[""] * 7, "nmae", "b", "", "name")

    assert code == 0, shown
    assert "nmae is not among the columns that are withheld" in shown
    assert "did you mean 'name'?" in shown
    assert shown.count("7 of 7") == 2
    assert Policy.load("policy.yaml").person == ("name",)


def test_a_recipe_and_questions_go_together(ask):
    code, shown, _ = ask(*[""] * 8, options=("--for", "internal-test"))

    assert code == 0, shown
    assert "Recipe internal-test" in Path("policy.yaml").read_text()


def test_without_a_terminal_it_is_refused(run, folder):
    done = run("init", "patients.csv", "--ask", "-o", "other.yaml")

    assert done.code == 2
    assert "--ask needs a terminal" in done.stderr
    assert not Path("other.yaml").exists()


def test_the_command_names_every_recipe():
    assert tuple(RECIPES) == NAMED


def test_init_takes_a_recipe(run, folder):
    done = run("init", "patients.csv", "--for", "internal-test", "-o", "other.yaml", "--quiet")

    assert done.code == 0, done.stderr
    assert Policy.load("other.yaml").privacy[0].k == 3
    assert run("init", "patients.csv", "--for", "hipaa", "-o", "x.yaml").code == 2
