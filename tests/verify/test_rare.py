"""Sets that list a value of too few people are found, whoever has it and wherever it stands."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

from shoal.hierarchies.tree import tree
from shoal.types.column import RawColumn
from shoal.types.schema import ColumnSpec
from shoal.verify.rare import may_list_values, n_listing_rare, people_with_values


def column(*codes):
    return RawColumn("ill", "text", ("flu", "gout"), None, np.array(codes))


def test_every_value_is_counted_and_missing_is_not():
    ill = column(0, 1, 0, -1)

    assert people_with_values(ill) == {"flu": 2, "gout": 1}
    assert people_with_values(ill, counts=np.array([4, 2, 3, 1])) == {"flu": 7, "gout": 2}
    assert people_with_values(ill, np.array([1, 2])) == {"flu": 1, "gout": 1}


def test_a_person_is_counted_once_for_each_value():
    ill = column(0, 0, 1, 0, -1)

    found = people_with_values(ill, persons=np.array([7, 7, 7, 8, 9]))

    assert found == {"flu": 2, "gout": 1}


def test_every_record_of_a_set_with_a_rare_value_counts():
    cells = pl.Series(["{flu, gout}", "{cold, flu}", "{flu, gout}", "flu", "*", None])
    n_people = {"flu": 4, "cold": 3, "gout": 2}

    assert n_listing_rare(cells, n_people, 3) == 2
    assert n_listing_rare(cells, n_people, 3, np.array([1, 1, 5, 1, 1, 1])) == 6
    assert n_listing_rare(cells, n_people, 2) == 0


@pytest.mark.parametrize(
    ("spec", "lists"),
    [
        (ColumnSpec("quasi"), True),
        (ColumnSpec("quasi", publish="set"), True),
        (ColumnSpec("quasi", publish="set", rare="list"), False),
        (ColumnSpec("quasi", publish="range"), False),
        (ColumnSpec("quasi", tree({"a": ["b"]})), False),
        (ColumnSpec("quasi", tree({"a": ["b"]}), publish="set"), True),
    ],
)
def test_only_columns_that_publish_sets_can_list_values(spec, lists):
    assert may_list_values(spec) is lists
