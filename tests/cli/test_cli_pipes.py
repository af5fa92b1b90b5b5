"""Tables through pipes, and errors for programs."""

from __future__ import annotations

import json
import signal
from pathlib import Path
from xml.etree import ElementTree

import pytest

from cases.processes import WHILE_GROUPING, listen_to_interrupts, wait_for

OUT = ("-p", "policy.yaml", "--quiet", "-o")


@pytest.fixture
def pipe(start, folder, monkeypatch):
    """Runs `shoal` in a process of its own with the patients on its standard input."""
    private = folder / "private"
    private.mkdir()

    def pipe(*arguments, text=None):
        process = start(*arguments, stdin=-1, cwd=folder, env={"TMPDIR": str(private)})
        given = Path("patients.csv").read_text() if text is None else text
        out, err = process.communicate(given)
        assert list(private.iterdir()) == []  # whatever happened
        return process.returncode, out, err

    return pipe


@pytest.mark.parametrize("name", ["-", "/dev/stdin"])
def test_a_table_comes_through_a_pipe(pipe, run, name):
    assert run("anonymize", "patients.csv", *OUT, "file.csv").code == 0

    code, _, err = pipe("anonymize", name, *OUT, "piped.csv")

    assert code == 0, err
    assert Path("piped.csv").read_bytes() == Path("file.csv").read_bytes()


def test_a_release_goes_through_a_pipe_after_it_is_verified(pipe, run):
    assert run("anonymize", "patients.csv", *OUT, "file.csv").code == 0

    code, out, err = pipe("anonymize", "-", *OUT, "-")

    assert code == 0, err
    assert out == Path("file.csv").read_text()
    assert "Verified" in err
    assert not Path("-").exists()


def test_nothing_goes_through_a_pipe_that_fails(pipe):
    code, out, err = pipe("anonymize", "-", *OUT, "-", "--k", "99")

    assert (code, out) == (1, "")
    assert "k-anonymity" in err


def test_init_writes_a_policy_to_a_pipe(pipe, run):
    code, out, err = pipe("init", "-", "-o", "-", "--quiet")

    assert code == 0, err
    Path("proposed.yaml").write_text(out)
    done = run("anonymize", "patients.csv", "-p", "proposed.yaml", "-o", "r.csv", "--quiet")
    assert done.code == 0, done.stderr
    assert not Path("-").exists()


def test_check_and_risk_read_from_a_pipe(pipe, run):
    assert run("anonymize", "patients.csv", *OUT, "file.csv").code == 0
    released = Path("file.csv").read_text()

    code, out, err = pipe("check", "-", "-p", "policy.yaml", text=released)
    assert (code, "Verified" in out) == (0, True), err
    assert pipe("risk", "-", "-p", "policy.yaml")[0] == 0


def test_what_cannot_stand_beside_a_release_in_a_pipe_is_refused(pipe):
    for option in (["--json"], ["--report", "r.html"], ["--public-policy", "p.yaml"]):
        code, out, err = pipe("anonymize", "-", *OUT, "-", *option)
        assert code == 2
        assert f"so {option[0]} cannot be used with it" in " ".join(err.split())
        assert out == "" or json.loads(out)["error"]["kind"] == "Usage"


# Errors for programs


def test_an_error_is_one_json_object(run, folder):
    done = run("anonymize", "patients.csv", *OUT, "r.csv", "--json", "--k", "99")

    error = json.loads(done.stdout)["error"]
    assert done.code == error["code"] == 1
    assert error["kind"] == "CannotSatisfy"
    assert error["counts"] == {"needed": 99, "found": 6}
    assert error["what"] in done.stderr


def test_an_error_names_its_column_and_counts_and_no_cell(run, folder):
    Path("work.csv").write_text("nurse;care;*\n")

    done = run("anonymize", "patients.csv", *OUT, "r.csv", "--json")

    error = json.loads(done.stdout)["error"]
    assert (error["code"], error["column"]) == (2, "work")
    assert error["counts"] == {"values": 1, "records": 3}
    assert "cook" not in done.stdout


