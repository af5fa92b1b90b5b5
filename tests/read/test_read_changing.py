"""A file that changes while it is read is refused: what was seen may be a part of it."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import polars as pl
import pytest

from shoal.errors import HierarchyError, InputError
from shoal.policy.policy import Policy
from shoal.read import steady
from shoal.read.files import read_file
from shoal.read.level_table import read_level_table


def grow(path: Path) -> None:
    with path.open("ab") as file:
        file.write(b"Zoe,99\n")


@pytest.fixture
def growing(monkeypatch, tmp_path):
    """A file of the test grows right after its last byte was read."""
    compare = steady.refuse_changed

    def grow_and_compare(path, before):
        assert Path(path).is_relative_to(tmp_path)
        grow(Path(path))
        compare(path, before)

    monkeypatch.setattr(steady, "refuse_changed", grow_and_compare)


def csv(path: Path) -> None:
    path.write_text("name,age\nAnn,31\n")


def csv_gz(path: Path) -> None:
    path.write_bytes(gzip.compress(b"name,age\nAnn,31\n"))


def parquet(path: Path) -> None:
    pl.DataFrame({"age": [31]}).write_parquet(path)


@pytest.mark.usefixtures("growing")
@pytest.mark.parametrize("write", [csv, csv_gz, parquet])
def test_a_table_that_grows_while_it_is_read_is_refused(tmp_path, write):
    path = tmp_path / f"table.{write.__name__.replace('_', '.')}"
    write(path)

    with pytest.raises(InputError, match=r"changed while .*run again") as refused:
        read_file(path)

    assert "Zoe" not in str(refused.value)


@pytest.mark.usefixtures("growing")
def test_so_are_a_hierarchy_and_a_policy(tmp_path):
    (tmp_path / "work.csv").write_text("nurse;*\n")
    (tmp_path / "policy.yaml").write_text("columns: {age: quasi}\nprivacy: []\n")

    with pytest.raises(HierarchyError, match=r"work.csv changed while"):
        read_level_table(tmp_path / "work.csv")
    with pytest.raises(InputError, match=r"policy.yaml changed while"):
        Policy.load(tmp_path / "policy.yaml")


@pytest.mark.parametrize("write", [csv, csv_gz, parquet])
def test_a_table_that_stays_as_it_is_is_read(tmp_path, write):
    path = tmp_path / f"table.{write.__name__.replace('_', '.')}"
    write(path)

    assert read_file(path).n_records == 1


def test_a_pipe_has_no_state_and_is_read():
    reading, writing = os.pipe()
    os.write(writing, b"nurse;*\n")
    os.close(writing)

    assert read_level_table(Path(f"/dev/fd/{reading}")) == (("nurse", "*"),)
    os.close(reading)
