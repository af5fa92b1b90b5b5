"""Tables through pipes: `-`, /dev/stdin and named pipes for input, `-` for output."""

from __future__ import annotations

import contextlib
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TypeVar

import click

from shoal.errors import InputError

STANDARD = Path("-")
SPOOLED = "standard-input"
RELEASE = "release.csv"
Given = TypeVar("Given", Path, "Path | None")


def is_piped(path: Path) -> bool:
    """Whether a file can be read only once."""
    if path == STANDARD:
        return True
    try:
        mode = path.stat().st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode) or stat.S_ISCHR(mode)


@contextmanager
def spooled(path: Given) -> Iterator[Given]:
    """A file that can be read twice: what comes through a pipe is kept in one meanwhile.

    It is in a folder that only its owner can enter, and is removed whatever happens.
    """
    if path is None or not is_piped(path):
        yield path
        return
    if path == STANDARD and sys.stdin.isatty():
        raise InputError(
            "Standard input is a terminal. Give the name of a file, or pipe a table in: "
            "`cat table.csv | shoal ... -`."
        )
    with _private_folder() as folder:
        copy = folder / SPOOLED
        source = contextlib.nullcontext(sys.stdin.buffer) if path == STANDARD else path.open("rb")
        with source as incoming, copy.open("wb") as file:
            shutil.copyfileobj(incoming, file)
        yield copy


@contextmanager
def _private_folder() -> Iterator[Path]:
    """A folder that is removed at the end, also by a signal that ends the process at once."""
    from shoal.write import drafts

    with TemporaryDirectory(prefix=".shoal-") as name:
        drafts.remember(Path(name))
        try:
            yield Path(name)
        finally:
            drafts.forget(Path(name))


@contextmanager
def to_standard_output(output: Path) -> Iterator[Path]:
    """Where to write a release: for `-` a private file, which is copied once it is verified."""
    if output != STANDARD:
        yield output
        return
    if sys.stdout.isatty():
        raise click.UsageError("Standard output is a terminal. Give -o a file, or pipe it on.")
    with _private_folder() as folder:
        file = folder / RELEASE
        yield file
        with file.open("rb") as released:
            sys.stdout.flush()
            shutil.copyfileobj(released, sys.stdout.buffer)
            sys.stdout.buffer.flush()


def refuse_with_standard_output(output: Path | None, **given: object) -> None:
    """Refuse what would come besides the release, where that is standard output."""
    if output != STANDARD:
        return
    for option, value in given.items():
        if value:
            raise click.UsageError(
                f"-o - writes the release alone to standard output, so --{option.replace('_', '-')}"
                " cannot be used with it. Give -o a file."
            )
