"""`shoal key`: a new key, which only its owner can read."""

from __future__ import annotations

import stat
from pathlib import Path


def test_a_key_is_written_for_its_owner_alone_and_not_shown(folder, run):
    result = run("key", "my.key")

    key = Path("my.key")
    assert result.code == 0
    assert len(bytes.fromhex(key.read_text())) == 32
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert key.read_text().strip() not in result.stdout + result.stderr
    assert "Keep it secret" in result.stdout


def test_a_key_is_never_overwritten(folder, run):
    run("key", "my.key")
    before = Path("my.key").read_text()

    result = run("key", "my.key")

    assert result.code == 2
    assert "my.key exists" in result.stderr
    assert Path("my.key").read_text() == before
