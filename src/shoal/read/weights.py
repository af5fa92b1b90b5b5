"""Survey weights: how many people each record stands for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import polars as pl

from shoal.errors import InputError, counted
from shoal.read.numbers import TEXT, with_plain_numbers
from shoal.read.source import Source
from shoal.types.arrays import BoolArray, FloatArray
from shoal.types.schema import ColumnSpec, Schema

ROUNDING = 1e-9  # a weight of 0.9999999999 is 1
REMEDY = (
    "A weight is the number of people that a record stands for, itself included, so it is at least "
    "1. Correct them or leave these records out. If weights were scaled to a mean of 1, multiply "
    "them by the people of the population for each record of the table."
)


def weights_of(
    source: Source, name: str, spec: ColumnSpec, missing_values: Sequence[str] = ("",)
) -> FloatArray:
    """The weight of each record. Refuses, with counts, what cannot be one.

    >>> frame = pl.DataFrame({"w": ["12", "1.5"]})
    >>> weights_of(Source(frame, is_text=True), "w", ColumnSpec("weight")).tolist()
    [12.0, 1.5]
    """
    column = source.frame[name]
    if column.dtype == pl.Object or column.dtype.is_nested() or column.dtype == pl.Boolean:
        raise InputError(f"Column {name!r} has the role weight, but does not hold numbers.")
    if column.dtype in TEXT:
        texts = with_plain_numbers(column, spec.notation, missing_values).str.strip_chars()
        column = texts.set(texts.is_in(list(missing_values)), None)
    numbers = column.cast(pl.Float64, strict=False)
    is_missing = column.is_null().to_numpy()
    found = numbers.fill_null(np.nan).to_numpy()
    wrong = ", ".join(_wrong(found, is_missing))
    if wrong:
        raise InputError(f"Column {name!r} has the role weight: {wrong}.\n{REMEDY}")
    weights: FloatArray = np.maximum(found, 1.0)
    return weights


def _wrong(weights: FloatArray, is_missing: BoolArray) -> Iterator[str]:
    is_number = np.isfinite(weights)
    below = is_number & (weights > 0) & (weights < 1 - ROUNDING)
    for which, words in (
        (is_missing, "no weight"),
        (~is_number & ~is_missing, "text or an infinite number"),
        (is_number & (weights < 0), "a negative weight"),
        (is_number & (weights == 0), "the weight 0"),
        (below, "a weight between 0 and 1"),
    ):
        n = int(which.sum())
        if n:
            yield f"{counted(n, 'record')} {'has' if n == 1 else 'have'} {words}"


def warn_of_strata(published: pl.DataFrame, schema: Schema) -> Iterator[str]:
    """A note on released weights: how far they tell records apart that otherwise look alike."""
    name = schema.weight
    if name is None or name not in published.columns or not published.height:
        return
    n_different = published[name].n_unique()
    if n_different == 1:
        return
    cells = [published[quasi] for quasi in schema.quasi]
    groups = pl.DataFrame({str(i): column for i, column in enumerate([*cells, published[name]])})
    n_alone = int(groups.is_unique().sum())
    smallest = int(groups.group_by(groups.columns).len()["len"].min() or 0)  # type: ignore[arg-type]
    yield (
        f"Column {name!r} is a released weight with {counted(n_different, 'different value')}. Who "
        "knows how the sample was drawn can tell strata by it: with the weight, the smallest group "
        f"has {counted(smallest, 'record')}, and {counted(n_alone, 'record')} "
        f"{'is' if n_alone == 1 else 'are'} unique. Models do not count it. Round the weights, or "
        "use `release: false`."
    )
