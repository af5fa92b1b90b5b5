"""t-clustering: options, notes, models, missing values, and what it says of its result."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest

import shoal
from cases.handmade import encoded, quasi
from conformance.tables import HIERARCHIES, patients
from naive import t_clustering as naive
from shoal.errors import PolicyError
from shoal.group.cluster._clusterer import Part, Task
from shoal.group.cluster.t_clustering import TClustering
from shoal.group.parts.cell_widths import diameter_ruler_of
from shoal.privacy.k_anonymity import KAnonymity
from shoal.types.algorithm import Limits
from shoal.types.privacy import Privacy
from shoal.types.schema import ColumnSpec, Severities
from tiers import seeds

SEVERITY = {"flu": 2, "cold": 1, "gout": 5, "none": 0}


def release_of(frame, *, k=3, severity=SEVERITY, models=(), **options):
    graded = shoal.severity(severity) if severity else None
    return shoal.anonymize(
        frame,
        identifiers=["name"],
        quasi=HIERARCHIES,
        sensitive={"disease": graded},
        keep=["visits"],
        privacy=[shoal.KAnonymity(k), *models],
        algorithm={"name": "t-clustering", **options},
    )


def figures(release):
    return release.summary()["t_clustering"]


@pytest.mark.parametrize("k", [1, 2, 7, 60, 200])
def test_groups_have_k_records_and_a_balanced_severity(k):
    release = release_of(patients(200), k=k, t=0.02)

    assert min(release.verdict.group_sizes) >= k
    assert figures(release)["columns"]["disease"]["worst_phi"] <= 0.02 + 1e-9


@pytest.mark.parametrize("l", [2, 3, 4])
def test_other_models_hold_too_and_leave_the_balance_as_it_is(l):
    release = release_of(patients(150), models=[shoal.DistinctLDiversity("disease", l)])

    assert release.verdict.holds
    assert figures(release)["columns"]["disease"]["worst_phi"] <= 0.004 + 1e-9


def test_a_smaller_t_gives_a_smaller_distance():
    far, near = (release_of(patients(600), t=t) for t in (0.1, 0.001))

    distances = [
        figures(release)["columns"]["disease"]["severity_distance"] for release in (near, far)
    ]
    assert distances[0] < 0.001 < distances[1]
    assert near.measures["loss"] > far.measures["loss"]


@pytest.mark.parametrize("name", ["t", "balance"])
@pytest.mark.parametrize("value", [-1, "nan", "inf", "much"])
def test_options_must_be_numbers_from_0_up(name, value):
    with pytest.raises(PolicyError, match=rf"algorithm.{name}: .*must be a number"):
        release_of(patients(20), **{name: value})


def test_a_part_must_have_room_for_a_cluster():
    with pytest.raises(PolicyError, match=r"prepartition.size: .*at least 3"):
        release_of(patients(20), prepartition={"size": 2})


@pytest.mark.parametrize("size", [3, 20, 1000, 10**30])
def test_parts_of_any_size_keep_the_balance(size):
    release = release_of(patients(100), prepartition={"size": size})

    assert figures(release)["columns"]["disease"]["worst_phi"] <= 0.004 + 1e-9
    assert any("room for only one group" in note for note in release.notes) == (size < 6)


def test_without_severities_it_clusters_and_says_that_nothing_is_balanced():
    release = release_of(patients(100), severity=None)

    assert any("'disease' has no severities" in note for note in release.notes)
    assert figures(release)["columns"]["disease"].keys() == {"earth_movers_distance"}
    assert max(release.verdict.group_sizes) < 6  # nothing had to be merged


def test_without_sensitive_columns_it_clusters_too():
    release = shoal.anonymize(
        patients(60).select("age", "sex"),
        quasi=["age", "sex"],
        privacy=[shoal.KAnonymity(4)],
        algorithm="t-clustering",
    )

    assert release.verdict.holds
    assert figures(release)["columns"] == {}


def test_the_result_is_never_called_t_close():
    release = release_of(patients(60))

    assert any("does not guarantee t-closeness" in note for note in release.notes)


def test_where_nothing_is_grave_everything_is_balanced():
    release = release_of(patients(60), severity=dict.fromkeys(SEVERITY, 0))

    found = figures(release)["columns"]["disease"]
    assert found["severity_distance"] == found["mean_severity"] == 0
    assert max(release.verdict.group_sizes) < 6


def test_two_columns_are_balanced_each():
    table = patients(300).with_columns(job=pl.col("job").fill_null("none"))
    jobs = {"nurse": 1, "doctor": 2, "cook": 3, "fisher": 9, "none": 4}

    release = shoal.anonymize(
        table.drop("name", "zip", "born", "visits"),
        quasi=["age", "sex", "pay"],
        sensitive={"disease": shoal.severity(SEVERITY), "job": shoal.severity(jobs)},
        privacy=[shoal.KAnonymity(4)],
        algorithm={"name": "t-clustering", "t": 0.02},
    )

    assert all(
        column["worst_phi"] <= 0.02 + 1e-9 for column in figures(release)["columns"].values()
    )


def test_weights_of_columns_change_the_clusters():
    frame = pl.DataFrame({"a": [0, 0, 9, 9], "b": [0, 9, 0, 9]})

    groups = []
    for weight in (0.1, 10.0):
        table = encoded(frame, {"a": quasi(weight=weight), "b": quasi()}).table
        found = TClustering().group(table, Privacy((KAnonymity(2),)), Limits())
        groups.append({frozenset(np.flatnonzero(found.labels == g).tolist()) for g in (0, 1)})

    assert groups == [
        {frozenset({0, 2}), frozenset({1, 3})},
        {frozenset({0, 1}), frozenset({2, 3})},
    ]


def test_one_part_by_itself_is_clustered_as_within_the_table():
    frame = patients(40).select("age", "disease")
    table = encoded(frame, {"age": "quasi", "disease": "sensitive"}).table
    task = Task(5, table, diameter_ruler_of(table), Limits())
    part = Part(table.codes, table.sensitive, table.weights, seed=1)

    members = TClustering().cluster(part, task)

    assert np.bincount(members.clusters, members.counts).tolist() == [5] * 8
    assert np.bincount(members.rows, members.counts).tolist() == table.weights.tolist()


def test_a_table_smaller_than_k_is_left_to_the_caller():
    frame = patients(3).select("age", "disease")
    table = encoded(frame, {"age": "quasi", "disease": "sensitive"}).table
    part = Part(table.codes, table.sensitive, table.weights, seed=1)

    members = TClustering().cluster(part, Task(5, table, diameter_ruler_of(table), Limits()))

    assert (members.clusters == -1).all()


@pytest.mark.parametrize("seed", seeds(4, thorough=10))
def test_distances_of_values_are_those_of_the_definitions(seed):
    rng = np.random.default_rng(seed)
    paths = [("1", "a", "x", "*"), ("2", "a", "x", "*"), ("3", "b", "x", "*"), ("4", "c", "y", "*")]
    frame = pl.DataFrame({"age": rng.integers(0, 50, 60), "ill": rng.integers(1, 5, 60)})
    spec = ColumnSpec(
        "sensitive", shoal.levels(paths), severity=Severities(dict.fromkeys("1234", 1))
    )
    encoding = encoded(frame, {"age": "quasi", "ill": spec})

    grouping = TClustering().group(encoding.table, Privacy((KAnonymity(4),)), Limits())

    ill = (encoding.table.sensitive[:, 0] + 1).tolist()
    groups = {}
    for row, n, label in zip(grouping.rows, grouping.counts, grouping.labels, strict=True):
        groups.setdefault(label, Counter())[ill[row]] += int(n)
    groups = [list(group.elements()) for group in groups.values()]
    everyone = frame["ill"].to_list()
    of_value = {int(path[0]): path for path in paths}
    found = grouping.trace["t_clustering"]["columns"]["ill"]["earth_movers_distance"]
    assert found == {
        "equal": pytest.approx(max(naive.equal_distance(g, everyone) for g in groups)),
        "ordered": pytest.approx(
            max(naive.ordered_distance(g, everyone, sorted(set(everyone))) for g in groups)
        ),
        "hierarchical": pytest.approx(
            max(naive.hierarchical_distance(g, everyone, of_value) for g in groups)
        ),
    }


def test_missing_sensitive_values_have_a_severity_and_a_distance():
    table = patients(60).with_columns(
        disease=pl.when(pl.col("visits") > 6).then(None).otherwise(pl.col("disease"))
    )

    release = release_of(table, severity={**SEVERITY, "": 3}, t=0.05)

    assert figures(release)["columns"]["disease"]["worst_phi"] <= 0.05 + 1e-9
