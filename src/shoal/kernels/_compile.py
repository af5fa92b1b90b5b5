"""How kernels are compiled: on first use, which a warm-up run brings forward."""

from __future__ import annotations

import numba

from shoal.kernels._cache import stored


def kernel(function):
    """Compile on first call, keep the machine code on disk, release the interpreter lock.

    No signatures: they would compile at import. No `parallel`: its thread pool cannot be
    entered from two Python threads; callers run kernels on several threads instead.
    """
    return stored(numba.njit(nogil=True, error_model="numpy")(function))


def inner(function):
    """A part of kernels, never called from Python: compiled with them, and stored with them.

    What Python would need to call it costs more to compile than most such functions.
    """
    return numba.njit(
        nogil=True, error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True
    )(function)
