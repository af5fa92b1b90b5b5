"""Columns released unchanged that tell the values which generalised ones should hide.

A copy, twice the age plus one, a finer code: whoever sees the kept column computes the other. Three
signs are looked for, each of which chance would hardly give:

1. Records of different people that share the kept value always share the hidden one.
2. The hidden number or date never falls, or never rises, as the kept one rises.
3. The hidden text begins the kept one, in every record.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, islice
from typing import NamedTuple

import numpy as np
import polars as pl

from shoal.types.arrays import Int64Array
from shoal.types.column import RawColumn

SURE = 20.0  # chance would give sign 1 less often than once in e^20
STEPS = 20  # different kept values, and a quarter of that of hidden ones, from which sign 2 counts
FIRST = 2_000  # records that are looked at before all are
MOST_PAIRS = 2_000  # of columns, in the order of the table


class Determined(NamedTuple):
    """Kept columns that tell the value of a hidden one."""

    kept: tuple[str, ...]
    hidden: str


def determined_by(
    kept: Mapping[str, RawColumn], hidden: Mapping[str, RawColumn], persons: Int64Array | None
) -> tuple[Determined, ...]:
    """The hidden columns that a kept one tells, alone or with another.

    `persons` numbers the people behind the rows; several rows of one person show nothing.

    >>> ages, twice = np.array([20, 21, 22]), np.array([41, 43, 45])
    >>> codes = np.tile(np.arange(3), 20)
    >>> determined_by({"x": RawColumn("x", "integer", ("41", "43", "45"), twice, codes)},
    ...               {"age": RawColumn("age", "integer", ("20", "21", "22"), ages, codes)}, None)
    (Determined(kept=('x',), hidden='age'),)
    """
    found = []
    for name, column in hidden.items():
        if len(column.labels) < 2:
            continue
        alone = [k for k, other in kept.items() if _tells(other, column, persons)]
        found += [Determined((k,), name) for k in alone]
        others = [k for k in kept if k not in alone]
        found += [Determined(p, name) for p in _pairs(others, kept, column, persons)]
    return tuple(found)


def _tells(kept: RawColumn, hidden: RawColumn, persons: Int64Array | None) -> bool:
    if len(kept.labels) < 2:
        return False
    return (
        _is_function([kept.codes], hidden.codes, persons)
        or is_monotone(kept, hidden)
        or is_prefix(kept, hidden)
    )


def _pairs(
    names: Sequence[str],
    kept: Mapping[str, RawColumn],
    hidden: RawColumn,
    persons: Int64Array | None,
) -> Iterator[tuple[str, ...]]:
    """Pairs of columns neither of which tells the hidden one alone."""
    varied = [name for name in names if len(kept[name].labels) > 1]
    for pair in islice(combinations(varied, 2), MOST_PAIRS):
        if _is_function([kept[name].codes for name in pair], hidden.codes, persons):
            yield pair


def _is_function(
    kept: Sequence[np.ndarray], hidden: np.ndarray, persons: Int64Array | None
) -> bool:
    """Whether equal kept values have equal hidden ones, so often that it cannot be chance."""
    names = [str(i) for i in range(len(kept))]
    frame = pl.DataFrame({**dict(zip(names, kept, strict=True)), "hidden": hidden})
    first = frame.head(FIRST)
    if first.n_unique() > first.select(names).n_unique():
        return False
    if persons is not None:
        frame = frame.with_columns(pl.Series("person", persons)).unique()
    n_kept = frame.select(names).n_unique()
    n_repeated = frame.height - n_kept
    alike = chance_of_alike(frame["hidden"].to_numpy())
    if alike >= 1 or n_repeated * -math.log(alike) < SURE:
        return False
    return bool(frame.select([*names, "hidden"]).n_unique() == n_kept)


def chance_of_alike(codes: np.ndarray) -> float:
    """That two records drawn at random have the same value."""
    shares = np.bincount(codes + 1) / max(len(codes), 1)
    return float((shares**2).sum())


def _may_tell(kept: RawColumn, hidden: RawColumn) -> bool:
    """Whether the first records that have both do not show two hidden values for a kept one."""
    some = np.stack([kept.codes[:FIRST], hidden.codes[:FIRST]])
    some = np.unique(some[:, (some >= 0).all(axis=0)], axis=1)
    return bool(len(np.unique(some[0])) == some.shape[1])


def is_monotone(kept: RawColumn, hidden: RawColumn) -> bool:
    """Whether one number or date grows, or falls, with the other. Missing ones do not count."""
    if kept.numbers is None or hidden.numbers is None:
        return False
    if not _may_tell(kept, hidden):
        return False
    both = (kept.codes >= 0) & (hidden.codes >= 0)
    first, second = np.unique(np.stack([kept.codes[both], hidden.codes[both]]), axis=1)
    is_function = len(np.unique(first)) == len(first)
    if not is_function or len(first) < STEPS or len(np.unique(second)) < STEPS / 4:
        return False
    steps = np.diff(second)
    return bool((steps >= 0).all() or (steps <= 0).all())


def is_prefix(kept: RawColumn, hidden: RawColumn) -> bool:
    """Whether the hidden text, of two letters or more, begins the kept one in every record."""
    if not _may_tell(kept, hidden):
        return False
    pairs = np.unique(np.stack([kept.codes, hidden.codes]), axis=1)
    if (pairs < 0).any() or pairs.shape[1] < STEPS / 4 or kept.labels == hidden.labels:
        return False
    return all(
        len(hidden.labels[b]) > 1 and kept.labels[a].startswith(hidden.labels[b])
        for a, b in pairs.T.tolist()
    )
