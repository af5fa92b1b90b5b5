"""Noise: bounded, even, secret, and only where numbers are quantities."""

from __future__ import annotations

import math
from decimal import Decimal
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases.handmade import quasi, schema_of
from shoal.encode.noise import SEED_VARIABLE, _even, rows_by_quasi, secret_key, with_noise
from shoal.hierarchies.flat import flat
from shoal.hierarchies.intervals import intervals
from shoal.hierarchies.levels import levels
from shoal.hierarchies.prefix import prefix
from shoal.read.columns import number_labels, read_column

KEY = b"a secret of the tests"
SHARES = st.floats(0.001, 0.999)


def noisy(values, *, share, spec=None, key=KEY, order=None, name="x", is_text=False):
    """A column as read, and the same with noise."""
    series = pl.Series(name, values)
    schema = schema_of({name: spec or quasi()})
    before = read_column(series, is_text=is_text and schema.columns[name].may_be_numbers)
    order = np.arange(len(series)) if order is None else order
    found = with_noise({name: before}, schema, share=share, key=key, order=order)
    return before, found.columns[name], found.notes


def numbers(column):
    """The number of every record, None where it is missing."""
    return [None if code < 0 else column.numbers[code].item() for code in column.codes]


@given(st.lists(st.none() | st.integers(-(2**63), 2**63 - 1), min_size=1), SHARES)
def test_whole_numbers_stay_whole_and_within_bound_and_domain(values, share):
    before, after, _ = noisy(pl.Series(values, dtype=pl.Int64), share=share)

    present = [value for value in values if value is not None]
    bound = Fraction(repr(share)) * (max(present) - min(present)) if present else 0
    assert after.kind == before.kind
    for old, new in zip(values, numbers(after), strict=True):
        assert (old is None) == (new is None)
        if old is not None:
            assert isinstance(new, int)
            assert abs(new - old) <= bound
            assert min(present) <= new <= max(present)


@given(st.lists(st.integers(-(10**9), 10**9), min_size=1), st.integers(1, 6), SHARES)
def test_decimals_keep_their_digits_and_their_bound(counts, digits, share):
    values = [Decimal(count).scaleb(-digits) for count in counts]
    finest = max(max(0, -value.normalize().as_tuple().exponent) for value in values)

    _, after, _ = noisy([float(value) for value in values], share=share)

    bound = Decimal(repr(share)) * (max(values) - min(values))
    for old, code in zip(values, after.codes, strict=True):
        new = Decimal(after.labels[code])
        assert abs(new - old) <= bound
        assert min(values) <= new <= max(values)
        assert max(0, -new.normalize().as_tuple().exponent) <= finest


@given(st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1), SHARES)
def test_any_floating_point_number_keeps_its_bound(values, share):
    _, after, _ = noisy(values, share=share)

    # As the numbers are written: 0.1 is a tenth, whatever the processor makes of it.
    written = [Fraction(repr(value)) for value in values]
    bound = Fraction(repr(share)) * (max(written) - min(written))
    for old, value, new in zip(written, values, numbers(after), strict=True):
        assert min(values) <= new <= max(values)
        assert new == value or abs(Fraction(repr(new)) - old) <= bound


@pytest.mark.parametrize("base", [2**62, -(2**62), 2.0**50, -(2.0**50)])
@pytest.mark.parametrize("share", [0.006, 0.013, 0.0165, 0.1])
def test_numbers_coarser_than_their_digits_keep_their_bound(base, share):
    # So large that they are counted in steps of several units, and rounded to them.
    values = [base + (i if isinstance(base, int) else i / 4) for i in range(2000)]

    _, after, _ = noisy(values, share=share)

    bound = Fraction(repr(share)) * (Fraction(values[-1]) - Fraction(values[0]))
    moves = [
        abs(Fraction(new) - Fraction(old)) for old, new in zip(values, numbers(after), strict=True)
    ]
    assert max(moves) <= bound
    assert share < 0.1 or max(moves) > bound / 2