def test_a_wrong_use_is_one_json_object_too(run, folder):
    done = run("check", "patients.csv", "--json")

    assert done.code == 2
    assert json.loads(done.stdout)["error"]["kind"] == "Usage"


# JUnit


def cases(path="junit.xml"):
    return ElementTree.parse(path).getroot()


def test_a_check_that_cannot_be_made_is_in_the_test_report(run, folder):
    for wrong in (("missing.csv", "-p", "policy.yaml"), ("patients.csv", "-p", "missing.yaml"),
                  ("patients.csv",)):  # fmt: skip
        Path("junit.xml").unlink(missing_ok=True)
        done = run("check", *wrong, "--junit", "junit.xml")
        assert done.code == 2
        suite = cases()
        assert suite.attrib["errors"] == "1"
        assert suite.find("testcase/error").attrib["message"]


def test_a_test_report_never_replaces_what_is_read(run, folder):
    before = Path("policy.yaml").read_text()

    assert run("check", "missing.csv", "-p", "policy.yaml", "--junit", "policy.yaml").code == 2
    assert Path("policy.yaml").read_text() == before


def test_no_two_cases_of_a_test_report_have_one_name(run, folder):
    policy = Path("policy.yaml").read_text() + "  - {model: k-anonymity, k: 2}\n"
    Path("policy.yaml").write_text(policy)

    assert run("check", "patients.csv", "-p", "policy.yaml", "--junit", "junit.xml").code == 1
    names = [case.attrib["name"] for case in cases()]
    assert len(names) == len(set(names)) > 3


WHILE_CHECKING = """
import sys, time
from shoal.runs import check
def wait(*_, **__):
    print("now", file=sys.stderr, flush=True)
    time.sleep(60)
check.check = wait
"""


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
def test_a_check_that_was_ended_is_in_the_test_report(run, start, folder, number):
    """And not what an earlier check had found."""
    assert run("anonymize", "patients.csv", *OUT, "r.csv").code == 0
    how = ("check", "r.csv", "-p", "policy.yaml", "--junit", "junit.xml")
    assert run(*how).code == 0
    assert cases().get("errors") is None

    process = start(*how, first=WHILE_CHECKING, preexec_fn=listen_to_interrupts)
    wait_for(process, "now")
    process.send_signal(number)
    process.communicate()

    assert process.returncode != 0
    assert cases().get("errors") == "1"
    assert "interrupted" in cases().find("testcase/error").get("message")


@pytest.mark.parametrize("error", [MemoryError, ZeroDivisionError])
def test_a_check_without_memory_or_with_a_mistake_of_ours_is_in_the_test_report(
    run, folder, monkeypatch, error
):
    assert run("anonymize", "patients.csv", *OUT, "r.csv").code == 0

    def fail(*_, **__):
        raise error("a cell")

    monkeypatch.setattr("shoal.runs.check.check", fail)

    assert run("check", "r.csv", "-p", "policy.yaml", "--junit", "junit.xml").code == 2
    message = cases().find("testcase/error").get("message")
    assert ("memory" if error is MemoryError else "ZeroDivisionError") in message
    assert "cell" not in message


# What a killed process leaves


def test_a_killed_process_leaves_no_data_of_a_pipe(start, folder):
    private = folder / "private"
    private.mkdir()
    how = {"stdin": -1, "cwd": folder, "env": {"TMPDIR": str(private)}}
    process = start("anonymize", "-", *OUT, "r.csv", first=WHILE_GROUPING, **how)
    process.stdin.write(Path("patients.csv").read_text())
    process.stdin.close()
    wait_for(process, "now")
    assert any((left / "standard-input").exists() for left in private.iterdir())

    process.kill()
    process.wait()

    files = [path for path in private.rglob("*") if path.is_file() and path.stat().st_size]
    assert files == []
    again = start("anonymize", "-", *OUT, "r.csv", **how)
    again.communicate(Path("patients.csv").read_text())
    assert again.returncode == 0
    assert list(private.iterdir()) == []  # the next run removed the folder
