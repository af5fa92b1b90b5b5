"""Released files: what leaves unchanged, how it is written, and that it is written whole."""

from __future__ import annotations

import gzip
import os
import stat
from pathlib import Path

import polars as pl
import pytest

import shoal
from shoal.errors import OutputError
from shoal.read.files import read_file
from shoal.runs.anonymize import anonymize
from shoal.runs.check import check
from shoal.write.atomic import check_target, replacing, write_text
from shoal.write.files import write_file

ODD_TEXTS = [
    "02139",
    "1.10",
    "1.1",
    " padded ",
    'say "hi"',
    "a, b",
    "a; b",
    "two\nlines",
    "crlf\r\nhere",
    "ünïcode €",
    "日本",
    "NULL",
    "nan",
    "",
    "1e5",
    "+1",
    "007",
    "9007199254740993",
    "99999999999999999999",
    "TRUE",
    "2021-02-30",
    "=1+1",
    "'",
    "\\",
    "*",
]
ENDINGS = ["csv", "csv.gz", "tsv", "parquet"]


def policy(**settings) -> shoal.Policy:
    return shoal.Policy.of_roles(
        quasi=["q"],
        sensitive=["s"],
        keep=["k"],
        identifiers=["id"],
        privacy=[shoal.KAnonymity(2)],
        **settings,
    )


def odd_table() -> pl.DataFrame:
    n = len(ODD_TEXTS)
    return pl.DataFrame(
        {
            "k": ODD_TEXTS,
            "id": [f"{i}" for i in range(n)],
            "q": [f"{i // 3}" for i in range(n)],
            "s": ODD_TEXTS[::-1],
        }
    )


def as_input(frame: pl.DataFrame, folder: Path, ending: str, delimiter: str = ",") -> Path:
    path = folder / f"input.{ending}"
    write_file(frame, path, delimiter=delimiter)
    return path


@pytest.mark.parametrize("source_ending", ["csv", "csv.gz", "parquet"])
@pytest.mark.parametrize("ending", ENDINGS)
def test_kept_and_sensitive_columns_leave_exactly_as_they_came(tmp_path, source_ending, ending):
    table = odd_table()
    release = anonymize(read_file(as_input(table, tmp_path, source_ending)), policy())

    write_file(release.published, tmp_path / f"release.{ending}")

    released = read_file(tmp_path / f"release.{ending}").frame
    assert released.columns == ["k", "q", "s"]
    assert sorted(released.select("k", "s").rows()) == sorted(table.select("k", "s").rows())


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_was_written_passes_the_check_when_read_back(tmp_path, ending):
    release = anonymize(read_file(as_input(odd_table(), tmp_path, "csv")), policy())
    write_file(release.published, tmp_path / f"release.{ending}")

    verdict = check(read_file(tmp_path / f"release.{ending}"), policy())

    assert verdict.holds
    assert verdict.n_groups == release.verdict.n_groups
    assert verdict.group_sizes == release.verdict.group_sizes


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_the_delimiter_is_kept_and_cells_that_hold_it_are_quoted(tmp_path, delimiter):
    frame = pl.DataFrame({"a": [f"x{delimiter}y", 'q"q', "plain"], "b": ["1", "2", "3"]})

    write_file(frame, tmp_path / "release.csv", delimiter=delimiter)

    text = (tmp_path / "release.csv").read_text()
    assert text == f'a{delimiter}b\n"x{delimiter}y"{delimiter}1\n"q""q"{delimiter}2\n' + (
        f"plain{delimiter}3\n"
    )


def test_missing_cells_are_written_as_the_policys_first_token(tmp_path):
    path = tmp_path / "input.csv"
    path.write_text("q,k\n?,1\n-,?\n?,3\n5,4\n5,5\n")
    rules = shoal.Policy.of_roles(
        quasi=["q"], keep=["k"], privacy=[shoal.KAnonymity(2)], missing_values=["?", "-"]
    )

    released = anonymize(read_file(path), rules).published

    assert sorted(released.rows()) == [("5", "4"), ("5", "5"), ("?", "1"), ("?", "3"), ("?", "?")]


def test_a_kept_cell_that_is_empty_stays_empty_and_a_quoted_one_quoted(tmp_path):
    path = tmp_path / "input.csv"
    path.write_text('q,k,x\n1,,a\n1,"",b\n')
    rules = shoal.Policy.of_roles(quasi=["q"], keep=["k", "x"], privacy=[shoal.KAnonymity(2)])

    write_file(anonymize(read_file(path), rules).published, tmp_path / "release.csv")

    assert (tmp_path / "release.csv").read_text() == path.read_text()


def test_csv_gz_is_gzip(tmp_path):
    write_file(pl.DataFrame({"a": ["1"]}), tmp_path / "release.csv.gz")

    assert gzip.decompress((tmp_path / "release.csv.gz").read_bytes()) == b"a\n1\n"


