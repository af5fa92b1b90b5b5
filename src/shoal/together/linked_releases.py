"""Releases whose rows the same pseudonyms link: what is published is their cells side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from shoal.read.sensitive import CodedSensitive
from shoal.together.sets import Folded, fold
from shoal.types.arrays import Int64Array

ABSENT = "-"


class LinkedRelease(NamedTuple):
    """The pseudonym, the group and the sensitive values of each row."""

    pseudonyms: pl.Series
    group_of_row: Int64Array
    sensitive: Mapping[str, CodedSensitive]


class SideBySide(NamedTuple):
    """Rows of several releases, each with the groups that its person has in all of them."""

    groups: pl.DataFrame
    persons: Int64Array
    sensitive: dict[str, CodedSensitive]


def share_pseudonyms(first: pl.Series, second: pl.Series) -> bool:
    """Whether some pseudonym occurs in both columns.

    >>> share_pseudonyms(pl.Series(["a", "b"]), pl.Series(["c", "b"]))
    True
    """
    return not set(first.drop_nulls()).isdisjoint(second.drop_nulls())


def side_by_side(releases: Sequence[LinkedRelease]) -> SideBySide:
    """Join releases by pseudonym. A row without one is of a person who has no other.

    >>> first = LinkedRelease(pl.Series(["a", "b"]), np.array([0, 1]), {})
    >>> second = LinkedRelease(pl.Series(["b", "c"]), np.array([4, 4]), {})
    >>> joined = side_by_side([first, second])
    >>> joined.groups.rows(), joined.persons.tolist()
    ([('0', '-'), ('1', '4'), ('1', '4'), ('-', '4')], [0, 1, 1, 2])
    """
    names = pl.concat([release.pseudonyms.alias("names") for release in releases])
    people = _numbered(names)
    lengths = [len(release.group_of_row) for release in releases]
    persons = np.split(people.number, np.cumsum(lengths)[:-1])
    columns = {}
    for i, (release, person) in enumerate(zip(releases, persons, strict=True)):
        columns[str(i)] = _groups_of_people(release, person, people.n)[people.number]
    sensitive = {
        name: CodedSensitive(
            releases[0].sensitive[name].column,
            np.concatenate([release.sensitive[name].codes for release in releases]),
        )
        for name in releases[0].sensitive
    }
    return SideBySide(pl.DataFrame(columns), people.number, sensitive)


def _groups_of_people(release: LinkedRelease, person: Int64Array, n_people: int) -> pl.Series:
    """By person, the groups of a release that have a row of theirs, as one text."""
    rows = pl.DataFrame({"person": person, "group": release.group_of_row}).unique().sort("group")
    texts = rows.group_by("person").agg(pl.col("group").cast(pl.String).str.join(","))
    found = np.full(n_people, ABSENT, dtype=object)
    found[texts["person"].to_numpy()] = texts["group"].to_list()
    return pl.Series(found.tolist(), dtype=pl.String)


def _numbered(names: pl.Series) -> Folded:
    """People by their pseudonyms; without one, each row is another person."""
    number = {name: i for i, name in enumerate(names.drop_nulls().unique(maintain_order=True))}
    alone = iter(range(len(number), len(number) + len(names)))
    codes = [next(alone) if name is None else number[name] for name in names]
    return fold([np.array(codes, dtype=np.int64)])
