"""Kernels are plain Python too: switched to that, they pass the same tests."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from naive.examples import IS_COMPILED

KERNELS = Path(__file__).parent
MONDRIAN = KERNELS.parent / "group" / "test_mondrian_twin.py"


@pytest.mark.skipif(not IS_COMPILED, reason="this is the run without the compiler")
def test_kernels_pass_their_tests_as_plain_python():
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "no:cacheprovider",
        str(KERNELS),
        str(MONDRIAN),
    ]

    run = subprocess.run(
        command,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        cwd=KERNELS.parent.parent,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )

    assert run.returncode == 0, run.stdout[-3000:] + run.stderr[-1000:]
    assert run.stdout.count(".") > 30, run.stdout  # one for each test that passed
