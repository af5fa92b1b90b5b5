"""k-member-p: its options, and what it does with tables of every kind."""

import numpy as np
import polars as pl
import pytest

import shoal
from cases.handmade import encoded
from cases.tgc import random_case
from conformance.tables import patients, policy
from shoal.errors import PolicyError
from shoal.group.cluster import k_member_p
from shoal.group.cluster.k_member_p import KMemberP, _Run
from shoal.group.parts.pre_partition import Prepartition
from shoal.privacy.k_anonymity import KAnonymity
from shoal.types.algorithm import Limits
from shoal.types.privacy import Privacy
from tiers import seeds

SEEDS = seeds(4, thorough=20)


def grouped(table, algorithm, k, **limits):
    return algorithm.group(table, Privacy((KAnonymity(k),)), Limits(**limits))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("size", [None, 25])
def test_groups_have_k_records_but_for_what_is_left_over(seed, size):
    table, k = random_case(seed).table, 2 + seed % 4

    grouping = grouped(table, KMemberP(Prepartition(size) if size else None), k, seed=seed)

    sizes = np.bincount(grouping.labels, weights=grouping.counts)
    assert sizes.min() >= k
    if size is None:
        assert len(sizes) == table.n_records // k


@pytest.mark.parametrize("seed", range(5))
def test_it_protects_better_than_k_member(seed):
    release = {
        name: policy(name, seed=seed).anonymize(patients(300, seed))
        for name in ("k-member", "k-member-p")
    }

    def diseases(released):
        groups = released.frame.group_by(list(released.schema.quasi))
        return groups.n_unique()["disease"].mean()

    assert diseases(release["k-member-p"]) > 1.1 * diseases(release["k-member"])
    assert 0 < release["k-member-p"].summary()["protection"] < 1


def test_large_tables_are_cut_and_it_is_noted(monkeypatch):
    monkeypatch.setattr(k_member_p, "LARGE", 1_000)
    monkeypatch.setattr(k_member_p, "PARTS", 40)
    table = random_case(3, n_most=200).table

    by_default = grouped(table, KMemberP(), 3)
    as_asked = grouped(table, KMemberP(Prepartition(40)), 3)

    assert by_default.labels.tolist() == as_asked.labels.tolist()
    assert any("cut into parts of 40 records" in note for note in by_default.notes)
    assert as_asked.notes == ()


def test_a_large_table_of_equal_records_is_divided_too(monkeypatch):
    monkeypatch.setattr(k_member_p, "LARGE", 1_000)
    monkeypatch.setattr(k_member_p, "PARTS", 40)
    monkeypatch.setattr(_Run, "cluster", counted := MostRows(_Run.cluster))
    frame = pl.DataFrame({"age": [30] * 400, "pay": range(400)})

    table = encoded(frame, {"age": "quasi", "pay": "sensitive"}).table
    grouping = grouped(table, KMemberP(), 3)

    assert counted.most <= 80
    assert grouping.counts.sum() == 400


class MostRows:
    """Looks at the parts that are clustered."""

    def __init__(self, cluster):
        self.cluster, self.most = cluster, 0

    def __get__(self, run, _):
        def cluster(part, task):
            self.most = max(self.most, len(part.counts))
            return self.cluster(run, part, task)

        return cluster


def test_no_sensitive_column_means_utility_alone_and_a_note():
    release = shoal.anonymize(
        patients(80).select("age", "job"),
        quasi=["age", "job"],
        privacy=[shoal.KAnonymity(3)],
        algorithm="k-member-p",
    )

    assert any("no sensitive column" in note for note in release.notes)
    assert "protection" not in release.summary()


def test_parts_too_small_for_a_cluster_are_refused():
    with pytest.raises(PolicyError, match="size must be at least 3"):
        policy({"name": "k-member-p", "prepartition": {"size": 2}}).anonymize(patients(60))


def test_parts_with_room_for_one_group_only_are_noted():
    release = policy({"name": "k-member-p", "prepartition": {"size": 4}}).anonymize(patients(60))

    assert any("room for only one group" in note for note in release.notes)
