"""What Babu et al. (2013) print, or what follows from it, recomputed by hand: the BABU- vectors."""

import json
from fractions import Fraction
from math import floor, pi, sqrt

import numpy as np
import pytest

from cases.lattice import Case, k_anonymous, table_of
from naive import lattice as naive
from shared_data import SHARED, needs_shared
from shoal.group.lattice._grid import Grid
from shoal.group.lattice.datafly import Datafly
from shoal.group.lattice.flash import Flash
from shoal.group.lattice.improved_greedy import ImprovedGreedy, anonymity_of
from shoal.group.lattice.samarati import Samarati
from shoal.metrics.iloss import Iloss
from tiers import seeds

pytestmark = needs_shared
ALGORITHMS = {
    "datafly": Datafly(),
    "improved_greedy": ImprovedGreedy(choice="paper"),
    "samarati": Samarati(metric="iloss"),
}


def spec():
    path = SHARED / "spec" / "vectors.json"
    return json.loads(path.read_text()) if path.exists() else {"vectors": []}


def vectors(prefix):
    """The vectors whose id begins so, each a test by that name."""
    chosen = [vector for vector in spec()["vectors"] if vector["id"].startswith(prefix)]
    return pytest.mark.parametrize("vector", chosen, ids=lambda vector: vector["id"])


def case_of(vector):
    """Table 1(a) of MSTK with its hierarchies, and what the vector asks of it."""
    given = spec()
    rows = [[str(cell) for cell in row] for row in given["tables"]["mstk_table1a"]["rows"]]
    columns = []
    for i, name in enumerate(["age_mstk", "sex_mstk", "zip_mstk"]):
        levels = given["hierarchies"][name]["levels"]
        paths = sorted({(*path[:-1], "*") for path in zip(*levels, strict=True)})
        columns.append(naive.Ladder([row[i] for row in rows], paths))
    inputs = vector["inputs"]
    return Case(
        tuple(columns),
        [row[3] for row in rows],
        k_anonymous(inputs.get("k", 1)),
        limit=inputs.get("suppression_limit", 0),
        already=0,
    )


def walk_of(name, twin):
    if name == "samarati":
        return naive.samarati(twin, "iloss")
    return naive.datafly(twin) if name == "datafly" else naive.improved_greedy(twin)


def exact_iloss(grouping, table):
    """ILoss of the published boxes, in whole numbers: leaves of a cell beyond the first."""
    total = Fraction(0)
    for axis, level, codes in zip(table.axes, grouping.levels, table.codes.T, strict=True):
        n_leaves = len(axis.leaves)
        nodes = axis.hierarchy.nodes[level]
        for row, label in enumerate(grouping.labels):
            n_below = n_leaves if label < 0 else int((nodes == nodes[codes[row]]).sum())
            total += Fraction(n_below - 1, n_leaves) * int(table.weights[row])
    return total


@vectors("BABU-RUN")
@pytest.mark.parametrize("name", list(ALGORITHMS))
def test_an_algorithm_ends_at_the_node_that_was_recomputed(name, vector):
    case, expected = case_of(vector), vector["recomputed"][name]
    table = case.table

    grouping = ALGORITHMS[name].group(table, case.privacy, case.limits)

    assert list(case.twin.heights) == vector["inputs"]["heights"]
    assert list(grouping.levels) == expected["node"]
    assert sum(grouping.levels) == expected["level"]
    assert grouping.trace["checks"] == expected["checks"]
    assert exact_iloss(grouping, table) == Fraction(expected["iloss"]["exact"])


@vectors("BABU-RUN")
@pytest.mark.parametrize("name", list(ALGORITHMS))
def test_the_transcription_takes_the_way_that_was_recomputed(name, vector):
    twin, expected = case_of(vector).twin, vector["recomputed"][name]

    walk = walk_of(name, twin)

    assert [list(step) for step in walk.path] == expected.get("path", expected.get("levels_tried"))
    assert walk.n_checks == expected["checks"]
    assert naive.cost(twin, walk.node, "iloss") == Fraction(expected["iloss"]["exact"])


