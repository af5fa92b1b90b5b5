"""What follows from Loukides and Shao's examples, recomputed by hand: TGC- vectors.

Against shipped code where it has the form of the vector, else against the paper's letter in
`naive.tgc_paper`. Workloads of queries are of no shipped code: TGC-Q1, TGC-SEL, TGC-NERR, TGC-CL.
"""

import math
from collections import Counter
from fractions import Fraction

import numpy as np
import polars as pl
import pytest

from cases.groups import groups_of
from cases.handmade import encoded
from cases.oka_table import spec, vectors
from naive import tgc_paper as paper
from naive.partition import Line, k_anonymous, mondrian
from shared_data import needs_shared
from shoal.group.cluster._diversity import diversity_figures, likeness_of, measured
from shoal.group.cluster._join import join_left_over
from shoal.group.cluster._thresholds import grid, grow
from shoal.group.partition.mondrian import Mondrian
from shoal.group.parts.pre_partition import AtLeast, cut_at_medians
from shoal.group.parts.segments import Segments
from shoal.group.parts.threads import spread_over
from shoal.group.parts.turns import InOrder
from shoal.kernels.s_diversity import alike, pair_sums
from shoal.kernels.tgc import Parts, Rules
from shoal.privacy.k_anonymity import KAnonymity
from shoal.types.algorithm import Limits
from shoal.types.grouping import Grouping
from shoal.types.hierarchy import Hierarchy
from shoal.types.privacy import Privacy
from shoal.types.sensitive import SensitiveColumn
from shoal.types.table import Table

pytestmark = needs_shared

CONFIGS = {"TGCU": (1.0, 0.0), "TGCB": (0.5, 0.5), "TGCP": (0.0, 1.0)}


def exact(value):
    return Fraction(value["exact"]) if isinstance(value, dict) else value


def diseases():
    """Figure 3, as a twin and as a sensitive column."""
    given = spec()["hierarchies"]["disease_fig3_inferred"]
    twin = paper.tree_of(given["children"], given["root"])
    deepest = max(map(len, twin.paths.values()))
    paths = [(*[path[0]] * (deepest - len(path)), *path) for path in twin.paths.values()]
    hierarchy = Hierarchy.of_paths(paths)
    labels = tuple(sorted(twin.paths))
    leaves = np.array([*map(hierarchy.leaves.index, labels)], dtype=np.int32)
    return twin, SensitiveColumn("disease", labels, None, hierarchy, False, leaves=leaves)


def numbers(low, high):
    twin = paper.Interval(Fraction(low), Fraction(high))
    labels = (str(low), str(high))
    return twin, SensitiveColumn("pay", labels, np.array([low, high]), None, False)


def fast_likeness(column, r):
    nothing = np.zeros((0, 1), dtype=np.int32)
    return likeness_of(Table(nothing, nothing, np.zeros(0), (), (column,)), r)


def fast_s_diversity(column, values, r):
    counts = Counter(column.labels.index(str(value)) for value in values)
    sums = pair_sums(
        np.array([0, len(counts)]),
        np.array(sorted(counts), dtype=np.int32),
        np.array([counts[code] for code in sorted(counts)]),
        fast_likeness(column, r),
        0,
        np.array([0]),
    )
    return sums[0] / len(values) ** 2


@vectors("TGC-SD-")
def test_s_diversity(vector):
    given = vector["inputs"]
    twin, column = numbers(*given["domain"]) if "domain" in given else diseases()

    found = fast_s_diversity(column, given["values"], given["r"])

    assert found == pytest.approx(float(exact(vector["recomputed"])), abs=1e-15)
    assert paper.s_diversity(twin, given["values"], given["r"]) == exact(vector["recomputed"])


@vectors("TGC-PC-")
def test_pairwise_contribution(vector):
    twin, column = diseases()
    first, second = vector["inputs"]["v1"], vector["inputs"]["v2"]

    found = alike(
        fast_likeness(column, 1.0), 0, column.labels.index(first), column.labels.index(second)
    )

    assert found == pytest.approx(float(exact(vector["recomputed"])), abs=1e-15)
    assert twin.pairwise(first, second) == exact(vector["recomputed"])


