"""Python objects in the cells of a table."""

from __future__ import annotations

from collections.abc import Iterable
from copy import deepcopy
from typing import Any


def own_objects(values: Iterable[Any]) -> list[Any]:
    """Copies, so that no cell leads to anything outside: an array may be a part of a larger one.

    Equal texts become one object. Which of them were one before tells how the table was read.

    >>> whole = [1, 2]
    >>> copied = own_objects([whole, "a"])
    >>> copied, copied[0] is whole
    ([[1, 2], 'a'], False)
    """
    texts: dict[str | bytes, str | bytes] = {}
    return [
        texts.setdefault(value, value) if type(value) in (str, bytes) else deepcopy(value)
        for value in values
    ]
