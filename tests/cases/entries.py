"""Small tables in which people have several records."""

from __future__ import annotations

from collections import Counter

import polars as pl
from hypothesis import strategies as st

from cases.handmade import schema_of
from naive.people import incidences, met
from shoal.encode.encode import encode
from shoal.encode.people import people_of
from shoal.hierarchies.tree import tree
from shoal.read.columns import read_column
from shoal.read.source import Source
from shoal.types.schema import ColumnSpec

PATHS = {  # of the ages, from the leaf to the root; missing is directly under it
    "20": ("20", "young", "*"),
    "21": ("21", "young", "*"),
    "40": ("40", "old", "*"),
    None: (None, None, "*"),
}
ILLS = ["flu", "cold", "gout", None]
COLUMNS = {
    "age": ColumnSpec("quasi", tree({"young": ["20", "21"], "old": ["40"]})),
    "sex": ColumnSpec("quasi", tree({"f": None, "m": None})),
    "ill": ColumnSpec("sensitive"),
}
# Person, age, sex and what they had.
VISITS = st.lists(
    st.tuples(
        st.integers(0, 8).map(lambda i: f"p{i}") | st.none(),
        st.sampled_from(list(PATHS)),
        st.sampled_from(["f", "m"]),
        st.sampled_from(ILLS),
    ),
    min_size=1,
    max_size=30,
)


def frame_of(visits):
    columns = zip(["id", *COLUMNS], zip(*visits, strict=True), strict=True)
    return pl.DataFrame({name: pl.Series(values, dtype=pl.String) for name, values in columns})


def encoded(visits, missing="category"):
    frame = frame_of(visits)
    return encode(
        {name: read_column(frame[name]) for name in COLUMNS},
        schema_of(COLUMNS),
        missing=missing,
        unknown="error",
        people=people_of(Source(frame), ["id"], missing=missing),
    )


def named(visits):
    """The same visits, those without a person having one of their own."""
    return [(person or f"? {i}", *rest) for i, (person, *rest) in enumerate(visits)]


def entries_of(visits):
    """(person, quasi-identifiers) -> the values that the person has there."""
    entries = {}
    for person, *quasi, ill in named(visits):
        entries.setdefault((person, tuple(quasi)), set()).add(ill)
    return entries


def generalised(visit, levels):
    _, age, sex, _ = visit
    return PATHS[age][levels[0]], (sex, "*")[levels[1]]


def groups_at(visits, levels):
    """Equal generalised rows, as lists of (person, values) of one record each."""
    groups = {}
    for visit in named(visits):
        groups.setdefault(generalised(visit, levels), []).append((visit[0], {visit[-1]}))
    return groups


def figures(stats, column):
    """What was counted: for each group its people, its entries, and who has each value."""
    labels, found = [*column.labels, None], stats.counts("ill")
    of_group = [{} for _ in range(stats.n_groups)]
    for group, value, count in zip(found.groups, found.values, found.counts, strict=True):
        of_group[group][labels[value]] = int(count)
    return list(zip(stats.sizes.tolist(), stats.entries.tolist(), of_group, strict=True))


def expected_of(groups):
    """The same from lists of (person, values)."""
    return [
        (len(met(group)), len(group), dict(Counter(incidences(met(group))))) for group in groups
    ]


def as_multiset(found):
    """Groups in any order, by their people and values."""
    return Counter((n, frozenset(values.items())) for n, _, values in found)
