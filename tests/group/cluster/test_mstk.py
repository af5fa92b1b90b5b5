"""What MSTK does with options, models, and tables at the edges."""

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given

import shoal
from cases.groups import groups_of
from cases.handmade import quasi
from cases.mstk import LEVELS, LINES, cases, random_case
from conformance.tables import MODELS, patients, policy
from naive import mstk as naive
from shoal.errors import CannotSatisfy, PolicyError
from shoal.group.cluster import mstk
from shoal.group.cluster._clusterer import Part
from shoal.group.cluster.mstk import Mstk, vertices_of
from shoal.group.parts.pre_partition import Prepartition
from shoal.kernels.mstk_cut import cut_tree
from shoal.kernels.mstk_nearest import Edges
from shoal.privacy.distinct_l_diversity import DistinctLDiversity
from shoal.privacy.k_anonymity import KAnonymity
from shoal.types.algorithm import Limits
from shoal.types.privacy import Privacy
from shoal.types.watch import Watch
from tiers import IS_COMPILED, IS_THOROUGH, examples

# Hashes overflow on purpose. As plain Python, numpy warns of that.
pytestmark = pytest.mark.filterwarnings("ignore:overflow encountered in scalar multiply")


def grouped(case, *, k=None, threads=1, **options):
    privacy = Privacy((KAnonymity(k or case.k),))
    return Mstk(**options).group(case.table, privacy, Limits(threads=threads))


def sizes_of(grouping):
    return np.bincount(grouping.labels, weights=grouping.counts)


def fields(grouping):
    return [a.tolist() for a in (grouping.rows, grouping.counts, grouping.labels, grouping.low)]


@given(cases(LINES, smallest_k=1))
@examples(thorough=100)
def test_with_k_of_one_every_different_row_is_a_group(case):
    grouping = grouped(case, k=1)

    codes = case.table.codes.tolist()
    found = [{tuple(codes[row]) for row in group} for group in groups_of(grouping).values()]
    assert sorted(map(sorted, found)) == sorted([row] for row in set(case.codes))


@given(cases(LINES))
@examples(thorough=100)
def test_equal_records_are_never_separated(case):
    grouping = grouped(case)

    codes = case.table.codes.tolist()
    assert grouping.counts.sum() == len(case.records)
    group_of = {}
    for row, label in zip(grouping.rows, grouping.labels, strict=True):
        assert group_of.setdefault(tuple(codes[row]), label) == label


@given(cases(LEVELS))
@examples(thorough=30)
def test_k_of_all_records_gives_one_group(case):
    assert grouped(case, k=len(case.records)).n_groups == 1


@given(cases(LEVELS))
@examples(thorough=30)
def test_more_than_all_records_are_refused(case):
    with pytest.raises(CannotSatisfy):
        grouped(case, k=len(case.records) + 1)


def test_a_k_that_no_array_can_hold_is_refused():
    with pytest.raises(CannotSatisfy):
        grouped(random_case(0, LEVELS, 20), k=10**30)


@pytest.mark.parametrize("shapes", [LEVELS, LINES], ids=["levels", "lines"])
@pytest.mark.parametrize("scope", ["small", "any"])
@pytest.mark.parametrize("seed", range(4))
def test_one_thread_and_two_agree(seed, scope, shapes):
    case = random_case(seed, shapes, 6000 if IS_COMPILED else 200)

    one = grouped(case, merge_scope=scope, threads=1)
    two = grouped(case, merge_scope=scope, threads=2)

    assert fields(one) == fields(two)


@pytest.mark.parametrize("scope", ["small", "any"])
@pytest.mark.parametrize("seed", range(6))
def test_every_part_of_a_prepartitioned_table_is_clustered_by_itself(seed, scope):
    case = random_case(seed, LEVELS, 100)
    rows = np.random.default_rng(seed).permutation(case.table.n_rows)[:30]
    part = Part(case.table.codes[rows], case.table.sensitive[rows], case.table.weights[rows], 0)

    vertices = vertices_of(part, [axis.name for axis in case.axes])

    assert sorted(vertices.codes.tolist()) == np.unique(part.codes, axis=0).tolist()
    assert vertices.codes[vertices.of_row].tolist() == part.codes.tolist()
    assert vertices.counts.sum() == part.counts.sum()
    options = {"prepartition": Prepartition(25), "merge_scope": scope}
    one, two = (grouped(case, k=3, threads=n, **options) for n in (1, 2))
    assert fields(one) == fields(two)
    assert sizes_of(one).min() >= 3
    placed = np.bincount(one.rows, weights=one.counts)
    assert placed.tolist() == case.table.weights.tolist()


