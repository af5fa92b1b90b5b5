"""Bounded noise: numbers of quasi-identifiers moved at random before anything is grouped.

The moves are secret: whoever knew them could take them back. So they come from SHAKE-256, whose
output does not tell what comes next, under a key that no policy and no release has.
"""

from __future__ import annotations

import hashlib
import math
import os
import secrets
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from shoal.encode.fold import fold_equal_rows
from shoal.read.columns import number_labels
from shoal.types.arrays import MISSING, Int32Array, Int64Array, NumberArray
from shoal.types.column import RawColumn
from shoal.types.schema import ColumnSpec, Schema

SEED_VARIABLE = "SHOAL_NOISE_SEED"
MOST_STEPS = 10**15  # decimals of up to 15 digits are what their shortest text says
MOST_DIGITS = 22  # after the point: larger powers of ten are no exact floating-point numbers
LARGE = 2**60  # whole numbers whose sums could leave 64 bits
LEAST_POWER = -1074  # of two, that is a number


class Noisy(NamedTuple):
    """Columns, some of them with noise, and what the user should know of it."""

    columns: dict[str, RawColumn]
    notes: tuple[str, ...]


class _Grid(NamedTuple):
    """Numbers as whole multiples of a step of 2^power / 10^digits.

    `slack`: the steps by which a number may be away from its multiple, at both ends together.
    """

    steps: Int64Array
    power: int
    digits: int
    slack: int

    def numbers(self, steps: Int64Array, like: NumberArray) -> NumberArray:
        """What so many steps measure, within the numbers of the column."""
        if like.dtype == np.int64:
            found: NumberArray = steps << self.power
        else:
            with np.errstate(over="ignore"):  # beyond the largest number: the border is nearer
                found = np.ldexp(steps / 10.0**self.digits, self.power)
        return np.asarray(np.clip(found, like[0], like[-1]))


def secret_key() -> bytes:
    """A key from the system's entropy, or from the secret text of SHOAL_NOISE_SEED."""
    secret = os.environ.get(SEED_VARIABLE, "")
    if secret:
        return hashlib.sha256(secret.encode("utf-8", "surrogateescape")).digest()
    return secrets.token_bytes(32)


def rows_by_quasi(columns: Mapping[str, RawColumn], schema: Schema) -> Int32Array:
    """A number for each record: equal quasi-identifiers, equal number; ascending by values."""
    read = [columns[name] for name in schema.quasi]
    codes = [column.codes + np.int32(1) for column in read]  # missing is -1
    return fold_equal_rows(codes, [len(column.labels) + 1 for column in read]).row_of_record


def with_noise(
    columns: Mapping[str, RawColumn],
    schema: Schema,
    *,
    share: float,
    key: bytes,
    order: Int64Array,
) -> Noisy:
    """Move every number of a quasi-identifier by up to `share` of the column's width.

    `order` lists the records; the i-th move belongs to the i-th of them.

    >>> ages = RawColumn("age", "integer", ("20", "60"), np.array([20, 60]), np.array([1, -1, 0]))
    >>> schema = Schema({"age": ColumnSpec("quasi")})
    >>> noisy = with_noise({"age": ages}, schema, share=0.1, key=b"secret", order=np.arange(3))
    >>> noisy.columns["age"].labels, noisy.columns["age"].codes.tolist()
    (('20', '58'), [1, -1, 0])
    """
    noisy, moved, still = dict(columns), [], []
    for name in schema.quasi:
        if not _measures(columns[name], schema.columns[name]):
            continue
        grid = _grid_of(columns[name])
        reach = _reach(grid, share)
        if reach == 0:
            still.append(name)
            continue
        moves = np.empty(len(order), dtype=np.int64)
        moves[order] = _even(key, name, 2 * reach + 1, len(order)).astype(np.int64) - reach
        noisy[name] = _moved(columns[name], grid, moves)
        moved.append(name)
    return Noisy(noisy, _notes(share, moved, still))


