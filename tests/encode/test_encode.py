import numpy as np
import polars as pl
import pytest

from cases.handmade import encoded, quasi
from shoal.errors import HierarchyError, InputError, PolicyError, UnknownValues
from shoal.hierarchies.flat import flat
from shoal.hierarchies.intervals import intervals
from shoal.hierarchies.levels import levels
from shoal.hierarchies.tree import tree

WORK = [("nurse", "care", "*"), ("cook", "kitchen", "*"), ("doctor", "care", "*")]


def leaves_of_records(encoding, i=0):
    """The leaf of every record in the i-th quasi-identifier, None where missing."""
    axis = encoding.table.axes[i]
    leaves = [*axis.leaves, None]
    return [
        leaves[encoding.table.codes[row, i]] if row >= 0 else "suppressed"
        for row in encoding.row_of_record
    ]


def test_leaves_follow_the_hierarchy_so_that_nodes_are_runs():
    frame = pl.DataFrame({"work": ["cook", "doctor", "nurse", "cook"]})

    encoding = encoded(frame, {"work": quasi(levels(WORK))})

    assert encoding.table.axes[0].leaves == ("nurse", "doctor", "cook")
    assert leaves_of_records(encoding) == ["cook", "doctor", "nurse", "cook"]


def test_leaves_without_hierarchy_are_in_their_natural_order():
    frame = pl.DataFrame({"age": [30, 4, 100], "born": ["b", "a", "c"]})

    encoding = encoded(frame, {"age": "quasi", "born": "quasi"})

    assert encoding.table.axes[0].leaves == ("4", "30", "100")
    assert encoding.table.axes[0].domain == (4, 100)
    assert encoding.table.axes[1].leaves == ("a", "b", "c")


def test_number_leaves_of_a_level_table_are_put_in_order_and_measured():
    rows = [("30", "old", "*"), ("4", "young", "*"), ("100", "old", "*"), ("7", "young", "*")]
    frame = pl.DataFrame({"age": [4, 30, 100]})

    axis = encoded(frame, {"age": quasi(levels(rows))}).table.axes[0]

    assert axis.leaves == ("4", "7", "30", "100")
    assert axis.numbers.tolist() == [4, 7, 30, 100]
    assert axis.publish == "node"


def test_number_leaves_that_a_hierarchy_does_not_leave_in_order_measure_nothing():
    rows = [("1", "odd", "*"), ("2", "even", "*"), ("3", "odd", "*")]
    frame = pl.DataFrame({"age": [1, 2, 3]})

    axis = encoded(frame, {"age": quasi(levels(rows))}).table.axes[0]

    assert axis.leaves == ("1", "3", "2")
    assert axis.numbers is None


def test_a_range_over_leaves_out_of_order_is_refused():
    rows = [("1", "odd", "*"), ("2", "even", "*"), ("3", "odd", "*")]
    frame = pl.DataFrame({"age": [1, 2, 3]})

    with pytest.raises(HierarchyError, match=r"'age'.*ascending order"):
        encoded(frame, {"age": quasi(levels(rows), publish="range")})


@pytest.mark.parametrize(("publish", "message"), [("node", "hierarchy"), ("mean", "numbers")])
def test_a_way_to_publish_that_does_not_fit_the_column_is_refused(publish, message):
    with pytest.raises(PolicyError, match=message):
        encoded(pl.DataFrame({"a": ["x", "y"]}), {"a": quasi(publish=publish)})


def test_short_paths_of_an_uneven_hierarchy_reach_the_root_without_a_level_between():
    rows = [("nurse", "care", "health", "*"), ("self", "*"), ("cook", "kitchen", "house", "*")]
    frame = pl.DataFrame({"work": ["nurse", "self", "cook"]})

    axis = encoded(frame, {"work": quasi(levels(rows))}).table.axes[0]

    assert axis.leaves == ("nurse", "self", "cook")
    assert [axis.hierarchy.label(level, 1) for level in range(4)] == ["self", "self", "self", "*"]
    ends = np.array([0, 1], np.int32), np.array([1, 1], np.int32)
    assert axis.hierarchy.level_covering(*ends).tolist() == [3, 0]


