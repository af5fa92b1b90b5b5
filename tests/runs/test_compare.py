"""Many policies on one table: each run is the release that its policy makes alone."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import shoal
from conformance.tables import patients, policy
from shoal.comparison.journal import read_runs
from shoal.errors import BadOption, Cancelled, OutputError, PolicyError, ShoalError
from tiers import seeds

HERE = {"processes": 0}
MISBEHAVING = '''
import os, signal, time
from dataclasses import dataclass
from shoal.types.algorithm import Algorithm

kept = []

@dataclass(frozen=True)
class Sleeper(Algorithm):
    """Never ends."""
    def group(self, table, privacy, limits):
        if limits.suppression == 0:  # not while kernels are loaded
            time.sleep(600)

@dataclass(frozen=True)
class Eater(Algorithm):
    """Takes all memory."""
    def group(self, table, privacy, limits):
        while limits.suppression == 0:
            kept.append(bytearray(b"x") * 100_000_000)
            time.sleep(0.02)

@dataclass(frozen=True)
class Crasher(Algorithm):
    """Takes the process with it."""
    def group(self, table, privacy, limits):
        if limits.suppression == 0:
            os.kill(os.getpid(), signal.SIGSEGV)

@dataclass(frozen=True)
class Liar(Algorithm):
    """Says a value of the data."""
    def group(self, table, privacy, limits):
        raise KeyError("person 7")
'''


def comparable(frame: pl.DataFrame) -> pl.DataFrame:
    return frame.drop("seconds")  # of processor time, which no two runs share


def test_a_run_is_the_release_that_its_policy_makes_alone():
    frame, rules = patients(80), policy("mondrian", suppression=0.1)

    measures = ["loss", "dm", "average-risk", "protection", shoal.QueryError(queries=50)]
    found = shoal.compare(
        frame, rules, algorithms=["mondrian", "tgc", "flash"], k=[3, 6], seeds=2,
        measures=measures, **HERE,
    )  # fmt: skip

    assert set(found.frame["outcome"]) == {"verified"}
    assert found.frame.height == 2 * (1 + 2 + 1)  # mondrian and flash use no seed
    for row in found.frame.iter_rows(named=True):
        release = found.policy(row["run"]).anonymize(frame)
        assert release.policy.seed == row["seed"]
        for measure in found.measures:
            figure = release.measure_by(measure.metric)
            assert figure == row[measure.label], (row["method"], row["k"], measure.label)
        assert row["groups"] == release.verdict.n_groups


def test_processes_find_what_this_one_finds_and_go_on_where_they_ended(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "elsewhere"))
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "found").mkdir()
    frame, rules = patients(60), policy("mondrian", suppression=0.2)
    asked = {"algorithms": ["mondrian", "oka"], "k": [3, 5], "measures": ["loss", "dm"]}

    here = shoal.compare(frame, rules, **asked, **HERE)
    there = shoal.compare(frame, rules, **asked, processes=2, folder=tmp_path / "found")
    journal = tmp_path / "found" / "runs.jsonl"
    lines = journal.read_text().splitlines()
    again = shoal.compare(frame, rules, **asked, **HERE, folder=tmp_path / "found")

    assert_frame_equal(comparable(here.frame), comparable(there.frame))
    assert_frame_equal(there.frame, again.frame)  # the seconds too: nothing was run again
    assert len(lines) == 4
    assert journal.read_text().splitlines() == lines
    assert list((tmp_path / "elsewhere").iterdir()) == []  # no file with the table


def test_a_policy_of_a_run_is_a_file_that_makes_its_release(tmp_path):
    frame, rules = patients(60), policy("mondrian", suppression=0.2)

    found = shoal.compare(
        frame, rules, vary={"algorithm.strict": [True, False], "suppression": [0, 0.2]},
        folder=tmp_path, **HERE,
    )  # fmt: skip

    assert found.frame.height == 4
    for run in found.runs:
        loaded = shoal.Policy.load(tmp_path / found.policy_file(run))
        assert loaded == found.policy(run)
        assert loaded.anonymize(frame).measures["loss"] == run.measures["loss"]


def test_columns_that_are_read_otherwise_are_read_again():
    frame = pl.DataFrame({"age": [1, 2, 30, 31, 60, 61], "job": list("aabbcc")})
    rules = shoal.Policy.of_roles(quasi=["age", "job"], privacy=[shoal.KAnonymity(2)])

    found = shoal.compare(frame, rules, vary={"columns.age.publish": ["range", "mean"]}, **HERE)

    for run in found.runs:
        release = found.policy(run).anonymize(frame)
        assert release.measures["loss"] == run.measures["loss"]


def test_a_release_that_cannot_be_had_is_a_line_of_the_table():
    found = shoal.compare(patients(20), policy("mondrian"), k=[3, 50], **HERE)

    assert found.frame["outcome"].to_list() == ["verified", "refused"]
    assert "\n" not in found.frame["why"][1]
    assert "needs at least 50 records" in found.frame["why"][1]
    assert found.frame["loss"][1] is None
    assert found.best("loss").k == 3


def test_the_best_is_the_lowest_unless_higher_is_better():
    found = shoal.compare(
        patients(60), policy("mondrian", suppression=0.2), k=[3, 9],
        measures=["loss", "c-l:column=disease:figure=l"], **HERE,
    )  # fmt: skip
    loss, values = (found.frame[name] for name in found.frame.columns[9:11])

    assert found.best("loss").k == found.frame["k"][loss.arg_min()]
    assert found.best("c-l:column=disease:figure=l").k == found.frame["k"][values.arg_max()]
    with pytest.raises(BadOption, match="was not measured; did you mean 'loss'"):
        found.best("los")
    with pytest.raises(BadOption, match="k of verified runs: 3, 9"):
        found.best("loss", k=4)


def test_another_table_or_policy_does_not_go_on_in_the_same_folder(tmp_path):
    frame, rules = patients(30), policy("mondrian")
    shoal.compare(frame, rules, folder=tmp_path / "one", **HERE)

    with pytest.raises(OutputError, match="another table"):
        shoal.compare(frame.reverse(), rules, folder=tmp_path / "one", **HERE)
    with pytest.raises(OutputError, match="another policy"):
        shoal.compare(frame, rules.with_k(4), folder=tmp_path / "one", **HERE)
    (tmp_path / "mine.txt").write_text("precious")
    with pytest.raises(OutputError, match="not of a comparison"):
        shoal.compare(frame, rules, folder=tmp_path, **HERE)


def test_a_line_that_was_cut_off_is_run_again_and_other_measures_are_measured(tmp_path):
    frame, rules = patients(30), policy("mondrian")
    shoal.compare(frame, rules, k=[3, 4], measures=["loss"], folder=tmp_path, **HERE)
    journal = tmp_path / "runs.jsonl"
    journal.write_bytes(journal.read_bytes()[:-40])

    found = shoal.compare(frame, rules, k=[3, 4], measures=["loss"], folder=tmp_path, **HERE)
    more = shoal.compare(frame, rules, k=[3, 4], measures=["loss", "dm"], folder=tmp_path, **HERE)

    assert found.frame["outcome"].to_list() == ["verified"] * 2
    assert more.frame["dm"].null_count() == 0
    assert len(tuple(read_runs(journal))) == 1 + 1 + 2


def test_a_limit_that_was_raised_is_tried_again(tmp_path):
    frame, rules = patients(30), policy("mondrian")
    shoal.compare(frame, rules, folder=tmp_path, **HERE)
    journal = tmp_path / "runs.jsonl"
    ended = json.loads(journal.read_text()) | {"outcome": "too long", "limit": 5.0, "measures": {}}
    journal.write_text(json.dumps(ended) + "\n")

    same = shoal.compare(frame, rules, folder=tmp_path, **HERE, **{"timeout": 5})
    more = shoal.compare(frame, rules, folder=tmp_path, **HERE, **{"timeout": 6})

    assert same.frame["outcome"].to_list() == ["too long"]
    assert more.frame["outcome"].to_list() == ["verified"]


def test_measures_that_a_table_cannot_have_are_refused_before_the_first_run():
    rules = shoal.Policy.of_roles(
        quasi=["age"], sensitive=["a", "b"], privacy=[shoal.KAnonymity(2)]
    )
    frame = pl.DataFrame({"age": [1, 2, 3, 4], "a": list("xyxy"), "b": list("xxyy")})

    with pytest.raises(PolicyError, match="say which `column` of a, b is meant"):
        shoal.compare(frame, rules, measures=["c-l"], **HERE)
    assert "c-l" not in shoal.compare(frame, rules, **HERE).frame.columns
    assert shoal.compare(frame, rules, measures=["c-l:column=a"], **HERE).verified


@pytest.fixture
def misbehaving(tmp_path, monkeypatch):
    """Algorithms of another package, installed where processes find them too."""
    (tmp_path / "misbehaving.py").write_text(MISBEHAVING)
    info = tmp_path / "misbehaving-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: misbehaving\nVersion: 1\n")
    names = ("Sleeper", "Eater", "Crasher", "Liar")
    points = "".join(f"{name.lower()} = misbehaving:{name}\n" for name in names)
    (info / "entry_points.txt").write_text(f"[shoal.algorithms]\n{points}")
    monkeypatch.syspath_prepend(tmp_path)
    from added_entries import look_again

    look_again(monkeypatch)
    yield
    sys.modules.pop("misbehaving", None)


def test_a_run_that_takes_too_long_is_ended(misbehaving):
    found = shoal.compare(
        patients(20), policy("sleeper"), measures=["loss"], processes=1, **{"timeout": 0.5}
    )

    assert found.frame["outcome"].to_list() == ["too long"]
    assert "more than 0.5 seconds" in found.frame["why"][0]


def test_a_run_that_takes_too_much_is_ended_and_the_others_go_on(misbehaving):
    found = shoal.compare(
        patients(20), policy("mondrian"), algorithms=["eater", "crasher", "liar", "mondrian"],
        measures=["loss"], processes=2, memory=800,
    )  # fmt: skip

    ended = dict(zip(found.frame["method"], found.frame["outcome"], strict=True))
    assert ended == {
        "eater": "too much memory", "crasher": "failed", "liar": "failed", "mondrian": "verified",
    }  # fmt: skip
    assert "person 7" not in str(found.frame["why"].to_list())
    assert "more than 800 MB" in found.frame["why"][0]


def test_a_comparison_can_be_cancelled_and_goes_on(tmp_path, monkeypatch):
    monkeypatch.setattr("shoal.types.watch.EVERY", 0.0)  # tell every step
    watch = shoal.Watch(lambda p: p.unit == "runs" and p.done == 1 and watch.cancel())
    frame, rules = patients(40), policy("mondrian", suppression=0.2)
    asked = {"k": [3, 4, 5], "measures": ["loss"], "folder": tmp_path}

    with pytest.raises(Cancelled):
        shoal.compare(frame, rules, **asked, **HERE, watch=watch)

    assert len(tuple(read_runs(tmp_path / "runs.jsonl"))) == 1
    assert (
        shoal.compare(frame, rules, **asked, **HERE).frame["outcome"].to_list() == ["verified"] * 3
    )


CALL = """
import sys; sys.path[:0] = {path!r}
import shoal
from conformance.tables import patients, policy
shoal.compare(patients(200), policy("mondrian", suppression=0.1), algorithms=["mondrian", "oka"],
              k=range(2, 12), measures=["loss", "dm"], folder={folder!r}, processes={processes})