def _measures(column: RawColumn, spec: ColumnSpec) -> bool:
    """Whether the column's numbers are quantities: those of a set or a level table are names."""
    if column.kind not in ("integer", "number") or not column.labels:
        return False
    if spec.hierarchy is None:
        return spec.publish != "set"
    if spec.hierarchy.reads_text:  # what is moved would be no leaf
        return False
    return spec.hierarchy.measures or spec.publish in ("range", "mean", "median")


def _grid_of(column: RawColumn) -> _Grid:
    """The finest step of the column's numbers, so that moved ones have no more digits."""
    numbers = column.numbers
    assert numbers is not None
    if numbers.dtype == np.int64:
        is_large = bool((np.abs(numbers.astype(np.float64)) >= LARGE).any())
        power, slack = (3, 2) if is_large else (0, 0)
        return _Grid(numbers >> power, power, digits=0, slack=slack)
    largest = float(np.abs(numbers).max())
    for digits in range(MOST_DIGITS + 1):
        if largest * 10.0**digits >= MOST_STEPS:
            break
        steps = np.rint(numbers * 10.0**digits)
        if (steps / 10.0**digits == numbers).all():
            return _Grid(steps.astype(np.int64), 0, digits, slack=0)
    # More digits than can be counted exactly. A residue of the number itself must not remain
    # below the step, so that it is rounded; powers of two show as many digits as before.
    power = max(math.frexp(largest)[1] - 50, LEAST_POWER)
    return _Grid(np.rint(np.ldexp(numbers, -power)).astype(np.int64), power, digits=0, slack=2)


def _reach(grid: _Grid, share: float) -> int:
    """The most steps that a number may be moved by: rounded down, so that it is a bound."""
    width = int(grid.steps[-1]) - int(grid.steps[0])
    exact = Fraction(repr(float(share)))  # 0.29 of 100 is 29, which floating point falls short of
    return max(0, math.floor(exact * width) - grid.slack)


def _moved(column: RawColumn, grid: _Grid, moves: Int64Array) -> RawColumn:
    """The column with every record's number so many steps away; missing stays missing."""
    assert column.numbers is not None
    is_present = column.codes != MISSING
    steps = grid.steps[column.codes[is_present]] + moves[is_present]
    steps = np.clip(steps, grid.steps[0], grid.steps[-1])
    numbers, inverse = np.unique(grid.numbers(steps, column.numbers), return_inverse=True)
    codes = np.full(len(column.codes), MISSING, dtype=np.int32)
    codes[is_present] = inverse
    return replace(
        column, labels=tuple(number_labels(column.kind, numbers)), numbers=numbers, codes=codes
    )


def _even(key: bytes, name: str, n_values: int, n: int) -> npt.NDArray[np.uint64]:
    """`n` whole numbers from 0 to `n_values` - 1, each as likely as any other.

    A stream for each column, so that its noise does not depend on other columns.
    """
    last = 2**64 - 2**64 % n_values - 1  # beyond, small numbers would come once too often
    drawn, n_rounds = _words(key, name, 0, n), 0
    while len(again := np.flatnonzero(drawn > np.uint64(last))):
        n_rounds += 1
        drawn[again] = _words(key, name, n_rounds, len(again))
    return np.asarray(drawn % np.uint64(n_values))


def _words(key: bytes, name: str, n_rounds: int, n: int) -> npt.NDArray[np.uint64]:
    stream = hashlib.shake_256(key + f"{n_rounds} {name}".encode("utf-8", "surrogatepass"))
    return np.frombuffer(stream.digest(8 * n), dtype="<u8").astype(np.uint64)


def _notes(share: float, moved: list[str], still: list[str]) -> tuple[str, ...]:
    if not moved and not still:
        return (
            "Noise had no effect: no quasi-identifier is a number that is published as a range, a "
            "mean, a median or an interval.",
        )
    notes = [
        f"Column {name!r}: noise had no effect. {share:g} of the distance from its smallest to "
        "its largest number is less than one step of its last digit."
        for name in still
    ]
    if moved:
        names = ", ".join(map(repr, moved))
        notes.insert(
            0,
            f"Noise was added before grouping to {names}: every number was moved at random, by up "
            f"to {share:g} of the distance from the smallest to the largest of its column. Cells "
            "may not cover the true values, and the measures compare with the moved numbers.",
        )
    return tuple(notes)
