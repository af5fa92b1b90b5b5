"""A run that is interrupted or killed leaves the old release as it was."""

from __future__ import annotations

import json
import signal
from itertools import cycle, product
from pathlib import Path

import pytest
import yaml

from cases.processes import WHILE_GROUPING, listen_to_interrupts, wait_for
from tiers import part

ANONYMIZE = (
    *("anonymize", "patients.csv", "-p", "policy.yaml", "-o", "release.csv"),
    *("--json", "--force"),
)
SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGKILL]
WHILE_WRITING = """
import sys, time
import polars as pl
def write_csv(frame, target, **how):
    with open(target, "w") as file:
        file.write("half of a rel")
        file.flush()
        print("now", file=sys.stderr, flush=True)
        time.sleep(60)
pl.DataFrame.write_csv = write_csv
"""
STAGES = {"grouping": WHILE_GROUPING, "writing": WHILE_WRITING}


def assert_ended_by(process, number: signal.Signals) -> None:
    out, err = process.communicate()
    assert out == "" or json.loads(out)["error"]["code"] == 130  # "": a thread ended it at once
    if number == signal.SIGKILL:
        assert process.returncode == -signal.SIGKILL
    else:
        assert process.returncode == 130
        assert "interrupted. No file was partly written" in err
        assert "Traceback" not in err


@pytest.mark.parametrize(("stage", "number"), part([*product(STAGES, SIGNALS)], 3))
def test_a_signal_at_any_stage_leaves_the_old_release(folder, start, stage, number):
    Path("release.csv").write_text("earlier")
    process = start(*ANONYMIZE, "--quiet", first=STAGES[stage], preexec_fn=listen_to_interrupts)
    wait_for(process, "now")

    process.send_signal(number)

    assert_ended_by(process, number)
    assert Path("release.csv").read_text() == "earlier"
    if number != signal.SIGKILL:  # after which nobody could tidy up
        names = {path.name for path in Path().iterdir()}
        assert names == {"patients.csv", "policy.yaml", "release.csv", "work.csv"}


WHILE_A_KERNEL_RUNS = """
import sys
from shoal.group.cluster.k_member import KMember
cluster = KMember.cluster
def told(self, part, task):
    if len(part.codes) > 1000:  # not the rehearsal
        print("now", file=sys.stderr, flush=True)
    return cluster(self, part, task)
KMember.cluster = told
"""


@pytest.mark.parametrize("number", part(SIGNALS[:2], 1))
def test_a_signal_ends_a_kernel_that_runs_for_long(folder, start, number):
    Path("release.csv").write_text("earlier")
    first, *_ = Path("patients.csv").read_text().splitlines()
    lines = (f"x;{i % 97};{i * 7919 % 100_000:05};cook;Flu;1;y" for i in range(100_000))
    Path("patients.csv").write_text("\n".join([first, *lines]) + "\n")
    process = start(
        *ANONYMIZE, "--quiet", "--algorithm", "k-member",
        first=WHILE_A_KERNEL_RUNS, preexec_fn=listen_to_interrupts,
    )  # fmt: skip
    wait_for(process, "now")

    process.send_signal(number)

    assert_ended_by(process, number)
    assert Path("release.csv").read_text() == "earlier"


def test_after_a_killed_run_the_next_one_works(folder, start, run):
    process = start(*ANONYMIZE, "--quiet", first=WHILE_WRITING)
    wait_for(process, "now")
    process.kill()
    process.communicate()

    assert run(*ANONYMIZE).code == 0
    assert Path("release.csv").read_text().startswith("age;zip;work")


# A lattice too large to chart, as if: the search goes on for ever, telling that it does.
WHILE_SEARCHING = """
import sys, time
import shoal.group.lattice._grid as grid
from shoal.group.lattice._anytime import Border
grid.MOST_NODES = 0
def most_promising(self, most):
    if self.search.checker.n_records > 1000:  # not the rehearsal
        print("now", file=sys.stderr, flush=True)
        time.sleep({pause})
        return [self.search.grid.top]
    return []
Border.most_promising = most_promising
"""
SEARCH = (*ANONYMIZE, "--quiet", "--algorithm", "flash")


@pytest.fixture
def many_patients(folder):
    lines = Path("patients.csv").read_text().splitlines()
    Path("patients.csv").write_text("\n".join(lines[:1] + lines[1:] * 200) + "\n")


