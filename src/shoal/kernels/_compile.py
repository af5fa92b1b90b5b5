"""How kernels are compiled: on first use, which a warm-up run brings forward."""

from __future__ import annotations

import importlib
import sys

import numba

from shoal import kernels
from shoal.kernels._cache import stored

BLAS = "scipy.linalg"

if kernels.in_command and BLAS not in sys.modules:
    # Numba looks for BLAS, which no kernel needs, and loading scipy takes as long as loading numba.
    sys.modules[BLAS] = None  # type: ignore[assignment]  # an import of it fails
    importlib.import_module("numba.np.arraymath")
    del sys.modules[BLAS]


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
