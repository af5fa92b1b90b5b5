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


QUASI_ALONE = Schema({"age": ColumnSpec("quasi")})


def test_cells_alone_show_the_order():
    assert leaks(np.arange(N), QUASI_ALONE) == (Leak("order of the original", None, N),)


@pytest.mark.parametrize("seed", range(5))
def test_cells_alone_in_another_order_are_no_leak(seed):
    assert leaks(np.random.default_rng(seed).permutation(N), QUASI_ALONE) == ()


def order_of(release, original, schema):
    return order_leaks(Source(pl.DataFrame(release)), Source(pl.DataFrame(original)), schema)


def test_two_different_rows_are_enough_for_an_order():
    schema = Schema({"age": ColumnSpec("quasi"), "ill": ColumnSpec("sensitive")})
    original = {"age": [5, 1, 2], "ill": ["flu", "gout", "cold"]}
    release = {"age": ["[5, 9]", "[0, 4]"], "ill": ["flu", "gout"]}

    assert len(order_of(release, original, schema)) == 1
    assert order_of(release | {"ill": ["gout", "flu"]}, original, schema) == ()


def test_rows_that_are_all_the_same_have_no_order():
    schema = Schema({"age": ColumnSpec("quasi"), "ill": ColumnSpec("sensitive")})
    original = {"age": [5, 1, 2], "ill": ["flu"] * 3}

    assert order_of({"age": ["[5, 9]", "[0, 4]"], "ill": ["flu"] * 2}, original, schema) == ()


def test_an_original_without_the_columns_has_no_order_to_keep():
    schema = Schema({"age": ColumnSpec("quasi"), "ill": ColumnSpec("sensitive")})
    release = {"age": ["b", "a", "c"], "ill": ["flu", "gout", "cold"]}

    assert order_of(release, {"name": ["x", "y", "z"]}, schema) == ()


def test_rows_that_ascend_column_by_column_are_in_an_order_of_their_own():
    schema = Schema(
        {"sex": ColumnSpec("quasi"), "age": ColumnSpec("quasi"), "ill": ColumnSpec("keep")}
    )
    rows = {"sex": list("ffmm"), "age": ["1", "2", "1", "2"], "ill": ["a", "b", "c", "d"]}

    assert order_of(rows, rows, schema) == ()
    assert len(order_of(rows | {"sex": list("fffm")}, rows, schema)) == 1
    assert len(order_of(rows | {"sex": list("ffmf")}, rows, schema)) == 1


def test_values_of_another_type_are_compared_by_their_text():
    schema = Schema({"age": ColumnSpec("quasi"), "n": ColumnSpec("keep")})
    original, release = {"age": [5, 1, 2], "n": [1.0, 2.5, 3.0]}, {"age": ["b", "a"]}

    assert len(order_of(release | {"n": ["1", "3"]}, original, schema)) == 1
    assert order_of(release | {"n": ["3", "1"]}, original, schema) == ()


def test_lists_are_compared_too():
    schema = Schema({"age": ColumnSpec("quasi"), "visits": ColumnSpec("keep")})
    original, release = {"age": [5, 1, 2], "visits": [[1], [2, 3], []]}, {"age": ["b", "a"]}

    assert len(order_of(release | {"visits": [[1], []]}, original, schema)) == 1
    assert order_of(release | {"visits": [[], [1]]}, original, schema) == ()


@pytest.mark.parametrize(
    ("cells_of_thirds", "n_leaks"),
    [(("ab", "bc", "c"), 1), (("ab", "bc", "ca"), 0), (("ab", "abc", "bc"), 0)],
)
def test_half_as_many_pairs_as_by_chance_are_no_leak(cells_of_thirds, n_leaks):
    cells = [(cells_of_thirds[age // 30] * 90)[age] for age in range(90)]

    assert len(order_of({"age": cells}, {"age": range(90)}, QUASI_ALONE)) == n_leaks


def test_a_name_that_looks_like_a_pattern_is_a_name():
    def named(frame):
        return Source(frame.rename({"age": "^a.*$"}))

    schema = Schema({"^a.*$" if n == "age" else n: c for n, c in SCHEMA.columns.items()})

    assert order_leaks(named(released(list(range(N)))), named(original()), schema)


def test_numbers_are_in_their_own_order_not_in_that_of_their_text():
    frame = original().sort("age")
    ages = frame["age"].to_list()

    assert order_leaks(Source(frame), Source(frame), SCHEMA) == ()
    assert [str(age) for age in ages] != sorted(map(str, ages))


def test_numbers_with_commas_are_in_the_order_of_their_values():
    """As texts, they are in the order of their first digits, which says nothing of their size."""
    rng = np.random.default_rng(1)
    digits = rng.integers(0, 4, N)
    pay = [int(rng.integers(10**n, 10 ** (n + 1))) for n in digits]
    texts = {"pay": [f"{n},5" for n in pay]}
    cells = {"pay": [f"[{10**n}, {10 ** (n + 1)})" for n in digits.tolist()]}
    schema = Schema({"pay": ColumnSpec("quasi", decimal=",")})

    found = order_leaks(
        Source(pl.DataFrame(cells), is_text=True), Source(pl.DataFrame(texts), is_text=True), schema
    )

    assert found == (Leak("order of the original", None, N),)