@given(st.lists(st.none() | st.integers(-50, 50) | st.floats(-1e6, 1e6), min_size=1), SHARES)
def test_what_comes_out_is_a_column_as_reading_makes_one(values, share):
    series = pl.Series(values, dtype=pl.Float64, strict=False)

    _, after, _ = noisy(series, share=share)

    assert after.numbers is None or (np.diff(after.numbers) > 0).all()
    if after.numbers is not None:
        assert list(after.labels) == number_labels(after.kind, after.numbers)
        assert sorted(set(after.codes.tolist()) - {-1}) == list(range(len(after.labels)))


def test_every_move_within_the_bound_comes_and_none_beyond():
    _, after, _ = noisy([0, 100, *[50] * 2000], share=0.03)

    moves = np.array(numbers(after)[2:]) - 50
    assert set(moves.tolist()) == {-3, -2, -1, 0, 1, 2, 3}


def test_moves_are_even_and_their_mean_is_0_away_from_the_borders():
    n, reach = 70_000, 3
    _, after, _ = noisy([0, 100, *[50] * n], share=0.03)

    moves = np.array(numbers(after)[2:]) - 50
    # Bounds of five standard deviations, which even moves exceed less than once in a million keys.
    deviation = math.sqrt(reach * (reach + 1) / 3)
    assert abs(moves.mean()) < 5 * deviation / math.sqrt(n)
    p = 1 / (2 * reach + 1)
    counts = np.bincount(moves + reach)
    assert (np.abs(counts - n * p) < 5 * math.sqrt(n * p * (1 - p))).all()


def test_full_floating_point_numbers_move_evenly_too():
    rng = np.random.default_rng(0)
    values = np.append(rng.random(40_000) * 0.4 + 0.3, [0.0, 1.0])

    _, after, _ = noisy(values, share=0.2)

    moves = np.array(numbers(after)) - values
    inside = moves[:-2]
    assert np.abs(inside).max() > 0.199
    assert abs(inside.mean()) < 5 * 0.2 / math.sqrt(3 * len(inside))


def test_more_values_than_a_word_has_room_for_are_drawn_again():
    # 2^64 is 1.6 times the number of moves: four of ten words are refused.
    n_values, n = int(2**64 / 1.6), 20_000

    drawn = _even(KEY, "x", n_values, n)

    assert int(drawn.max()) < n_values
    shares = drawn.astype(np.float64) / n_values
    assert abs(shares.mean() - 0.5) < 5 / math.sqrt(12 * n)


def test_numbers_beyond_the_domain_are_its_border():
    _, after, _ = noisy([0, 10] * 500, share=0.5)

    found = np.array(numbers(after))
    assert (found.min(), found.max()) == (0, 10)
    # Of eleven moves, six lead beyond the border or to it.
    assert abs((found[::2] == 0).mean() - 6 / 11) < 5 * math.sqrt(6 / 11 * 5 / 11 / 500)


def test_a_share_means_what_its_decimals_say():
    _, after, _ = noisy([0, 100, *[50] * 5000], share=0.29)  # floating point: 28.999...

    moves = np.array(numbers(after)[2:]) - 50
    assert (moves.min(), moves.max()) == (-29, 29)


def test_each_record_has_its_own_move_and_equal_ones_part():
    _, after, _ = noisy([0, 1000, *[500] * 100], share=0.1)

    assert len(set(numbers(after)[2:])) > 20


def test_columns_have_moves_of_their_own():
    values = [0, 1000, *[500] * 50]

    one, other = (noisy(values, share=0.1, name=name)[1] for name in ("x", "y"))

    assert numbers(one) != numbers(other)


def test_moves_follow_the_order_of_records_that_is_given():
    values = np.array([3, 1, 4, 1, 5, 9, 2, 6] * 20) * 10
    order = np.argsort(values, kind="stable")
    shuffled = np.random.default_rng(1).permutation(len(values))

    _, one, _ = noisy(values, share=0.2, order=order)
    _, other, _ = noisy(
        values[shuffled], share=0.2, order=np.argsort(values[shuffled], kind="stable")
    )

    assert sorted(zip(values, numbers(one), strict=True)) == sorted(
        zip(values[shuffled], numbers(other), strict=True)
    )


