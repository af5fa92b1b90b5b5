"""What Venkata Ramana and Valli Kumari print, or what follows from it: the MSTK- vectors."""

import json
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from statistics import pstdev, stdev

import numpy as np
import polars as pl
import pytest

import shoal
from cases.groups import groups_of
from cases.handmade import encoded, grouped, quasi
from naive import mstk as naive
from shared_data import SHARED, needs_shared
from shoal import catalog
from shoal.group.cluster._spanning_tree import spanning_tree
from shoal.group.cluster.mstk import Mstk
from shoal.group.parts.cell_widths import diameter_ruler_of
from shoal.group.parts.threads import spread_over
from shoal.kernels.boxes import group_boxes
from shoal.kernels.mstk_cut import limit_of, spread_of
from shoal.kernels.mstk_merge import lay_out, look_from
from shoal.kernels.mstk_nearest import Edges
from shoal.privacy.k_anonymity import KAnonymity
from shoal.types.algorithm import Limits
from shoal.types.privacy import Privacy
from shoal.types.watch import Watch

# Hashes overflow on purpose. As plain Python, numpy warns of that.
OVERFLOW = pytest.mark.filterwarnings("ignore:overflow encountered in scalar multiply")
pytestmark = [needs_shared, OVERFLOW]
PATH = SHARED / "spec" / "vectors.json"
SPEC = json.loads(PATH.read_text()) if PATH.exists() else {"vectors": []}
NAMES = ["age", "sex", "zip"]
CLASSES = [[1, 2], [3, 4], [5, 6, 7]]


def vectors(*ids):
    chosen = [vector for vector in SPEC["vectors"] if vector["id"] in ids]
    return pytest.mark.parametrize("vector", chosen, ids=lambda vector: vector["id"])


def paths(name):
    levels = SPEC["hierarchies"][f"{name}_mstk"]["levels"]
    return [(*path[:-1], "*") for path in zip(*levels, strict=True)]


def frame():
    rows = [[str(cell) for cell in row[:3]] for row in SPEC["tables"]["mstk_table1a"]["rows"]]
    return pl.DataFrame(rows, schema=NAMES, orient="row")


def table():
    return encoded(frame(), {name: quasi(shoal.levels(paths(name))) for name in NAMES}).table


def twin():
    """Columns and records, whose codes are places in the hierarchies as printed."""
    columns = [naive.Climb(paths(name), 1) for name in NAMES]
    leaves = [[path[0] for path in column.paths] for column in columns]
    rows = frame().rows()
    records = [tuple(leaves[i].index(cell) for i, cell in enumerate(row)) for row in rows]
    return columns, records


def climbed(name, leaf, node):
    """GHD from its definition: levels between a leaf and a node above it, of the height."""
    (path,) = [path for path in paths(name) if path[0] == leaf]
    return Fraction(path.index(node), len(path) - 1)


def tree_of(codes):
    with spread_over(1) as spread:
        return spanning_tree(codes, diameter_ruler_of(table()), spread)


def found_cdist(one, other):
    """The distance of two classes as the kernels have it."""
    codes = table().codes[[i - 1 for i in one + other]]
    labels = np.repeat([0, 1], [len(one), len(other)]).astype(np.int32)
    low, high = group_boxes(codes, np.arange(len(codes), dtype=np.int32), labels, 2)
    sizes = np.array([len(one), len(other)])
    tree, classes, cells = lay_out(
        low, high, sizes, np.arange(2), 9, diameter_ruler_of(table()), Watch().pulse()
    )
    look_from(tree, classes, cells, np.arange(2), Watch().pulse())
    return classes.distances.min()


def groups_at(k):
    grouping = Mstk().group(table(), Privacy((KAnonymity(k),)), Limits(threads=1))
    return sorted(sorted(row + 1 for row in group) for group in groups_of(grouping).values())


def outcome_of(classes, *, k=1, age=None):
    labels = [next(i for i, c in enumerate(classes) if row in c) for row in range(1, 8)]
    columns = {name: quasi(shoal.levels(paths(name))) for name in NAMES} | {"age": quasi(age)}
    numbers = frame().with_columns(pl.col("age").cast(pl.Int64))
    return grouped(numbers, columns, labels, k=k).outcome


