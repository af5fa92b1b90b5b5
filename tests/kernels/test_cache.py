"""Compiled kernels on disk: damaged or foreign ones are not loaded, but compiled anew."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path
from types import ModuleType

import pytest

from shoal.kernels import _cache
from shoal.kernels._cache import KernelFiles
from tiers import IS_COMPILED

SOURCE = """
from shoal.kernels._compile import kernel
@kernel
def twice(number):
    return 2 * number
"""
KEY = ("types", "machine", ("code",))


@pytest.fixture(autouse=True)
def nothing_said(monkeypatch):
    monkeypatch.setattr(_cache, "_said", set())


@pytest.fixture
def files(tmp_path) -> KernelFiles:
    tmp_path.chmod(0o700)
    return KernelFiles(tmp_path, "kernel", b"source")


def only_file(folder: Path) -> Path:
    (path,) = folder.glob("*.kernel")
    return path


def test_what_was_stored_is_loaded(files):
    files.save(KEY, "code")

    assert files.load(KEY) == "code"
    assert files.load(("other", *KEY[1:])) is None


def test_a_file_is_private_and_no_draft_is_left(files, tmp_path):
    files.save(KEY, "code")

    assert [path.stat().st_mode & 0o777 for path in tmp_path.iterdir()] == [0o600]


def test_what_another_source_was_compiled_to_is_not_loaded(files, tmp_path):
    KernelFiles(tmp_path, "kernel", b"other source").save(KEY, "code")

    assert files.load(KEY) is None


@pytest.mark.parametrize("at", [0, 20, -1])
def test_a_flipped_bit_is_noticed_and_mentioned_once(files, tmp_path, caplog, at):
    files.save(KEY, "code")
    content = bytearray(only_file(tmp_path).read_bytes())
    content[at] ^= 1
    only_file(tmp_path).write_bytes(content)

    assert files.load(KEY) is None
    assert files.load(KEY) is None
    assert [record.message for record in caplog.records] == [
        f"shoal: Compiled kernels are damaged, and are compiled anew: {tmp_path}."
    ]


@pytest.mark.parametrize("length", [0, 5, 40])
def test_a_file_cut_short_is_noticed(files, tmp_path, length):
    files.save(KEY, "code")
    only_file(tmp_path).write_bytes(only_file(tmp_path).read_bytes()[:length])

    assert files.load(KEY) is None


def test_a_file_that_others_may_write_is_not_unpickled(files, tmp_path, monkeypatch):
    files.save(KEY, "code")
    only_file(tmp_path).chmod(0o666)
    monkeypatch.setattr(_cache.pickle, "loads", lambda content: pytest.fail("it was unpickled"))

    assert files.load(KEY) is None


def test_a_file_of_somebody_else_is_not_unpickled(files, monkeypatch):
    files.save(KEY, "code")
    me = os.getuid()
    monkeypatch.setattr(_cache.os, "getuid", lambda: me + 1)
    status = os.stat_result((0o100600, 0, 0, 1, me + 2, 0, 0, 0, 0, 0))
    monkeypatch.setattr(_cache.os, "fstat", lambda handle: status)

    assert files.load(KEY) is None


def loaded(folder: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location("little", folder / "little.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def little(tmp_path, monkeypatch) -> Path:
    """The folder of a module with a kernel."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "of the user"))
    folder = tmp_path / "module"
    folder.mkdir(mode=0o755)
    (folder / "little.py").write_text(SOURCE)
    return folder


@pytest.mark.skipif(not IS_COMPILED, reason="nothing is compiled")
def test_a_damaged_kernel_is_compiled_anew_and_stored_again(little):
    assert loaded(little).twice(21) == 42
    stored = only_file(little / "__pycache__")
    whole = stored.read_bytes()
    stored.write_bytes(whole[:-100])

    module = loaded(little)

    assert module.twice(21) == 42
    assert not module.twice.stats.cache_hits
    assert len(stored.read_bytes()) == len(whole)
    again = loaded(little)
    assert again.twice(21) == 42
    assert again.twice.stats.cache_hits


@pytest.mark.skipif(not IS_COMPILED, reason="nothing is compiled")
def test_a_folder_that_others_can_write_to_is_not_used(little, tmp_path):
    (little / "__pycache__").mkdir()
    (little / "__pycache__").chmod(0o777)

    assert loaded(little).twice(21) == 42

    assert not list((little / "__pycache__").glob("*.kernel"))
    (stored,) = (tmp_path / "of the user").rglob("*.kernel")
    assert stored.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.skipif(not IS_COMPILED, reason="nothing is compiled")
def test_a_kernel_in_a_shared_folder_that_cannot_be_written_to_is_loaded(
    little, tmp_path, monkeypatch
):
    monkeypatch.setattr(_cache.config, "CACHE_DIR", str(tmp_path / "shared"))
    assert loaded(little).twice(21) == 42
    monkeypatch.setattr(_cache._Files, "_locator_classes", [_cache._Shared, _cache._OfUser])

    module = loaded(little)

    assert module.twice(21) == 42
    assert module.twice.stats.cache_hits
    stored = only_file(next((tmp_path / "shared").iterdir()))
    stored.unlink()  # as if it were another kernel: that one is kept where this user can write
    assert loaded(little).twice(21) == 42
    assert list((tmp_path / "of the user").rglob("*.kernel"))
