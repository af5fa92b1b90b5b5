"""Records folded to entries of people, and what is counted from them, against dictionaries."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

import naive
from cases.entries import VISITS, encoded, entries_of, named
from naive.people import met, n_with
from shoal.encode.entries import Entries, counted_by_people
from shoal.encode.fold import fold_equal_lists
from shoal.encode.order import ranks_by
from shoal.read.columns import read_column
from shoal.read.sensitive import CodedSensitive, sensitive_of
from shoal.types.people import NO_PERSON, ValueSets
from shoal.types.schema import ColumnSpec
from tiers import examples

LISTS = st.lists(st.lists(st.integers(0, 3), max_size=4), max_size=20)


def laid_out(lists):
    values = np.array([value for each in lists for value in each], dtype=np.int32)
    return values, np.array([len(each) for each in lists], dtype=np.int64)


@given(LISTS)
@examples(thorough=80)
def test_equal_lists_share_a_number_and_short_ones_come_first(lists):
    fold = fold_equal_lists(*laid_out(lists), 4)

    different = sorted({tuple(each) for each in lists}, key=lambda each: (len(each), each))
    assert fold.row_of_record.tolist() == [different.index(tuple(each)) for each in lists]
    assert [tuple(lists[i]) for i in fold.first_record] == different


@given(LISTS, st.data())
@examples(thorough=80)
def test_sets_spread_one_after_another(lists, data):
    values, sizes = laid_out(lists)
    sets = ValueSets(np.append(0, np.cumsum(sizes)), values)
    chosen = data.draw(st.lists(st.integers(0, len(lists) - 1), max_size=9)) if lists else []

    places, found = sets.spread(np.array(chosen, dtype=np.int64))

    expected = [(place, v) for place, each in enumerate(chosen) for v in lists[each]]
    assert list(zip(places.tolist(), found.tolist(), strict=True)) == expected
    assert sets.n_sets == len(lists)
    assert sets.sizes.tolist() == sizes.tolist()


@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from("abc"), st.integers(0, 2))))
@examples(thorough=80)
def test_ranks_are_places_among_the_different_records_in_order(records):
    first = np.array([record[0] for record in records], dtype=np.int32)
    then = pl.DataFrame({"*": [r[1] for r in records], "^b$": [r[2] for r in records]})

    assert ranks_by(first, then).tolist() == naive.folded(records)[0]


def test_missing_values_are_equal_in_rank():
    then = pl.DataFrame({"a": [None, 1, None]})

    ranks = ranks_by(np.zeros(3, dtype=np.int32), then)

    assert ranks[0] == ranks[2] != ranks[1]


@given(VISITS)
@examples(25, thorough=100)
def test_records_of_a_person_with_the_same_quasi_identifiers_are_one_entry(visits):
    persons = naive.folded([person for person, *_ in named(visits)])[0]
    ages = naive.folded([str(age) for _, age, *_ in visits])[0]
    column = read_column(pl.Series("ill", [ill for *_, ill in visits], dtype=pl.String))
    person = np.array(persons, dtype=np.int32)
    coded = sensitive_of(column, ColumnSpec("sensitive"))
    coded = counted_by_people(coded, person, max(persons) + 1)

    entries = Entries.of_records([np.array(ages, dtype=np.int32)], [4], [coded], person)

    keys = list(zip(ages, persons, strict=True))
    different = [keys[i] for i in entries.first_record]
    assert sorted(different) == sorted(set(keys))
    assert [different[entry] for entry in entries.of_record] == keys
    sets = [{v for v, key in zip(coded.codes.tolist(), keys, strict=True) if key == each}
            for each in different]  # fmt: skip
    (values,) = entries.people.values
    for place, expected in zip(entries.people.sets, sets, strict=True):
        assert values.spread(place)[1].tolist() == sorted(expected)
    rarest = [min(each, key=lambda v: (coded.column.counts[v], v)) for each in sets]
    assert entries.shown[0].tolist() == rarest


def test_where_values_have_severities_the_gravest_stands_for_an_entry():
    column = read_column(pl.Series("ill", ["flu", "gout", "cold", "flu"]))
    coded = sensitive_of(column, ColumnSpec("sensitive"))
    grave = np.array([1.0, 5.0, 9.0])  # cold, flu, gout
    coded = CodedSensitive(replace(coded.column, severity=grave), coded.codes)
    person = np.array([0, 0, 1, 1], dtype=np.int32)

    entries = Entries.of_records([np.zeros(4, dtype=np.int32)], [1], [coded], person)

    assert [coded.column.labels[i] for i in entries.shown[0]] == ["gout", "flu"]


@given(VISITS)
@examples(25, thorough=100)
def test_people_with_several_entries_are_numbered_and_others_have_no_number(visits):
    table = encoded(visits).table

    n_entries = Counter(person for person, _ in entries_of(visits))
    n_repeated = sum(n > 1 for n in n_entries.values())
    numbers = table.people.person
    assert table.people.n_repeated == n_repeated
    assert table.people.may_meet == (n_repeated > 0)
    assert sorted(Counter(numbers[numbers != NO_PERSON].tolist()).values()) == sorted(
        n for n in n_entries.values() if n > 1
    )
    assert (table.weights[numbers != NO_PERSON] == 1).all()


@given(VISITS)
@examples(25, thorough=100)
def test_a_table_counts_entries_and_people(visits):
    table, entries = encoded(visits).table, entries_of(visits)

    n_alike = Counter(quasi for _, quasi in entries)
    assert table.n_records == len(entries)
    assert table.size == len({person for person, _ in entries})
    assert table.n_unique == len({person for person, quasi in entries if n_alike[quasi] == 1})
    column = table.sensitive_columns[0]
    labels = [*column.labels, None][: column.n_codes]
    of_entries = Counter(ill for values in entries.values() for ill in values)
    assert table.totals["ill"].tolist() == [of_entries[ill] for ill in labels]
    everyone = met((person, values) for (person, _), values in entries.items())
    assert column.counts.tolist() == [n_with(ill, everyone) for ill in labels]
    assert column.n_counted == len(everyone)


@given(VISITS)
@examples(25, thorough=100)
def test_what_is_left_out_beforehand_is_counted_in_entries(visits):
    encoding = encoded(visits, missing="suppress")

    is_kept = [person is not None and age is not None for person, age, *_ in visits]
    keys = [(person, *quasi) for person, *quasi, _ in named(visits)]
    left_out = {key for key, kept in zip(keys, is_kept, strict=True) if not kept}
    assert (encoding.row_of_record >= 0).tolist() == is_kept
    assert encoding.n_suppressed == len(left_out)
    assert encoding.n_records == len(set(keys))
    assert (encoding.entry_of_record >= 0).tolist() == is_kept
