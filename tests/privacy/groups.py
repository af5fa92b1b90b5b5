"""Groups of values for models to look at, made from plain lists."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
from hypothesis import strategies as st

from naive.people import incidences, met
from shoal.types.hierarchy import Hierarchy
from shoal.types.sensitive import SensitiveColumn
from shoal.types.stats import GroupStats, ValueCounts

WORDS = ("a", "b", "c", "d", "e")
NUMBERS = ("-3", "0", "1.5", "4", "10")
PATHS = {
    "f": ("f", "f", "f", "*"),  # which nobody has
    "a": ("a", "ab", "abc", "*"),
    "b": ("b", "ab", "abc", "*"),
    "c": ("c", "c", "abc", "*"),
    "d": ("d", "de", "de", "*"),
    "e": ("e", "de", "de", "*"),
}
SEVERITY = {"a": 1, "b": 2, "c": 2, "d": 10, "e": 0, None: 3}


def lists(values=WORDS, *, missing=True, most=9):
    """Some groups of values."""
    value = st.sampled_from([*values, None] if missing else list(values))
    return st.lists(st.lists(value, min_size=1, max_size=most), min_size=1, max_size=6)


@st.composite
def entries(draw, values=WORDS, *, meet=True, several=True, most=7, alike=False):
    """Some groups of entries (person, values).

    `meet`: people may be in several groups, and several times in one; `several`: they may have
    several values; `alike`: groups have nearly the same people, so that most models hold.
    """
    value = st.sampled_from([*values, None])
    of_entry = st.frozensets(value, min_size=1, max_size=3 if several else 1)
    mixture = draw(st.lists(of_entry, min_size=2, max_size=4)) if alike else []
    n_people = draw(st.integers(1, 12))
    groups = []
    for _ in range(draw(st.integers(2 if alike else 1, 5))):
        more = draw(st.lists(of_entry, min_size=not alike, max_size=2 if alike else most))
        found = mixture * draw(st.integers(1, 2)) + more
        names = [f"p{draw(st.integers(1, n_people))}" if meet else object() for _ in found]
        groups.append(list(zip(names, found, strict=True)))
    return groups


def limits(low, high):
    """Decimal numbers that groups often meet exactly."""
    nice = [0.1, 0.2, 0.25, 1 / 3, 0.4, 0.5, 0.6, 2 / 3, 0.75, 0.8, 1, 1.2, 1.5, 2, 3, 4]
    return st.sampled_from([x for x in nice if low <= x <= high])


def stats_of(groups, *, suppressed=(), values=WORDS, paths=None, severity=None, knows_input=True):
    """What models look at in these groups; `suppressed` values were in the input too."""
    counts = Counter(v for group in [*groups, suppressed] for v in group)
    column = _column(counts, values, paths, severity)
    return GroupStats(
        np.array([len(group) for group in groups], dtype=np.int64),
        {"ill": lambda: _counts([Counter(group) for group in groups], values)},
        columns={"ill": column if knows_input else replace(column, counts=None)},
    )


def stats_of_people(
    groups, *, suppressed=(), values=WORDS, paths=None, severity=None, knows_input=True
):
    """The same where groups are lists of entries (person, values), and people are counted."""
    everyone = met([entry for group in [*groups, suppressed] for entry in group])
    column = _column(Counter(incidences(everyone)), values, paths, severity)
    known = column.counted(column.counts, len(everyone)) if knows_input else None
    people = [met(group) for group in groups]
    return GroupStats(
        np.array([len(group) for group in people], dtype=np.int64),
        {"ill": lambda: _counts([Counter(incidences(group)) for group in people], values)},
        columns={"ill": known or replace(column, counts=None)},
        entries=np.array([len(group) for group in groups], dtype=np.int64),
        counts_people=True,
    )


def _column(counts, values, paths, severity):
    """The column of which a table has so many of each value."""
    labels = tuple(sorted(values))
    codes = [*labels, None][: len(labels) + (None in counts)]
    tree = None if paths is None else Hierarchy.of_paths(list(paths.values()))
    leaves = None
    if tree is not None:
        place = {leaf: i for i, leaf in enumerate(tree.leaves)} | {None: len(tree.leaves)}
        leaves = np.array([place[v] for v in codes], dtype=np.int32)
    graded = None if severity is None else np.array([severity[v] for v in codes], dtype=np.float64)
    return SensitiveColumn(
        "ill",
        labels,
        None,
        tree,
        None in counts,
        severity=graded,
        counts=np.array([counts[v] for v in codes], dtype=np.int64),
        leaves=leaves,
    )


def _counts(groups, values):
    code = {label: i for i, label in enumerate([*sorted(values), None])}
    found = [sorted((code[v], n) for v, n in group.items()) for group in groups]
    entries = [entry for group in found for entry in group]
    return ValueCounts(
        np.append(0, np.cumsum([len(group) for group in found])).astype(np.int64),
        np.array([value for value, _ in entries], dtype=np.int32),
        np.array([count for _, count in entries], dtype=np.int64),
    )


def tables_of(groups, suppressed):
    """What groups are compared with: the input and the release."""
    released = [value for group in groups for value in group]
    return [released + list(suppressed), released]
