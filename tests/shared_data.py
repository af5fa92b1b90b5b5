"""Where the material shared by the project's repositories lies, if it is there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

SHARED = Path(os.environ.get("SHOAL_SHARED", Path(__file__).parents[2] / "shared"))
needs_shared = pytest.mark.skipif(
    not (SHARED / "data" / "adult" / "adult.csv").exists(),
    reason="the shared data is not there; set SHOAL_SHARED to its folder",
)
