"""The examples of CONTRIBUTING.md are an algorithm, a model and a metric, found by their files."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import polars as pl
import pytest

import shoal
from added_entries import look_again
from shoal import catalog

PAGE = Path(__file__).parents[1] / "CONTRIBUTING.md"
EXAMPLES = dict(
    re.findall(
        r"```python\n# src/shoal/(\S+)\.py\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL
    )
)
PEOPLE = pl.DataFrame({"age": [1, 2, 3], "sex": ["f", "m", "f"]})


@pytest.fixture
def write(monkeypatch, tmp_path):
    """Puts the file of an example where it belongs, and does nothing else."""

    def write_example(place):
        room, *_, name = place.split("/")
        (tmp_path / f"{name}.py").write_text(EXAMPLES[place], encoding="utf-8")
        package = importlib.import_module(f"shoal.{room}")
        folders = [*package.__path__, str(tmp_path)]
        monkeypatch.setattr(package, "__path__", folders)
        monkeypatch.setattr(package.__spec__, "submodule_search_locations", folders)
        look_again(monkeypatch)

    return write_example


def test_there_is_one_example_of_each():
    assert [place.partition("/")[0] for place in EXAMPLES] == ["group", "privacy", "metrics"]


def test_the_algorithm_is_found_and_groups_everything(write):
    write("group/partition/one_group")

    release = shoal.anonymize(
        PEOPLE, quasi=["age", "sex"], privacy=[shoal.KAnonymity(2)], algorithm="one-group"
    )

    assert release.frame.rows() == [("[1, 3]", "*")] * 3  # one of the sexes is rare
    assert release.summary()["algorithm"] == "one-group"
    assert catalog.summary("algorithm", "one-group") == "Put all records in one group."
    assert shoal.OneGroup() == release.policy.algorithm


def test_the_model_is_found_and_keeps_groups_small(write):
    write("privacy/at_most")

    release = shoal.anonymize(
        PEOPLE, quasi=["age", "sex"], privacy=[{"model": "at-most", "most": 2}], suppression=0.5
    )

    assert release.verdict.findings[0].model == "at-most"
    assert release.verdict.findings[0].achieved <= 2
    assert "at-most" in catalog.names("model")
    assert shoal.AtMost(2) == release.policy.privacy[0]


def test_the_metric_is_found_and_minimised(write):
    write("metrics/widest")
    table = pl.DataFrame({"a": [1, 1, 2, 2, 3, 3, 4, 4], "b": [1, 2, 1, 2, 3, 4, 3, 4]})
    spec = shoal.intervals(2, 4, 8)

    release = shoal.anonymize(
        table, quasi={"a": spec, "b": spec}, privacy=[shoal.KAnonymity(2)],
        algorithm={"name": "flash", "metric": "widest"},
    )  # fmt: skip

    assert release.summary()["options"]["metric"] == "widest"
    assert release.summary()["cost"] == pytest.approx(max(release.loss_by_column.values()))
    assert release.summary()["optimal"]
    assert shoal.Widest() == release.policy.algorithm.metric
