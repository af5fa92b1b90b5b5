"""Replacing files whole or not at all, one of them or several together."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from shoal.errors import OutputError
from shoal.read.steady import FileState, refuse_changed
from shoal.write import drafts

PRIVATE = 0o600
_GROUP, _OTHERS = 0o070, 0o007
_UMASK = os.umask(0)
os.umask(_UMASK)


@dataclass
class Draft:
    """A new file, next to the one whose place it takes at the end."""

    path: Path
    target: Path
    is_private: bool
    overwrites: bool
    mode: int = PRIVATE
    backup: Path | None = None  # the old file, while the set is replaced
    is_placed: bool = False


class FileSet:
    """Files that take their places together, at the end of a `with`, or not at all.

    Whatever happens before that, an error, an interrupt or a kill, all old files stay. If one of
    them cannot be replaced, those before it are put back. `inputs` are what the files were made
    from: they must not have changed meanwhile, and no file is readable by more people than they
    are. Private files are for their owner alone. Every draft is, as long as it is one.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder, FileSet() as files:
    ...     with files.writing(Path(folder, "release.csv")) as draft:
    ...         _ = draft.write_text("age")
    ...     files.write_text(Path(folder, "report.html"), f"{draft.stat().st_size} bytes")
    ...     [Path(folder, name).exists() for name in ("release.csv", "report.html")]
    [False, False]
    """

    def __init__(self, inputs: Sequence[Path] = ()) -> None:
        self.left_behind: list[Path] = []  # hidden files that could not be removed
        self._drafts: list[Draft] = []
        states = {path: FileState.of(path) for path in inputs}
        self._inputs = {path: state for path, state in states.items() if state is not None}

    @contextlib.contextmanager
    def writing(
        self, target: Path, *, is_private: bool = False, overwrites: bool = True
    ) -> Iterator[Path]:
        """Gives a file to write to, which is synced then: its bytes are those of the target.

        `overwrites`: whether it may take the place of a file that is there at the end.
        """
        if overwrites:
            target = Path(os.path.realpath(target))  # a link is kept, its target is replaced
        check_target(target)
        with _telling(target):
            handle, name = tempfile.mkstemp(
                prefix=f".{target.name}.", suffix=".part", dir=target.parent
            )  # which makes it with mode 600
            os.close(handle)
            draft = Draft(Path(name), target, is_private, overwrites)
            self._drafts.append(draft)
            drafts.remember(draft.path)
            yield draft.path
            with draft.path.open("rb+") as file:
                os.fsync(file.fileno())

    def write_text(self, target: Path, text: str, *, is_private: bool = False) -> None:
        with self.writing(target, is_private=is_private) as draft:
            draft.write_text(text, encoding="utf-8")

    def __enter__(self) -> FileSet:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, place: TracebackType | None
    ) -> None:
        try:
            if kind is None:
                self._replace_all()
        finally:
            self._clean_up()

    def _replace_all(self) -> None:
        for path, state in self._inputs.items():
            refuse_changed(path, state)
        try:
            for draft in self._drafts:
                with _telling(draft.target):
                    self._prepare(draft)
            for draft in self._drafts:
                with _telling(draft.target):
                    _place(draft)
        except BaseException:
            self._put_back()
            raise

    def _prepare(self, draft: Draft) -> None:
        """Everything that can fail and takes time, so that only renaming is left."""
        if not draft.overwrites:
            return
        draft.mode = self._mode_of(draft)
        if len(self._drafts) > 1 and draft.target.exists():
            draft.backup = _backup(draft.target)

    def _mode_of(self, draft: Draft) -> int:
        """The mode of the old file, or of any new one, less what the inputs do not allow."""
        if draft.is_private:
            return PRIVATE
        target = draft.target
        mode = target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~_UMASK
        for state in self._inputs.values():
            allowed = state.mode | PRIVATE
            if draft.path.stat().st_gid != state.group:  # a group of other people
                allowed = allowed & ~_GROUP | (allowed & _OTHERS) << 3
            mode &= allowed
        return mode

    def _put_back(self) -> None:
        """The files as they were before the first was replaced."""
        kept: list[Path] = []
        for draft in filter(lambda draft: draft.is_placed, self._drafts):
            backup, draft.backup = draft.backup, None  # which is not removed, whatever happens
            try:
                if backup is None:
                    draft.target.unlink(missing_ok=True)
                else:
                    backup.replace(draft.target)
            except OSError:
                kept += [draft.target if backup is None else backup]
        if kept:
            raise OutputError(
                "Writing failed, and not all files could be put back as they were. Look at "
                + ", ".join(map(str, kept))
                + ": a name that ends in .old is the old file, any other a new one."
            )

    def _clean_up(self) -> None:
        for draft in self._drafts:
            for path in filter(None, (draft.path, draft.backup)):
                drafts.forget(path)
                try:
                    path.unlink(missing_ok=True)
                except OSError:  # the files themselves are in their places
                    self.left_behind.append(path)


@contextlib.contextmanager
def replacing(target: Path) -> Iterator[Path]:
    """Gives a file next to `target` to write to; it takes the place of `target` at the end."""
    with FileSet() as files, files.writing(target) as draft:
        yield draft


def check_target(target: Path) -> None:
    """Refuse, before any work is done, what cannot be written at its end."""
    if not target.parent.is_dir():
        raise OutputError(f"{target}: the folder {target.parent} does not exist. Create it first.")
    if target.exists() and not target.is_file():
        raise OutputError(f"{target} is not a file. Choose the name of a file.")
    if target.exists() and not os.access(target, os.W_OK):
        raise OutputError(f"{target} is read-only. Choose another name, or make it writable.")
    if not os.access(target.parent, os.W_OK | os.X_OK):
        raise OutputError(f"{target}: no permission to write to the folder {target.parent}.")


def write_text(
    target: Path, text: str, *, is_private: bool = False, inputs: Sequence[Path] = ()
) -> None:
    with FileSet(inputs) as files:
        files.write_text(target, text, is_private=is_private)


def errno_of(error: Exception) -> int | None:
    """The number of the system's error behind another; None if there is none.

    Polars passes it on inside a text, the rest of which may show anything.

    >>> errno_of(ValueError("parquet: underlying error: No space left on device (os error 28)"))
    28
    """
    if isinstance(error, OSError) and error.errno is not None:
        return error.errno
    in_text = re.search(r"\(os error (\d+)\)", str(error))
    return None if in_text is None else int(in_text[1])


@contextlib.contextmanager
def _telling(target: Path) -> Iterator[None]:
    """Errors of the disk say which file could not be written, and why."""
    try:
        yield
    except FileExistsError:
        raise OutputError(
            f"{target} exists, and what is in it could not be made again. Choose another name."
        ) from None
    except OSError as error:
        number = errno_of(error)
        why = "input/output error" if number is None else os.strerror(number)
        raise OutputError(
            f"{target}: cannot be written ({why}). Existing files are unchanged."
        ) from None


def _place(draft: Draft) -> None:
    if draft.overwrites:
        draft.path.replace(draft.target)
    else:
        os.link(draft.path, draft.target)  # which fails if there is one by now
    draft.is_placed = True
    draft.target.chmod(draft.mode)  # not before: a kill would leave a draft that others can read


def _backup(target: Path) -> Path:
    """A second, hidden name of a file; a copy of it on disks where a file has but one."""
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".old", dir=target.parent)
    os.close(handle)
    backup = Path(name)
    try:
        backup.unlink()
        os.link(target, backup)
    except OSError:
        backup.touch(PRIVATE)
        shutil.copyfile(target, backup)
        shutil.copymode(target, backup)
    return backup
