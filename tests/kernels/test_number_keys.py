import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from shoal.kernels.number_keys import SPREAD, number_keys
from tiers import examples

LARGEST = 2**62
SMALLEST_TABLE = 1 << 12


def assert_agrees(keys):
    numbers, first = number_keys(np.array(keys, dtype=np.int64))

    expected_numbers, expected_first = naive.numbered(keys)
    assert numbers.tolist() == expected_numbers
    assert first.tolist() == expected_first


@given(st.lists(st.integers(0, 9) | st.integers(0, LARGEST - 1), max_size=60))
@examples(thorough=200)
def test_keys_are_numbered_by_first_appearance(keys):
    assert_agrees(keys)


@pytest.mark.parametrize("n", [2047, 2048, 2049, 8193, 20_000])
def test_numbers_survive_the_growing_of_the_table(n):
    rng = np.random.default_rng(n)
    different = rng.choice(LARGEST, size=n)

    assert_agrees([*different.tolist(), *rng.permutation(different).tolist()])


def test_keys_that_fall_on_one_slot_at_the_end_of_the_table_are_kept_apart():
    undo = pow(int(SPREAD), -1, 2**64)
    hashes = [2**64 - 1 - i for i in range(400)]  # all in the last slot, and on past the end
    keys = [key for key in (a_hash * undo % 2**64 for a_hash in hashes) if key < LARGEST]
    last_slot = {(key * int(SPREAD) % 2**64) >> 52 for key in keys}

    assert last_slot == {SMALLEST_TABLE - 1}
    assert len(keys) > 50
    assert_agrees(keys + keys[::-1])


def test_no_keys_have_no_numbers():
    numbers, first = number_keys(np.empty(0, dtype=np.int64))

    assert len(numbers) == 0
    assert len(first) == 0
