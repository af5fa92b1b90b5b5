"""Where cells lie on a line."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.utility.places import middles, place_of_cell


@pytest.mark.parametrize(
    ("cell", "kind", "place"),
    [
        ("37", "integer", (37, 38)),
        ("[20, 24]", "integer", (20, 25)),
        ("[20, 25)", "number", (20, 25)),
        ("[1.5, 2.5]", "number", (1.5, 2.5)),
        ("{3, 9}", "integer", (3, 10)),
        ("1984-05-06", "date", (1984, 1985)),
        ("[1984-05-06, 1986-01-01]", "date", (1984, 1987)),
        ("1984-05", "date", (1984, 1985)),
        ("1984-Q2", "date", (1984, 1985)),
        ("1984", "date", (1984, 1985)),
        ("1980s", "date", (1980, 1990)),
        ("1900–1999", "date", (1900, 2000)),
        ("1984-05-06 12:30:00", "datetime", (1984, 1985)),
        ("[08:00:00, 10:30:00]", "time", (8, 11)),
        ("*", "integer", None),
        ("*", "date", None),
        ("young", "integer", None),
        ("", "integer", None),
        (None, "integer", None),
    ],
)
def test_a_cell_lies_where_its_text_says(cell, kind, place):
    assert place_of_cell(cell, kind) == place


def test_the_middle_of_whole_numbers_is_one_of_them_or_between_two():
    found = middles(["[20, 24]", "7", "[20, 25]", "*"], "integer")

    np.testing.assert_array_equal(found, [22, 7, 22.5, np.nan])


def test_the_middle_of_a_range_of_numbers_is_half_way():
    assert middles(["[1.5, 2.5]"], "number").tolist() == [2.0]
