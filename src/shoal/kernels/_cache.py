"""Compiled kernels on disk: read only where nobody else can write, and only if undamaged.

numba's own cache unpickles whatever is in its folder. One flipped bit then ends every later run, or
changes what a kernel computes, and somebody else's file could do anything. Here each kernel has one
file that begins with a digest of the rest. A file that does not agree is compiled anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import pickle
import stat
import sys
import tempfile
from pathlib import Path
from typing import Any

import llvmlite
import numba
from numba.core import caching, config
from numba.core.serialize import dumps

# Where numba keeps kernels, by what the class is called; older versions call them private.
LOCATORS = {name.lstrip("_"): cls for name, cls in vars(caching).items() if "Locator" in name}
LOG = logging.getLogger("shoal")
DIGEST = 16  # bytes
VERSION = f"{numba.__version__} {llvmlite.__version__}"  # what wrote a file must read it
WRITABLE_BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
_said: set[str] = set()


class KernelFiles:
    """The compiled forms of one kernel, a file for each; what numba calls a cache file."""

    def __init__(self, folder, name, source):
        self._folder = Path(folder)
        self._name = name
        self._source = source  # a digest of the Python file

    def load(self, key):
        """The compiled form for some types, or None if there is none that can be trusted."""
        path = self._path(key)
        try:
            with path.open("rb") as file:
                is_private = _is_private(os.fstat(file.fileno()))
                content = file.read() if is_private else b""
        except OSError:
            return None
        if not is_private:
            say("Compiled kernels that others may have written are not used: {}.", self._folder)
            return None
        if _digest(content[DIGEST:]) != content[:DIGEST]:
            say("Compiled kernels are damaged, and are compiled anew: {}.", self._folder)
            return None
        version, source, known, code = pickle.loads(content[DIGEST:])
        if version != VERSION or source != self._source:
            return None
        return pickle.loads(code) if pickle.loads(known) == key else None

    def save(self, key, code):
        """Replace a file as a whole; nobody else may read or write it."""
        body = pickle.dumps((VERSION, self._source, dumps(key), dumps(code)))
        handle, draft = tempfile.mkstemp(prefix=f"{self._name}.", dir=self._folder)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(_digest(body) + body)
            Path(draft).replace(self._path(key))
        finally:
            with contextlib.suppress(OSError):
                Path(draft).unlink(missing_ok=True)

    def flush(self):
        """Forget everything."""
        for path in self._folder.glob(f"{self._name}.*.kernel"):
            path.unlink(missing_ok=True)

    def _path(self, key):
        return self._folder / f"{self._name}.{_digest(repr(key).encode()).hex()}.kernel"


class _Trusted:
    """A folder is used only if nobody else can put files into it."""

    @classmethod
    def from_function(cls, py_func, py_file):
        found = super().from_function(py_func, py_file)
        is_refused = found is not None and not _is_private(Path(found.get_cache_path()).stat())
        return None if is_refused else found


class _Private(_Trusted):
    """In the cache of the user, where the installation is read-only or not private."""

    def ensure_cache_path(self):
        Path(self.get_cache_path()).mkdir(mode=0o700, parents=True, exist_ok=True)
        super().ensure_cache_path()


class _ReadOnly(_Trusted):
    """A folder that has the kernel and cannot be written to, as in an image for all users."""

    def ensure_cache_path(self):
        if not any(Path(self.get_cache_path()).glob(f"*.{self.kernel}-*.kernel")):
            raise PermissionError

    def __init__(self, py_func, py_file):
        super().__init__(py_func, py_file)
        self.kernel = py_func.__name__


# The folder that NUMBA_CACHE_DIR names; next to the source; in the cache of the user.
_Given: Any = type("_Given", (_Trusted, LOCATORS["UserProvidedCacheLocator"]), {})
_Shared: Any = type("_Shared", (_ReadOnly, LOCATORS["UserProvidedCacheLocator"]), {})
_InTree: Any = type("_InTree", (_Trusted, LOCATORS["InTreeCacheLocator"]), {})
_OfUser: Any = type("_OfUser", (_Private, LOCATORS["UserWideCacheLocator"]), {})


class _Files(caching.CompileResultCacheImpl):
    _locator_classes = [_Given, _Shared, _InTree, _OfUser]  # noqa: RUF012 - as numba has it


class KernelCache(caching.FunctionCache):
    """numba's cache with files that are checked."""

    _impl_class = _Files

    def __init__(self, py_func):
        super().__init__(py_func)
        self._cache_file = KernelFiles(
            self._cache_path, self._impl.filename_base, self._impl.locator.get_source_stamp()
        )

    def load_overload(self, sig, target_context):
        """As numba does; whatever goes wrong, the kernel is compiled anew."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # its text may be anything: a pickle can raise what it likes
            say("Compiled kernels cannot be loaded, and are compiled anew: {}.", self._cache_path)
            return None

    def save_overload(self, sig, data):
        """As numba does; where the disk is full, the kernel is compiled each time."""
        try:
            super().save_overload(sig, data)
        except OSError as error:
            say("Compiled kernels cannot be stored ({}): {}.", error.strerror, self._cache_path)


def stored(dispatcher):
    """Let a compiled function keep its machine code on disk, if there is a folder for it."""
    if config.DISABLE_JIT:  # it is a Python function then
        return dispatcher
    try:
        dispatcher._cache = KernelCache(dispatcher.py_func)
    except RuntimeError:  # what numba raises
        say("No private folder was found for compiled kernels: each run compiles them.")
    return dispatcher


def say(message, *what):
    """Tell it once, not for each kernel."""
    if message not in _said:
        _said.add(message)
        LOG.warning("shoal: %s", message.format(*what))


def _digest(content):
    return hashlib.blake2b(content, digest_size=DIGEST).digest()


def _is_private(status):
    """Whether only this user, or the administrator, can write there."""
    if sys.platform == "win32":
        return True  # which has no such modes; folders of users are private there
    return status.st_uid in (os.getuid(), 0) and not status.st_mode & WRITABLE_BY_OTHERS
