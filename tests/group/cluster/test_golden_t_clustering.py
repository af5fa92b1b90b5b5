"""What Kayem and Meinel print or imply, recomputed by hand: the KAY- vectors."""

import json

import numpy as np
import polars as pl
import pytest

import shoal
from cases.handmade import grouped
from naive import t_clustering as naive
from shared_data import SHARED, needs_shared
from shoal.group.cluster._severity_figures import figures_of
from shoal.kernels.severity_balance import Space, distance, phi
from shoal.types.algorithm import Limits
from shoal.types.schema import ColumnSpec, Severities

pytestmark = needs_shared
PATH = SHARED / "spec" / "vectors.json"
VECTORS = {v["id"]: v for v in (json.loads(PATH.read_text())["vectors"] if PATH.exists() else [])}


def of(*ids):
    chosen = [VECTORS.get(name) for name in ids]
    return pytest.mark.parametrize("vector", chosen, ids=list(ids))


def figures(severities, groups):
    """Of groups whose records have these severities, the value being named like its severity."""
    of_value = {str(s): float(s) for s in severities}
    frame = pl.DataFrame({"age": groups, "ill": [str(s) for s in severities]})
    columns = {"age": "quasi", "ill": ColumnSpec("sensitive", severity=Severities(of_value))}
    outcome = grouped(frame, columns, groups).outcome
    return figures_of(outcome.grouping, outcome.table, Limits())["columns"]["ill"]


@of("KAY-T1")
def test_printed_times_are_not_those_of_a_quadratic_method(vector):
    n, _, distances, ms = map(np.array, zip(*vector["printed"], strict=True))
    slope, intercept = np.polyfit(n, ms, 1)
    exponent = np.polyfit(np.log(n), np.log(ms), 1)[0]
    fit = vector["recomputed"]["linear_fit"]

    assert slope == pytest.approx(fit["slope_ms_per_row"], rel=1e-3)
    assert intercept == pytest.approx(fit["intercept_ms"], rel=1e-3)
    assert exponent == pytest.approx(vector["recomputed"]["loglog_exponent"], abs=1e-4)
    assert distances.max() <= 0.002 < 0.017


@of("KAY-T-RANGE")
def test_printed_range_of_t_needs_an_information_loss_that_no_sum_over_cells_can_have(vector):
    given, expected = vector["inputs"], vector["recomputed"]

    assert 1 / given["t_min"] == pytest.approx(expected["max_AS_IL_at_t_min"])
    assert 1 / given["t_max"] == pytest.approx(expected["max_AS_IL_at_t_max"])


@of("KAY-IL-CAT", "KAY-IL-CAT2")
def test_loss_of_a_category_is_that_of_leaves_and_not_the_printed_one(vector):
    given, expected = vector["inputs"], vector["recomputed"]
    leaves = [f"{letter}{i}" for letter in "ab" for i in range(3)]
    frame = pl.DataFrame({"work": leaves})
    tree = shoal.tree({"a": leaves[:3], "b": leaves[3:]})
    is_root = given["node"] == "root"
    groups = [0] * 6 if is_root else [0, 0, 0, 1, 2, 3]

    outcome = grouped(frame, {"work": ColumnSpec("quasi", tree)}, groups).outcome

    n_below = 6 if is_root else 3
    found = figures_of(outcome.grouping, outcome.table, Limits())
    literal = naive.literal_categorical_loss(n_below, given["parents_including_root"])
    assert literal == value_of(expected["literal"])
    assert found["information_loss_literal"] == pytest.approx(
        n_below * value_of(expected["fixed_LM"])
    )
    with pytest.raises(ZeroDivisionError):
        naive.literal_categorical_loss(6, 1)  # a flat tree


def value_of(number):
    return number["float"] if isinstance(number, dict) else number


@of("KAY-JAC")
def test_similarity_of_categories(vector):
    one, other = vector["inputs"]["t1"], vector["inputs"]["t2"]
    codes = np.array([list(one.values()), list(other.values())], dtype=np.int32)
    thirds, none = np.full(3, 1 / 3), np.zeros((2, 0), dtype=np.int64)
    space = Space(codes, np.arange(2), none, codes, np.empty(0), thirds, 0.0, 1.0, none)

    assert naive.jaccard(one, other) == vector["recomputed"]["float"]
    assert 1 - distance(space, 0, np.empty(0), codes[1]) == pytest.approx(0.5)


@of("KAY-KMIN")
def test_smallest_cluster_that_mixes_a_severity_with_a_number_of_records(vector):
    given = vector["inputs"]

    found = [
        naive.literal_k(*pair) for pair in zip(given["k_cons"], given["severities"], strict=True)
    ]

    assert found == vector["recomputed"]


@of("KAY-KL")
def test_severity_distance(vector):
    clusters, expected = vector["inputs"]["clusters"], vector["recomputed"]

    records = [(severity, i) for i, cluster in enumerate(clusters) for severity in cluster]
    found = figures(*zip(*records, strict=True))

    literal = [naive.literal_distance(c["AS_e"], expected["AS_D"]) for c in expected["clusters"]]
    assert literal == pytest.approx([c["literal_scalar"] for c in expected["clusters"]])
    for cluster in expected["clusters"]:
        assert phi(cluster["AS_e"] / expected["AS_D"]) == pytest.approx(cluster["phi"])
    assert found["mean_severity"] == expected["AS_D"]
    assert found["severity_distance"] == pytest.approx(expected["dist_table"], abs=1e-14)
    assert naive.dist_table(clusters) == pytest.approx(expected["dist_table"], abs=1e-14)
    assert found["worst_phi"] == pytest.approx(max(c["phi"] for c in expected["clusters"]))
    assert found["distance_literal"] == pytest.approx(expected["sum_literal"])


@of("KAY-HOMOG")
def test_perfect_balance_does_not_stop_a_group_of_one_value(vector):
    severities = vector["inputs"]["D_severities"]

    found = figures(severities, [0, 0, 0, 1, 1, 1, 0, 0, 0])

    assert found["mean_severity"] == vector["recomputed"]["AS_D"]
    assert found["severity_distance"] == found["worst_phi"] == vector["recomputed"]["dist"]
    assert found["earth_movers_distance"]["equal"] == pytest.approx(2 / 3)  # as far as can be
