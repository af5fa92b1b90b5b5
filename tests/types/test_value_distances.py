"""How far the values of groups are from those of a table."""

from __future__ import annotations

import numpy as np

from shoal.types.stats import ValueCounts
from shoal.types.value_distances import phi, severity_distances


def test_a_value_that_the_table_lacks_needs_no_severity():
    found = ValueCounts(np.array([0, 1, 3]), np.array([0, 0, 2]), np.array([2, 1, 1]))
    table = np.array([0.75, 0.0, 0.25])

    figures = severity_distances(np.array([1.0, np.nan, 5.0]), found, table)

    assert figures.tolist() == phi(np.array([1 / 2, 3 / 2])).tolist()  # means 1 and 3 of 2
