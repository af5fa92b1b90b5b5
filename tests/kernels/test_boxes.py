import numpy as np
import pytest

import naive
from shoal.kernels.boxes import LARGEST, group_boxes
from tiers import seeds


@pytest.mark.parametrize("seed", seeds(4, thorough=20))
def test_group_boxes_agree_with_the_naive_ones(seed):
    rng = np.random.default_rng(seed)
    codes = rng.integers(0, 9, size=(40, 3), dtype=np.int32)
    rows = np.sort(rng.integers(0, 40, size=60)).astype(np.int32)  # some rows in several parts
    labels = rng.integers(-1, 5, size=60, dtype=np.int32)  # -1: suppressed

    low, high = group_boxes(codes, rows, labels, 5)

    expected = naive.boxes(codes, rows, labels)
    assert len(expected) == 5
    for group, (lowest, highest) in expected.items():
        np.testing.assert_array_equal(low[group], lowest)
        np.testing.assert_array_equal(high[group], highest)


def test_the_box_of_a_group_without_parts_holds_nothing():
    codes = np.array([[4, 5]], dtype=np.int32)

    low, high = group_boxes(codes, np.zeros(1, np.int32), np.array([1], np.int32), 2)

    assert (low[0] == LARGEST).all()
    assert (high[0] == -1).all()
    assert low[1].tolist() == high[1].tolist() == [4, 5]