@vectors("BABU-RUN")
def test_flash_finds_the_optimum_that_was_recomputed(vector):
    case, expected = case_of(vector), vector["recomputed"]["optimal_iloss"]
    table = case.table

    grouping = Flash(metric="iloss").group(table, case.privacy, case.limits)

    assert list(grouping.levels) == expected["node"]
    assert exact_iloss(grouping, table) == Fraction(expected["iloss"]["exact"])
    assert case.twin.optimum("iloss") == Fraction(expected["iloss"]["exact"])


@vectors("BABU-ANON")
@pytest.mark.parametrize("limit", [0, 1, 2])
def test_the_anonymity_of_a_node_is_that_of_its_definition(limit, vector):
    twin, node = case_of(vector).twin, tuple(vector["inputs"]["node"])
    sizes = [len(group) for group in twin.groups_at(node)]

    expected = vector["recomputed"][f"m={limit}"]

    assert anonymity_of(np.array(sizes), limit) == expected
    assert naive.anonymity(sizes, limit) == expected


@pytest.mark.parametrize("seed", seeds(4, thorough=50))
def test_anonymity_is_at_least_k_where_few_enough_records_are_in_smaller_groups(seed):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 9, int(rng.integers(1, 12)))
    limit, k = int(rng.integers(0, sizes.sum() + 2)), int(rng.integers(1, 10))

    found = anonymity_of(sizes, limit)

    assert found == naive.anonymity(sizes.tolist(), limit)
    assert (found >= k) == (sizes[sizes < k].sum() <= limit)


@vectors("BABU-LATTICE")
def test_a_lattice_has_as_many_nodes_as_was_recomputed(vector):
    heights, expected = tuple(vector["inputs"]["heights"]), vector["recomputed"]

    grid = Grid(heights)

    assert grid.n_nodes == expected["nodes"]
    assert grid.height == expected["h_max"]
    assert grid.per_height() == expected["per_level"]
    assert [len(grid.at_height(at)) for at in range(grid.height + 1)] == expected["per_level"]
    assert max(grid.per_height()) == expected["largest_level_size"]
    assert grid.per_height().index(max(grid.per_height())) == expected["largest_level"]
    assert grid.n_nodes <= expected["prop2_bound"]
    assert 1 + len(heights) * grid.height == expected["max_checks_improved_greedy"]
    assert 1 + grid.height == expected["max_checks_datafly"]


@vectors("BABU-CENTRAL")
def test_the_middle_of_a_lattice_of_equal_heights_is_its_largest(vector):
    h, r = vector["inputs"]["h"], vector["inputs"]["r"]
    expected = vector["recomputed"]

    per_height = Grid((h,) * r).per_height()

    assert per_height[floor(h * r / 2)] == expected["central"] == max(per_height)
    assert max(per_height) == expected["max"]
    assert (h + 1) ** r / (h * r + 1) == pytest.approx(expected["lower"])
    assert (h + 1) ** r == expected["upper"]
    assert expected["lower"] <= max(per_height) <= expected["upper"]
    asymptotic = (h + 1) ** r / sqrt(2 * pi * r * ((h + 1) ** 2 - 1) / 12)
    assert asymptotic == pytest.approx(expected["asymptotic"])


@vectors("BABU-ILOSS")
def test_iloss_of_a_cell_is_the_share_of_other_values(vector):
    n_below, n_leaves = vector["inputs"]["V_g_leaves"], vector["inputs"]["D"]
    above = ["node"] * n_below + ["other"] * (n_leaves - n_below)
    paths = [(f"leaf {i}", node, "*") for i, node in enumerate(above)]
    if n_below == n_leaves:
        paths = [(leaf, "*") for leaf, *_ in paths]
    table = table_of([naive.Ladder(["leaf 0"], paths)], ["a"])
    extent = table.axes[0].extent(table.codes[:, 0], table.codes[:, 0], level=1)

    class OneCell:
        weights = np.ones(1)

        def totals(self, cost):
            return cost(extent)

    assert Iloss().measure(OneCell()) == pytest.approx(
        float(Fraction(vector["recomputed"]["exact"]))
    )
    assert table.axes[0].hierarchy.leaf_counts[1][0] == n_below
