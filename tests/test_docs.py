"""What the pages in docs/ say is so."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path
from typing import get_args

import polars as pl
import pytest

import shoal
from shoal import catalog
from shoal.metrics import in_every_summary
from shoal.report import words
from shoal.types.column import PUBLISH, ROLES
from shoal.types.schema import Missing

ROOT = Path(__file__).parents[1]
POLICY = (ROOT / "docs" / "policy.md").read_text(encoding="utf-8")
PAGES = sorted(ROOT.glob("*.md")) + sorted((ROOT / "docs").rglob("*.md"))


def test_the_example_policy_loads_and_shows_every_key(tmp_path):
    example, _ = re.findall(r"```yaml\n(.*?)```", POLICY, re.DOTALL)
    (tmp_path / "work.csv").write_text("nurse;care;*\n")
    (tmp_path / "policy.yaml").write_text(example)

    policy = shoal.Policy.load(tmp_path / "policy.yaml")

    keys = {field.name for field in dataclasses.fields(policy)} - {"lines"}
    assert keys == {line.partition(":")[0] for line in example.splitlines() if line[0].isalpha()}


def test_the_policy_that_is_written_from_python_is_the_one_on_the_page(capsys):
    code, _watching = re.findall(r"```python\n(.*?)```", POLICY, re.DOTALL)
    _, written = re.findall(r"```yaml\n(.*?)```", POLICY, re.DOTALL)

    exec(code, {"shoal": shoal})

    assert capsys.readouterr().out == written + "\n"


@pytest.mark.parametrize("word", [*ROLES, *PUBLISH])
def test_every_role_and_way_of_publishing_is_explained(word):
    assert re.search(rf"^\|[^|]*`{word}`", POLICY, re.MULTILINE)


def test_every_measure_is_defined():
    page = (ROOT / "docs" / "measures.md").read_text(encoding="utf-8")

    assert re.findall(r"^\| (\w+) \|", page, re.MULTILINE) == ["measure", *in_every_summary()]
    others = re.findall(r"^\| `([a-z-]+)` \|", page, re.MULTILINE)
    assert sorted([*in_every_summary(), *others]) == list(catalog.names("metric"))


@pytest.mark.parametrize(("part", "folder"), [("algorithm", "algorithms"), ("model", "models")])
def test_every_algorithm_and_model_has_a_page(part, folder):
    pages = {path.stem for path in (ROOT / "docs" / folder).glob("*.md")}

    assert pages == set(catalog.names(part))


def test_every_kind_of_hierarchy_has_a_section():
    page = (ROOT / "docs" / "hierarchies.md").read_text(encoding="utf-8")
    sections = re.findall(r"^## (\S+)$", page, re.MULTILINE)

    assert sorted(sections) == list(catalog.names("hierarchy"))


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text(encoding="utf-8")):
        path, _, _title = target.partition(" ")
        if "://" not in path:
            assert (page.parent / path).exists(), path


def test_the_visits_of_one_patient_are_groups_as_the_page_says():
    page = (ROOT / "docs" / "people.md").read_text(encoding="utf-8")
    code = re.search(r"```python\n(.*?)```", page, re.DOTALL).group(1)
    made = {"pl": pl, "shoal": shoal}

    exec(code, made)
    visits, release = made["visits"], made["release"]

    told = " ".join(line.removeprefix(">") for line in page.splitlines())
    assert " ".join(words.headline(release.verdict).split()) in " ".join(told.split())
    assert visits["patient_id"].n_unique() == release.verdict.n_groups == 300
    assert release.verdict.group_sizes == {5: 300}
    assert release.measures["loss"] == 0


def test_the_page_on_people_says_what_missing_does_to_a_person():
    page = (ROOT / "docs" / "people.md").read_text(encoding="utf-8")

    assert set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) - {"missing"} == set(
        get_args(Missing)
    )


def test_the_tables_of_the_page_are_verified_as_it_says(tmp_path, monkeypatch):
    page = (ROOT / "docs" / "tables.md").read_text(encoding="utf-8")
    rules, code = (
        re.search(rf"```{language}\n(.*?)```", page, re.DOTALL).group(1)
        for language in ("yaml", "python")
    )
    monkeypatch.chdir(tmp_path)
    Path("policy.yaml").write_text(rules)
    Path("patients.key").write_bytes(bytes(range(32)))
    Path("patients.key").chmod(0o600)
    made = {"pl": pl, "shoal": shoal}

    exec(code, made)

    assert f"> {words.headline(made['release'].verdict.whole)}\n" in page
    assert made["verdict"].holds
    assert made["release"].n_people == made["patients"].height
