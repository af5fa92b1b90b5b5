"""Tables through pipes: `-`, /dev/stdin and named pipes for input, `-` for output."""

from __future__ import annotations

import contextlib
import os
import shutil
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_NB, flock
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile, gettempdir
from typing import IO, BinaryIO, TypeVar

import click

from shoal.errors import InputError

STANDARD = Path("-")
SPOOLED = "standard-input"
RELEASE = "release.csv"
PREFIX, LOCK = ".shoal-", "lock"
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

    It has no name of its own: only a link in a folder that others cannot enter leads to it, and
    only as long as the process lives. So not even a crash leaves the data behind.
    """
    if path is None or not is_piped(path):
        yield path
        return
    if path == STANDARD and (sys.stdin is None or sys.stdin.isatty()):
        raise InputError(
            "Standard input is a terminal. Give the name of a file, or pipe a table in: "
            "`cat table.csv | shoal ... -`."
        )
    with _private_folder() as folder, _nameless(folder) as file:
        _copy(path, file)
        yield folder / SPOOLED


@contextmanager
def _nameless(folder: Path) -> Iterator[BinaryIO]:
    """A file that a link in the folder leads to; where there are no such links, a file there."""
    link = folder / SPOOLED
    with TemporaryFile(dir=folder) as file:
        link.symlink_to(f"/proc/{os.getpid()}/fd/{file.fileno()}")
        if link.exists():
            yield file
            return
    link.unlink()
    with link.open("wb") as file:
        yield file


def _copy(path: Path, copy: BinaryIO) -> None:
    try:
        source = contextlib.nullcontext(sys.stdin.buffer) if path == STANDARD else path.open("rb")
        with source as incoming:
            shutil.copyfileobj(incoming, copy)
        copy.flush()
    except OSError as error:
        why = error.strerror or "input/output error"
        raise InputError(f"{path}: cannot be read through a pipe ({why}).") from None


@contextmanager
def _private_folder() -> Iterator[Path]:
    """A folder that is removed at the end, also by a signal that ends the process at once.

    One that a killed process left is removed by the next: it is locked no longer.
    """
    from shoal.write import drafts

    _remove_abandoned(Path(gettempdir()))
    with TemporaryDirectory(prefix=PREFIX) as name, (Path(name) / LOCK).open("wb") as lock:
        takes_lock(lock)
        drafts.remember(Path(name))
        try:
            yield Path(name)
        finally:
            drafts.forget(Path(name))


def _remove_abandoned(folder: Path) -> None:
    for left in folder.glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            if left.is_symlink() or left.stat().st_uid != os.getuid():
                continue
            with (left / LOCK).open("rb") as lock:
                if takes_lock(lock):
                    shutil.rmtree(left)


def takes_lock(lock: IO[bytes]) -> bool:
    """Whether a file could be locked, as it can unless a living process has locked it."""
    try:
        flock(lock, LOCK_EX | LOCK_NB)
    except OSError:
        return False
    return True


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
