"""Methods to the letter, against what the papers print on single tuples."""

from fractions import Fraction

import numpy as np
import pytest

from naive import k_member as naive_k_member
from naive import oka as naive_oka
from naive import tgc_paper
from naive.diameters import of_axis
from shoal.read.given import source_of
from shoal.reproduction.counted.k_member import CountedKMember, Scan
from shoal.reproduction.counted.mondrian import cut as cut_in_two
from shoal.reproduction.counted.mstk import tree_weight
from shoal.reproduction.counted.oka import Centroids, split_pairs
from shoal.reproduction.counted.records import Records
from shoal.reproduction.counted.tgc import Costs, cut, grow, join
from shoal.reproduction.tables import MSTK, OKA, TGC, adult_table, levels_of, normal_table
from shoal.runs.prepare import prepare
from tiers import seeds

SEEDS = seeds(2, thorough=15)


class Lowest:
    """Draws the lowest that there is, and changes no order."""

    def integers(self, n):
        return 0

    def permutation(self, records):
        return records


def encoded(table):
    policy = table.roles.policy()
    frame = table.frame()
    prepared = prepare(source_of(frame), policy, policy.schema_for(frame.columns))
    return prepared.encoded_for(policy.algorithm).encoding.table


def clusters_of(labels):
    return sorted(np.flatnonzero(labels == label).tolist() for label in np.unique(labels))


def paper_table(table, r=1):
    """The records as the paper's own definitions see them: every value exact."""
    attributes, columns = [], []
    records = Records.of(table)
    for i, axis in enumerate(table.axes):
        codes = records.codes[i]
        if axis.on_a_line:
            values = [Fraction(int(axis.numbers[code])) for code in codes]
            attributes.append(tgc_paper.Interval(min(values), max(values)))
        else:
            paths = levels_of(axis.name) if axis.hierarchy else [(v, "*") for v in axis.leaves]
            attributes.append(tgc_paper.Discrete({path[0]: path for path in paths}))
            values = [axis.leaves[code] for code in codes]
        columns.append(values)
    for i, column in enumerate(table.sensitive_columns):
        labels = [column.labels[code] for code in records.sensitive[i]]
        if column.hierarchy is None:
            numbers = [Fraction(label) for label in labels]
            attributes.append(tgc_paper.Interval(min(numbers), max(numbers)))
            labels = numbers
        else:
            attributes.append(tgc_paper.Discrete({p[0]: p for p in levels_of(column.name)}))
        columns.append(labels)
    return tgc_paper.Table(list(zip(*columns, strict=True)), attributes, len(table.axes), r)


@pytest.mark.parametrize("utility", [1.0, 0.75, 0.0])
def test_tgc_makes_the_clusters_of_the_papers_algorithm_1(utility):
    table = encoded(adult_table("tgc", TGC, 15))
    printed = paper_table(table)
    costs = Costs(Records.of(table), utility, 1.0)
    for delta in (0.4, 0.6):
        accepted, rejected, final = tgc_paper.algorithm_1(
            printed, k=3, delta=delta, weights=(utility, 1 - utility)
        )

        found = grow(costs, np.arange(15), 3, delta, Lowest())

        assert sorted(sorted(c.tolist()) for c in found.accepted) == sorted(accepted)
        assert sorted(sorted(c.tolist()) for c in found.rejected) == sorted(rejected)
        assert clusters_of(join(costs, found.accepted, found.rejected)) == sorted(final)


@pytest.mark.parametrize("delta_prime", [9.0, 1.45, 0.5])
def test_tgc_cuts_as_the_papers_algorithm_2_with_halved_ties(delta_prime):
    table = encoded(normal_table(60))
    costs = Costs(Records.of(table), 0.5, 1.0)
    records = costs.records
    numbers = [[Fraction(str(axis.numbers[c])) for c in records.codes[i]]
               for i, axis in enumerate(table.axes)]  # fmt: skip
    sensitive = [Fraction(table.sensitive_columns[0].labels[c]) for c in records.sensitive[0]]
    columns = [*numbers, sensitive]
    attributes = [tgc_paper.Interval(min(values), max(values)) for values in columns]
    printed = tgc_paper.Table(list(zip(*columns, strict=True)), attributes, len(numbers))

    found = cut(costs, np.arange(60), 10, delta_prime)

    expected = tgc_paper.algorithm_2(
        printed, list(range(60)), s=10, limit=delta_prime, literal=False, normalised=True,
        halves=True,
    )  # fmt: skip
    assert sorted(part.tolist() for part in found) == sorted(expected)


