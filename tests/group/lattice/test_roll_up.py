"""Packed rows against dictionaries of tuples, in keys of one, two and three words."""

from collections import Counter

import numpy as np
import pytest

from shoal.group.lattice._rows import _fields
from shoal.kernels.roll_up import pack_rows, roll_up, total_over_rows, unpack_column
from tiers import seeds

# Hashes overflow on purpose. As plain Python, numpy warns of that.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered in scalar multiply")
SEEDS = seeds(4, thorough=25)
# Codes of each column; what does not fit into the rest of a word begins the next one.
SHAPES = {
    1: [4, 1, 1000, 2, 17],
    2: [1 << 30, 9, 1 << 31, 5, 300],
    3: [1 << 31, 1 << 31, 1 << 31, 1 << 31, 1 << 31, 3],
}
WORDS = pytest.mark.parametrize("n_words", list(SHAPES))


def random_rows(seed, n_words, *, n_rows=200):
    """Rows of codes, repeated often, that use the ends of their fields."""
    rng = np.random.default_rng(seed)
    n_codes = SHAPES[n_words]
    ends = [np.array([0, n - 1, n // 2, n // 3]) for n in n_codes]
    codes = np.stack([rng.choice(end, n_rows) for end in ends], axis=1).astype(np.int32)
    return codes, rng.integers(1, 9, n_rows)


def packed(codes, n_words):
    fields, n_needed = _fields(SHAPES[n_words], 0)
    assert n_needed == n_words
    return pack_rows(codes, fields.words, fields.shifts, n_words), fields


def unpacked(keys, fields):
    """Rows of keys as tuples of codes, in whole numbers of any length."""
    return [
        tuple(
            (int(key[word]) >> int(shift)) & int(mask)
            for word, shift, mask in zip(*fields, strict=True)
        )
        for key in keys
    ]


@WORDS
@pytest.mark.parametrize("seed", SEEDS)
def test_what_is_packed_can_be_unpacked(seed, n_words):
    codes, _ = random_rows(seed, n_words)

    keys, fields = packed(codes, n_words)

    assert keys.shape == (len(codes), n_words)
    assert unpacked(keys, fields) == [tuple(row) for row in codes.tolist()]


@WORDS
@pytest.mark.parametrize("seed", SEEDS)
def test_a_column_of_some_rows_is_unpacked(seed, n_words):
    codes, _ = random_rows(seed, n_words)
    keys, fields = packed(codes, n_words)
    rows = np.random.default_rng(seed).integers(0, len(codes), 30)

    for column in range(codes.shape[1]):
        word, shift, mask = (field[column] for field in fields)
        found = unpack_column(keys, rows, word, shift, mask)

        assert found.tolist() == codes[rows, column].tolist()


@WORDS
@pytest.mark.parametrize("seed", SEEDS)
def test_rows_that_become_equal_are_added_up_in_order_of_first_appearance(seed, n_words):
    codes, counts = random_rows(seed, n_words)
    keys, fields = packed(codes, n_words)
    rng = np.random.default_rng(seed)
    # Only columns with few codes have a table of new ones that fits into memory.
    small = [i for i, n in enumerate(SHAPES[n_words]) if n <= 1000]
    column = int(rng.choice(small))
    n_codes = SHAPES[n_words][column]
    table = np.sort(rng.integers(0, n_codes, n_codes)).astype(np.int32)

    word, shift, mask = (field[column] for field in fields)
    new_keys, new_counts = roll_up(keys, counts, word, shift, mask, table)

    expected = Counter()
    for row, count in zip(codes.tolist(), counts.tolist(), strict=True):
        row[column] = int(table[row[column]])
        expected[tuple(row)] += count
    assert list(zip(unpacked(new_keys, fields), new_counts.tolist(), strict=True)) == list(
        expected.items()
    )


@pytest.mark.parametrize("n_rows", [0, 1, 127, 128, 129, 5000])
def test_rolling_up_copes_with_any_number_of_rows(n_rows):
    codes = np.arange(n_rows, dtype=np.int32).reshape(-1, 1)
    counts = np.ones(n_rows, dtype=np.int64)
    keys = pack_rows(codes, np.array([0]), np.array([0], dtype=np.uint64), 1)
    mask, shift = np.uint64((1 << 13) - 1), np.uint64(0)

    same, _ = roll_up(keys, counts, 0, shift, mask, np.arange(n_rows + 1, dtype=np.int32))
    one, total = roll_up(keys, counts, 0, shift, mask, np.zeros(n_rows + 1, dtype=np.int32))

    assert same.tolist() == keys.tolist()
    assert total.tolist() == ([n_rows] if n_rows else [])
    assert one.tolist() == ([[0]] if n_rows else [])


@WORDS
@pytest.mark.parametrize("seed", SEEDS)
def test_costs_are_added_up_for_each_column_over_the_chosen_rows(seed, n_words):
    rng = np.random.default_rng(seed)
    n_codes = SHAPES[n_words]
    codes = np.stack([rng.integers(0, min(n, 50), 60) for n in n_codes], axis=1, dtype=np.int32)
    keys, fields = packed(codes, n_words)
    rows = rng.permutation(60)[:20]
    counts = rng.integers(1, 9, 20)
    begins = np.arange(len(n_codes)) * 50
    table = rng.integers(0, 100, 50 * len(n_codes)) / 4  # sums of quarters are exact

    totals = total_over_rows(keys, rows, counts, tuple(fields), begins, table)

    expected = [
        sum(
            int(count) * table[begins[column] + codes[row, column]]
            for row, count in zip(rows, counts, strict=True)
        )
        for column in range(len(n_codes))
    ]
    assert totals.tolist() == expected