"""


def calling(folder: Path, processes: int) -> subprocess.Popen[bytes]:
    path = [str(Path(__file__).parents[1])]
    code = CALL.format(path=path, folder=str(folder), processes=processes)
    return subprocess.Popen([sys.executable, "-c", code])


@pytest.mark.parametrize("seed", seeds(1, thorough=12))
def test_a_comparison_that_is_killed_goes_on_and_ends_with_the_same_table(seed, tmp_path):
    """At any moment, also in the middle of writing a line; its processes end with it."""
    rng, processes = random.Random(seed), 0 if seed % 3 == 2 else 2
    (tmp_path / "killed").mkdir()
    for _ in range(1 + seed % 3):
        process = calling(tmp_path / "killed", processes)
        after = rng.randrange(1, 6)
        while process.poll() is None and n_lines(tmp_path / "killed") < after:
            time.sleep(0.002)
        time.sleep(rng.uniform(0, 0.02))
        children = children_of(process.pid)
        process.send_signal(signal.SIGKILL)
        process.wait()
    n_kept = n_lines(tmp_path / "killed")

    asked = {"algorithms": ["mondrian", "oka"], "k": range(2, 12), "measures": ["loss", "dm"]}
    frame, rules = patients(200), policy("mondrian", suppression=0.1)
    gone_on = shoal.compare(frame, rules, **asked, **HERE, folder=tmp_path / "killed")
    whole = shoal.compare(frame, rules, **asked, **HERE)

    assert n_kept >= 1
    assert gone_on.frame.height == 20
    assert_frame_equal(comparable(gone_on.frame), comparable(whole.frame))
    assert still_running(children) == []


def n_lines(folder: Path) -> int:
    try:
        return (folder / "runs.jsonl").read_bytes().count(b"\n")
    except FileNotFoundError:
        return 0


def children_of(process: int) -> list[int]:
    try:
        text = Path(f"/proc/{process}/task/{process}/children").read_text()
    except OSError:  # it has ended, or the system does not tell
        return []
    return [int(number) for number in text.split()]


def still_running(processes: list[int]) -> list[int]:
    """Those that have not ended by themselves after a while."""
    left = processes
    for _ in range(500):
        left = [process for process in left if is_running(process)]
        if not left:
            break
        time.sleep(0.02)
    return left


def is_running(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"timeout": 0}, "timeout must be"),
        ({"memory": -1}, "memory must be"),
        ({"processes": -1}, "processes must be"),
        ({"seeds": 0}, "seeds must be"),
    ],
)
def test_limits_that_make_no_sense_are_refused(given, said):
    with pytest.raises(ShoalError, match=said):
        shoal.compare(patients(10), policy("mondrian"), **given)


# The front


def test_points_of_a_front_are_dominated_by_none_when_made_again_from_their_files(tmp_path):
    frame, rules = patients(80), policy("tgc", suppression=0.1)

    found = shoal.frontier(
        frame, rules, k="3..20", vary={"algorithm.weights.utility": "0.0..1.0"}, runs=16,
        folder=tmp_path, **HERE,
    )  # fmt: skip
    again = shoal.frontier(
        frame, rules, k="3..20", vary={"algorithm.weights.utility": "0.0..1.0"}, runs=16,
        folder=tmp_path, **HERE,
    )  # fmt: skip

    points = []
    for row in found.front.iter_rows(named=True):
        release = shoal.Policy.load(tmp_path / row["policy"]).anonymize(frame)
        points.append((release.measures["loss"], release.measure("protection")))
        assert points[-1] == (row["loss"], row["protection"])
    others = list(found.frame.select("loss", "protection").iter_rows())
    assert len(points) >= 4
    assert found.frame.height == 16
    for loss, risk in points:
        assert not any(l <= loss and r <= risk and (l, r) != (loss, risk) for l, r in others)
    assert_frame_equal(found.frame, again.frame)  # nothing was run again
    assert len(tuple(read_runs(tmp_path / "runs.jsonl"))) == 16


def test_a_front_takes_any_two_measures_and_turns_those_of_which_more_is_better():
    found = shoal.frontier(
        patients(60), policy("mondrian", suppression=0.2), algorithms=["mondrian", "mstk"],
        loss="dm", risk="c-l:column=disease:figure=l", k=[3, 5, 9], runs=6, **HERE,
    )  # fmt: skip

    front = found.front
    assert found.frame.height == 6
    assert front["dm"].is_sorted()
    assert front["c-l:column=disease:figure=l"].is_sorted()  # more costs more
    assert found.frame.filter(pl.col("front")).height == front.height >= 1


def test_loss_and_risk_must_be_two_measures():
    with pytest.raises(BadOption, match="must be two measures"):
        shoal.frontier(patients(20), policy("mondrian"), loss="loss", risk="loss", **HERE)


def test_a_table_without_sensitive_columns_has_the_average_risk_by_default():
    rules = shoal.Policy.of_roles(quasi=["age"], privacy=[shoal.KAnonymity(2)])

    found = shoal.frontier(pl.DataFrame({"age": range(40)}), rules, runs=5, **HERE)

    assert [m.label for m in found.measures] == ["loss", "average-risk"]
    assert set(found.frame["method"]) == {"mondrian"}


def test_a_front_for_a_task_has_the_releases_that_a_classifier_learns_from_best():
    frame, rules = patients(90), policy("mondrian", suppression=0.1)

    found = shoal.frontier(
        frame, rules, loss="classification:disease", risk="average-risk", k=[3, 6, 12], runs=6,
        algorithms="mondrian", **HERE,
    )  # fmt: skip

    label = "classification:target=disease"
    for row in found.frame.iter_rows(named=True):
        release = found.policy(row["run"]).anonymize(frame)
        assert row[label] == release.measure("classification", target="disease")
    assert found.front[label].is_sorted(descending=True)  # more is better
    assert found.front["average-risk"].is_sorted(descending=True)


def test_a_task_that_the_policy_cannot_have_is_refused_before_the_first_run():
    with pytest.raises(PolicyError, match="age: classification: the target 'age' must be"):
        shoal.frontier(patients(30), policy("mondrian"), loss="classification:age", **HERE)


def test_a_front_of_one_release_says_that_nothing_is_traded():
    found = shoal.frontier(patients(40), policy("mondrian"), k="2..4", risk="ncp", runs=3, **HERE)

    assert "nothing to trade here" in found.plot().sentence
