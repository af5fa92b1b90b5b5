"""What is loaded with the kernels."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

LOADED = """
import sys
from shoal import kernels
kernels.in_command = {in_command}
from shoal.kernels.value_counts import count_values
import numpy as np
count_values(*(np.zeros(1, t) for t in ("int32", "int32", "int64")), 1, 1)
print("scipy.linalg" in sys.modules)
import scipy.linalg.cython_blas
"""


@pytest.mark.parametrize("in_command", [True, False])
def test_a_command_does_not_load_scipy_with_its_kernels(in_command):
    pytest.importorskip("scipy")
    script = LOADED.format(in_command=in_command)

    compiling = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}

    run = subprocess.run(
        [sys.executable, "-c", script], check=True, capture_output=True, text=True, env=compiling
    )

    assert run.stdout.split() == [str(not in_command)]
