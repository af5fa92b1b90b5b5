"""k-member-p against its twin, which computes every cost anew from single records."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cases.groups import as_multiset, groups_of
from cases.tgc import cases, random_case
from naive import tgc as naive
from naive.diameters import of_axis
from naive.k_member import cost as cost_of_box
from naive.k_member import grown
from naive.mixed import mixed
from shoal.group.cluster._clusterer import Part, seed_of
from shoal.group.cluster.k_member import random_row
from shoal.group.cluster.k_member_p import KMemberP
from shoal.privacy.k_anonymity import KAnonymity
from shoal.types.algorithm import Limits
from shoal.types.privacy import Privacy
from tiers import examples, seeds

SEEDS = seeds(4, thorough=24)


def assert_agrees(case, k, seed):
    table = case.table
    if table.n_records < k:
        return

    grouping = KMemberP().group(table, Privacy((KAnonymity(k),)), Limits(seed=seed, threads=1))

    names = [axis.name for axis in case.axes]
    order = sorted(range(table.n_rows), key=lambda row: mixed(table.codes[row].tolist(), names))
    weights = table.weights[order]
    part = Part(table.codes[order], table.sensitive[order], weights, seed_of(Limits(seed=seed), 0))
    codes, columns = table.codes.tolist(), [of_axis(axis) for axis in case.axes]
    records = list(zip(codes, table.sensitive.tolist(), strict=True))
    rows = np.repeat(order, weights).tolist()

    def distance(first, second):
        return cost_of_box(columns, *grown(codes[first], codes[first], codes[second]))

    cost = case.cost(0.0, 1.0, 1.0)
    clusters, left = naive.k_member_p(
        cost, records, rows, distance=distance, k=k, start=order[random_row(part)]
    )
    expected = naive.join(cost, records, clusters, sorted(left))
    found = as_multiset(groups_of(grouping).values())
    assert found == as_multiset(map(Counter, expected))


@given(cases(), st.integers(1, 5), st.integers(0, 3))
@examples(thorough=200)
def test_groups_are_those_of_the_twin(case, k, seed):
    assert_agrees(case, k, seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_groups_of_larger_random_tables_are_those_of_the_twin(seed):
    assert_agrees(random_case(seed, n_most=80), 2 + seed % 4, seed)
