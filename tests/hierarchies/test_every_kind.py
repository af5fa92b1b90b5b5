"""What all kinds of hierarchies have in common."""

from __future__ import annotations

from datetime import date

import polars as pl
import pytest

import shoal
from shoal import catalog
from shoal.errors import UnknownValues
from shoal.read.columns import read_column
from shoal.types.hierarchy import Hierarchy
from shoal.types.hierarchy_spec import HierarchySpec


@pytest.mark.parametrize(
    ("builder", "values"),
    [
        (shoal.intervals(5, 10, 20), [31, 38, 4, 77]),
        (shoal.prefix(3), ["abc", "abd", "xyz"]),
        (shoal.dates("month", "year"), [date(2021, 3, 5), date(2020, 3, 5)]),
        (shoal.flat(), ["b", "a"]),
        (shoal.library("us-states"), ["TX", "Texas", "Maine", "25"]),
        (shoal.tree({"A": ["a", {"B": ["b", "c"]}], "D": ["d"]}), ["a", "d"]),
        (shoal.levels([("a", "A"), ("c", "C"), ("b", "A")]), ["a", "b", "c"]),
    ],
    ids=lambda value: type(value).__name__,
)
def test_written_back_as_a_level_table_a_hierarchy_is_the_same(builder, values, level_table):
    hierarchy = builder.build(read_column(pl.Series("x", values)))

    written = level_table("".join(";".join(path) + "\n" for path in hierarchy.paths()))
    again = Hierarchy.of_paths(shoal.levels(written).paths)

    assert list(again.paths()) == list(hierarchy.paths())
    assert again.leaves == hierarchy.leaves
    assert (again.nodes == hierarchy.nodes).all()


def anonymized(values, hierarchy, **settings):
    frame = pl.DataFrame({"x": values})
    return shoal.anonymize(
        frame, quasi={"x": hierarchy}, privacy=[shoal.KAnonymity(2)], **settings
    ).frame["x"]


def test_values_that_are_no_leaves_are_counted_and_not_shown():
    with pytest.raises(UnknownValues, match=r"Column 'x': 2 values \(3 records\)") as caught:
        anonymized(["a", "a", "Jane", "Joe", "Joe"], shoal.tree(["a"]))

    assert caught.value.values == ("Jane", "Joe")
    assert "Jane" not in str(caught.value)


def test_values_that_are_no_leaves_can_be_suppressed_within_the_limit():
    values = ["a", "a", "a", "Joe"]

    released = anonymized(values, shoal.tree(["a"]), unknown="suppress", suppression=0.25)

    assert released.to_list() == ["a", "a", "a"]


def test_a_number_is_the_leaf_that_is_the_same_number():
    assert anonymized([17.0, 17.0], shoal.tree({"teen": ["17", "18"]})).to_list() == ["17", "17"]


@pytest.mark.parametrize(("value", "leaf"), [("1.10", "1.1"), ("02139", "2139"), ("1E2", "100")])
def test_a_code_is_not_the_leaf_that_happens_to_be_the_same_number(value, leaf):
    with pytest.raises(UnknownValues):
        anonymized([value, value], shoal.tree({"A": [leaf, "other"]}))


# the contract

EXAMPLES = {
    "date": (shoal.dates("month", "year"), [date(2021, 3, 5), date(2020, 3, 5)]),
    "flat": (shoal.flat(), ["b", "a"]),
    "intervals": (shoal.intervals(5, 10, 20), [31, 38, 4, 77]),
    "levels": (shoal.levels([("a", "A"), ("c", "C"), ("b", "A")]), ["a", "b", "c"]),
    "library": (shoal.library("countries"), ["DE", "France", "076"]),
    "prefix": (shoal.prefix(3), ["abc", "abd", "xyz"]),
    "tree": (shoal.tree({"A": ["a", {"B": ["b", "c"]}], "D": ["d"]}), ["a", "d"]),
}
every_kind = pytest.mark.parametrize("name", EXAMPLES)


def test_every_kind_has_an_example():
    assert EXAMPLES.keys() == set(catalog.names("hierarchy"))


@every_kind
def test_a_kind_is_what_the_catalog_has_under_its_name(name):
    assert type(EXAMPLES[name][0]) is catalog.load("hierarchy", name)
    assert isinstance(EXAMPLES[name][0], HierarchySpec)


@every_kind
def test_the_height_is_known_without_any_values(name):
    kind, values = EXAMPLES[name]

    assert kind.height == kind.build(read_column(pl.Series("x", values))).height


@every_kind
def test_values_are_leaves_and_nodes_with_other_names_are_none(name):
    kind, values = EXAMPLES[name]
    built = kind.build(read_column(pl.Series("x", values)))
    nodes = {label for level in built.labels[1:-1] for label in level} - {*built.leaves}

    assert all(kind.is_leaf(leaf) for leaf in built.leaves)
    if name != "intervals":  # whose nodes `verify` knows by being ranges
        assert not any(kind.is_leaf(node) for node in nodes)


@every_kind
def test_only_a_list_has_its_hierarchy_without_values(name):
    kind, values = EXAMPLES[name]

    if name in ("levels", "tree"):
        assert kind.listed is kind.build(read_column(pl.Series("x", values)))
    else:
        assert kind.listed is None


def test_a_tree_whose_node_stands_in_two_places_has_its_leaves_side_by_side():
    tree = shoal.tree([{"A": ["x"]}, {"B": ["y"]}, {"A": ["z"]}])

    assert [path[0] for path in tree.paths] == ["x", "z", "y"]
    assert tree.keys(None) == {"tree": {"A": ["x", "z"], "B": ["y"]}}
    assert shoal.tree(tree.keys(None)["tree"]) == tree
