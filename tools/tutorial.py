"""Runs the commands of docs/tutorial.md and writes what they print into the page.

python tools/tutorial.py

A block of code with `$ ` before its commands has, behind each, what the command prints; a line
`...` there stands for any lines. A policy that a sentence names (`policy.yaml`:) is saved under
that name.
"""

from __future__ import annotations

import contextlib
import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from click.testing import CliRunner

from shoal.cli import cli

PAGE = Path(__file__).parents[1] / "docs" / "tutorial.md"
DAY = "2026-07-01"
BLOCK = re.compile(
    r"(?:`([\w.-]+\.yaml)`:\n\n```yaml\n(.*?)```)|(?:```console\n(.*?)```)", re.DOTALL
)


class Command(NamedTuple):
    line: str
    shown: str
    printed: str


def commands(text: str, folder: Path) -> Iterator[Command]:
    """Run the page in a folder: every command with what the page shows and what it prints."""
    for found in BLOCK.finditer(text):
        name, policy, console = found.groups()
        if name:
            (folder / name).write_text(policy, encoding="utf-8")
            continue
        for part in re.split(r"^\$ ", console, flags=re.MULTILINE)[1:]:
            line, _, shown = part.partition("\n")
            yield Command(line, shown, output(line, folder))


def output(line: str, folder: Path) -> str:
    """What a command prints, without the seconds that it took."""
    words = shlex.split(line)
    if words[0] == "shoal":
        with contextlib.chdir(folder):
            run = CliRunner().invoke(cli, words[1:])
        if run.exception is not None and not isinstance(run.exception, SystemExit):
            raise run.exception
        own = shlex.join([sys.executable, "-m", "shoal"])  # as it calls itself where it has no name
        return without_times(run.stdout.replace(own, "shoal"))
    if words[0] == "python":
        words = [sys.executable, str(PAGE.parent / words[1]), *words[2:]]
    environment = os.environ | {"LC_ALL": "C.UTF-8"}
    run_ = subprocess.run(
        words, cwd=folder, capture_output=True, text=True, check=True, env=environment
    )
    return run_.stdout


def without_times(text: str) -> str:
    """Without seconds, and with the day on which the page was written."""
    text = "".join(f"{line.rstrip()}\n" for line in text.splitlines())
    text = re.sub(r"before, on [0-9-]{10} as", f"before, on {DAY} as", text)
    return re.sub(r"^  Time .*\n(?:               .*\n)*", "", text, flags=re.MULTILINE)


def agrees(shown: str, printed: str) -> bool:
    """Whether the page shows what is printed; `...` on a line of its own stands for any lines."""
    parts = re.split(r"^\.\.\.\n", shown, flags=re.MULTILINE)
    pattern = r"(?:.*\n)*".join(map(re.escape, parts))
    return re.fullmatch(pattern, printed) is not None


def main() -> None:
    text = PAGE.read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        for command in list(commands(text, Path(folder))):
            if not agrees(command.shown, command.printed):
                before = f"$ {command.line}\n{command.shown}"
                text = text.replace(before, f"$ {command.line}\n{command.printed}", 1)
                print(f"changed: {command.line}")
    PAGE.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
