"""k-member against its twin, which looks at all records for every step."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases.cluster import cases, random_case
from cases.groups import as_multiset, groups_of
from naive import k_member as naive
from shoal.group.cluster._clusterer import Part, seed_of
from shoal.group.cluster.k_member import SEEDING, KMember, random_row
from shoal.group.parts.cell_widths import diameter_ruler_of
from shoal.kernels.k_member import grow_clusters
from shoal.kernels.tree import grow_box_tree, grow_tree
from shoal.privacy.k_anonymity import KAnonymity
from shoal.types.algorithm import Limits
from shoal.types.privacy import Privacy
from shoal.types.watch import Watch
from tiers import examples, seeds

SEEDS = seeds(4, thorough=30)
SEEDINGS = sorted(SEEDING)


def fast(table, k, start, seeding):
    """Clusters in the order in which they grew, and what is left over."""
    members, n_clusters = grow_clusters(
        table.codes, table.weights, diameter_ruler_of(table), k, start, SEEDING[seeding],
        Watch().pulse(),
    )  # fmt: skip
    clusters, left = [[] for _ in range(n_clusters)], {}
    for row, count, cluster in zip(*(a.tolist() for a in members), strict=True):
        if cluster < 0:
            left[row] = count
        else:
            clusters[cluster].append((row, count))
    return clusters, left


def twin(case, k, start, seeding):
    table = case.table
    order = grow_tree(
        table.codes, table.weights, diameter_ruler_of(table), Watch().pulse()
    ).rows.tolist()
    codes, weights = table.codes.tolist(), table.weights.tolist()
    how = {"k": k, "start": start, "seeding": seeding, "rows": order}
    return naive.k_member(case.columns, codes, weights, **how)


@given(cases(), st.integers(1, 6), st.integers(0, 99), st.sampled_from(SEEDINGS))
@examples(thorough=300)
def test_clusters_are_those_of_the_twin(case, k, start, seeding):
    table = case.table
    start %= table.n_rows

    assert fast(table, k, start, seeding) == twin(case, k, start, seeding)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("seeding", SEEDINGS)
def test_clusters_of_larger_random_tables_are_those_of_the_twin(seed, seeding):
    case = random_case(seed, n_most=120)
    table = case.table
    start, k = seed % table.n_rows, 1 + seed % 5

    assert fast(table, k, start, seeding) == twin(case, k, start, seeding)


@pytest.mark.parametrize("seed", SEEDS)
def test_groups_are_those_of_the_twin_with_what_was_left_over_placed(seed):
    case = random_case(seed, n_fewest=5, n_most=100)
    table, k = case.table, 2 + seed % 4
    part = Part(table.codes, table.sensitive, table.weights, seed_of(Limits(seed=seed), 0))

    grouping = KMember().group(table, Privacy((KAnonymity(k),)), Limits(seed=seed, threads=1))

    clusters, left = twin(case, k, random_row(part), "seed-to-seed")
    codes = table.codes.tolist()
    groups = [Counter(dict(cluster)) for cluster in clusters]
    boxes = [naive_box(codes, group) for group in groups]
    low, high = (np.array([box[side] for box in boxes], dtype=np.int32) for side in (0, 1))
    ones = np.ones(len(groups), dtype=np.int64)
    order = grow_box_tree(low, high, ones, diameter_ruler_of(table), Watch().pulse()).rows.tolist()
    sizes = [group.total() for group in groups]
    for row, group in naive.join(case.columns, codes, left, boxes, sizes, order):
        groups[group][row] += 1
    assert as_multiset(groups_of(grouping).values()) == as_multiset(groups)


def naive_box(codes, group):
    columns = list(zip(*(codes[row] for row in group), strict=True))
    return [min(column) for column in columns], [max(column) for column in columns]
