"""Keys and mappings: readable by their owner alone at every moment, and never overwritten."""

from __future__ import annotations

import os
import stat

import polars as pl
import pytest

from shoal.errors import OutputError
from shoal.write import atomic
from shoal.write.key import write_key
from shoal.write.mapping import write_mapping
from shoal.write.private import private_file

MAPPING = pl.DataFrame({"identifier": ["Ann", "Bob; x"], "pseudonym": ["p1", "p2"]})


def mode_of(path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture
def careless():
    """A user whose new files everybody may read and write."""
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.usefixtures("careless")
def test_a_mapping_is_a_csv_file_for_its_owner_alone(tmp_path):
    write_mapping(MAPPING, tmp_path / "mapping.csv")

    assert (tmp_path / "mapping.csv").read_text() == "identifier,pseudonym\nAnn,p1\nBob; x,p2\n"
    assert mode_of(tmp_path / "mapping.csv") == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["mapping.csv"]


@pytest.mark.usefixtures("careless")
def test_nothing_in_the_folder_is_ever_readable_by_others(tmp_path):
    with private_file(tmp_path / "mapping.csv") as file:
        file.write(b"Ann")
        file.flush()
        modes = [mode_of(path) for path in tmp_path.iterdir()]

    assert modes == [0o600]


@pytest.mark.usefixtures("careless")
def test_overwriting_takes_the_rights_of_others_away(tmp_path):
    (tmp_path / "mapping.csv").write_text("old")
    assert mode_of(tmp_path / "mapping.csv") == 0o666

    write_mapping(MAPPING, tmp_path / "mapping.csv", overwrite=True)

    assert mode_of(tmp_path / "mapping.csv") == 0o600
    assert "Ann" in (tmp_path / "mapping.csv").read_text()


def test_an_existing_file_is_not_overwritten(tmp_path):
    for name, write in (("a.key", write_key), ("m.csv", lambda path: write_mapping(MAPPING, path))):
        (tmp_path / name).write_text("old")

        with pytest.raises(OutputError, match="exists") as refused:
            write(tmp_path / name)

        assert (tmp_path / name).read_text() == "old"
        assert "Ann" not in str(refused.value)


def test_a_file_that_appears_meanwhile_stays(tmp_path):
    with (
        pytest.raises(OutputError, match="exists"),
        private_file(tmp_path / "mapping.csv"),
    ):
        (tmp_path / "mapping.csv").write_text("theirs")

    assert (tmp_path / "mapping.csv").read_text() == "theirs"
    assert len(list(tmp_path.iterdir())) == 1


def test_a_link_that_leads_nowhere_is_not_followed(tmp_path):
    (tmp_path / "mapping.csv").symlink_to(tmp_path / "elsewhere.csv")

    with pytest.raises(OutputError, match="exists"):
        write_mapping(MAPPING, tmp_path / "mapping.csv")

    assert not (tmp_path / "elsewhere.csv").exists()


def test_a_run_that_fails_leaves_nothing(tmp_path):
    with pytest.raises(KeyboardInterrupt), private_file(tmp_path / "mapping.csv"):
        raise KeyboardInterrupt

    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_is_said_without_what_was_to_be_written(tmp_path):
    with (
        pytest.raises(OutputError, match="No space") as refused,
        private_file(tmp_path / "mapping.csv"),
    ):
        raise OSError(28, "No space left on device", "Ann")

    assert "Ann" not in str(refused.value)
    assert list(tmp_path.iterdir()) == []


def test_a_disk_that_keeps_no_rights_is_refused(tmp_path, monkeypatch):
    made = atomic.tempfile.mkstemp

    def open_to_all(**how):
        handle, name = made(**how)
        os.fchmod(handle, 0o644)
        return handle, name

    monkeypatch.setattr(atomic.tempfile, "mkstemp", open_to_all)

    with pytest.raises(OutputError, match="can be read by all users"):
        write_key(tmp_path / "a.key")

    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(OutputError, match="does not exist"):
        write_key(tmp_path / "none" / "a.key")
