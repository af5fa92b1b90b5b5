"""The key of pseudonyms: who has it can tell whose record is whose."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from shoal.errors import InputError, counted

VARIABLE = "SHOAL_KEY"
LEAST = 32  # bytes: as many as HMAC-SHA-256 gives
MOST = 4096  # bytes of a key file: what is longer is some other file
LEAST_DIFFERENT = 8  # bytes; 64 random hexadecimal digits practically never have fewer
OTHERS = 0o077  # the rights of everybody but the owner
HOW = "`shoal key FILE` makes a good one."


@dataclass(frozen=True, eq=False, repr=False)
class Key:
    """A secret, and what the user should know of how it is kept. It is never printed."""

    secret: bytes
    notes: tuple[str, ...] = ()


def key_of(given: bytes | str | os.PathLike[str] | Key) -> Key:
    """A key from Python: bytes are the key itself, a text or a path is the name of its file.

    >>> len(key_of(bytes(range(32))).secret)
    32
    """
    if isinstance(given, Key):
        return given
    if isinstance(given, bytes):
        return Key(_checked(given, "The key"))
    if isinstance(given, str) and not _is_file(given):  # not shown: it may be a key
        raise InputError(
            "The text that was given as `key` is not the name of a file. Give the key itself as "
            f"bytes, or the name of its file. {HOW}"
        )
    if not isinstance(given, str | os.PathLike):
        raise InputError(f"`key` must be bytes, or the name of the key's file. {HOW}")
    return read_key(Path(given))


def read_key(path: Path) -> Key:
    """The key in a file: its bytes without the end of the line."""
    try:
        with path.open("rb") as file:
            content = file.read(MOST + 1)
            mode = os.fstat(file.fileno()).st_mode
    except FileNotFoundError:
        raise InputError(f"{_shown(path)}: there is no such key file. {HOW}") from None
    except OSError as error:
        raise InputError(
            f"{_shown(path)}: the key cannot be read ({error.strerror or 'input/output error'})."
        ) from None
    if len(content) > MOST:
        raise InputError(f"{path} has more than {counted(MOST, 'byte')}: this is not a key. {HOW}")
    secret = _checked(content.rstrip(b"\r\n"), f"The key in {path}")
    return Key(secret, _readable_by_others(path, mode))


def key_of_environment() -> Key | None:
    """The key in `SHOAL_KEY`, if there is one."""
    text = os.environ.get(VARIABLE, "")
    return Key(_checked(os.fsencode(text), f"The key in {VARIABLE}")) if text else None


def _is_file(name: str) -> bool:
    try:
        return Path(name).is_file()
    except OSError:  # longer than a name can be, as a key may be
        return False


def _shown(path: Path) -> str:
    """A path that cannot be read, unless it may be the key itself in place of its file."""
    may_be_key = len(str(path)) >= LEAST and not path.suffix
    return "The name given for the key file" if may_be_key else str(path)


def _checked(secret: bytes, what: str) -> bytes:
    """Refuse a key that could be found by trying."""
    if len(secret) < LEAST:
        raise InputError(
            f"{what} has {counted(len(secret), 'byte')}, but it must have at least {LEAST}: a "
            f"shorter one can be found by trying. {HOW}"
        )
    if (n_different := len(set(secret))) < LEAST_DIFFERENT:
        raise InputError(
            f"{what} repeats {counted(n_different, 'character')}, so it can be guessed. {HOW}"
        )
    return secret


def _readable_by_others(path: Path, mode: int) -> tuple[str, ...]:
    if os.name == "nt" or not mode & OTHERS:  # Windows keeps rights elsewhere
        return ()
    return (
        f"Other users of this machine may read or change the key file {path}, and who has the key "
        "can tell whose record is whose. Run `chmod 600` on it.",
    )
