import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from shoal.encode.fold import fold_equal_rows
from tiers import examples


def assert_agrees(records, n_codes):
    columns = [np.array(codes, dtype=np.int32) for codes in zip(*records, strict=True)]

    fold = fold_equal_rows(columns, n_codes)

    expected, different = naive.folded(records)
    assert fold.row_of_record.tolist() == expected
    assert [records[i] for i in fold.first_record] == different


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 2), st.integers(0, 6)), min_size=1))
@examples(thorough=200)
def test_equal_records_share_a_row_and_rows_are_in_lexicographic_order(records):
    assert_agrees(records, [4, 3, 7])


@pytest.mark.parametrize("seed", range(5))
def test_any_number_of_columns_can_be_folded(seed):
    rng = np.random.default_rng(seed)
    different = rng.integers(0, 1000, size=(60, 20))  # 1000 ** 20 is some 199 bits of keys
    different[20:40] = different[:20]
    different[20:40, rng.integers(0, 20)] += 1  # rows that differ in one column only
    records = [tuple(map(int, different[i])) for i in rng.integers(0, 60, size=200)]

    assert_agrees(records, [1001] * 20)


@pytest.mark.parametrize("n_codes", [2**31 - 1, 2**30, 2**21])
def test_keys_as_large_as_they_may_be_do_not_run_over(n_codes):
    top = n_codes - 1
    records = [(top, top, 0), (top, top, top), (0, 0, top), (top, 0, 0), (0, top, top)]

    assert_agrees(records + records[::-1], [n_codes] * 3)


def test_columns_of_one_code_change_nothing():
    assert_agrees([(0, 1, 0), (0, 0, 0), (0, 1, 0)], [1, 2, 1])
