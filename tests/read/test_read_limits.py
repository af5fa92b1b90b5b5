"""Files that would eat memory are refused while little of them was read."""

from __future__ import annotations

import gzip
import resource
from pathlib import Path

import polars as pl
import pytest

from shoal.errors import HierarchyError, InputError, PolicyError
from shoal.read import files, limits, memory
from shoal.read.files import read_file
from shoal.read.level_table import read_level_table
from shoal.read.severities import severities_of_file


@pytest.fixture
def little_memory(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda: memory.Available(1_000_000, "for a test"))
    monkeypatch.setattr(files, "LARGE", 1_000)


def test_a_file_that_cannot_fit_is_refused_before_it_is_read(tmp_path, little_memory, monkeypatch):
    path = tmp_path / "large.csv"
    path.write_text("age\n" + "31\n" * 150_000)
    monkeypatch.setattr(Path, "read_bytes", lambda path: pytest.fail("it was read"))

    with pytest.raises(InputError) as caught:
        read_file(path)

    assert "has 450,004 bytes, which need about 1.4 MB, and 1.0 MB are available" in str(
        caught.value
    )


def test_a_file_of_many_short_rows_is_refused_by_its_rows(tmp_path, little_memory):
    path = tmp_path / "many.csv"
    path.write_text("age\n" + "3\n" * 50_000)

    with pytest.raises(InputError, match=r"50,001 rows of 1 columns, which need about 7\.8 MB"):
        read_file(path)


def test_a_parquet_file_is_refused_by_its_rows(tmp_path, little_memory):
    path = tmp_path / "many.parquet"
    pl.DataFrame({"age": [3] * 50_000}).write_parquet(path)

    assert path.stat().st_size < 10_000
    with pytest.raises(InputError, match=r"50,000 rows of 1 columns, which need about 7\.5 MB"):
        read_file(path)


def test_a_gzip_bomb_is_refused_after_a_few_pieces(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "ANY_RATIO", 100_000)
    monkeypatch.setattr(limits, "PIECE", 10_000)
    path = tmp_path / "bomb.csv.gz"
    path.write_bytes(gzip.compress(b"age\n" + b"3\n" * 1_000_000))

    with pytest.raises(InputError, match="more than 200 bytes of text come from each byte"):
        read_file(path)


def test_a_gzip_file_that_cannot_fit_is_refused_while_it_is_decompressed(tmp_path, little_memory):
    path = tmp_path / "large.csv.gz"
    path.write_bytes(gzip.compress(b"age\n" + b"31\n" * 150_000))

    with pytest.raises(InputError, match="there is not enough memory for this table"):
        read_file(path)


def test_a_usual_gzip_file_of_several_members_is_read(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "PIECE", 7)
    path = tmp_path / "usual.csv.gz"
    path.write_bytes(gzip.compress(b"age\n31\n") + gzip.compress(b"32\n") + b"\0\0")

    assert read_file(path).frame["age"].to_list() == ["31", "32"]


def test_a_line_without_end_is_refused_with_its_number(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "LONGEST_LINE", 1_000)
    path = tmp_path / "long.csv"
    path.write_text("name,age\nAnn,31\nBob," + "3" * 2_100 + "\n")

    with pytest.raises(InputError, match="line 3 has more than 1,000 bytes"):
        read_file(path)


def test_long_files_of_usual_lines_are_read(tmp_path, monkeypatch):
    monkeypatch.setattr(limits, "LONGEST_LINE", 20)
    path = tmp_path / "usual.csv"
    path.write_text("name,age\n" + "Ann,31\nBob,1234567890\n" * 100)

    assert read_file(path).n_records == 200


def test_a_field_of_many_lines_is_refused_with_its_column(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "LONGEST_FIELD", 1_000)
    monkeypatch.setattr(files, "LARGE", 100)
    path = tmp_path / "long.csv"
    path.write_text('name,note\nAnn,"' + "so\n" * 400 + '"\n')

    with pytest.raises(InputError, match="column 'note': a field has 1,200 bytes"):
        read_file(path)


def test_a_device_is_not_a_table():
    with pytest.raises(InputError, match="/dev/zero is a device, not a file"):
        read_file(Path("/dev/zero"))


def test_a_device_is_not_a_hierarchy():
    with pytest.raises(HierarchyError, match="Hierarchy /dev/zero is a device, not a file"):
        read_level_table(Path("/dev/zero"))


@pytest.mark.parametrize(
    ("read", "error"), [(read_level_table, HierarchyError), (severities_of_file, PolicyError)]
)
def test_a_list_of_values_has_a_largest_size(tmp_path, monkeypatch, read, error):
    monkeypatch.setattr("shoal.read.csv_dialect.MOST_OF_A_LIST", 100)
    path = tmp_path / "levels.csv"
    path.write_text("".join(f"{i};1\n" for i in range(100)))

    with pytest.raises(error, match=r"levels.csv has more than 0.0 MB, which is too large"):
        read(path)


def test_the_least_limit_counts(monkeypatch):
    monkeypatch.setattr(memory, "_in_machine", lambda: memory.Available(8_000, "machine"))
    monkeypatch.setattr(memory, "_in_group", lambda: memory.Available(5_000, "container"))
    monkeypatch.setattr(memory, "_in_address_space", lambda: None)

    assert memory.available() == (5_000, "container")


def test_a_limit_on_address_space_leaves_what_libraries_do_not_take(monkeypatch):
    least = memory._of_libraries()
    used = memory._addresses_used()
    monkeypatch.setattr(resource, "getrlimit", lambda which: (max(least, used) + 10**12,) * 2)

    left = memory._in_address_space()

    assert left is not None
    assert 0.33 * 10**12 < left.n_bytes <= 10**12 // 3
    memory.refuse_small_address_space()


def test_an_address_space_too_small_for_libraries_is_refused(monkeypatch):
    monkeypatch.setattr(resource, "getrlimit", lambda which: (10**9, 10**9))

    with pytest.raises(InputError, match=r"limited to 1.0 GB \(`ulimit -v`\). Shoal needs"):
        memory.refuse_small_address_space()
