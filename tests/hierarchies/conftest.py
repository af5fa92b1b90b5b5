from __future__ import annotations

import pytest


@pytest.fixture
def level_table(tmp_path):
    def write(content: str | bytes):
        path = tmp_path / "levels.csv"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write
