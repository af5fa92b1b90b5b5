"""Codes that are shortened from their end."""

from __future__ import annotations

import pytest

import shoal
from hierarchies.built import paths
from shoal.errors import HierarchyError
from shoal.types.hierarchy import Hierarchy


def test_prefixes_lose_their_last_characters_first():
    assert paths(shoal.prefix(5), ["13053", "02139"]) == [
        ("02139", "0213*", "021**", "02***", "0****", "*"),
        ("13053", "1305*", "130**", "13***", "1****", "*"),
    ]


def test_codes_of_another_length_still_form_a_tree():
    levels = paths(shoal.prefix(5), ["130", "13053", "1305399", "9"])

    hierarchy = Hierarchy.of_paths(levels)
    assert hierarchy.leaves == ("130", "13053", "1305399", "9")
    for level in range(1, hierarchy.height):
        assert len(set(hierarchy.labels[level])) == len(hierarchy.labels[level])


def test_a_prefix_of_one_character_has_the_root_directly_above():
    assert paths(shoal.prefix(1), ["a", "b"]) == [("a", "*"), ("b", "*")]


@pytest.mark.parametrize("length", [0, -1])
def test_a_prefix_needs_a_length(length):
    with pytest.raises(HierarchyError, match="number of characters"):
        shoal.prefix(length)
