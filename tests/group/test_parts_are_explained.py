"""Whoever opens a family of algorithms finds out what each of its parts is for."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest


@pytest.mark.parametrize("family", ["lattice", "cluster"])
def test_a_family_explains_each_of_its_parts(family):
    package = importlib.import_module(f"shoal.group.{family}")
    parts = {path.stem for path in Path(package.__file__).parent.glob("_*.py")} - {"__init__"}

    assert set(re.findall(r"^    (_\w+) ", package.__doc__, re.MULTILINE)) == parts