@vectors("TGC-SDLB")
def test_a_group_of_different_values_is_never_below_one_by_its_size(vector):
    _, column = diseases()

    for r in (0.0, 0.3, 1.0):
        assert fast_s_diversity(column, ["Cancer", "Flu"], r) >= vector["recomputed"]["pair_min"]
    lowest = fast_s_diversity(column, ["Cancer", "HIV", "Flu"], 0.0)
    assert lowest == pytest.approx(float(exact(vector["recomputed"]["triple_min"])))


def table_2():
    """Rows in the order of the paper, so that ties go by its numbers: twin and table."""
    rows = spec()["tables"]["tgc_table2"]["rows"]
    columns = list(zip(*rows, strict=True))
    domains = [paper.Interval(Fraction(min(c)), Fraction(max(c))) for c in columns]
    frame = pl.DataFrame(rows, schema=["age", "height", "postcode", "pay"], orient="row")
    roles = {"age": "quasi", "height": "quasi", "postcode": "quasi", "pay": "sensitive"}
    encoding = encoded(frame, roles)
    of_record, by_row = encoding.row_of_record, encoding.table
    table = Table(
        by_row.codes[of_record],
        by_row.sensitive[of_record],
        np.ones(len(rows), dtype=np.int64),
        by_row.axes,
        by_row.sensitive_columns,
    )
    return paper.Table(rows, domains, 3), table


@vectors("TGC-Table")
def test_measures_of_the_papers_tables(vector):
    given, expected = vector["inputs"], vector["recomputed"]
    twin, table = table_2()
    groups = [[row - 1 for row in group] for group in given["partition_1based"]]
    labels = np.empty(8, dtype=np.int32)
    for number, group in enumerate(groups):
        labels[group] = number
    rows = np.arange(8, dtype=np.int32)
    measure = measured(table, utility=given["w_u"], protection=given["w_p"], r=given["r"])
    scale = measure.scale

    with spread_over(1) as spread:
        joined = join_left_over(measure, rows, labels, spread)
    grouping = Grouping.of_rows(table, labels, joined.clusters.low, joined.clusters.high)
    figures = diversity_figures(grouping, table, given["r"])

    weights = given["w_u"], given["w_p"]
    assert figures["utility"] == pytest.approx(float(exact(expected["utility"])))
    assert figures["protection"] == pytest.approx(float(exact(expected["protection"])))
    costs = scale.utility * joined.spreads + scale.protection * joined.s_diversities
    assert costs == pytest.approx([float(exact(cost)) for cost in expected["wtd_each"]])
    assert (joined.clusters.sizes**2).sum() == expected["DM"]
    assert [twin.wtd(group, *weights) for group in groups] == [*map(exact, expected["wtd_each"])]
    assert [twin.wtd(group, *weights, n_sensitive=3 - 4) for group in groups] == [
        exact(cost) for cost in expected["wtd_each_if_denominator_is_m_minus_p"]
    ]
    ranges = [
        [[min(column), max(column)] for column in ([twin.rows[r][i] for r in g] for i in range(3))]
        for g in groups
    ]
    assert ranges == expected["ranges"]


@vectors("TGC-RUN-")
def test_algorithm_1(vector):
    given, expected = vector["inputs"], vector["recomputed"]
    twin, table = table_2()
    weights = CONFIGS[given["config"]]
    one = np.array([0])
    rows = np.arange(8, dtype=np.int32)
    parts = Parts(rows, table.weights, one, one + 8, one)
    rules = Rules(k=given["k"], most=8, delta=float(given["delta"]))
    measure = measured(table, utility=weights[0], protection=weights[1], r=given["r"])

    with spread_over(1) as spread:
        found = grow(measure, parts, np.zeros(8), rules, spread)

    accepted = [
        sorted((found.rows[found.clusters == cluster] + 1).tolist())
        for cluster in range(found.n_accepted[0])
    ]
    assert accepted == expected["accepted"]
    assert found.n_rejected[0] == len(expected["rejected"])
    by_letter = paper.algorithm_1(twin, k=given["k"], delta=given["delta"], weights=weights)
    for name, groups in zip(("accepted", "rejected", "final"), by_letter, strict=True):
        assert [[row + 1 for row in group] for group in groups] == expected[name]
    assert twin.utility(by_letter[2]) == exact(expected["utility"])
    assert twin.protection(by_letter[2]) == exact(expected["protection"])


