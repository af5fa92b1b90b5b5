"""What Lin and Wei print, or what follows from their Table 1, recomputed by hand: OKA- vectors."""

import itertools
from fractions import Fraction

import numpy as np
import pytest

from cases.cluster import random_case
from cases.oka_table import exact, spec, table, twins, vectors
from naive import oka as naive
from naive.diameters import InATree
from shared_data import needs_shared
from shoal.group.cluster.oka import Chance, Oka, Records, adjusted, root_cost
from shoal.group.parts.cell_widths import diameter_ruler_of
from shoal.kernels import oka as kernels
from shoal.kernels.merge import box_costs
from shoal.privacy.k_anonymity import KAnonymity
from shoal.types.algorithm import Limits
from shoal.types.privacy import Privacy
from shoal.types.watch import Watch

pytestmark = needs_shared


def boxes_of(encoding, partition):
    """The box around each class of record numbers, from 1."""
    codes = encoding.table.codes[encoding.row_of_record]
    members = [codes[np.array(numbers) - 1] for numbers in partition]
    return np.array([m.min(axis=0) for m in members]), np.array([m.max(axis=0) for m in members])


def losses(encoding, partition):
    costs = box_costs(*boxes_of(encoding, partition), diameter_ruler_of(encoding.table))
    return costs, costs * [len(numbers) for numbers in partition]


@vectors("OKA-LOSS-")
def test_diameter_and_loss_of_the_papers_partition(vector):
    given, expected = vector["inputs"], vector["recomputed"]
    encoding = table(given["zip"])

    diameters, loss = losses(encoding, given["partition"])

    assert diameters.tolist() == pytest.approx([float(exact(d)) for d in expected["D"]])
    assert loss.tolist() == pytest.approx([float(exact(l)) for l in expected["L"]])
    assert loss.sum() == pytest.approx(float(exact(expected["total"])))
    splits = [
        (first, tuple(set(range(1, 7)) - set(first)))
        for first in itertools.combinations(range(1, 7), 3)
    ]
    best = min(losses(encoding, split)[1].sum() for split in splits)
    assert best == pytest.approx(loss.sum())
    columns, records = twins(given["zip"])
    members = {i: [n - 1 for n in numbers] for i, numbers in enumerate(given["partition"])}
    assert naive.total(columns, records, members) == pytest.approx(loss.sum())


@vectors("OKA-DIST-")
def test_distance_of_two_records(vector):
    encoding = table(vector["inputs"]["zip"])

    distances, _ = losses(encoding, vector["inputs"]["pairs"])

    assert distances.tolist() == pytest.approx([float(exact(d)) for d in vector["recomputed"]])


@vectors("OKA-RUN-")
def test_a_run_from_given_seeds_ends_in_the_vectors_clusters(vector):
    given, expected = vector["inputs"], vector["recomputed"]
    encoding = table(given["zip"])
    in_order = [number - 1 for number in given["sorted_order"]]  # record i of ours is in_order[i]
    records = Records(
        encoding.table.codes,
        encoding.row_of_record[in_order].astype(np.int64),
        diameter_ruler_of(encoding.table),
        given["k"],
        root_cost(encoding.table),
    )
    seeds = np.array([in_order.index(seed - 1) for seed in given["seeds"]])
    chance = Chance(seeds, np.array(in_order))

    assigned = kernels.assign(*records[:3], seeds, np.arange(len(in_order)), Watch().pulse())
    (labels,) = adjusted(records, assigned, chance, "paper", Watch(), may_drop=0)

    assert classes(assigned, in_order) == expected["after_clustering"]
    assert classes(labels, in_order) == expected["final"]
    loss = kernels.total_loss(*records[:3], labels, len(seeds), records.root)
    assert loss == pytest.approx(float(exact(expected["total_loss"])))


def classes(labels, in_order):
    """The numbers, from 1, of the records in each cluster."""
    return [
        sorted(in_order[i] + 1 for i in np.flatnonzero(labels == cluster))
        for cluster in range(labels.max() + 1)
    ]


@vectors("OKA-RUN-")
def test_the_twins_distances_are_those_of_the_vector(vector):
    given, expected = vector["inputs"], vector["recomputed"]
    columns, records = twins(given["zip"])
    in_order = [number - 1 for number in given["sorted_order"]]
    seeds, trace = [number - 1 for number in given["seeds"]], []

    assigned = naive.assign(columns, records, seeds, order=in_order, trace=trace)
    _, removed = naive.trim(columns, records, assigned, given["k"])

    assert [record + 1 for record in removed] == expected["removed"]
    for (record, distances, chosen), step in zip(trace, expected["trace"], strict=True):
        assert (record + 1, chosen) == (step["record"], step["cluster"])
        assert distances == pytest.approx([float(Fraction(d)) for d in step["distances"]])


@vectors("OKA-IDENT")
def test_equal_records_may_be_separated(vector):
    given, expected = vector["inputs"], vector["recomputed"]
    children = spec()["hierarchies"][given["hierarchy"]]["children"]
    paths = [(leaf, node, "*") for node in children["root"] for leaf in children[node]]
    leaves = [leaf for leaf, *_ in paths]
    records = [(leaves.index(value),) for value in given["seeds"] + given["stream"]]
    trace = []

    naive.assign([InATree(paths)], records, [0, 1], trace=trace)

    assert [chosen for _, _, chosen in trace] == expected["assignments"]
    assert [distances for _, distances, _ in trace] == [
        [float(Fraction(d)) for d in pair] for pair in expected["distances"]
    ]


@vectors("OKA-SIZES")
def test_sizes_are_from_k_to_less_than_twice_k(vector):
    assert vector["recomputed"] is True
    for seed in range(12):
        case, k = random_case(seed, n_most=120), 1 + seed % 6
        n_records = len(case.records)
        if n_records < k:
            continue

        grouping = Oka().group(case.table, Privacy((KAnonymity(k),)), Limits(seed=seed))

        sizes = np.bincount(grouping.labels, weights=grouping.counts)
        assert len(sizes) == n_records // k
        assert sizes.min() >= k
        assert sizes.max() <= 2 * k - 1
        # Only what is beyond the full clusters was placed by the last step.
        assert (sizes - k).sum() == n_records % k
