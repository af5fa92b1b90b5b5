"""Columns of every shape, and random records in them."""

from collections import Counter

import numpy as np
from hypothesis import strategies as st

from shoal.types.axis import Axis
from shoal.types.hierarchy import Hierarchy
from shoal.types.table import Table

SHAPES = ("line", "plain", "tree")
PUBLISH = {"line": "range", "plain": "set", "tree": "node", "deep": "node", "bins": "node"}


def axis(i, *, n_leaves, has_missing, shape, weight):
    """Numbers on a line, a plain category, a tree, a tree with redundant levels, or bins."""
    leaves = tuple(f"{leaf:06}" for leaf in range(n_leaves))
    numbers = np.arange(n_leaves) ** 2 if shape in ("line", "bins") else None
    paths_of = {"tree": uneven_paths, "deep": redundant_paths, "bins": even_paths}.get(shape)
    hierarchy = Hierarchy.of_paths(paths_of(leaves)) if paths_of else None
    return Axis(
        name=f"q{i}",
        kind="text" if numbers is None else "integer",
        leaves=hierarchy.leaves if hierarchy else leaves,
        numbers=numbers,
        hierarchy=hierarchy,
        publish=PUBLISH[shape],
        has_missing=has_missing,
        weight=weight,
        domain=(0.0, 0.0) if numbers is None else (0.0, float(numbers[-1])),
    )


def even_paths(leaves):
    """Twos of leaves under sixes under the root."""
    return [(leaf, f"two {i // 2}", f"six {i // 6}", "*") for i, leaf in enumerate(leaves)]


def uneven_paths(leaves):
    """Twos of leaves under sixes under the root, and the last leaf of ten directly under it."""
    return [
        (leaf, leaf, leaf, "*") if i % 10 == 9 else path
        for i, (leaf, path) in enumerate(zip(leaves, even_paths(leaves), strict=True))
    ]


def redundant_paths(leaves):
    """Fours of leaves, a level that joins nothing, eights, and the root twice."""
    return [
        (leaf, f"four {i // 4}", f"still {i // 4}", f"eight {i // 8}", "all", "*")
        for i, leaf in enumerate(leaves)
    ]


@st.composite
def some_axes(draw, *, shapes=SHAPES, n_leaves=(1, 2, 3, 9, 100), most=4):
    return tuple(
        axis(
            i,
            n_leaves=draw(st.sampled_from(n_leaves)),
            has_missing=draw(st.booleans()),
            shape=draw(st.sampled_from(shapes)),
            weight=draw(st.sampled_from([0.1, 0.5, 1.0, 1.0, 3.0])),
        )
        for i in range(draw(st.integers(1, most)))
    )


def random_axes(rng, *, shapes=SHAPES, n_leaves=(2, 5, 30), most=4):
    return tuple(
        axis(
            i,
            n_leaves=int(rng.choice(n_leaves)),
            has_missing=bool(rng.integers(2)),
            shape=str(rng.choice(shapes)),
            weight=float(rng.choice([0.1, 0.5, 1, 2])),
        )
        for i in range(int(rng.integers(1, most + 1)))
    )


def some_codes(columns):
    """A code of each of these axes or sensitive columns."""
    return st.tuples(*(st.integers(0, column.n_codes - 1) for column in columns))


def some_records(record, *, fewest=1, most=40):
    """Records of which many are equal, or few."""
    few_different = st.lists(record, min_size=1, max_size=8).flatmap(
        lambda pool: st.lists(st.sampled_from(pool), min_size=fewest, max_size=most)
    )
    return few_different | st.lists(record, min_size=fewest, max_size=most)


def records_of(columns):
    """Tuples of plain numbers, from an array for each column."""
    return [tuple(map(int, record)) for record in zip(*columns, strict=True)]


def table_of(records, axes, sensitive_columns):
    """The table of some records: tuples of codes, those of the sensitive columns last."""
    counts = Counter(records)
    codes = np.array(sorted(counts), dtype=np.int32)
    return Table(
        codes=np.ascontiguousarray(codes[:, : len(axes)]),
        sensitive=np.ascontiguousarray(codes[:, len(axes) :]),
        weights=np.array([counts[row] for row in sorted(counts)], dtype=np.int64),
        axes=axes,
        sensitive_columns=sensitive_columns,
    )
