"""Files that belong together take their places together, and are for nobody who has no input."""

from __future__ import annotations

import errno
import os
import resource
import stat
from contextlib import contextmanager
from pathlib import Path

import polars as pl
import pytest

from shoal.errors import InputError, OutputError
from shoal.read.steady import sha256_of
from shoal.write import atomic
from shoal.write.atomic import FileSet, write_text
from shoal.write.files import add_file, write_file
from shoal.write.folder import TableFile, write_folder

NAMES = ["mapping.csv", "release.csv", "recoding.json", "report.html"]


def mode_of(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def write_all(folder: Path, **how) -> None:
    with FileSet(**how) as files:
        for name in NAMES:
            files.write_text(folder / name, f"new {name}")


def contents(folder: Path) -> dict[str, str]:
    return {path.name: path.read_text() for path in sorted(folder.iterdir())}


@pytest.fixture
def failing(monkeypatch):
    """Lets the call of a given number, of those that put a file in its place, fail."""

    def fail(number: int, error: BaseException) -> None:
        place, calls = atomic._place, []

        def fails(draft) -> None:
            calls.append(draft)
            if len(calls) == number:
                raise error
            place(draft)

        monkeypatch.setattr(atomic, "_place", fails)

    return fail


@pytest.mark.parametrize("number", [1, 2, 3, 4])
@pytest.mark.parametrize("old", [[], NAMES, NAMES[1:3]], ids=["none", "all", "some"])
@pytest.mark.parametrize("error", [OSError(errno.EIO, "x"), KeyboardInterrupt()], ids=repr)
def test_if_one_cannot_be_replaced_all_are_as_they_were(tmp_path, failing, number, old, error):
    for name in old:
        (tmp_path / name).write_text(f"old {name}")
        (tmp_path / name).chmod(0o640)
    before = contents(tmp_path)
    failing(number, error)

    with pytest.raises((OutputError, KeyboardInterrupt)):
        write_all(tmp_path)

    assert contents(tmp_path) == before
    assert {mode_of(path) for path in tmp_path.iterdir()} <= {0o640}


def test_the_same_holds_on_a_disk_whose_files_have_one_name_each(tmp_path, failing, monkeypatch):
    for name in NAMES:
        (tmp_path / name).write_text(f"old {name}")
    before = contents(tmp_path)
    failing(3, OSError(errno.EIO, "x"))

    def no_links(*_: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    monkeypatch.setattr(os, "link", no_links)

    with pytest.raises(OutputError, match=r"recoding.json.*Existing files are unchanged"):
        write_all(tmp_path)

    assert contents(tmp_path) == before


def test_an_old_file_that_cannot_be_put_back_is_kept_and_named(tmp_path, failing, monkeypatch):
    for name in NAMES:
        (tmp_path / name).write_text(f"old {name}")
    failing(3, OSError(errno.EIO, "x"))
    replace = Path.replace

    def fails(path: Path, target: Path) -> Path:
        if path.suffix == ".old" and target.name == "release.csv":
            raise OSError(errno.EIO, "x")
        return replace(path, target)

    monkeypatch.setattr(Path, "replace", fails)

    with pytest.raises(OutputError, match=r"not all files could be put back.*release.csv.*\.old"):
        write_all(tmp_path)

    found = contents(tmp_path)
    assert {found[name] for name in NAMES} == {
        *(f"old {name}" for name in NAMES if name != "release.csv"), "new release.csv"
    }  # fmt: skip
    assert [text for name, text in found.items() if name not in NAMES] == ["old release.csv"]


def test_none_is_replaced_if_something_else_fails_before(tmp_path):
    (tmp_path / "release.csv").write_text("old")

    def write_and_fail() -> None:
        with FileSet() as files:
            files.write_text(tmp_path / "release.csv", "new")
            raise ValueError("later")

    with pytest.raises(ValueError, match="later"):
        write_and_fail()

    assert contents(tmp_path) == {"release.csv": "old"}


def test_a_file_that_must_not_be_replaced_stops_the_others(tmp_path):
    (tmp_path / "release.csv").write_text("old")

    def write_both() -> None:
        with FileSet() as files:
            files.write_text(tmp_path / "release.csv", "new")
            with files.writing(tmp_path / "mapping.csv", overwrites=False) as draft:
                draft.write_text("new")
            (tmp_path / "mapping.csv").write_text("theirs")

    with pytest.raises(OutputError, match=r"mapping.csv exists"):
        write_both()

    assert contents(tmp_path) == {"release.csv": "old", "mapping.csv": "theirs"}


def test_the_bytes_of_a_file_are_known_before_it_is_in_its_place(tmp_path):
    target = tmp_path / "release.parquet"

    with FileSet() as files:
        draft = add_file(files, pl.DataFrame({"a": [1, 2]}), target)
        known = sha256_of(draft)
        assert not target.exists()

    assert sha256_of(target) == known


def test_all_drafts_are_synced_before_the_first_file_is_replaced(tmp_path, monkeypatch):
    seen = []
    sync, place = os.fsync, atomic._place
    monkeypatch.setattr(os, "fsync", lambda handle: (seen.append("sync"), sync(handle)))
    monkeypatch.setattr(atomic, "_place", lambda draft: (seen.append("place"), place(draft)))

    write_all(tmp_path)

    assert seen == ["sync"] * len(NAMES) + ["place"] * len(NAMES)


def test_a_draft_that_cannot_be_removed_is_named_and_no_error(tmp_path, monkeypatch):
    for name in NAMES:
        (tmp_path / name).write_text("old")
    remove = Path.unlink

    def fails(path: Path, *, missing_ok: bool = False) -> None:
        if path.suffix == ".old" and path.exists():
            raise PermissionError(errno.EPERM, "not now")
        remove(path, missing_ok=missing_ok)

    files = FileSet()
    with files:
        for name in NAMES:
            files.write_text(tmp_path / name, "new")
        monkeypatch.setattr(Path, "unlink", fails)

    assert [(tmp_path / name).read_text() for name in NAMES] == ["new"] * len(NAMES)
    assert {path.suffix for path in files.left_behind} == {".old"}
    assert len(files.left_behind) == len(NAMES)


# who may read them


@pytest.fixture
def careless(monkeypatch):
    """A user whose new files everybody may read and write."""
    before = os.umask(0)
    monkeypatch.setattr(atomic, "_UMASK", 0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("careless")
@pytest.mark.parametrize(
    ("data", "old", "new"),
    [
        (0o600, None, 0o600),
        (0o400, None, 0o600),
        (0o640, None, 0o640),
        (0o644, None, 0o644),
        (0o666, None, 0o666),
        (0o600, 0o644, 0o600),
        (0o640, 0o664, 0o640),
        (0o644, 0o600, 0o600),
        (0o755, 0o644, 0o644),
    ],
    ids=lambda mode: "-" if mode is None else oct(mode),
)
def test_no_file_is_readable_by_more_people_than_the_input(tmp_path, data, old, new):
    table, target = tmp_path / "table.csv", tmp_path / "release.csv"
    table.write_text("secret")
    table.chmod(data)
    if old is not None:
        target.write_text("old")
        target.chmod(old)

    write_text(target, "new", inputs=[table])

    assert mode_of(target) == new


@pytest.mark.usefixtures("careless")
def test_several_inputs_allow_what_all_of_them_do(tmp_path):
    for name, mode in (("a", 0o640), ("b", 0o604)):
        (tmp_path / name).touch()
        (tmp_path / name).chmod(mode)

    write_text(tmp_path / "new", "text", inputs=[tmp_path / "a", tmp_path / "b"])

    assert mode_of(tmp_path / "new") == 0o600


@pytest.mark.usefixtures("careless")
@pytest.mark.parametrize(("data", "new"), [(0o640, 0o600), (0o664, 0o644)])
def test_the_group_of_an_input_is_not_taken_for_another_group(tmp_path, monkeypatch, data, new):
    table, target = tmp_path / "table.csv", tmp_path / "release.csv"
    table.write_text("secret")
    table.chmod(data)
    state = atomic.FileState.of(table)
    monkeypatch.setattr(atomic.FileState, "of", lambda _: state._replace(group=state.group + 1))

    write_text(target, "new", inputs=[table])

    assert mode_of(target) == new


@pytest.mark.usefixtures("careless")
def test_a_draft_is_for_its_owner_alone_from_its_first_byte_to_its_last(tmp_path):
    with FileSet() as files, files.writing(tmp_path / "release.csv") as draft:
        modes = [mode_of(draft)]
        draft.write_text("new")
        modes.append(mode_of(draft))

    assert modes == [0o600, 0o600]


@pytest.mark.usefixtures("careless")
def test_a_private_file_is_so_whatever_the_old_one_was(tmp_path):
    (tmp_path / "recoding.json").write_text("old")

    write_text(tmp_path / "recoding.json", "new", is_private=True)

    assert mode_of(tmp_path / "recoding.json") == 0o600


# what is wrong with the disk


@contextmanager
def small_disk():
    """Files may have a thousand bytes. Not for a whole test: pytest's own output may be a file."""
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (1000, limits[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)


@pytest.mark.parametrize("name", ["release.csv", "release.csv.gz", "release.parquet"])
def test_an_error_of_the_disk_is_called_by_its_name(tmp_path, name):
    (tmp_path / name).write_text("old")
    frame = pl.DataFrame({"a": pl.Series(range(100_000)).hash()})

    with pytest.raises(OutputError, match=r"File too large.*unchanged"), small_disk():
        write_file(frame, tmp_path / name)

    assert contents(tmp_path) == {name: "old"}


@pytest.mark.parametrize("name", ["release.csv", "release.csv.gz", "release.parquet"])
@pytest.mark.parametrize("kind", [pl.exceptions.ComputeError, OSError])
def test_a_full_disk_is_called_full(tmp_path, monkeypatch, name, kind):
    def fails(*_: object, **__: object) -> None:
        raise kind("Jane: underlying IO error: No space left on device (os error 28)")

    monkeypatch.setattr(pl.DataFrame, "write_csv", fails)
    monkeypatch.setattr(pl.DataFrame, "write_parquet", fails)

    with pytest.raises(OutputError, match=r"\(No space left on device\)") as refused:
        write_file(pl.DataFrame({"a": [1]}), tmp_path / name)

    assert "Jane" not in str(refused.value)
    assert contents(tmp_path) == {}


def test_a_folder_of_tables_says_the_same_and_none_is_replaced(tmp_path):
    large = pl.DataFrame({"a": pl.Series(range(100_000)).hash()})
    files = [TableFile("a.csv", pl.DataFrame({"a": [1]})), TableFile("b.csv", large)]
    write_text(tmp_path / "a.csv", "old")

    with pytest.raises(OutputError, match="File too large"), small_disk():
        write_folder(tmp_path, files)

    assert contents(tmp_path) == {"a.csv": "old"}


# an input that changes meanwhile


@pytest.mark.parametrize(
    "change",
    [
        lambda table: table.write_text("longer than before"),
        lambda table: table.unlink(),
        lambda table: os.utime(table, ns=(1, 1)),
        lambda table: (table.rename(f"{table}.old"), table.write_text("secret")),
    ],
    ids=["grown", "gone", "touched", "replaced"],
)
def test_nothing_is_written_from_a_table_that_changed(tmp_path, change):
    table, target = tmp_path / "table.csv", tmp_path / "release.csv"
    table.write_text("secret")
    target.write_text("old")

    def write_meanwhile() -> None:
        with FileSet([table]) as files:
            files.write_text(target, "new")
            change(table)

    with pytest.raises(InputError, match=r"table.csv changed while .*run again"):
        write_meanwhile()

    assert target.read_text() == "old"
    assert not list(tmp_path.glob(".*"))


def test_no_draft_can_be_read_by_others_at_the_moment_of_replacing(tmp_path, monkeypatch):
    (tmp_path / "release.csv").write_text("old")
    (tmp_path / "release.csv").chmod(0o644)
    place, seen = atomic._place, []

    def look(draft) -> None:
        seen.extend(mode_of(path) for path in tmp_path.glob(".*.part"))
        place(draft)

    monkeypatch.setattr(atomic, "_place", look)

    write_all(tmp_path)

    assert seen
    assert set(seen) == {0o600}
    assert mode_of(tmp_path / "release.csv") == 0o644
