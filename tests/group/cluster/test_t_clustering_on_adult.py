"""The paper's experiment: Adult, three quasi-identifiers, severities of the occupation."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from cases.handmade import encoded, quasi
from shared_data import SHARED, needs_shared
from shoal.group.cluster.t_clustering import TClustering
from shoal.privacy.k_anonymity import KAnonymity
from shoal.types.algorithm import Limits
from shoal.types.privacy import Privacy
from shoal.types.schema import ColumnSpec

pytestmark = needs_shared
ADULT = SHARED / "data" / "adult"


def hierarchy(name):
    return shoal.levels(ADULT / f"adult_hierarchy_{name}.csv")


def figures(n, k):
    people = pl.read_csv(ADULT / "adult.csv", separator=";")
    people = people[np.random.default_rng(0).integers(0, people.height, n)]
    leaves = [path[0] for path in hierarchy("occupation").paths]
    severity = {leaf: 1 + 9 * i / (len(leaves) - 1) for i, leaf in enumerate(leaves)}
    columns = {
        "age": "quasi",
        "sex": quasi(hierarchy("sex")),
        "education": quasi(hierarchy("education")),
        "occupation": ColumnSpec(
            "sensitive", hierarchy("occupation"), severity=shoal.severity(severity).severities
        ),
    }
    table = encoded(people, columns).table
    grouping = TClustering().group(table, Privacy((KAnonymity(k),)), Limits())
    return grouping.trace["t_clustering"]


@pytest.mark.parametrize(
    ("n", "k"), [(30_000, 9), (35_000, 17), (40_000, 16), (45_000, 16), (50_000, 16)]
)
def test_severity_distance_and_loss_are_as_small_as_the_papers(n, k):
    found = figures(n, k)

    assert found["columns"]["occupation"]["severity_distance"] <= 0.002
    assert found["columns"]["occupation"]["worst_phi"] <= 0.004 < 0.017
    assert found["information_loss_percent"] <= 25


def test_larger_clusters_lose_more():
    losses = [figures(30_000, k)["information_loss_percent"] for k in (2, 5, 10, 18)]

    assert losses == sorted(losses)