def test_rows_are_numbered_by_all_quasi_identifiers():
    frame = pl.DataFrame({"a": [2, 1, 2, None], "b": ["x", "y", "x", "x"], "s": [1, 2, 3, 4]})
    schema = schema_of({"a": "quasi", "b": "quasi", "s": "sensitive"})
    columns = {name: read_column(frame[name]) for name in frame.columns}

    assert rows_by_quasi(columns, schema).tolist() == [2, 1, 2, 0]


WORK = [(str(i), "low" if i < 50 else "high") for i in range(101)]


@pytest.mark.parametrize(
    "spec",
    [
        quasi(levels(WORK)),
        quasi(levels(WORK), publish="range"),
        quasi(prefix(3)),
        quasi(flat()),
        quasi(publish="set"),
    ],
    ids=["level table", "level table as range", "prefix", "flat", "set"],
)
@pytest.mark.parametrize("is_text", [True, False])
def test_numbers_that_are_names_are_left_alone(spec, is_text):
    values = [str(value) if is_text else value for value in range(101)]

    before, after, notes = noisy(values, share=0.5, spec=spec, is_text=is_text)

    assert after is before
    assert notes[0].startswith("Noise had no effect")


@pytest.mark.parametrize(
    "spec",
    [
        quasi(),
        quasi(intervals(5, 10)),
        quasi(intervals(5, 10), publish="range"),
        quasi(flat(), publish="mean"),
        quasi(publish="median"),
    ],
    ids=["range", "intervals", "intervals as range", "flat as mean", "median"],
)
@pytest.mark.parametrize("is_text", [True, False])
def test_quantities_are_moved(spec, is_text):
    values = [str(value) if is_text else value for value in range(101)]

    before, after, _ = noisy(values, share=0.5, spec=spec, is_text=is_text)

    assert numbers(after) != numbers(before)


@pytest.mark.parametrize("role", ["sensitive", "keep"])
def test_only_quasi_identifiers_are_touched(role):
    column = read_column(pl.Series("x", range(100)))
    other = read_column(pl.Series("y", range(100)))
    schema = schema_of({"x": role, "y": "quasi"})

    found = with_noise(
        {"x": column, "y": other}, schema, share=0.3, key=KEY, order=np.arange(100)
    ).columns

    assert found["x"] is column
    assert numbers(found["y"]) != numbers(other)


@pytest.mark.parametrize("kind", [pl.Date, pl.Time, pl.Datetime("us"), pl.Boolean, pl.String])
def test_other_kinds_are_left_alone(kind):
    series = pl.Series([0, 1, 1]).cast(pl.String if kind == pl.String else kind)

    before, after, notes = noisy(series, share=0.9)

    assert after is before
    assert notes[0].startswith("Noise had no effect")


@pytest.mark.parametrize("values", [[7, 7, 7], [0, 1, 0], [1.5, 1.5]])
def test_less_than_a_step_moves_nothing_and_is_said(values):
    before, after, notes = noisy(values, share=0.5)

    assert after is before
    assert notes == (
        "Column 'x': noise had no effect. 0.5 of the distance from its smallest to its largest "
        "number is less than one step of its last digit.",
    )


def test_a_column_without_any_value_stays_so():
    before, after, notes = noisy(pl.Series([None, None], dtype=pl.Int64), share=0.5)

    assert after is before
    assert notes[0].startswith("Noise had no effect")


def test_the_note_names_columns_and_the_share_and_no_number_of_the_data():
    _, _, notes = noisy([123456, 654321, 500000], share=0.05)

    (note,) = notes
    assert "'x'" in note
    assert "up to 0.05 of the distance" in note
    assert "may not cover the true values" in note
    assert not any(text in note for text in ("123456", "654321", "26543"))


def test_the_key_comes_from_the_secret_or_from_the_system(monkeypatch):
    monkeypatch.delenv(SEED_VARIABLE, raising=False)
    assert secret_key() != secret_key()
    monkeypatch.setenv(SEED_VARIABLE, "")
    assert secret_key() != secret_key()

    monkeypatch.setenv(SEED_VARIABLE, "any text, ä \udcff too")
    one = secret_key()
    assert one == secret_key()
    assert len(one) == 32
    monkeypatch.setenv(SEED_VARIABLE, "another")
    assert secret_key() != one
