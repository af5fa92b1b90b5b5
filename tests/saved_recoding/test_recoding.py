"""The recoding of a release, as an object and as a file."""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from cases.without_words import WithoutWords
from saved_recoding.full_domain import HIERARCHIES, FixedLevels, people, policy
from shoal.errors import InputError, OutputError
from shoal.hierarchies.flat import Flat
from shoal.hierarchies.levels import Levels
from shoal.saved_recoding.fixed import Fixed, Nothing
from shoal.types.hierarchy import Hierarchy
from shoal.types.hierarchy_spec import HierarchySpec
from shoal.types.schema import ColumnSpec
from tiers import examples

LEVELS = {"age": 1, "zip": 3, "job": 1, "sex": 0}


@pytest.fixture(scope="module")
def release():
    return policy(LEVELS).anonymize(people())


def test_a_release_has_the_level_and_the_kind_of_every_quasi_identifier(release):
    recoding = release.recoding

    assert recoding.levels == release.summary()["levels"]
    kinds = {name: recoding.policy.columns[name].hierarchy.kind for name in HIERARCHIES}
    assert kinds == {
        "age": "integer", "pay": "number", "zip": "text", "born": "date", "seen": "datetime",
        "job": "text", "sex": "text",
    }  # fmt: skip


def test_a_local_recoding_has_none():
    frame = people().select("age")
    release = shoal.anonymize(frame, quasi=["age"], privacy=[shoal.KAnonymity(2)])

    assert release.grouping.levels is None
    assert release.recoding is None


def test_what_is_written_is_read_again(release, tmp_path):
    recoding = release.recoding
    recoding.write(tmp_path / "r.recoding.json")

    loaded = shoal.Recoding.load(tmp_path / "r.recoding.json")

    assert loaded == recoding
    assert loaded.levels == recoding.levels
    assert list(loaded.policy.columns) == list(recoding.policy.columns)
    assert loaded.found_by["name"] == "fixed-levels"


def test_the_file_says_first_that_it_is_internal(release):
    keys = json.loads(release.recoding.text())

    assert next(iter(keys)) == "note"
    assert keys["note"].startswith("INTERNAL")
    assert keys["shoal"] == shoal.__version__


def test_rules_are_stored_as_rules_and_lists_as_paths(release):
    columns = json.loads(release.recoding.text())["columns"]

    assert columns["age"] == {
        "role": "quasi", "level": 1, "kind": "integer", "hierarchy": {"intervals": [5, 10, 20]},
    }  # fmt: skip
    assert columns["zip"]["hierarchy"] == {"prefix": 5}
    assert columns["sex"]["hierarchy"] == "flat"
    assert ["nurse", "care", "*"] in columns["job"]["hierarchy"]["levels"]
    assert columns["name"] == {"role": "identifier"}


def test_no_value_of_a_rule_is_in_the_file(release):
    text = release.recoding.text()

    assert not any(code in text for code in people()["zip"].drop_nulls().to_list())


def test_every_setting_of_a_policy_survives(tmp_path):
    rules = policy(
        {"job": 1, "sex": 0}, k=3, privacy=[shoal.DistinctLDiversity("disease", 2)],
        suppression=0.75, missing="suppress", missing_values=["", "?"], unknown="suppress",
        order="input", seed=7,
    )  # fmt: skip
    heavy = replace(rules.columns["job"], weight=2.5, publish="node")
    listed = replace(rules.columns["disease"], hierarchy=diseases())
    rules = replace(rules, columns={**rules.columns, "job": heavy, "disease": listed})

    recoding = rules.anonymize(people()).recoding
    recoding.write(tmp_path / "r.json")
    loaded = shoal.Recoding.load(tmp_path / "r.json").policy

    kept = ("privacy", "suppression", "missing", "missing_values", "unknown", "order", "seed")
    assert [getattr(loaded, key) for key in kept] == [getattr(rules, key) for key in kept]
    assert loaded.columns["job"].weight == 2.5
    assert loaded.columns["disease"] == listed
    assert {n: s.role for n, s in loaded.columns.items()} == {
        n: s.role for n, s in rules.columns.items()
    }


def diseases() -> Levels:
    return shoal.tree({"airways": ["flu", "o'cold"], "other": ["gout", "none"]})


def test_a_column_that_is_missing_throughout_is_stored_as_nothing(tmp_path):
    frame = people().with_columns(pl.lit(None, dtype=pl.Int64).alias("age"))
    recoding = policy({"age": 0}).anonymize(frame).recoding
    recoding.write(tmp_path / "r.json")

    assert shoal.Recoding.load(tmp_path / "r.json") == recoding
    assert recoding.policy.columns["age"].hierarchy == Fixed(Nothing(), "integer")


def test_a_column_without_a_hierarchy_is_stored_as_flat():
    """The pipeline gives full-domain algorithms a flat one; the policy does not name it."""
    release = policy({"sex": 0}).anonymize(people())
    bare = {**release.schema.columns, "sex": ColumnSpec("quasi")}
    release = replace(release, schema=replace(release.schema, columns=bare))

    assert release.recoding.policy.columns["sex"].hierarchy == Fixed(Flat(), "text")


@dataclass(frozen=True)
class OwnModel(WithoutWords):
    """A model that no catalog knows."""

    is_local = survives_merging = survives_growth = True
    smallest = 1

    def holds(self, stats):
        return np.ones(stats.n_groups, dtype=np.bool_)


@dataclass(frozen=True)
class OwnHierarchy(HierarchySpec):
    reads_text = True
    height = 2

    def describe(self):
        return "own"

    def build(self, column):
        return Hierarchy.of_paths([(label, label[:1] + "~", "*") for label in column.labels])


