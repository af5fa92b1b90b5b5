"""Whole numbers beyond 2^53, where floating-point numbers skip some: exact, or refused."""

import re
import warnings
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pandas as pd
import polars as pl
import pytest

import shoal
from shoal.errors import InputError
from shoal.read.columns import read_column
from shoal.read.kinds import canonical
from tiers import seeds

ODD = 2**53 + 1  # which no float is


def pandas_of(kind):
    return lambda numbers: pd.DataFrame({"x": pd.array(numbers, dtype=kind)})


FRAMES = {
    "Int64": pandas_of("Int64"),
    "int64[pyarrow]": pandas_of("int64[pyarrow]"),
    "object": pandas_of(object),
    "Decimal": lambda xs: pd.DataFrame({"x": [x and Decimal(x) for x in xs]}),
    "polars": lambda xs: pl.DataFrame({"x": pl.Series(xs, dtype=pl.Int64)}),
    "polars decimal": lambda xs: pl.DataFrame({"x": pl.Series(xs, dtype=pl.Decimal(25, 2))}),
}
HIERARCHIES = [None, (1, 5), (7,), (2**40,), (0.5, 10), (2.5, 5), (0.1,)]


def some_numbers(rng):
    """Near each other, around a number where floats are sparse."""
    base = int(rng.choice([2**53, 2**54, -(2**53), 10**16, 2**62, -(10**18)]))
    numbers = [base + int(step) for step in rng.integers(-60, 60, size=int(rng.integers(4, 12)))]
    return [*numbers, None] if rng.random() < 0.4 else numbers


def is_true(cell, number):
    """Whether a cell says of a number what is so, in whole numbers and fractions throughout."""
    if cell == "*" or cell is None or number is None:
        return cell == "*" or (cell is None and number is None)
    ends = re.fullmatch(r"\[(.+), (.+)([\])])", cell)
    if ends is None:
        return Fraction(cell) == number
    low, high = Fraction(ends[1]), Fraction(ends[2])
    return low <= number <= high and (ends[3] == "]" or number < high)


@pytest.mark.parametrize("seed", seeds(3, thorough=60))
@pytest.mark.parametrize("kind", FRAMES)
@pytest.mark.parametrize("algorithm", ["mondrian", "flash"])
def test_every_cell_is_true_of_its_number(kind, seed, algorithm):
    rng = np.random.default_rng(seed)
    numbers = some_numbers(rng)
    widths = HIERARCHIES[int(rng.integers(len(HIERARCHIES)))]
    frame = FRAMES[kind](numbers)
    ids = [str(i) for i in range(len(numbers))]
    kept = frame.with_columns(id=pl.Series(ids)) if kind[:6] == "polars" else frame.assign(id=ids)

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        release = shoal.anonymize(
            kept,
            quasi={"x": widths and shoal.intervals(*widths)},
            keep=["id"],
            privacy=[shoal.KAnonymity(2)],
            algorithm=algorithm,
        )

    published = release.published.select("x", "id").rows()
    assert len(published) == len(numbers)
    assert all(is_true(cell, numbers[int(i)]) for cell, i in published)


def test_whole_numbers_that_pandas_stored_as_floats_are_refused_with_what_to_do():
    frame = pd.DataFrame({"code": [ODD, ODD + 2, None, 7]})
    assert frame["code"].dtype == float

    with pytest.raises(InputError) as caught:
        shoal.anonymize(frame, quasi=["code"], privacy=[shoal.KAnonymity(2)])

    message = str(caught.value)
    assert "Column 'code'" in message
    assert "in 2 records" in message
    assert "Int64" in message
    assert str(2**53 + 4) not in message


@pytest.mark.parametrize(
    "numbers", [[2.0**53 - 1, 3.0, None], [1e16, 0.5, 7.0], [1e300, 2e300, 1.0]]
)
def test_other_floating_point_numbers_are_read_as_they_are(numbers):
    frame = pl.DataFrame({"x": numbers})

    release = shoal.anonymize(frame, quasi=["x"], privacy=[shoal.KAnonymity(1)])

    published = {cell and float(cell) for cell in release.frame["x"]}
    assert published == set(numbers)


def test_kept_and_sensitive_floats_are_released_as_they_are():
    frame = pd.DataFrame({"x": [1, 1], "y": [2.0**60, None], "z": [2.0**60, 1.0]})

    release = shoal.anonymize(
        frame, quasi=["x"], keep=["y"], sensitive=["z"], privacy=[shoal.KAnonymity(2)]
    )

    assert sorted(release.frame["z"]) == [1.0, 2.0**60]


def test_text_that_would_lose_digits_as_a_number_stays_text():
    column = read_column(pl.Series("x", ["1.5", str(ODD)]), is_text=True)

    assert column.kind == "text"
    assert column.labels == ("1.5", str(ODD))
    assert canonical([str(ODD), str(ODD - 1), "1e23"], "number") == [None, str(ODD - 1), "1e+23"]


def test_decimals_stay_numbers_where_floats_have_all_their_digits():
    column = read_column(pl.Series("x", ["1.50", "-2.25"]).cast(pl.Decimal(25, 2)))

    assert column.kind == "number"
    assert column.labels == ("-2.25", "1.5")


def test_decimals_with_more_digits_than_can_be_measured_are_refused():
    series = pl.Series("x", ["90071992547409.93", "123456789012345678.25"]).cast(pl.Decimal(25, 2))

    with pytest.raises(InputError, match="Column 'x' has numbers with more digits"):
        read_column(series)


def test_intervals_of_a_large_number_have_all_their_digits():
    hierarchy = shoal.intervals(2.5, 5).build(read_column(pl.Series("x", [ODD, -ODD])))

    assert hierarchy.labels[1] == (
        "[-9007199254740995, -9007199254740992.5)",
        "[9007199254740992.5, 9007199254740995)",
    )
