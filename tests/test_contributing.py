"""The example of CONTRIBUTING.md is an algorithm."""

from __future__ import annotations

import re
import sys
import types
from pathlib import Path

import polars as pl
import pytest

import shoal

PAGE = Path(__file__).parents[1] / "CONTRIBUTING.md"


@pytest.fixture
def one_group(monkeypatch):
    (code,) = re.findall(r"```python\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    module = types.ModuleType("one_group")
    monkeypatch.setitem(sys.modules, "one_group", module)
    exec(code, module.__dict__)
    return module.OneGroup()


def test_the_example_groups_everything(one_group):
    people = pl.DataFrame({"age": [1, 2, 3], "sex": ["f", "m", "f"]})

    release = shoal.anonymize(
        people, quasi=["age", "sex"], privacy=[shoal.KAnonymity(2)], algorithm=one_group
    )

    assert release.frame.rows() == [("[1, 3]", "{f, m}")] * 3
    assert release.summary()["algorithm"] == "one-group"
