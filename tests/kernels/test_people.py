"""Counting people, against dictionaries of sets."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

import naive
from naive.people import people_in
from shoal.kernels.people import count_people, count_values_of_people
from tiers import examples

N_GROUPS, N_PERSONS, N_VALUES = 5, 6, 4
# Label, person, value and count: a row of a person may stand for several entries, as it does where
# a search has generalised them.
PARTS = st.lists(
    st.tuples(
        st.integers(-1, N_GROUPS - 1),
        st.integers(-1, N_PERSONS - 1),
        st.integers(0, N_VALUES - 1),
        st.integers(1, 4),
    ),
    max_size=40,
)


def columns(parts):
    labels, persons, values, counts = (
        np.array([part[i] for part in parts], dtype=np.int64) for i in range(4)
    )
    return labels.astype(np.int32), persons.astype(np.int32), values.astype(np.int32), counts


def one_by_one(parts):
    """The same parts with a name for everyone who is in them, also for those who have none."""
    return [
        (label, (i, j) if person < 0 else person, value)
        for i, (label, person, value, count) in enumerate(parts)
        for j in range(count if person < 0 else 1)
    ]


@given(PARTS)
@examples(50, thorough=300)
def test_different_people_are_counted_once_in_each_group(parts):
    labels, persons, _, counts = columns(parts)

    sizes = count_people(labels, persons, counts, N_GROUPS, N_PERSONS)

    everyone = one_by_one(parts)
    members = people_in([person for _, person, _ in everyone], [label for label, _, _ in everyone])
    assert sizes.tolist() == [len(members.get(group, ())) for group in range(N_GROUPS)]


@given(PARTS)
@examples(50, thorough=300)
def test_a_value_is_counted_once_for_each_person_of_a_group_who_has_it(parts):
    labels, persons, values, counts = columns(parts)

    starts, found, times = count_values_of_people(
        labels, values, counts, persons, N_GROUPS, N_VALUES, N_PERSONS
    )

    different = {part for part in one_by_one(parts) if part[0] >= 0}
    expected = naive.value_counts(
        [label for label, _, _ in different], [v for _, _, v in different], [1] * len(different)
    )
    assert len(starts) == N_GROUPS + 1
    for group in range(N_GROUPS):
        here = slice(starts[group], starts[group + 1])
        pairs = list(zip(found[here].tolist(), times[here].tolist(), strict=True))
        assert pairs == sorted(expected.get(group, {}).items())


def test_no_parts_are_no_people():
    none = np.empty(0, dtype=np.int32)

    assert count_people(none, none, none.astype(np.int64), 2, 3).tolist() == [0, 0]
    starts, found, _ = count_values_of_people(none, none, none.astype(np.int64), none, 2, 4, 3)
    assert starts.tolist() == [0, 0, 0]
    assert len(found) == 0
