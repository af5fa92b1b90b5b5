"""Nested trees: what is read, and what is refused."""

from __future__ import annotations

import pytest

import shoal
from shoal.errors import HierarchyError


def test_a_tree_is_given_by_nodes_and_their_children():
    branches = {"Higher": ["BA", "MA"], "School": {"Low": ["9th"], "High": ["12th", "11th"]}}

    assert shoal.tree(branches).paths == (
        ("BA", "BA", "Higher", "*"),
        ("MA", "MA", "Higher", "*"),
        ("9th", "Low", "School", "*"),
        ("12th", "High", "School", "*"),
        ("11th", "High", "School", "*"),
    )


def test_branches_and_leaves_may_be_siblings():
    assert shoal.tree({"A": [{"B": ["c"]}, "d"], "E": None}).paths == (
        ("c", "B", "A", "*"),
        ("d", "d", "A", "*"),
        ("E", "E", "E", "*"),
    )


def test_a_list_is_a_flat_tree():
    assert shoal.tree(["a", "b"]).paths == (("a", "*"), ("b", "*"))


@pytest.mark.parametrize("branches", [None, "abc", {"A": "b"}, {"A": 5}])
def test_what_is_no_tree_is_refused(branches):
    with pytest.raises(HierarchyError, match="maps each node to its children"):
        shoal.tree(branches)


@pytest.mark.parametrize(
    ("branches", "message"),
    [
        ({}, "is empty"),
        ([], "is empty"),
        ({"A": ["b", "b"]}, "the same leaf twice"),
        ({"A": ["b"], "C": ["b"]}, "one leaf two parents"),
        ({"A": {"X": ["b"]}, "C": {"X": ["d"]}}, "under two parents"),
        ({"": ["b"]}, "is empty"),
        ({"A": [""]}, "is empty"),
    ],
    ids=str,
)
def test_a_tree_that_is_none_is_refused(branches, message):
    with pytest.raises(HierarchyError, match=message):
        shoal.tree(branches)


def test_a_child_that_is_nothing_is_an_empty_cell():
    with pytest.raises(HierarchyError, match="is empty"):
        shoal.tree({"A": ["b", None]})
