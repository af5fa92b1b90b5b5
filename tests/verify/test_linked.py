"""What a recipient learns from rows that a pseudonym links."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.read.source import Source
from shoal.recode.pseudonyms import keyed
from shoal.types.verdict import Leak
from shoal.verify.linked import identifier_leaks, note_on_others, rows_linked

KEY = bytes(range(32))
ROWS = st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("pqrs")), min_size=1, max_size=25)


def release(rows, counts=None) -> Source:
    cells, people = zip(*rows, strict=True)
    frame = pl.DataFrame({"^a.*$": cells, "sex": "*", "*": people})
    return Source(frame, counts=None if counts is None else np.array(counts))


def linked(rows, k=2, counts=None):
    return rows_linked(release(rows, counts), "*", ["^a.*$", "sex"], k)


@given(ROWS, st.integers(1, 4))
def test_people_and_their_rows_are_counted_group_by_group(rows, k):
    rows_of = Counter(rows)
    alike = Counter((cell, n) for (cell, _), n in rows_of.items())
    groups_of = Counter(person for _, person in rows_of)

    found = linked(rows, k)

    assert found.n_people == len(groups_of)
    assert found.most == max(Counter(person for _, person in rows).values())
    assert found.n_standing_out == sum(n for n in alike.values() if n < k)
    assert found.n_in_several_groups == sum(n > 1 for n in groups_of.values())


def test_rows_that_were_counted_count_as_often():
    rows = [("a", "p"), ("a", "q"), ("a", "r"), ("a", "s")]

    assert linked(rows, 4).n_standing_out == 0
    assert linked(rows, 4, counts=[1, 2, 2, 2]).n_standing_out == 4
    assert linked(rows, 2, counts=[5, 2, 2, 2]).n_standing_out == 1
    assert linked(rows, 2, counts=[5, 2, 2, 2]).most == 5


def test_a_person_in_two_groups_is_a_leak():
    apart = linked([("a", "p"), ("b", "p"), ("a", "q"), ("b", "r")])
    together = linked([("a", "p"), ("a", "p"), ("b", "r")])

    assert list(apart.leaks("*")) == [Leak("person in several groups", "*", 1)]
    assert list(together.leaks("*")) == []


def test_people_who_stand_out_by_their_number_of_rows_are_noted():
    (note,) = linked([("a", "p"), ("a", "p"), ("a", "q"), ("a", "r")]).notes("id")
    (more,) = linked([("a", "p"), ("b", "q")], k=3).notes("id")

    assert "1 person stands out" in note
    assert "at most 2" in note
    assert "fewer than 2 people" in note
    assert "2 people stand out" in more
    assert list(linked([("a", "p"), ("a", "q")]).notes("id")) == []


def test_the_summary_has_counts_alone():
    facts = linked([("a", "secret"), ("a", "secret"), ("a", "r")]).as_dict()

    assert facts == {"most": 2, "standing_out": 2, "k": 2}


@pytest.mark.parametrize(
    ("after", "n"),
    [(["p", "q", None], 0), (["p", "7", "7"], 2), ([None, None, "12"], 1), ([None] * 3, 0)],
)
def test_identifiers_of_the_original_in_a_release_are_found(after, n):
    original = Source(pl.DataFrame({"id": [7, 12, None]}))
    released = Source(pl.DataFrame({"id": pl.Series(after, dtype=pl.String)}))

    leaks = list(identifier_leaks(released, original, "id"))

    assert leaks == ([Leak("identifier", "id", n)] if n else [])


def test_cells_that_shoal_did_not_make_are_noted():
    ours = pl.DataFrame({"id": keyed(["a", "b"], KEY)})

    assert not list(note_on_others(Source(ours), "id"))
    (note,) = note_on_others(Source(ours.with_columns(id=pl.Series(["a", "b"]))), "id")
    assert "do not look like pseudonyms of Shoal" in note
    assert list(note_on_others(Source(pl.DataFrame({"id": [7, 12]})), "id")) == [note]


@pytest.mark.parametrize("empty", ["", None])
def test_rows_without_a_pseudonym_are_noted_and_are_not_one_person(empty):
    cells = [*keyed(["a", "b"], KEY), empty, empty]
    released = Source(pl.DataFrame({"id": cells, "age": ["20", "30", "20", "30"]}))

    (note,) = note_on_others(released, "id")
    linked = rows_linked(released, "id", ["age"], 1)

    assert "'id' is empty in 2 rows" in note
    assert not list(linked.leaks("id"))
