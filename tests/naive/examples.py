"""How many examples hypothesis tries: fewer where kernels run as plain Python."""

import os

from hypothesis import settings

IS_COMPILED = os.environ.get("NUMBA_DISABLE_JIT", "0") == "0"


def examples(n):
    """Settings for `n` examples. No deadline: the first call of a kernel compiles it."""
    return settings(max_examples=n if IS_COMPILED else max(5, n // 20), deadline=None)
