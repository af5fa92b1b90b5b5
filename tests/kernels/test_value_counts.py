import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import naive
from shoal.kernels.value_counts import count_values, counting_order
from tiers import examples, seeds

PARTS = st.lists(st.tuples(st.integers(-1, 4), st.integers(0, 6), st.integers(1, 9)), max_size=40)


@given(PARTS)
@examples(thorough=200)
def test_counts_of_values_agree_with_the_naive_ones(parts):
    labels, values, counts = (np.array([p[i] for p in parts], dtype=np.int64) for i in range(3))
    starts, found, times = count_values(
        labels.astype(np.int32), values.astype(np.int32), counts, 5, 7
    )

    expected = naive.value_counts(*([p[i] for p in parts] for i in range(3)))
    assert len(starts) == 6
    for group in range(5):
        here = slice(starts[group], starts[group + 1])
        pairs = list(zip(found[here].tolist(), times[here].tolist(), strict=True))
        assert pairs == sorted(expected.get(group, {}).items())


def test_a_group_that_no_part_is_in_has_no_values():
    labels = np.array([2, 0, 2], dtype=np.int32)
    values = np.array([1, 1, 0], dtype=np.int32)

    starts, found, times = count_values(labels, values, np.array([3, 4, 5]), 4, 2)

    assert starts.tolist() == [0, 1, 1, 3, 3]
    assert found.tolist() == [1, 0, 1]
    assert times.tolist() == [4, 5, 3]


@pytest.mark.parametrize("seed", seeds(4, thorough=10))
def test_counting_order_is_the_stable_order(seed):
    keys = np.random.default_rng(seed).integers(0, 5, size=50, dtype=np.int32)

    order = counting_order(keys, 5)

    assert order.tolist() == naive.counting_order(keys.tolist())
