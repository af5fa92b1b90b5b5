"""Records are put in an order that only their values decide."""

from __future__ import annotations

import random

import numpy as np
import polars as pl
import pytest

from shoal.encode.order import WORTH_CODING, order_by

TEXTS = ["b", "a", "ab", "", "Ä", "10", "9", None]


@pytest.mark.parametrize("n_texts", [len(TEXTS), WORTH_CODING])
def test_texts_that_repeat_are_sorted_like_all_others(n_texts):
    rng = random.Random(n_texts)
    texts = TEXTS if n_texts == len(TEXTS) else [str(i) for i in range(n_texts)]
    first = np.array([rng.randrange(3) for _ in range(WORTH_CODING)], dtype=np.int32)
    values = rng.choices(texts, k=WORTH_CODING)

    order = order_by(first, pl.DataFrame({"text": values})).tolist()

    pairs = [(first[i], values[i] is not None, (values[i] or "").encode()) for i in order]
    assert pairs == sorted(pairs)
    assert sorted(order) == list(range(WORTH_CODING))
