"""What searches and the verifier count where people have several entries, against dictionaries."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from cases.entries import (
    VISITS,
    as_multiset,
    encoded,
    entries_of,
    expected_of,
    figures,
    frame_of,
    generalised,
    groups_at,
)
from shoal.group.parts.stats import stats_of_grouping, stats_of_parts
from shoal.read.columns import read_column
from shoal.read.sensitive import sensitive_of
from shoal.types.grouping import Grouping
from shoal.types.schema import ColumnSpec
from shoal.verify.verify import count_groups, number_people
from tiers import examples


@given(visits=VISITS, data=st.data())
@examples(50, thorough=300)
def test_people_of_a_grouping_are_counted_once_in_each_group(visits, data):
    table = encoded(visits).table
    labels = data.draw(st.lists(st.integers(-1, 2), min_size=table.n_rows, max_size=table.n_rows))
    labels = np.array(labels, dtype=np.int32)
    boxes = np.zeros((3, len(table.axes)), dtype=np.int32)
    grouping = Grouping.of_rows(table, labels, boxes, boxes)
    parts = {"rows": grouping.rows, "counts": grouping.counts, "labels": labels}

    column, entries = table.sensitive_columns[0], entries_of(visits)
    groups = [[] for _ in range(3)]
    for row, label in enumerate(labels):
        if label >= 0:
            groups[label] += entries_in(table, row, entries)
    assert figures(stats_of_grouping(table, grouping), column) == expected_of(groups)
    assert figures(stats_of_parts(table, **parts, n_groups=3), column) == expected_of(groups)


def entries_in(table, row, entries):
    """The entries that were folded to a row, found by what they look like.

    Of equal entries of people who have several, any: the numbers of people are not their names.
    """
    quasi = tuple(
        [*axis.leaves, None][code] for axis, code in zip(table.axes, table.codes[row], strict=True)
    )
    _, codes = table.people.values[0].spread(table.people.sets[row, 0][np.newaxis])
    values = {[*table.sensitive_columns[0].labels, None][code] for code in codes}
    n_entries = Counter(person for person, _ in entries)
    repeated = sorted(person for person, n in n_entries.items() if n > 1)
    number = table.people.person[row]
    if number >= 0:
        person = repeated[number]
        assert entries[person, quasi] == values
        return [(person, values)]
    alike = [
        (person, found)
        for (person, where), found in entries.items()
        if where == quasi and found == values and n_entries[person] == 1
    ]
    assert len(alike) == table.weights[row]
    return alike


@given(VISITS, st.sampled_from([(0, 0), (1, 0), (2, 1)]))
@examples(50, thorough=300)
def test_the_verifier_counts_the_same_people(visits, levels):
    frame = frame_of(visits)
    cells = pl.DataFrame(
        [generalised(visit, levels) for visit in visits],
        orient="row",
        schema={"0": pl.String, "1": pl.String},
    )
    coded = sensitive_of(read_column(frame["ill"]), ColumnSpec("sensitive"))

    persons = number_people(frame.select("id"))
    stats = count_groups(cells, {"ill": coded}, {}, persons=persons).stats

    found = figures(stats, coded.column)
    assert as_multiset(found) == as_multiset(expected_of(groups_at(visits, levels).values()))
    assert stats.counts_people