def test_a_tree_with_leaves_at_different_depths_keeps_them_all():
    spec = tree({"Higher": {"Degree": ["BA", "MA"], "PhD": None}, "None": []})
    frame = pl.DataFrame({"edu": ["PhD", "None", "BA"]})

    encoding = encoded(frame, {"edu": quasi(spec)})

    assert encoding.table.axes[0].leaves == ("BA", "MA", "PhD", "None")
    assert leaves_of_records(encoding) == ["PhD", "None", "BA"]


def test_a_missing_value_has_the_code_after_all_leaves():
    frame = pl.DataFrame({"age": [30, None, 4], "work": ["cook", "", None]})

    encoding = encoded(frame, {"age": "quasi", "work": quasi(levels(WORK))})

    rows = encoding.row_of_record
    assert encoding.table.codes[rows, 0].tolist() == [1, 2, 0]
    assert encoding.table.codes[rows, 1].tolist() == [2, 3, 3]
    assert [axis.has_missing for axis in encoding.table.axes] == [True, True]
    assert [axis.missing_code for axis in encoding.table.axes] == [2, 3]


def test_records_with_missing_quasi_identifiers_are_suppressed_where_the_policy_says_so():
    frame = pl.DataFrame({"age": [30, None, 4, 5], "sex": ["f", "m", None, "f"]})

    encoding = encoded(frame, {"age": "quasi", "sex": "quasi"}, missing="suppress")

    assert (encoding.row_of_record < 0).tolist() == [False, True, True, False]
    assert encoding.n_suppressed == 2
    assert encoding.table.n_records == 2


def test_missing_quasi_identifiers_are_an_error_where_the_policy_says_so():
    frame = pl.DataFrame({"age": [30, None, None]})

    with pytest.raises(InputError, match="'age': 2 records have no value"):
        encoded(frame, {"age": "quasi"}, missing="error")


@pytest.mark.parametrize("missing", ["category", "suppress", "error"])
def test_a_missing_sensitive_value_is_a_value_whatever_the_policy_says(missing):
    frame = pl.DataFrame({"age": [1, 1, 1], "ill": ["flu", None, "cold"]})

    encoding = encoded(frame, {"age": "quasi", "ill": "sensitive"}, missing=missing)

    assert encoding.table.sensitive[encoding.row_of_record, 0].tolist() == [1, 2, 0]
    assert encoding.table.sensitive_columns[0].n_codes == 3


def test_values_that_are_no_leaves_are_an_error_that_keeps_them_out_of_its_message():
    frame = pl.DataFrame({"work": ["cook", "spy", "thief", "spy"]})

    with pytest.raises(UnknownValues) as caught:
        encoded(frame, {"work": quasi(levels(WORK))})

    assert sorted(caught.value.values) == ["spy", "thief"]
    assert "'work': 2 values (3 records)" in str(caught.value)
    assert "spy" not in str(caught.value)


def test_records_with_values_that_are_no_leaves_are_suppressed_where_the_policy_says_so():
    frame = pl.DataFrame({"work": ["cook", "spy", None, "nurse"]})

    encoding = encoded(frame, {"work": quasi(levels(WORK))}, unknown="suppress")

    assert leaves_of_records(encoding) == ["cook", "suppressed", None, "nurse"]


def test_missing_values_and_values_that_are_no_leaves_can_both_be_suppressed():
    frame = pl.DataFrame({"work": ["cook", "spy", None, "nurse"]})

    encoding = encoded(frame, {"work": quasi(levels(WORK))}, missing="suppress", unknown="suppress")

    assert leaves_of_records(encoding) == ["cook", "suppressed", "suppressed", "nurse"]


