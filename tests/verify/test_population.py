"""The people of a population that published cells match."""

import numpy as np

from shoal.types.column import RawColumn
from shoal.types.schema import ColumnSpec
from shoal.types.watch import Watch
from shoal.verify.population import MatchedPeople

AGES = RawColumn(
    "age", "integer", ("21", "30", "60", "70"), np.array([21, 30, 60, 70]),
    np.array([0, 0, 1, 1, 2, 2, 2, 3], dtype=np.int32),
)  # fmt: skip


def matched(*cells, watch=None):
    return MatchedPeople({"age": cells}, {"age": AGES}, {"age": ColumnSpec("quasi")}, watch)


def test_the_chances_of_whoever_is_matched_by_several_groups_add_up():
    presence = matched("21", "[21, 30]", "70", "99").presence(np.ones(4))

    assert presence.lowest.tolist() == [0.75, 0.25, 1, np.inf]
    assert presence.highest.tolist() == [0.75, 0.75, 1, 0]
    assert presence.n_outside == 3  # those of 60


def test_some_of_the_groups_match_what_they_matched():
    people = matched("21", "[30, 60]", "*")

    assert people.sizes().tolist() == [2, 5, 8]
    assert people.of_groups(np.array([True, False, True])).sizes().tolist() == [2, 8]


def test_how_far_the_matching_is_can_be_watched():
    seen = []

    matched("21", "30", watch=Watch(seen.append)).sizes()

    assert [(progress.done, progress.total, progress.unit) for progress in seen] == [
        (0, 2, "groups"), (2, 2, "groups")
    ]  # fmt: skip
