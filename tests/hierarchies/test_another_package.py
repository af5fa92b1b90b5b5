"""A kind of hierarchy of another package: the example of the page on hierarchies."""

from __future__ import annotations

import re
import sys
import types
from importlib.metadata import EntryPoint
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal import catalog
from shoal.errors import InputError, PolicyError
from shoal.types.sql_cell import SqlCell
from shoal.types.verdict import Leak

PAGE = Path(__file__).parents[2] / "docs" / "hierarchies.md"
JOBS = ["nurse at night", "nurse by day", "nurse of children", "cook of soups", "cook of fish"]
POLICY = """\
columns:
  job: {role: quasi, hierarchy: HIERARCHY}
  disease: sensitive
privacy:
  - {model: k-anonymity, k: 3}
"""


@pytest.fixture
def first_word(monkeypatch):
    """The class of the page, installed as an entry point."""
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    module = types.ModuleType("first_word")
    monkeypatch.setitem(sys.modules, "first_word", module)
    exec(code, module.__dict__)
    added = EntryPoint("first-word", "first_word:FirstWord", "shoal.hierarchies")
    monkeypatch.setattr(
        catalog, "entry_points", lambda group: [added] if group == added.group else []
    )
    catalog._places.cache_clear()
    yield module.FirstWord
    catalog._places.cache_clear()


@pytest.fixture
def load(first_word, tmp_path):
    def load(hierarchy: str, more: str = "") -> shoal.Policy:
        path = tmp_path / "policy.yaml"
        path.write_text(POLICY.replace("HIERARCHY", hierarchy) + more)
        return shoal.Policy.load(path)

    return load


def people(jobs: list[str]) -> pl.DataFrame:
    return pl.DataFrame({"job": jobs, "disease": ["Flu", "Gout"] * (len(jobs) // 2)})


@pytest.mark.parametrize(
    ("written", "words"),
    [("first-word", 1), ("{first-word: 2}", 2), ("{first_word: {words: 2}}", 2),
     ("{first-word: {}}", 1)],
)  # fmt: skip
def test_a_policy_names_it(load, first_word, written, words):
    assert load(written).columns["job"].hierarchy == first_word(words)


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("{first-wrod: 1}", "unknown kind of hierarchy; did you mean 'first-word'?"),
        ("{first-word: }", "columns.job.hierarchy.first-word: must be a whole number"),
        ("{first-word: many}", "columns.job.hierarchy.first-word: must be a whole number"),
        ("{first-word: {wrods: 2}}", "unknown option; did you mean 'words'? It takes words."),
        ("{Jane Doe: 2}", "give one of date, first-word, flat"),
        ("{first-word: {Jane Doe: 2}}", "It takes words."),
    ],
)
def test_a_misspelt_one_is_refused_without_showing_a_value(load, written, message):
    with pytest.raises(PolicyError) as caught:
        load(written)

    assert message in str(caught.value)
    assert "line 2" in str(caught.value)
    assert "Jane" not in str(caught.value)


@pytest.mark.parametrize("algorithm", ["mondrian", "flash"])
def test_a_release_has_its_nodes_and_is_verified(load, algorithm):
    policy = load("first-word", f"algorithm: {{name: {algorithm}}}\n")

    release = policy.anonymize(people(JOBS * 2))

    assert set(release.frame["job"]) == {"nurse ...", "cook ..."}
    assert release.verdict.holds
    assert policy.check(release.frame).holds


def test_python_needs_no_entry_point(first_word):
    release = shoal.anonymize(
        people(JOBS * 2), quasi={"job": first_word()}, sensitive=["disease"],
        privacy=[shoal.KAnonymity(3)],
    )  # fmt: skip

    assert set(release.frame["job"]) == {"nurse ...", "cook ..."}


def test_only_values_that_are_rare_as_they_were_are_leaks(load):
    cells = ["nurse ...", "nurse ...", "nurse ...", "cook ...", "sailor", "sailor"]

    leaks = load("first-word").check(people(cells)).leaks

    assert leaks == (Leak("rare value", "job", 2),)


def test_a_saved_recoding_applies_it_to_values_nobody_has_seen(load, tmp_path):
    policy = load("{first-word: 1}", "algorithm: {name: flash}\n")
    release = policy.anonymize(people(JOBS * 2))
    release.recoding.write(tmp_path / "recoding.json")

    recoding = shoal.Recoding.load(tmp_path / "recoding.json")

    assert recoding == release.recoding
    again = recoding.apply(people(["nurse at sea", "nurse on leave", "nurse by day", "nurse"]))
    assert again.frame["job"].to_list() == ["nurse ..."] * 4


def test_sql_refuses_what_it_cannot_say(load):
    release = load("first-word", "algorithm: {name: flash}\n").anonymize(people(JOBS * 2))

    with pytest.raises(InputError, match=r"Column 'job': .*first 1 words.* cannot be written as"):
        release.recoding.sql()


def test_sql_says_what_it_can(load, first_word, monkeypatch):
    def sql(self, level, column):
        return SqlCell(column.label, f"split_part({column.value}, ' ', 1) || ' ...'")

    monkeypatch.setattr(first_word, "sql", sql)
    release = load("first-word", "algorithm: {name: flash}\n").anonymize(people(JOBS * 2))
    duckdb = pytest.importorskip("duckdb")
    database = duckdb.connect()
    database.register("data", people(JOBS * 2).to_arrow())

    rows = database.execute(release.recoding.sql("data")).fetchall()

    assert sorted(rows) == sorted(release.frame.rows())


def test_the_policy_is_written_back(load, tmp_path):
    policy = load("{first-word: 2}")

    policy.write(tmp_path / "again.yaml")

    assert "hierarchy: {first-word: 2}" in (tmp_path / "again.yaml").read_text()
    assert shoal.Policy.load(tmp_path / "again.yaml") == policy


def test_two_packages_must_not_have_the_same_kind(monkeypatch):
    added = EntryPoint("prefix", "first_word:FirstWord", "shoal.hierarchies")
    monkeypatch.setattr(
        catalog, "entry_points", lambda group: [added] if group == added.group else []
    )
    catalog._places.cache_clear()

    with pytest.raises(PolicyError, match="two installed packages define the hierarchy"):
        catalog.names("hierarchy")
    catalog._places.cache_clear()
