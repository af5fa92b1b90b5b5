"""How much a run tries: some before every commit, much more before a release.

`make test` runs the quick tier, `make test-thorough` the thorough one: the same tests on more
seeds, examples and pairs of algorithm and model. `make test-nojit` runs kernels as plain Python,
on few examples because that is slow.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

import pytest
from hypothesis import HealthCheck, settings

TIER = os.environ.get("SHOAL_TESTS", "quick")
IS_THOROUGH = TIER == "thorough"
IS_COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"

Case = TypeVar("Case")

# No test fails for being slow: the first call of a kernel compiles it, and machines are shared.
PATIENT = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("quick", PATIENT, max_examples=25)
settings.register_profile("thorough", PATIENT, max_examples=100)
settings.load_profile(TIER)


only_thorough = pytest.mark.skipif(not IS_THOROUGH, reason="only in the thorough tier")


def seeds(n: int, *, thorough: int) -> range:
    """Seeds of random cases: `n` of them, or more in the thorough tier."""
    return range(thorough if IS_THOROUGH and IS_COMPILED else n)


def part(cases: Sequence[Case], n: int, *, thorough: int | None = None) -> Sequence[Case]:
    """`n` of these cases, evenly spread; in the thorough tier more of them, or all."""
    if IS_THOROUGH:
        n = len(cases) if thorough is None else thorough
    if len(cases) <= n:
        return cases
    return [cases[i * len(cases) // n] for i in range(n)]


def examples(n: int = 25, *, thorough: int) -> settings:
    """Settings by which hypothesis tries `n` examples, or more in the thorough tier."""
    if not IS_COMPILED:
        return settings(max_examples=max(5, n // 5))
    return settings(max_examples=thorough if IS_THOROUGH else n)
