"""Whether a release still runs in the order of the original."""

import polars as pl

from shoal.read.source import Source
from shoal.types.privacy import Leak
from shoal.types.schema import ColumnSpec, Schema
from shoal.verify.order import order_leaks

SCHEMA = Schema(
    {"age": ColumnSpec("quasi"), "ill": ColumnSpec("sensitive"), "n": ColumnSpec("keep")}
)
ORIGINAL = {"age": [5, 4, 3, 2], "ill": ["flu", "cold", "gout", None], "n": [1, 2, 3, 4]}


def leaks(rows, *, schema=SCHEMA, original=ORIGINAL):
    release = pl.DataFrame(
        {
            "age": ["*"] * len(rows),
            "ill": [original["ill"][i] for i in rows],
            "n": [original["n"][i] for i in rows],
        }
    )
    return order_leaks(Source(release), Source(pl.DataFrame(original)), schema)


def test_a_release_in_the_order_of_the_original_is_a_leak():
    assert leaks([0, 1, 2, 3]) == (Leak("order of the original", None, 4),)


def test_records_left_out_in_between_do_not_hide_the_order():
    assert leaks([0, 2, 3]) == (Leak("order of the original", None, 3),)


def test_a_release_in_another_order_is_no_leak():
    assert leaks([1, 0, 2, 3]) == ()
    assert leaks([0, 1, 3, 2]) == ()


def test_an_order_that_cannot_be_seen_is_no_leak():
    alike = {"age": [1, 2, 3], "ill": ["flu"] * 3, "n": [7] * 3}

    assert leaks([0, 1, 2], original=alike) == ()
    assert leaks([2]) == ()
    assert leaks([0, 1, 2, 3], schema=Schema({"age": ColumnSpec("quasi")})) == ()
