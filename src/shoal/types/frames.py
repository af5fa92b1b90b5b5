"""The tables that callers pass in and get back, as type checkers see them."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

if TYPE_CHECKING:
    import polars as pl
    from typing_extensions import TypeVar  # with a default, which `typing` has from 3.13 on
else:
    from typing import TypeVar as _TypeVar

    def TypeVar(name, *, bound, default):  # noqa: N802
        return _TypeVar(name, bound=bound)


class Frame(Protocol):
    """A table of polars, pandas or pyarrow: it has columns and a length."""

    @property
    def columns(self) -> Any: ...

    def __len__(self) -> int: ...


FrameT = TypeVar("FrameT", bound=Frame, default=Any)  # the kind that goes in comes out
File: TypeAlias = str | os.PathLike[str]
# What comes out as a polars frame: there is no other kind to give back.
InPolars: TypeAlias = "File | pl.LazyFrame"
Given: TypeAlias = "Frame | File | pl.LazyFrame"
