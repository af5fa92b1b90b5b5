"""`shoal compare` and `shoal frontier`: tables on stdout, files in a folder, early refusals."""

from __future__ import annotations

import json
import signal
import time
from pathlib import Path

import polars as pl
import pytest

from tiers import only_thorough

HERE = ("--processes", 1, "--quiet")


@pytest.fixture
def compare(folder, run, monkeypatch):
    """Runs the command without processes of their own, which take their time to start."""
    from shoal.runs import compare as runs

    monkeypatch.setattr(
        runs, "Processes", lambda shared, watch, listener, **_: InPlace(shared, watch, listener)
    )

    def compare(*arguments: object, command="compare"):
        return run(command, "patients.csv", "-p", "policy.yaml", *HERE, *arguments)

    return compare


def InPlace(shared, watch, listener):  # noqa: N802
    """What workers do with the bytes that they get, here."""
    import contextlib
    import pickle
    from dataclasses import replace

    from shoal.runs.processes import ThisProcess
    from shoal.runs.stages import Stages

    found = pickle.loads(shared)
    found = found._replace(prepared=replace(found.prepared, stages=Stages()))
    return contextlib.nullcontext(ThisProcess(found, watch, listener))


def test_a_comparison_prints_a_table_and_writes_its_files(compare):
    result = compare("--algorithms", "mondrian,mstk", "--k", "2,3", "-o", "out")

    assert (result.code, result.stderr) == (0, "")
    assert "method" in result.stdout
    assert " *" in result.stdout  # the best of each k
    assert {path.name for path in Path("out").iterdir()} == {
        "comparison.csv", "comparison.html", "comparison.json", "comparison.parquet", "policies",
        "runs.jsonl",
    }  # fmt: skip
    csv, parquet = pl.read_csv("out/comparison.csv"), pl.read_parquet("out/comparison.parquet")
    assert csv["loss"].to_list() == parquet["loss"].to_list()
    assert csv.height == len(list(Path("out/policies").iterdir())) == 4
    for name in csv["policy"]:
        assert Path("out", name).is_file()


def test_the_command_that_it_proposes_makes_a_release(compare, run):
    result = compare("--k", "2,3", "-o", "out")
    policy = next(word for word in result.stdout.split() if word.startswith("out/policies/"))

    made = run("anonymize", "patients.csv", "-p", policy, "-o", "made.csv", "--quiet", "--json")

    assert made.code == 0
    best = pl.read_csv("out/comparison.csv")["loss"].min()
    assert json.loads(made.stdout)["measures"]["loss"] == best


def test_options_vary_by_their_paths(compare):
    result = compare(
        "--vary", "algorithm.strict=true,false", "--vary", "suppression=0,0.5",
        "--measures", "loss,c-l:figure=l", "--json",
    )  # fmt: skip

    runs = json.loads(result.stdout)["runs"]
    assert [(r["algorithm.strict"], r["suppression"]) for r in runs] == [
        ("true", "0"), ("true", "0.5"), ("false", "0"), ("false", "0.5"),
    ]  # fmt: skip
    assert all(r["c-l:figure=l"] >= 1 for r in runs)


def test_a_front_prints_its_points_and_writes_its_files(compare):
    result = compare("--runs", 6, "-o", "out", command="frontier")

    assert (result.code, result.stderr) == (0, "")
    assert "beaten by no other in both" in result.stdout
    found = pl.read_csv("out/frontier.csv")
    assert found.filter(pl.col("front")).height >= 1
    assert Path("out/frontier.html").is_file()
    assert set(found["method"]) == {"mondrian", "tgc"}


def test_a_front_for_a_use_has_that_measure(compare):
    result = compare(
        "--use", "query-error:queries=50", "--risk", "highest-risk", "--k", "2,3", "--json",
        command="frontier",
    )  # fmt: skip

    front = json.loads(result.stdout)["front"]
    assert all(row["query-error:queries=50"] >= 0 for row in front)
    assert compare("--use", "dm", "--loss", "dm", command="frontier").code == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--algorithms", "mondrain"), "did you mean 'mondrian'?"),
        (("--measures", "los"), "did you mean 'loss'?"),
        (("--measures", "fitness"), "Give a sensitive column a `severity`"),
        (("--vary", "algorithm.strct=true"), "did you mean 'algorithm.strict'?"),
        (("--vary", "suppression"), "write an option and its values"),
        (("--vary", "suppression=[,"), "the values cannot be read"),
        (("--vary", "suppression=2"), "must be a share between 0 and 1"),
        (("--k", "two"), "write whole numbers"),
        (("--k", "0"), "k must be"),
        (("-o", "missing/out"), "does not exist"),
        (("-o", "work.csv"), "is a file"),
        (("--timeout", "0"), "0"),
    ],
)
def test_what_cannot_be_had_is_refused_before_the_first_run(arguments, said, compare):
    result = compare(*arguments)

    assert result.code == 2
    assert said in result.stderr
    assert "Traceback" not in result.stderr
    assert not Path("missing").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--risk", "protecton"), "did you mean 'protection'?"),
        (("--k", "9..2"), "2..50"),
        (("--vary", "tgc.weights.utilty=0.0..1.0"), "unknown here; did you mean 'utility'?"),
        (("--loss", "loss", "--risk", "loss"), "must be two measures"),
    ],
)
def test_a_front_that_cannot_be_searched_is_refused(arguments, said, compare):
    result = compare(*arguments, command="frontier")

    assert result.code == 2
    assert said in result.stderr


def test_a_folder_of_another_comparison_is_not_used(compare):
    compare("-o", "out")
    before = Path("out/runs.jsonl").read_bytes()
    Path("patients.csv").write_text(Path("patients.csv").read_text().replace("31", "32"))

    result = compare("-o", "out")

    assert result.code == 2
    assert "another table" in result.stderr
    assert Path("out/runs.jsonl").read_bytes() == before


def test_no_file_of_a_comparison_shows_a_cell(compare):
    compare("--k", "2,9", "-o", "out", "--algorithms", "all")

    texts = [p.read_bytes() for p in Path("out").rglob("*") if p.is_file()]
    for cell in (b"Cancer", b"HIV", b"Dee", b"nurse"):
        assert not any(cell in text for text in texts)


@only_thorough
def test_an_interrupted_comparison_says_how_to_go_on_and_does(folder, start, run):
    """With Ctrl-C, in processes of its own."""
    arguments = ("patients.csv", "-p", "policy.yaml", "--k", "2,3", "--seeds", 9, "-o", "out",
                 "--algorithms", "oka,tgc,k-member", "--quiet")  # fmt: skip
    process = start("compare", *arguments)
    while process.poll() is None and not Path("out/runs.jsonl").exists():
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)

    _, stderr = process.communicate()
    n_kept = len(Path("out/runs.jsonl").read_bytes().splitlines())
    again = run("compare", *arguments)

    assert process.returncode == 130
    assert "the same command goes on" in stderr
    assert again.code == 0
    assert n_kept < pl.read_csv("out/comparison.csv").height == 54
    assert len(Path("out/runs.jsonl").read_bytes().splitlines()) == 54
