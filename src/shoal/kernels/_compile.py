"""How kernels are compiled, and whether that has been done before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numba

_kernels: list[Any] = []


def kernel(function):
    """Compile on first call, keep the machine code on disk, release the interpreter lock.

    No signatures: they would compile at import. No `parallel`: its thread pool cannot be
    entered from two Python threads; callers run kernels on several threads instead.
    """
    compiled = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    _kernels.append(compiled)
    return compiled


def compiled_before() -> bool:
    """Whether every kernel imported so far has machine code on disk."""
    return all(_has_machine_code(compiled) for compiled in _kernels)


def _has_machine_code(compiled: Any) -> bool:
    cache = getattr(compiled, "_cache", None)  # absent when numba is switched off
    if cache is None:
        return True
    name = f"{compiled.py_func.__module__.rpartition('.')[2]}.{compiled.py_func.__name__}"
    return any(Path(cache.cache_path).glob(f"{name}-*.nbc"))
