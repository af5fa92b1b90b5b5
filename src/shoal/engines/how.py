"""What the user says of how an engine works."""

from __future__ import annotations

from typing import NamedTuple


class How(NamedTuple):
    """How an engine is opened.

    `memory` is what DuckDB may use, such as 4GB; else half of what there is. An output that is
    there and is no release is replaced only with `force`.
    """

    memory: str | None = None
    threads: int | None = None
    delimiter: str | None = None
    force: bool = False