@vectors("TGC-PRE-")
def test_algorithm_2(vector):
    given = vector["inputs"]
    twin, _ = table_2()

    found = paper.algorithm_2(
        twin,
        list(range(8)),
        s=given["s"],
        limit=None if given["delta_prime"] is None else Fraction(str(given["delta_prime"])),
        literal=given["constraint"].startswith("literal"),
        normalised=given["range"] == "normalised",
        halves=given["split"].startswith("half"),
    )

    assert sorted([row + 1 for row in group] for group in found) == vector["recomputed"]


@vectors("TGC-PRE-11")
def test_algorithm_2_as_other_clusterers_cut_parts(vector):
    _, table = table_2()

    with spread_over(1) as spread:
        parts = cut_at_medians(table, (AtLeast(vector["inputs"]["s"]),), spread)

    found = [(parts.part(i)[0] + 1).tolist() for i in range(parts.n_parts)]
    assert sorted(found) == vector["recomputed"]


@vectors("TGC-MONDRIAN")
def test_strict_mondrian(vector):
    twin, table = table_2()
    k = vector["inputs"]["k"]

    by_letter = paper.strict_mondrian(twin, list(range(8)), k)
    segments = Segments(table, Privacy((KAnonymity(k),)), InOrder(table))
    with spread_over(1) as spread:
        segments.cut_all(True, spread)

    assert sorted([row + 1 for row in group] for group in by_letter) == vector["recomputed"]
    assert numbered(segments.grouping()) == vector["recomputed"]


@vectors("TGC-MONDRIAN")
def test_mondrian_cuts_the_column_that_gains_most_where_the_vector_takes_the_first(vector):
    _, table = table_2()
    k = vector["inputs"]["k"]

    grouping = Mondrian().group(table, Privacy((KAnonymity(k),)), Limits(threads=1))

    expected = mondrian(
        table.codes.tolist(),
        table.weights.tolist(),
        columns=[Line(axis.positions.tolist(), axis.weight) for axis in table.axes],
        names=[axis.name for axis in table.axes],
        holds=k_anonymous(k),
        smallest=k,
        strict=True,
    )
    assert numbered(grouping) == sorted(sorted(r + 1 for r in g.elements()) for g in expected)
    assert len(expected) > len(vector["recomputed"])  # more groups, so smaller ones


def numbered(grouping):
    """The groups, with rows numbered from 1."""
    return sorted(sorted(r + 1 for r in g.elements()) for g in groups_of(grouping).values())


@vectors("TGC-ALG3-GRID")
def test_deltas_that_are_tried(vector):
    expected = vector["recomputed"]

    assert grid(3) == sorted(expected["i1"] + expected["i2"] + expected["i3"])
    assert (len(grid(4)), len(grid(6))) == (expected["count_for_4"], expected["count_for_6"])
    assert math.ceil(0.025 * 30162) == expected["sample_2_5pct_of_30162"]


@vectors("TGC-CL-")
def test_c_and_l(vector):
    expected = vector["recomputed"]

    c, l = paper.c_and_l(vector["inputs"]["values"])

    assert (c, l) == (float(expected["c"]), expected["l"])


@vectors("TGC-Q1")
def test_estimate_of_a_query(vector):
    box, expected = [(10, 30), (20, 30)], vector["recomputed"]

    def estimate(low, is_integer):
        return 3 * paper.query_share([(low, 30), (25, 30)], box, is_integer=is_integer)

    assert float(estimate(26, False)) == pytest.approx(expected["continuous_Rq_26_30"])
    assert float(estimate(25, False)) == pytest.approx(expected["continuous_open_25_30"])
    assert estimate(26, True) == exact(expected["integer_count"])


@vectors("TGC-SEL")
def test_width_of_a_predicate(vector):
    given, expected = vector["inputs"], vector["recomputed"]

    for kind in "12":
        found = paper.width_of_predicate(given[f"sel{kind}"], given[f"d{kind}"])
        assert found == pytest.approx(expected[f"per_predicate_fraction_type{kind}"])


@vectors("TGC-NERR")
def test_normalised_errors(vector):
    found = paper.normalised_errors(vector["inputs"]["are"])

    assert found == pytest.approx(vector["recomputed"])