@pytest.mark.parametrize(
    ("seeding", "variant"),
    [("seed-to-seed", "seed"), ("last-added", "byun-pseudocode"), ("oka-text", "oka-text")],
)
def test_k_member_makes_the_clusters_of_the_pseudocode(seeding, variant):
    table = encoded(adult_table("oka", OKA, 31))
    scan = Scan(Records.of(table))
    codes = [tuple(map(int, codes)) for codes in scan.records.codes.T]
    columns = [of_axis(axis) for axis in table.axes]

    labels = CountedKMember(seeding)._clusters(scan, 4, Lowest())

    _, expected, _ = naive_k_member.by_lowest_index(columns, codes, k=4, start=0, variant=variant)
    assert clusters_of(labels) == sorted(expected)


def test_k_member_looks_at_every_free_record_each_time():
    scan = Scan(Records.of(encoded(adult_table("oka", OKA, 40))))

    CountedKMember()._clusters(scan, 4, Lowest())

    assert scan.evaluations == sum(range(1, 41))  # forty for the first seed, then one fewer each


@pytest.mark.parametrize("seed", SEEDS)
def test_oka_makes_the_clusters_of_its_twin(seed):
    table = encoded(adult_table("oka", OKA, 33))
    rng = np.random.default_rng(seed)
    starts = np.sort(rng.choice(33, 8, replace=False))
    records = Records.of(table)
    clusters = Centroids(records, starts)
    codes = [tuple(map(int, row)) for row in records.codes.T]
    columns = [of_axis(axis) for axis in table.axes]

    for record in range(33):
        if record not in starts:
            clusters.add(clusters.closest(record), record)
    assigned = clusters_of(clusters.labels)
    for record in clusters.trim(4):
        small = clusters.sizes < 4
        clusters.add(clusters.closest(int(record), small if small.any() else None), int(record))

    twin = naive_oka.assign(columns, codes, starts.tolist())
    assert assigned == sorted(twin.values())
    final = naive_oka.oka(columns, codes, starts.tolist(), list(range(33)), k=4, order="sorted")
    assert clusters_of(clusters.labels) == sorted(final.values())


def test_the_tree_of_prim_weighs_as_much_as_any_minimum_spanning_tree():
    table = encoded(adult_table("mstk", MSTK, 25))
    scan = Scan(Records.of(table))
    columns = [of_axis(axis) for axis in table.axes]
    codes = [tuple(map(int, row)) for row in scan.records.codes.T]

    weight = tree_weight(scan)

    far = {(i, j): 2 * sum(c.cost({a, b}) for c, a, b in zip(columns, codes[i], codes[j],
           strict=True)) for i in range(25) for j in range(i)}  # fmt: skip
    expected, joined = 0.0, list(range(25))
    for (i, j), cost in sorted(far.items(), key=lambda pair: pair[1]):
        if joined[i] != joined[j]:
            expected += cost
            joined = [joined[i] if of == joined[j] else of for of in joined]
    assert weight == pytest.approx(expected)
    assert scan.evaluations == 25 * 24 // 2


def test_mondrian_leaves_k_records_on_both_sides_and_counts_two_looks_at_each():
    records = Records.of(encoded(adult_table("mstk", MSTK, 50)))

    halves, n_looked = cut_in_two(records, np.arange(50), 5)

    assert sorted(np.concatenate(halves)) == list(range(50))
    assert min(map(len, halves)) >= 5
    assert n_looked == 100


def test_pairs_of_identical_records_are_counted_as_split():
    assert split_pairs(np.array([0, 0, 0, 1]), np.array([0, 0, 1, 1])) == pytest.approx(2 / 3)
    assert split_pairs(np.array([0, 1]), np.array([0, 1])) == 0
