"""The registry: what was released of which table, so that a second release is noticed."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import polars as pl
import pytest

import shoal
from cases.two_releases import rules, table
from shoal.errors import OutputError
from shoal.read.files import read_file
from shoal.read.registry import Entry, read_registry, values_sha256
from shoal.runs.anonymize import anonymize
from shoal.write.registry import append_line


@pytest.fixture
def registry(tmp_path) -> Path:
    return tmp_path / "releases.jsonl"


def noticed(release):
    return [note for note in release.notes if "released before" in note]


def test_a_second_release_of_a_table_is_noticed(registry):
    frame = table(60, seed=1)
    first = rules().anonymize(frame, registry=registry)

    second = rules(k=6).anonymize(frame.sample(fraction=1, shuffle=True), registry=registry)

    assert noticed(first) == []
    (note,) = noticed(second)
    assert "Give that release as `--earlier`" in note
    assert second.summary()["notes"][-1] == note
    assert len(read_registry(registry).entries) == 2


def test_the_same_release_again_is_neither_noticed_nor_added(registry):
    frame = table(60, seed=1)
    for _ in range(2):
        again = rules().anonymize(frame, registry=registry)

    assert noticed(again) == []
    assert len(read_registry(registry).entries) == 1


def test_a_release_that_was_judged_as_earlier_needs_no_note(registry):
    frame = table(60, seed=1)
    first = rules("flash", k=60).anonymize(frame, registry=registry).frame

    judged = rules("flash", k=6).anonymize(frame, registry=registry, earlier=[first])

    assert noticed(judged) == []
    assert len(noticed(rules("mondrian").anonymize(frame, registry=registry))) == 2


def test_another_table_is_not_noticed(registry):
    rules().anonymize(table(60, seed=1), registry=registry)

    assert noticed(rules().anonymize(table(60, seed=2), registry=registry)) == []


def test_python_writes_no_registry_unless_told_to(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    rules().anonymize(table(60, seed=1))

    assert list(tmp_path.iterdir()) == []


def test_only_the_owner_may_read_it_and_it_has_no_value_of_the_data(registry):
    registry.touch(mode=0o644)
    frame = table(60, seed=1)

    shoal.anonymize(
        frame, identifiers=["name"], quasi=["age", "town"], sensitive=["ill"], keep=["visits"],
        privacy=[shoal.KAnonymity(3)], registry=registry,
    )  # fmt: skip

    assert registry.stat().st_mode & 0o777 == 0o600
    content = json.loads(registry.read_text())
    assert content.keys() == set(Entry._fields)
    assert not any(value in registry.read_text() for value in ("ayr", "flu", "gout", "cove"))


@pytest.mark.parametrize(
    "line", [b"{", b"[1]", b"\xff\xfe", b'{"time": 1}', b'{"time": "2026"}', b"null"]
)
def test_a_damaged_line_is_told_and_breaks_nothing(registry, line):
    frame = table(60, seed=1)
    rules().anonymize(frame, registry=registry)
    with registry.open("ab") as file:
        file.write(line)  # a run was stopped here: there is no end of the line

    second = rules(k=6).anonymize(frame, registry=registry)

    assert noticed(second)
    assert any("1 line of releases.jsonl cannot be read" in note for note in second.notes)
    assert len(read_registry(registry).entries) == 2


def test_a_registry_that_cannot_be_written_does_not_undo_a_release(tmp_path):
    release = rules().anonymize(table(60, seed=1), registry=tmp_path / "nowhere" / "r.jsonl")

    assert release.verdict.holds
    assert "This release was not remembered." in release.notes[-1]


def test_lines_of_runs_at_the_same_time_are_all_there(registry):
    with ThreadPoolExecutor(8) as pool:
        texts = [json.dumps({"i": i, "x": "y" * 500}) for i in range(200)]
        list(pool.map(lambda text: append_line(registry, text), texts))

    lines = filter(None, registry.read_text().splitlines())
    assert sorted(json.loads(line)["i"] for line in lines) == list(range(200))


def test_a_folder_is_not_a_registry(tmp_path):
    with pytest.raises(OutputError, match="cannot be written"):
        append_line(tmp_path, "{}")


@pytest.mark.parametrize(
    "other",
    [
        pl.DataFrame({"a": ["x", "y", "y"], "b": ["1", None, "2"]}),
        pl.DataFrame({"a": ["x", "x", "y"], "b": ["1", "", "2"]}),
        pl.DataFrame({"a": ["x", "x", "y"], "b": ["12", None, None]}),
        pl.DataFrame({"a": ["x", "x", "y"], "c": ["1", None, "2"]}),
        pl.DataFrame({"a": ["x", "x", "y"]}),
    ],
)
def test_other_values_have_another_hash(other):
    frame = pl.DataFrame({"a": ["x", "x", "y"], "b": ["1", None, "2"]})

    assert values_sha256(frame) == values_sha256(
        frame.reverse().with_columns(pl.col("b").cast(pl.Int8))
    )
    assert values_sha256(other) != values_sha256(frame)


@pytest.mark.parametrize("missing", [False, True])
def test_what_was_counted_on_the_way_has_the_hash_of_the_table(tmp_path, missing):
    frame = table(60, seed=1).cast(pl.String)
    if missing:
        frame = frame.with_columns(
            pl.when(pl.int_range(pl.len()) % 7 > 0).then(pl.all()).otherwise(None)
        )
    frame.write_csv(tmp_path / "people.csv")
    source = read_file(tmp_path / "people.csv")
    release = anonymize(source, rules())

    assert source.text_counts
    assert release.text_counts
    assert values_sha256(source.frame, source.text_counts) == values_sha256(source.frame)
    published = release.published
    assert values_sha256(published, release.text_counts) == values_sha256(published)


def test_the_hash_of_a_table_is_what_older_registries_have():
    table = {"age": ["31", "38", None, "31"], "sex": ["f", "m", "", "f"], "n": [1, 2, 2, None]}
    before = "91527495530eb6045e18a8dc7d122d0a5fd0af94c1944c3f56297e1f49a3f7b9"

    assert values_sha256(pl.DataFrame(table)) == before
