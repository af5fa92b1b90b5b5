"""How the verifier numbers the people behind rows, and counts by these numbers alone."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.privacy.distinct_l_diversity import DistinctLDiversity
from shoal.privacy.k_anonymity import KAnonymity
from shoal.read.columns import read_column
from shoal.read.sensitive import sensitive_of
from shoal.read.source import Source
from shoal.types.privacy import Privacy
from shoal.types.schema import ColumnSpec
from shoal.verify.linked import identifier_leaks, note_on_others, rows_linked
from shoal.verify.verify import number_people, verify
from tiers import examples

NAMES = st.lists(st.tuples(*[st.sampled_from(["a", "b", "", "?", None])] * 2), min_size=1)


@given(NAMES)
@examples(thorough=300)
def test_rows_have_one_number_if_they_say_the_same_person_and_only_then(rows):
    frame = pl.DataFrame({"*": [r[0] for r in rows], "^b$": [r[1] for r in rows]})

    numbers = number_people(frame, ["?"]).tolist()

    says_nothing = [any(part in (None, "", "?") for part in row) for row in rows]
    for i, row in enumerate(rows):
        for j, other in enumerate(rows):
            is_same = i == j or (row == other and not says_nothing[i])
            assert (numbers[i] == numbers[j]) == is_same


def test_a_number_that_is_none_says_nothing_and_minus_zero_is_zero():
    numbers = number_people(pl.DataFrame({"id": [0.0, math.nan, -0.0, 1.0, math.nan, 2.0]}))

    assert numbers[0] == numbers[2]
    assert len(set(numbers.tolist())) == 5


def test_without_other_questions_people_are_counted_too():
    verdict = verify(
        pl.DataFrame({"age": ["20", "20", "20", "30"]}),
        quasi=["age"],
        sensitive={},
        privacy=Privacy((KAnonymity(2),)),
        persons=np.array([7, 7, 8, 9]),
    )

    assert verdict.group_sizes == {1: 1, 2: 1}
    assert (verdict.n_people, verdict.n_records) == (3, 4)


@pytest.mark.parametrize(("persons", "achieved"), [([1, 1, 2, 2], 1), ([1, 1, 2, 3], 2)])
def test_a_value_that_every_person_of_a_group_has_is_its_only_one(persons, achieved):
    illness = pl.Series("ill", ["flu", "gout", "flu", "cold"])
    sensitive = {"ill": sensitive_of(read_column(illness), ColumnSpec("sensitive"))}

    verdict = verify(
        pl.DataFrame({"age": ["20"] * 4, "ill": illness}),
        quasi=["age"],
        sensitive=sensitive,
        privacy=Privacy((DistinctLDiversity("ill", 2),)),
        persons=np.array(persons),
    )

    # With two people both had the flu; of three, one had only a cold.
    assert verdict.findings[0].holds == (achieved == 2)
    assert verdict.findings[0].achieved == (1 if achieved == 1 else 3)


def test_identifiers_are_compared_as_the_text_that_pseudonyms_are_made_of():
    before = Source(pl.DataFrame({"id": [7.0, 8.0, None]}))
    after = Source(pl.DataFrame({"id": ["7", "x", ""]}))

    assert [leak.count for leak in identifier_leaks(after, before, "id")] == [1]


def test_some_cells_that_are_not_pseudonyms_are_enough_for_a_note():
    ours = "a" * 26

    assert not list(note_on_others(Source(pl.DataFrame({"id": [ours, ours]})), "id"))
    assert len(list(note_on_others(Source(pl.DataFrame({"id": [ours, "7"]})), "id"))) == 1


def test_rows_that_link_to_no_person_leave_nothing_to_count():
    nothing = Source(pl.DataFrame({"id": pl.Series([None], dtype=pl.String), "age": ["20"]}))

    assert rows_linked(nothing, "id", ["age"], 5).most == 0
