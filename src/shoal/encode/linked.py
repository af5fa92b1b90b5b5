"""Records that a pseudonym links: what is known of one of them is known of all."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from shoal.errors import PolicyError
from shoal.types.arrays import Int32Array
from shoal.types.column import RawColumn
from shoal.types.unit import PERSON


def refuse_varying(columns: Iterable[RawColumn], person: Int32Array, pseudonym: str) -> None:
    """Refuse quasi-identifiers that differ between the records of one person.

    Each record would hide in a group of its own, but linked by the pseudonym they tell in which
    groups a person is, and few people are in all of them.
    """
    for column in columns:
        n_people = n_varying(column.codes, person)
        if n_people:
            raise PolicyError(
                f"column {column.name!r} differs between the records of "
                f"{PERSON.counted(n_people)}, which the pseudonym {pseudonym!r} links, so "
                "their groups together could single them out. Make it the same in all records of "
                "a person (keep the first, say), drop it, or give "
                f"{pseudonym!r} the role identifier, which links no records",
                ("columns", column.name),
            )


def n_varying(codes: Int32Array, person: Int32Array) -> int:
    """How many people have different codes in their records.

    >>> n_varying(np.array([4, 4, 5, 6]), np.array([0, 0, 1, 1]))
    1
    """
    one_of = np.zeros(int(person.max(initial=-1)) + 1, dtype=np.int64)  # a record of each person
    one_of[person] = np.arange(len(person))
    return len(np.unique(person[codes != codes[one_of[person]]]))
