"""How this program can be called again, for the commands that it tells the user to run."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from pathlib import Path


def command(*words: str | Path) -> str:
    """A command line that works as printed, also where the shell does not know `shoal`."""
    return shlex.join([*_program(), *map(str, words)])


def _program() -> list[str]:
    called, known = Path(sys.argv[0]), shutil.which("shoal")
    if called.name == "__main__.py":
        return [sys.executable, "-m", "shoal"]
    if known is not None and os.path.realpath(known) == os.path.realpath(called):
        return ["shoal"]
    return [str(called)] if called.name == "shoal" and called.is_file() else ["shoal"]