def test_a_model_of_ones_own_works_in_the_same_program_but_is_not_written(tmp_path):
    recoding = policy(LEVELS, privacy=[OwnModel()]).anonymize(people()).recoding

    assert recoding.apply(people()).verdict.holds
    with pytest.raises(OutputError, match="class of your own"):
        recoding.write(tmp_path / "r.json")
    assert list(tmp_path.iterdir()) == []


def test_a_hierarchy_of_ones_own_works_in_the_same_program_but_is_not_written(tmp_path):
    rules = policy({"sex": 1})
    own = replace(rules.columns["sex"], hierarchy=OwnHierarchy())
    release = replace(rules, columns={**rules.columns, "sex": own}).anonymize(people())

    again = release.recoding.apply(people())

    assert again.published.equals(release.published)
    assert "f~" in release.published["sex"]
    with pytest.raises(OutputError, match="class of your own"):
        release.recoding.write(tmp_path / "r.json")


BROKEN = {
    "no json": "{",
    "other json": "[1, 2]",
    "other format": '{"format": "something else"}',
    "empty": "",
    "not utf-8": b"\xff\xfe{",
}


@pytest.mark.parametrize("content", BROKEN.values(), ids=BROKEN)
def test_another_file_is_no_recoding(tmp_path, content):
    path = tmp_path / "r.json"
    path.write_bytes(content if isinstance(content, bytes) else content.encode())

    with pytest.raises(InputError, match="not a recoding file"):
        shoal.Recoding.load(path)


def test_a_file_that_is_not_there_is_named(tmp_path):
    with pytest.raises(InputError, match="no such recoding file"):
        shoal.Recoding.load(tmp_path / "r.json")


def test_a_newer_format_is_refused(release, tmp_path):
    (tmp_path / "r.json").write_text(
        release.recoding.text().replace('"version": 1', '"version": 2')
    )

    with pytest.raises(InputError, match="format that Shoal"):
        shoal.Recoding.load(tmp_path / "r.json")


EDITS = {
    "level too high": (("columns", "age", "level"), 9, "level must be a whole number from 0 to 4"),
    "level no number": (("columns", "age", "level"), "1", "level must be a whole number"),
    "level true": (("columns", "age", "level"), True, "level must be a whole number"),
    "unknown kind": (("columns", "age", "kind"), "colour", "a key is missing"),
    "unknown rule": (("columns", "age", "hierarchy"), {"stars": 3}, "unknown kind of hierarchy"),
    "rule no mapping": (("columns", "age", "hierarchy"), 7, "must be keys with values"),
    "widths that do not nest": (("columns", "age", "hierarchy"), {"intervals": [5, 7]}, "nest"),
    "a file": (("columns", "job", "hierarchy"), {"levels": "xyzzy.csv"}, "must be listed here"),
    "leaf twice": (
        ("columns", "job", "hierarchy"),
        {"levels": [["xyzzy", "a", "*"], ["xyzzy", "b", "*"]]},
        "two parents",
    ),
    "unknown role": (("columns", "age", "role"), "xyzzy", "must be one of"),
    "unknown model": (("privacy",), [{"model": "k-anonymty", "k": 2}], "did you mean"),
    "no model": (("privacy",), [], "no privacy model"),
    "unknown setting": (("supression",), 1, "unknown"),
    "share too large": (("suppression",), 3, "between 0 and 1"),
    "no columns": (("columns",), [], "a key is missing"),
}


@pytest.mark.parametrize("name", EDITS)
def test_a_file_that_was_edited_wrongly_is_refused_without_showing_a_leaf(release, tmp_path, name):
    path, value, message = EDITS[name]
    document = json.loads(release.recoding.text())
    place = document
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    (tmp_path / "r.json").write_text(json.dumps(document))

    with pytest.raises(InputError, match=re.escape(message)) as caught:
        shoal.Recoding.load(tmp_path / "r.json")

    assert "xyzzy" not in str(caught.value)
    assert "nurse" not in str(caught.value)


def test_the_old_file_stays_when_writing_fails(release, tmp_path, monkeypatch):
    target = tmp_path / "r.json"
    target.write_text("before")
    monkeypatch.setattr(os, "fsync", lambda handle: (_ for _ in ()).throw(OSError(28, "disk full")))

    with pytest.raises(OutputError):
        release.recoding.write(target)

    assert target.read_text() == "before"
    assert list(tmp_path.iterdir()) == [target]


def test_its_repr_shows_levels_and_no_leaf(release):
    assert "age 1" in repr(release.recoding)
    assert "nurse" not in repr(release.recoding)


names = st.text(min_size=1, max_size=8)
words = st.text(min_size=1, max_size=8).filter(lambda text: text != "*")


@examples(thorough=50)
@given(
    name=names.filter(lambda text: text not in ("other", "name")),
    leaves=st.lists(words, min_size=1, max_size=6, unique=True),
    missing=st.lists(st.text(max_size=4), min_size=1, max_size=3),
)
def test_any_name_and_any_leaf_survive(tmp_path_factory, name, leaves, missing):
    rules = shoal.Policy.of_roles(
        quasi={name: shoal.levels([(leaf, "above") for leaf in leaves])},
        keep=["other"],
        privacy=[shoal.KAnonymity(1)],
        algorithm=FixedLevels((0,)),
        missing_values=missing,
        unknown="suppress",
    )
    frame = pl.DataFrame({name: leaves, "other": leaves})
    used = {leaf for leaf in leaves if leaf not in missing and leaf != ""}
    recoding = rules.anonymize(frame).recoding
    path = tmp_path_factory.mktemp("any") / "r.json"
    recoding.write(path)

    loaded = shoal.Recoding.load(path)

    assert loaded == recoding
    assert set(loaded.apply(frame).frame[name].drop_nulls()) == used
