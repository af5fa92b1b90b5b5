"""Whether a release still runs in the order of the original."""

import numpy as np
import polars as pl
import pytest

from shoal.read.source import Source
from shoal.types.schema import ColumnSpec, Schema
from shoal.types.verdict import Leak
from shoal.verify.order import order_leaks

SCHEMA = Schema(
    {"age": ColumnSpec("quasi"), "ill": ColumnSpec("sensitive"), "n": ColumnSpec("keep")}
)
N = 90


def original():
    rng = np.random.default_rng(3)
    return pl.DataFrame(
        {
            "age": rng.integers(0, 60, N),
            "ill": [("flu", "cold", "gout", None)[i] for i in rng.integers(0, 4, N)],
            "n": rng.integers(0, 5, N),
        }
    )


def released(records):
    """These records of the original, ages in bins of twenty."""
    cells = pl.Series(
        "age", [f"[{age // 20 * 20}, {age // 20 * 20 + 19}]" for age in original()["age"]]
    )
    return original().with_columns(cells)[records]


def leaks(records, schema=SCHEMA):
    return order_leaks(Source(released(records)), Source(original()), schema)


def test_a_release_in_the_order_of_the_original_is_a_leak():
    assert leaks(np.arange(N)) == (Leak("order of the original", None, N),)


def test_records_left_out_in_between_do_not_hide_the_order():
    kept = [i for i in range(N) if i % 7]

    assert leaks(kept) == (Leak("order of the original", None, len(kept)),)


@pytest.mark.parametrize("seed", range(5))
def test_a_release_in_another_order_is_no_leak(seed):
    shuffled = np.random.default_rng(seed).permutation(N)

    assert leaks(shuffled) == ()
    assert leaks(shuffled[: N - 5]) == ()


def test_the_order_that_releases_have_is_no_leak():
    by_cells = np.lexsort([released(np.arange(N))[name].rank("dense").fill_null(0).to_numpy()
                           for name in ("n", "ill", "age")])  # fmt: skip

    assert leaks(by_cells) == ()


def test_a_single_record_has_no_order():
    assert leaks([4]) == ()