@vectors("MSTK-D")
def test_distances_are_those_of_the_printed_matrix(vector):
    columns, records = twin()
    codes = table().codes
    for i, row in enumerate(vector["recomputed"]["exact"]):
        for j, exact in enumerate(row):
            assert naive.hdist(columns, records[i], records[j]) == Fraction(exact)
            assert 2 * tree_of(codes[[j, i]]).weights[0] == pytest.approx(float(Fraction(exact)))
            assert vector["printed"][i][j] == pytest.approx(float(Fraction(exact)), abs=6e-4)


@vectors("MSTK-GHD-1")
def test_a_value_climbs_so_many_of_the_levels(vector):
    inputs = vector["inputs"]

    assert climbed("zip", inputs["a"], inputs["b"]) == Fraction(vector["recomputed"]["exact"])


@vectors("MSTK-GE-1")
def test_the_effort_of_a_tuple_is_that_of_its_values(vector):
    pairs = zip(NAMES, vector["inputs"]["t"], vector["inputs"]["t2"], strict=True)

    effort = sum(climbed(name, str(leaf), node) for name, leaf, node in pairs)

    assert effort == Fraction(vector["recomputed"]["exact"])


@vectors("MSTK-HD-12")
def test_two_tuples_both_climb_to_where_they_meet(vector):
    columns, records = twin()
    one, other = (records[i - 1] for i in vector["inputs"]["pair"])

    assert naive.hdist(columns, one, other) == Fraction(vector["recomputed"]["exact"])


@vectors("MSTK-MST")
def test_the_tree_is_the_printed_one(vector):
    expected = [(i, j, Fraction(w)) for i, j, w in vector["recomputed"]["edges"]]

    edges = tree_of(table().codes)

    assert (edges.first + 1).tolist() == [i for i, _, _ in expected]
    assert (edges.second + 1).tolist() == [j for _, j, _ in expected]
    assert 2 * edges.weights == pytest.approx([float(w) for _, _, w in expected])
    assert [(i + 1, j + 1, w) for w, i, j in naive.spanning_tree(*twin())] == expected
    assert 2 * edges.weights.sum() == pytest.approx(float(vector["recomputed"]["total"]))
    assert {f"{i}-{j}" for i, j, _ in expected} == set(vector["printed"])


@vectors("MSTK-INFLEX")
def test_an_edge_is_long_beyond_mean_and_sample_deviation(vector):
    weights = [float(Fraction(w)) for w in vector["inputs"]["weights"]]
    n = len(weights)
    edges = Edges(np.zeros(n, np.int64), np.arange(1, n + 1), np.array(weights))

    limit = limit_of(spread_of(edges, np.arange(n), n + 1))

    expected = vector["recomputed"]
    assert limit == pytest.approx(expected["inflexion_sample"])
    assert sum(weights) / n == pytest.approx(expected["mean"]["float"])
    assert stdev(weights) == pytest.approx(expected["std_sample"])
    assert pstdev(weights) == pytest.approx(expected["std_population"])


@vectors("MSTK-PRUNE")
def test_the_long_edges_of_the_tree(vector):
    long = naive.long_edges(naive.spanning_tree(*twin()))

    assert {f"{i + 1}-{j + 1}" for _, i, j in long} == set(vector["recomputed"])


@vectors("MSTK-K1", "MSTK-K2", "MSTK-K3")
def test_groups_are_those_that_were_recomputed(vector):
    k, expected = vector["inputs"]["k"], vector["recomputed"]
    columns, records = twin()

    assert groups_at(k) == expected["classes"]
    classes = naive.mstk(columns, records, k)
    assert sorted([i + 1 for i in members] for members in classes) == expected["classes"]


@vectors("MSTK-K2", "MSTK-K3")
def test_labels_are_those_that_are_printed(vector):
    expected = vector["recomputed"]
    quasi_identifiers = {name: shoal.levels(paths(name)) for name in NAMES}

    release = shoal.anonymize(
        frame(), quasi=quasi_identifiers, privacy=[shoal.KAnonymity(vector["inputs"]["k"])],
        algorithm="mstk",
    )  # fmt: skip

    root = [[cell.replace("Person", "*") for cell in label] for label in expected["labels"]]
    assert sorted(map(list, set(release.frame.rows()))) == sorted(root)