@pytest.mark.parametrize("name", ["release.xls", "release", "release.gz", "csv"])
def test_a_name_that_does_not_say_what_to_write_is_refused(tmp_path, name):
    with pytest.raises(OutputError, match=r"must end in .csv"):
        write_file(pl.DataFrame({"a": ["1"]}), tmp_path / name)

    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["release.csv", "release.csv.gz"])
def test_nested_columns_are_refused_for_csv_and_nothing_is_left_behind(tmp_path, name):
    (tmp_path / name).write_text("old")

    with pytest.raises(OutputError, match="cannot be written to this kind of file"):
        write_file(pl.DataFrame({"a": [[1], [2]]}), tmp_path / name)

    assert [path.read_text() for path in tmp_path.iterdir()] == ["old"]


def test_nested_columns_go_to_parquet(tmp_path):
    frame = pl.DataFrame({"a": [[1], [2]]})

    write_file(frame, tmp_path / "release.parquet")

    assert pl.read_parquet(tmp_path / "release.parquet").equals(frame)


# replacing a file


@pytest.mark.parametrize("error", [OSError(28, "No space left"), ValueError, KeyboardInterrupt])
def test_whatever_happens_while_writing_the_old_file_stays(tmp_path, error):
    target = tmp_path / "release.csv"
    target.write_text("old")

    def write_half() -> None:
        with replacing(target) as draft:
            draft.write_text("half of the n")
            raise error

    with pytest.raises((OutputError, ValueError, KeyboardInterrupt)):
        write_half()

    assert target.read_text() == "old"
    assert list(tmp_path.iterdir()) == [target]


def test_a_disk_error_says_that_the_old_file_is_unchanged(tmp_path):
    with (
        pytest.raises(OutputError, match=r"No space left.*unchanged"),
        replacing(tmp_path / "release.csv"),
    ):
        raise OSError(28, "No space left on device")


def test_the_old_file_is_there_until_the_new_one_is_whole(tmp_path):
    target = tmp_path / "release.csv"
    target.write_text("old")

    with replacing(target) as draft:
        draft.write_text("new")
        assert target.read_text() == "old"

    assert target.read_text() == "new"


def test_a_link_is_kept_and_what_it_points_to_replaced(tmp_path):
    real, link = tmp_path / "real" / "table.csv", tmp_path / "link.csv"
    real.parent.mkdir()
    real.write_text("old")
    link.symlink_to(real)

    write_text(link, "new")

    assert link.is_symlink()
    assert real.read_text() == "new"
    assert list(real.parent.iterdir()) == [real]


def test_a_link_to_nothing_creates_what_it_points_to(tmp_path):
    (tmp_path / "link.csv").symlink_to(tmp_path / "table.csv")

    write_text(tmp_path / "link.csv", "new")

    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "table.csv").read_text() == "new"


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o664])
def test_permissions_are_kept(tmp_path, mode):
    target = tmp_path / "release.csv"
    target.write_text("old")
    target.chmod(mode)

    write_text(target, "new")

    assert stat.S_IMODE(target.stat().st_mode) == mode


def test_a_new_file_has_the_permissions_of_any_new_file(tmp_path):
    (tmp_path / "any").touch()

    write_text(tmp_path / "new", "text")

    assert (tmp_path / "new").stat().st_mode == (tmp_path / "any").stat().st_mode


def test_a_folder_that_does_not_exist_is_refused(tmp_path):
    with pytest.raises(OutputError, match="does not exist"):
        check_target(tmp_path / "no" / "release.csv")


def test_a_file_where_a_folder_should_be_is_refused(tmp_path):
    (tmp_path / "file").touch()

    with pytest.raises(OutputError, match="does not exist"):
        check_target(tmp_path / "file" / "release.csv")


def test_a_folder_or_a_device_is_no_target(tmp_path):
    for target in (tmp_path, Path("/dev/null")):
        with pytest.raises(OutputError, match="is not a file"):
            check_target(target)


def test_a_folder_one_may_not_write_to_is_refused_beforehand(tmp_path, monkeypatch):
    monkeypatch.setattr("os.access", lambda path, mode: False)  # root may write anywhere

    with pytest.raises(OutputError, match="no permission to write"):
        check_target(tmp_path / "release.csv")


def test_a_file_is_on_the_disk_before_it_takes_the_place_of_the_old_one(monkeypatch, tmp_path):
    target, seen = tmp_path / "release.csv", []
    target.write_text("old")
    sync = os.fsync

    def watched(handle):
        seen.append((os.fstat(handle).st_size, target.read_text()))
        sync(handle)

    monkeypatch.setattr(os, "fsync", watched)
    write_text(target, "newer")

    assert seen[0] == (len("newer"), "old")
    assert target.read_text() == "newer"
