"""Records are put in an order that only their values decide."""

from __future__ import annotations

import random

import numpy as np
import polars as pl
import pytest

from shoal.encode.coded_texts import WORTH_CODING
from shoal.encode.order import order_by

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


@pytest.mark.parametrize("with_numbers", [False, True])
def test_several_columns_are_sorted_one_after_the_other_and_equals_stay_as_they_are(with_numbers):
    rng = random.Random(0)
    first = np.array([rng.randrange(3) for _ in range(WORTH_CODING)], dtype=np.int32)
    columns = {name: rng.choices(TEXTS, k=WORTH_CODING) for name in "ab"}
    numbers = rng.choices(range(3), k=WORTH_CODING)  # which are not coded

    frame = pl.DataFrame(columns | ({"n": numbers} if with_numbers else {}))
    order = order_by(first, frame).tolist()

    def key(i):
        texts = [(values[i] is not None, (values[i] or "").encode()) for values in columns.values()]
        return first[i], texts, numbers[i] if with_numbers else 0

    by_key = sorted(range(WORTH_CODING), key=key)
    assert [key(i) for i in order] == [key(i) for i in by_key]
    assert with_numbers or order == by_key


def test_a_name_that_looks_like_a_pattern_is_a_name():
    frame = pl.DataFrame({"^a.*$": ["b", "a"] * WORTH_CODING, "ab": ["x"] * 2 * WORTH_CODING})

    order = order_by(np.zeros(frame.height, dtype=np.int32), frame)

    texts = frame["^a.*$"].to_list()
    assert [texts[i] for i in order] == sorted(texts)