@vectors("MSTK-LITERAL-K2", "MSTK-LITERAL-K3")
def test_the_printed_code_loses_records(vector):
    found = naive.mstk_literal(*twin(), vector["inputs"]["k"])

    returned = sorted(sorted(i + 1 for i in nodes) for nodes in found)
    assert returned == vector["recomputed"]["returned"]
    lost = set(range(1, 8)).difference(*returned)
    assert sorted(lost) == vector["recomputed"]["lost"]


@vectors("MSTK-CD-12", "MSTK-CD-13", "MSTK-CD-23")
def test_distances_of_classes(vector):
    columns, records = twin()
    one, other = vector["inputs"]["C1"], vector["inputs"]["C2"]
    exact = Fraction(vector["recomputed"]["exact"])

    by_definition = naive.cdist(
        columns, [records[i - 1] for i in one], [records[i - 1] for i in other]
    )

    assert by_definition == exact
    assert found_cdist(one, other) == pytest.approx(float(exact))


@vectors("MSTK-IL-1b", "MSTK-IL-1c")
def test_the_loss_of_the_printed_tables(vector):
    classes, expected = vector["inputs"]["partition"], vector["recomputed"]
    outcome = outcome_of(classes)

    assert catalog.load("metric", "iloss")().measure(outcome) / 7 == pytest.approx(
        expected["tight"]["float"]
    )
    columns, records = twin()
    printed = {1: (10, 9), 2: (20, 19), 3: (30, 29)}  # widths of [20-30], [31-40] and so on
    total = Fraction(0)
    for members in classes:
        inside = [records[i - 1] for i in members]
        level = int(columns[0].cost([r[0] for r in inside]) * 3)
        width = printed[level][0 if 1 in members else 1]
        leaves = 0
        for i, n_present in ((1, 2), (2, 7)):
            at = int(columns[i].cost([r[i] for r in inside]) * columns[i].height)
            node = columns[i].paths[inside[0][i]][at:]
            n_below = sum(path[at:] == node for path in columns[i].paths)
            leaves += Fraction(n_below - 1, n_present)
        total += len(members) * (Fraction(width, 30) + leaves)
    assert total / 7 == Fraction(expected["label"]["exact"])


@vectors("MSTK-DM-1b", "MSTK-DM-1c")
def test_the_discernibility_of_the_printed_tables(vector):
    outcome = outcome_of(vector["inputs"]["partition"])

    assert catalog.load("metric", "dm")().measure(outcome) == vector["recomputed"]


@vectors("MSTK-CAVG-1b", "MSTK-CAVG-1c")
def test_the_class_size_of_the_printed_tables(vector):
    outcome = outcome_of(vector["inputs"]["partition"], k=vector["inputs"]["k"])

    exact = float(Fraction(vector["recomputed"]["exact"]))
    assert catalog.load("metric", "cavg")().measure(outcome) == pytest.approx(exact)


@vectors("X-HDIST")
def test_the_distance_of_two_is_twice_the_cost_of_their_cells(vector):
    columns, records = twin()
    for one, other in combinations(records, 2):
        meets = [(c.paths[a], c.paths[b]) for c, a, b in zip(columns, one, other, strict=True)]
        effort = Fraction(0)
        for a, b in meets:
            node = next(x for x, y in zip(a, b, strict=True) if x == y)
            effort += Fraction(a.index(node) + b.index(node), len(a) - 1)
        assert effort == naive.hdist(columns, one, other) == 2 * naive.cost(columns, [one, other])
    assert vector["recomputed"] is True


@vectors("X-CDIST")
def test_the_distance_of_classes_is_what_their_union_costs_more(vector):
    columns, records = twin()
    one, other = ([records[i - 1] for i in members] for members in CLASSES[:2])
    check = vector["inputs"]["check"]

    def loss(members):
        return len(members) * naive.cost(columns, members)

    assert loss(one) == Fraction(check["L(C1)"])
    assert loss(other) == Fraction(check["L(C2)"])
    assert loss(one + other) == Fraction(check["L(C1∪C2)"])
    assert loss(one + other) - loss(one) - loss(other) == Fraction(vector["recomputed"])
    assert naive.cdist(columns, one, other) == Fraction(vector["recomputed"])


def test_every_vector_of_the_paper_is_a_test_here():
    source = Path(__file__).read_text(encoding="utf-8")
    ids = [v["id"] for v in SPEC["vectors"] if v["paper"] == "MSTK"] + ["X-HDIST", "X-CDIST"]

    assert len(ids) == 23
    assert [name for name in ids if f'"{name}"' not in source] == []