def test_codes_that_are_one_number_stay_apart_where_a_level_table_has_both():
    rows = [("1.1", "one", "*"), ("1.10", "ten", "*"), ("2", "two", "*")]
    frame = pl.DataFrame({"code": ["1.10", "1.1", "2", "1.10"]})

    encoding = encoded(frame, {"code": quasi(levels(rows))}, is_text=True)

    assert leaves_of_records(encoding) == ["1.10", "1.1", "2", "1.10"]


@pytest.mark.parametrize("leaves", [("17", "18"), ("17.0", "18.0"), ("17", "18.00")])
@pytest.mark.parametrize("ages", [[17.0, 18.0], [17, 18]])
def test_a_number_finds_its_leaf_however_that_is_written(ages, leaves):
    rows = [(leaves[0], "teen", "*"), (leaves[1], "adult", "*")]

    encoding = encoded(pl.DataFrame({"age": ages}), {"age": quasi(levels(rows))})

    assert leaves_of_records(encoding) == list(leaves)


def test_a_number_in_a_csv_finds_its_leaf_where_it_is_to_be_published_as_a_range():
    rows = [("17", "teen", "*"), ("18", "adult", "*")]
    frame = pl.DataFrame({"age": ["17.0", "18"]})

    encoding = encoded(frame, {"age": quasi(levels(rows), publish="range")}, is_text=True)

    assert leaves_of_records(encoding) == ["17", "18"]


def test_a_postcode_is_not_read_as_a_number_even_without_hierarchy():
    encoding = encoded(pl.DataFrame({"zip": ["02139", "2139"]}), {"zip": "quasi"}, is_text=True)

    assert leaves_of_records(encoding) == ["02139", "2139"]


@pytest.mark.parametrize("seed", range(5))
def test_the_table_does_not_depend_on_the_order_of_the_records(seed):
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "age": [int(age) if age < 9 else None for age in rng.integers(0, 10, 80)],
            "work": [WORK[i][0] for i in rng.integers(0, 3, 80)],
            "ill": [("flu", "cold", None)[i] for i in rng.integers(0, 3, 80)],
        }
    )
    columns = {"age": quasi(intervals(2, 4)), "work": quasi(levels(WORK)), "ill": "sensitive"}
    shuffled = rng.permutation(80)

    one, other = encoded(frame, columns), encoded(frame[shuffled], columns)

    np.testing.assert_array_equal(one.table.codes, other.table.codes)
    np.testing.assert_array_equal(one.table.sensitive, other.table.sensitive)
    np.testing.assert_array_equal(one.table.weights, other.table.weights)
    np.testing.assert_array_equal(one.row_of_record[shuffled], other.row_of_record)


def test_rows_are_the_different_records_with_their_numbers():
    frame = pl.DataFrame({"age": [2, 1, 2, 2], "ill": ["flu", "flu", "cold", "flu"]})

    table = encoded(frame, {"age": "quasi", "ill": "sensitive"}).table

    assert table.codes.tolist() == [[0], [1], [1]]
    assert table.sensitive.tolist() == [[1], [0], [1]]
    assert table.weights.tolist() == [1, 1, 2]


def test_ways_to_publish_follow_from_what_a_column_is():
    frame = pl.DataFrame({"a": [1, 2], "b": ["x", "y"], "c": ["x", "y"], "d": [1.5, 2.5]})
    columns = {"a": "quasi", "b": "quasi", "c": quasi(flat()), "d": quasi(publish="median")}

    axes = encoded(frame, columns).table.axes

    assert [axis.publish for axis in axes] == ["range", "set", "node", "median"]


def test_columns_that_say_nothing_are_noted():
    frame = pl.DataFrame(
        {"a": [1, 2], "b": ["x", "x"], "c": pl.Series([None, None], dtype=pl.Int64)}
    )

    encoding = encoded(frame, {"a": "quasi", "b": "quasi", "c": "quasi"})

    assert len(encoding.notes) == 2
    assert "'b' is constant" in encoding.notes[0]
    assert "'c' is missing in every record" in encoding.notes[1]
