"""Groups of values for models to look at, made from plain lists."""

from __future__ import annotations

from collections import Counter

import numpy as np
from hypothesis import strategies as st

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


def limits(low, high):
    """Decimal numbers that groups often meet exactly."""
    nice = [0.1, 0.2, 0.25, 1 / 3, 0.4, 0.5, 0.6, 2 / 3, 0.75, 0.8, 1, 1.2, 1.5, 2, 3, 4]
    return st.sampled_from([x for x in nice if low <= x <= high])


def stats_of(groups, *, suppressed=(), values=WORDS, paths=None, severity=None, knows_input=True):
    """What models look at in these groups; `suppressed` values were in the input too."""
    labels = tuple(sorted(values))
    has_missing = any(None in group for group in [*groups, suppressed])
    code = {label: i for i, label in enumerate(labels)} | {None: len(labels)}
    n_codes = len(labels) + has_missing
    tree = None if paths is None else Hierarchy.of_paths(list(paths.values()))
    place = {} if tree is None else {leaf: i for i, leaf in enumerate(tree.leaves)}
    everything = [v for group in [*groups, suppressed] for v in group]
    column = SensitiveColumn(
        "ill",
        labels,
        None,
        tree,
        has_missing,
        severity=None
        if severity is None
        else np.array([severity[v] for v in [*labels, None][:n_codes]], dtype=np.float64),
        counts=np.bincount([code[v] for v in everything], minlength=n_codes).astype(np.int64)
        if knows_input
        else None,
        leaves=None
        if tree is None
        else np.array([*(place[v] for v in labels), len(tree.leaves)][:n_codes], dtype=np.int32),
    )
    return GroupStats(
        np.array([len(group) for group in groups], dtype=np.int64),
        {"ill": lambda: _counts(groups, code)},
        columns={"ill": column},
    )


def _counts(groups, code):
    found = [sorted(Counter(code[v] for v in group).items()) for group in groups]
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