def test_a_part_smaller_than_k_is_refused():
    with pytest.raises(PolicyError, match="at least 5"):
        grouped(random_case(1, LEVELS, 60), k=5, prepartition=Prepartition(4))


@pytest.mark.parametrize("scope", ["small", "any"])
@pytest.mark.parametrize("seed", range(8))
def test_too_many_small_classes_are_merged_in_buckets(seed, scope, monkeypatch):
    monkeypatch.setattr(mstk, "MOST_AT_ONCE", 12)
    monkeypatch.setattr(mstk, "BUCKET", 5)
    case = random_case(seed, LEVELS, 150)

    grouping = grouped(case, merge_scope=scope)

    assert sizes_of(grouping).min() >= case.k
    assert fields(grouping) == fields(grouped(case, merge_scope=scope, threads=2))


@pytest.mark.parametrize("seed", range(5))
def test_any_model_holds_beside_k(seed):
    case = random_case(seed, LINES, 90)
    privacy = Privacy((KAnonymity(3), DistinctLDiversity("s", 3)))

    grouping = Mstk().group(case.table, privacy, Limits(threads=1))

    values = case.table.sensitive[:, 0].tolist()
    assert sizes_of(grouping).sum() == 90
    for group in groups_of(grouping).values():
        assert sum(group.values()) >= 3
        assert len({values[row] for row in group}) == 3


@pytest.mark.parametrize("model", list(MODELS))
def test_every_model_of_the_catalog_holds_with_prepartition(model):
    options = {"name": "mstk", "prepartition": {"size": 20}, "merge-scope": "any"}

    assert policy(options, model).anonymize(patients(120)).verdict.holds


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"merge-scope": "all"}, "merge-scope"),
        ({"merge_scop": "any"}, "merge_scop"),
        ({"prepartition": {"size": 0}}, "size must be"),
        ({"prepartition": {"sizes": 9}}, "sizes"),
    ],
)
def test_a_wrong_option_is_named(options, message):
    with pytest.raises(PolicyError, match=message):
        policy({"name": "mstk"} | options).anonymize(patients(30))


def test_a_heavier_column_is_kept_finer():
    rng = np.random.default_rng(0)
    table = pl.DataFrame({name: rng.choice(list("abcdefgh"), 400) for name in ("one", "other")})
    levels = shoal.tree({"first": ["a", "b", "c", "d"], "second": ["e", "f", "g", "h"]})

    def loss_of_one(weight):
        columns = {"one": quasi(levels, weight=weight), "other": quasi(levels)}
        rules = shoal.Policy(columns=columns, privacy=(KAnonymity(12),), algorithm=Mstk())
        return rules.anonymize(table).loss_by_column["one"]

    assert loss_of_one(10.0) < loss_of_one(0.1)


@pytest.mark.parametrize("k", [2, 5])
def test_a_long_chain_of_vertices_is_cut(k):
    n = 1_000_000 if IS_THOROUGH else 20_000 if IS_COMPILED else 2000
    edges = Edges(np.arange(n - 1), np.arange(1, n), np.ones(n - 1))

    subtrees = cut_tree(edges, np.ones(n, dtype=np.int64), k, Watch().pulse())

    sizes = np.bincount(subtrees)
    assert k <= sizes.min() <= sizes.max() < 2 * k
    assert len(np.flatnonzero(np.diff(subtrees))) == len(sizes) - 1  # runs of the chain


def test_a_hub_with_many_branches_is_pared_one_by_one():
    n_branches = 20_000 if IS_COMPILED else 200  # every third has two records, the others one
    counts = np.where(np.arange(n_branches + 1) % 3 == 0, 2, 1)
    edges = Edges(np.zeros(n_branches, np.int64), np.arange(1, n_branches + 1), np.ones(n_branches))

    subtrees = cut_tree(edges, counts, 2, Watch().pulse())

    sizes = np.bincount(subtrees, weights=counts)
    assert Counter(sizes.astype(int).tolist())[2] == np.count_nonzero(counts == 2) - 1
    assert len(sizes) == np.count_nonzero(counts == 2)


def test_long_edges_at_every_scale_are_cut_round_by_round():
    n = 200
    edges = Edges(np.zeros(n, np.int64), np.arange(1, n + 1), 2.0 ** np.arange(n))
    long = [(naive.Fraction(2**i), 0, i + 1) for i in range(n)]

    subtrees = cut_tree(edges, np.ones(n + 1, dtype=np.int64), 3, Watch().pulse())

    twin = naive.cut(n + 1, long, 3)
    assert sorted(np.bincount(subtrees)) == sorted(len(nodes) for nodes in twin)
