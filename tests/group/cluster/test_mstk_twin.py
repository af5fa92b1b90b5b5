"""MSTK against its twin on single records, and its parts against theirs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases.axes import axis
from cases.groups import as_multiset, groups_of
from cases.mstk import LEVELS, LINES, Case, cases, random_case
from naive import mstk as naive
from shoal.group.cluster import _spanning_tree
from shoal.group.cluster._spanning_tree import exact_ruler, spanning_tree
from shoal.group.cluster.mstk import Mstk
from shoal.group.parts.cell_widths import diameter_ruler_of
from shoal.group.parts.threads import spread_over
from shoal.kernels.heap import drop_top, empty_heap, push
from shoal.kernels.mstk_cut import cut_tree
from shoal.kernels.mstk_nearest import Edges, join_nearest
from shoal.privacy.k_anonymity import KAnonymity
from shoal.types.algorithm import Limits
from shoal.types.privacy import Privacy
from shoal.types.watch import Watch
from tiers import IS_COMPILED, examples, seeds

# Hashes overflow on purpose. As plain Python, numpy warns of that.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered in scalar multiply")
SEEDS = seeds(2, thorough=10)
N_RECORDS = 120 if IS_COMPILED else 40


def in_order(edges):
    return sorted(
        zip(edges.weights.tolist(), edges.first.tolist(), edges.second.tolist(), strict=True)
    )


def both_trees(case):
    """Vertices and the tree by level vectors and by searches."""
    table = case.table
    codes = np.unique(table.codes, axis=0)
    ruler = exact_ruler(diameter_ruler_of(table), table.axes)
    with spread_over(1) as spread:
        return (
            codes,
            in_order(spanning_tree(codes, ruler, spread)),
            in_order(join_nearest(codes, ruler, spread.watch.pulse())),
        )


def assert_same_tree(case):
    codes, by_levels, by_searches = both_trees(case)

    expected = naive.spanning_tree(case.columns, [tuple(row) for row in codes.tolist()])

    assert by_levels == by_searches
    assert [edge[1:] for edge in by_levels] == [edge[1:] for edge in expected]
    if expected and by_levels[-1][0] > 0:  # whole numbers: the same but for one factor
        scale = by_levels[-1][0] / float(expected[-1][0])
        weights = [float(edge[0]) * scale for edge in expected]
        np.testing.assert_allclose([edge[0] for edge in by_levels], weights, rtol=1e-9, atol=1e-300)


def assert_same_groups(case, scope):
    limits, privacy = Limits(threads=1), Privacy((KAnonymity(case.k),))

    grouping = Mstk(merge_scope=scope).group(case.table, privacy, limits)

    expected = naive.mstk(case.columns, case.codes, case.k, scope)
    twin = naive.groups_of_rows(expected, case.rows)
    assert as_multiset(groups_of(grouping).values()) == as_multiset(twin)


@given(cases(LEVELS))
@examples(15, thorough=80)
def test_the_tree_over_levels_is_that_of_all_pairs(case):
    assert_same_tree(case)


@given(cases(LINES))
@examples(15, thorough=80)
def test_the_tree_with_lines_is_that_of_all_pairs(case):
    assert_same_tree(case)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("shapes", [LEVELS, LINES], ids=["levels", "lines"])
def test_trees_of_larger_random_tables_are_those_of_all_pairs(seed, shapes):
    assert_same_tree(random_case(seed, shapes, N_RECORDS))


@given(cases(LEVELS), st.sampled_from(["small", "any"]))
@examples(15, thorough=80)
def test_groups_are_those_of_the_twin(case, scope):
    assert_same_groups(case, scope)


@given(cases(LINES), st.sampled_from(["small", "any"]))
@examples(15, thorough=80)
def test_groups_with_lines_are_those_of_the_twin(case, scope):
    assert_same_groups(case, scope)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("scope", ["small", "any"])
def test_groups_of_larger_random_tables_are_those_of_the_twin(seed, scope):
    assert_same_groups(random_case(seed, LEVELS if seed % 3 else LINES, N_RECORDS), scope)


@pytest.mark.parametrize("limit", ["MOST_VECTORS", "MOST_STORED"])
@pytest.mark.parametrize("seed", seeds(2, thorough=10))
def test_limits_of_the_visit_do_not_change_the_tree(seed, limit, monkeypatch):
    case = random_case(seed, LEVELS, N_RECORDS)
    expected = both_trees(case)[1]
    monkeypatch.setattr(_spanning_tree, limit, 1)

    assert both_trees(case)[1] == expected


@pytest.mark.parametrize("seed", range(5))
def test_keys_of_several_words_make_the_same_tree(seed):
    rng = np.random.default_rng(seed)
    wide = {"n_leaves": 20_000, "has_missing": False, "shape": "plain", "weight": 1.0}
    axes = tuple(axis(i, **wide) for i in range(6))  # 15 bits each
    values = rng.integers(0, 20_000, size=(3, 6))
    records = [
        (*(int(values[rng.integers(3), column]) for column in range(6)), 0) for _ in range(60)
    ]

    assert_same_tree(Case(records, axes, k=2))


@st.composite
def trees(draw):
    """A random tree with whole weights, records at its vertices, and k."""
    n = draw(st.integers(1, 40))
    is_chain = draw(st.booleans())
    above = [draw(st.integers(max(0, i - 2) if is_chain else 0, i - 1)) for i in range(1, n)]
    most = draw(st.sampled_from([1, 2, 5, 1000]))
    weights = draw(st.lists(st.integers(1, most), min_size=n - 1, max_size=n - 1))
    counts = draw(st.lists(st.sampled_from([1, 1, 1, 2, 7]), min_size=n, max_size=n))
    return above, weights, counts, draw(st.integers(2, 6))


@given(trees())
@examples(25, thorough=300)
def test_a_tree_is_cut_like_the_twin_cuts_it_on_single_records(drawn):
    above, weights, counts, k = drawn
    first = np.array(above, dtype=np.int64)
    edges = Edges(first, np.arange(1, len(counts)), np.array(weights, dtype=np.float64))

    found = cut_tree(edges, np.array(counts), k, Watch().pulse())

    starts = np.cumsum([0, *counts]).tolist()
    stars = [
        (naive.Fraction(0), start, start + i)
        for start, count in zip(starts[:-1], counts, strict=True)
        for i in range(1, count)
    ]
    long = [
        (naive.Fraction(w), starts[a], starts[b])
        for w, a, b in zip(weights, above, range(1, len(counts)), strict=True)
    ]
    expected = naive.cut(starts[-1], stars + long, k)
    vertex_of = np.repeat(np.arange(len(counts)), counts)
    twin = {frozenset(vertex_of[list(nodes)].tolist()) for nodes in expected}
    assert {frozenset(np.flatnonzero(found == s).tolist()) for s in set(found.tolist())} == twin


@given(st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3), st.integers(0, 3))))
@examples(thorough=100)
def test_a_heap_gives_its_items_in_order(keys):
    heap = empty_heap(len(keys))
    for item, (first, second, third) in enumerate(keys):
        push(heap, float(first), second, third, item)

    found = []
    while heap.size[0]:
        found.append(keys[heap.items[0]])
        drop_top(heap)

    assert found == sorted(keys)