def test_the_first_interrupt_of_a_search_releases_the_best_so_far(many_patients, start):
    first = WHILE_SEARCHING.replace("{pause}", "0.05")
    process = start(*SEARCH, first=first, preexec_fn=listen_to_interrupts)
    wait_for(process, "now")

    process.send_signal(signal.SIGINT)

    out, err = process.communicate()
    assert process.returncode == 0
    assert json.loads(out)["stopped"] == "interrupt"
    assert json.loads(out)["optimal"] is False
    assert "stopping the search" in err
    assert Path("release.csv").read_text().startswith("age;zip;work")


def test_the_second_interrupt_of_a_search_aborts(many_patients, start):
    Path("release.csv").write_text("earlier")
    first = WHILE_SEARCHING.replace("{pause}", "60")
    process = start(*SEARCH, first=first, preexec_fn=listen_to_interrupts)
    wait_for(process, "now")
    process.send_signal(signal.SIGINT)
    wait_for(process, "stopping the search")

    process.send_signal(signal.SIGINT)

    assert_ended_by(process, signal.SIGINT)
    assert Path("release.csv").read_text() == "earlier"


@pytest.mark.parametrize(("stage", "number"), part([*product(STAGES, SIGNALS[:2])], 1))
def test_several_tables_are_written_whole_or_not_at_all(folder, start, stage, number):
    Path("visits.csv").write_text("name,ward\n" + "Ann,A\nBob,B\nCem,A\nDee,B\nEve,A\n")
    rules = yaml.safe_load(Path("policy.yaml").read_text())
    visits = {"columns": {"name": "identifier", "ward": "keep"}, "key": {"name": "patients"}}
    rules["tables"] = {
        "patients": {"file": "patients.csv", "columns": rules.pop("columns")},
        "visits": {"file": "visits.csv", **visits},
    }
    Path("tables.yaml").write_text(yaml.safe_dump(rules | {"person": "name"}))
    process = start(
        *("anonymize", "-p", "tables.yaml", "-o", "release", "--json"),
        first=STAGES[stage],
        preexec_fn=listen_to_interrupts,
    )
    wait_for(process, "now")

    process.send_signal(number)

    assert_ended_by(process, number)
    assert not Path("release").exists()


# Compiled code that runs for minutes and does not look at a watch.
KERNEL = """
import hashlib, sys
def long_kernel():
    print("now", file=sys.stderr, flush=True)
    hashlib.pbkdf2_hmac("sha256", b"", b"", 2_000_000_000)
"""
PLACES = {
    "reading": "import shoal.read.files as at; at._read_csv = lambda *a: long_kernel()",
    "compiling": "import shoal.runs.warm_up as at; at.warm_up = lambda *a: long_kernel()",
    "encoding": "import shoal.runs.prepare as at; at.encode = lambda *a, **b: long_kernel()",
    "grouping": "import shoal.group.partition.mondrian as at\n"
    "at.Mondrian.group = lambda *a: long_kernel()",
    "recoding": "import shoal.runs.search as at; at.cells_of_groups = lambda *a: long_kernel()",
    "verifying": "import shoal.runs.finish as at\n"
    "at.verify_release = lambda *a, **b: long_kernel()",
    "writing": "import polars as pl\n"
    "def write(frame, target, **how):\n"
    "    open(target, 'w').write('half of a rel')\n"
    "    long_kernel()\n"
    "pl.DataFrame.write_csv = write",
}


@pytest.mark.parametrize(
    ("place", "number"), part([*zip(PLACES, cycle(SIGNALS[:2]), strict=False)], 2)
)
def test_a_signal_is_answered_though_compiled_code_is_not_to_be_stopped(
    folder, start, place, number
):
    Path("release.csv").write_text("earlier")
    first = KERNEL + PLACES[place]
    process = start(*ANONYMIZE, "--quiet", first=first, preexec_fn=listen_to_interrupts)
    wait_for(process, "now")

    process.send_signal(number)

    assert_ended_by(process, number)  # the kernel would run for minutes
    assert Path("release.csv").read_text() == "earlier"
    names = {path.name for path in Path().iterdir()}
    assert names == {"patients.csv", "policy.yaml", "release.csv", "work.csv"}
