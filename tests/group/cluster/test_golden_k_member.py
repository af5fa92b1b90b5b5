"""What follows from Lin and Wei's Table 1 for k-member, recomputed by hand: KMEMBER- vectors."""

import numpy as np
import pytest

from cases.oka_table import exact, table, twins, vectors
from naive import k_member as naive
from shared_data import needs_shared
from shoal.group.cluster.k_member import SEEDING
from shoal.group.parts.cell_widths import diameter_ruler_of
from shoal.group.parts.repair import place_left_over
from shoal.group.parts.threads import spread_over
from shoal.kernels.boxes import group_boxes
from shoal.kernels.k_member import grow_clusters
from shoal.kernels.merge import box_costs
from shoal.types.grouping import Grouping
from shoal.types.watch import Watch

pytestmark = needs_shared


@vectors("KMEMBER-")
def test_clusters_are_those_of_the_vector(vector):
    given, expected = vector["inputs"], vector["recomputed"]
    encoding = table(given["zip"])
    ruler, row_of = diameter_ruler_of(encoding.table), encoding.row_of_record.tolist()
    seeding = SEEDING[given["variant"].replace("byun-pseudocode", "last-added")]
    start = row_of[given["random_record"] - 1]

    members, n_clusters = grow_clusters(
        encoding.table.codes, encoding.table.weights, ruler, given["k"], start, seeding,
        Watch().pulse(),
    )  # fmt: skip

    built = [
        [row_of.index(row) + 1 for row in members.rows[members.clusters == cluster]]
        for cluster in range(n_clusters)
    ]
    assert built == expected["clusters_in_build_order"]
    final, loss = finished(encoding.table, members, n_clusters, ruler)
    assert [sorted(row_of.index(row) + 1 for row in rows) for rows in final] == expected["final"]
    assert loss == pytest.approx(float(exact(expected["total_loss"])))


def finished(table, members, n_clusters, ruler):
    """The rows of each group after what was left over is placed, and what all of them lose."""
    rows, labels = members.rows.astype(np.int32), members.clusters.astype(np.int32)
    low, high = group_boxes(table.codes, rows, labels, n_clusters)
    order = np.argsort(rows)
    parts = Grouping(rows[order], members.counts[order], labels[order], low, high)
    with spread_over(1) as spread:
        grouping = place_left_over(parts, table, ruler, spread)
    final = [grouping.rows[grouping.labels == g].tolist() for g in range(grouping.n_groups)]
    sizes = np.bincount(grouping.labels, weights=grouping.counts)
    return final, float(sizes @ box_costs(grouping.low, grouping.high, ruler))


@vectors("KMEMBER-")
def test_the_pseudocode_with_ties_by_number_gives_the_vector(vector):
    given, expected = vector["inputs"], vector["recomputed"]
    columns, records = twins(given["zip"])

    built, final, loss = naive.by_lowest_index(
        columns, records, k=given["k"], start=given["random_record"] - 1, variant=given["variant"]
    )

    assert [[record + 1 for record in c] for c in built] == expected["clusters_in_build_order"]
    assert [[record + 1 for record in c] for c in final] == expected["final"]
    assert loss == pytest.approx(float(exact(expected["total_loss"])))
