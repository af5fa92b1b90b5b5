"""Records -> entries of people: what algorithms place where a policy says whose record it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from shoal.encode.fold import fold_equal_lists, fold_equal_rows, number_equal
from shoal.kernels.number_keys import number_keys
from shoal.kernels.value_counts import count_values
from shoal.read.sensitive import CodedSensitive
from shoal.types.arrays import Int32Array, Int64Array
from shoal.types.people import NO_PERSON, PeopleOfRows, ValueSets
from shoal.types.sensitive import SensitiveColumn


class Entries(NamedTuple):
    """All records of a person that have the same quasi-identifiers are one entry."""

    of_record: Int32Array
    first_record: Int64Array
    people: PeopleOfRows  # by entry
    shown: tuple[Int32Array, ...]  # of each sensitive column, the value that stands for the set

    @classmethod
    def of_records(
        cls,
        quasi: Sequence[Int32Array],
        n_codes: Sequence[int],
        sensitive: Sequence[CodedSensitive],
        person: Int32Array,
    ) -> Entries:
        """Fold records; `person` has the number of each one's person."""
        n_people = int(person.max(initial=-1)) + 1
        of_record, first = number_equal(person)
        if not all((codes == codes[first][of_record]).all() for codes in quasi):
            of_record, first = fold_equal_rows([*quasi, person], [*n_codes, n_people])
        sets, values, shown = [], [], []
        for column, codes in sensitive:
            found, of_entry = _sets_of(of_record, codes, len(first), column.n_codes)
            values.append(found)
            sets.append(of_entry)
            shown.append(_worst(found, column)[of_entry])
        number, n_repeated = _repeated(person[first], n_people)
        people = PeopleOfRows(
            person=number,
            sets=np.stack(sets, axis=1) if sets else np.empty((len(first), 0), dtype=np.int32),
            values=tuple(values),
            n_repeated=n_repeated,
        )
        return cls(of_record, first, people, tuple(shown))


def n_entries(quasi: Sequence[Int32Array], n_codes: Sequence[int], person: Int32Array) -> int:
    """How many entries records make, some of whose codes may be UNKNOWN."""
    if not len(person):
        return 0
    columns = [*(codes + 1 for codes in quasi), person]
    return len(fold_equal_rows(columns, [*(n + 1 for n in n_codes), int(person.max()) + 1])[1])


def counted_by_people(coded: CodedSensitive, person: Int32Array, n_people: int) -> CodedSensitive:
    """The same with the number of people who have each value in place of records."""
    column, codes = coded
    is_known = codes >= 0
    codes_known, known = codes[is_known], person[is_known]
    _, first = number_keys(codes_known.astype(np.int64) * n_people + known)
    counts = np.bincount(codes_known[first], minlength=column.n_codes)
    return CodedSensitive(column.counted(counts.astype(np.int64), n_people), codes)


def _repeated(person: Int32Array, n_people: int) -> tuple[Int32Array, int]:
    """New numbers for people with several entries, in the order of the old, and how many."""
    is_repeated = np.bincount(person, minlength=n_people) > 1
    number = np.where(is_repeated, np.cumsum(is_repeated) - 1, NO_PERSON).astype(np.int32)
    return number[person], int(is_repeated.sum())


def _sets_of(
    entry: Int32Array, codes: Int32Array, n_entries: int, n_codes: int
) -> tuple[ValueSets, Int32Array]:
    """The different sets of values that entries have, small ones first, and the set of each."""
    ones = np.ones(len(entry), dtype=np.int64)
    starts, values, _ = count_values(entry, codes, ones, n_entries, n_codes)
    sizes = np.diff(starts)
    of_entry, first_entry = fold_equal_lists(values, sizes, n_codes)
    _, of_sets = ValueSets(starts, values).spread(first_entry)
    return ValueSets(np.append(0, np.cumsum(sizes[first_entry])), of_sets), of_entry


def _worst(sets: ValueSets, column: SensitiveColumn) -> Int32Array:
    """Of each set the gravest value or, without severities, the one that fewest people have."""
    if column.severity is not None:
        badness = column.severity
    else:
        assert column.counts is not None
        badness = -column.counts.astype(np.float64)
    owner, values = sets.spread(np.arange(sets.n_sets))
    in_order = np.lexsort((values, -badness[values], owner))
    worst: Int32Array = values[in_order][sets.starts[:-1]]
    return worst
