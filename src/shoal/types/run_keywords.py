"""The keywords that every way to anonymize takes, for type checkers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypedDict

from shoal.types.frames import File, Given
from shoal.types.watch import Watch


class Run(TypedDict, total=False):
    """How a release is made, besides what its policy says."""

    key: File | bytes | None
    threads: int | None
    watch: Watch | None
    progress: bool | None
    earlier: Given | Sequence[Given]
    registry: File | None
