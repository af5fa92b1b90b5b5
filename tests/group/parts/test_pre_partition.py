"""Cutting a table into parts before clusters are looked for in each."""

import json

import numpy as np
import pytest

import shoal
from cases.cluster import random_case
from conformance.tables import patients, policy
from shoal.errors import PolicyError
from shoal.group.cluster.k_member import KMember
from shoal.group.parts.pre_partition import Prepartition, whole_table
from shoal.group.parts.threads import spread_over
from shoal.privacy.k_anonymity import KAnonymity
from shoal.types.algorithm import Limits
from shoal.types.privacy import Privacy
from tiers import seeds

SEEDS = seeds(4, thorough=30)


def parts_of(table, size, k=1):
    with spread_over(1) as spread:
        return Prepartition(size).cut(table, k, spread)


def sizes_of(parts):
    return [int(parts.part(i)[1].sum()) for i in range(parts.n_parts)]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("size", [1, 7, 20])
def test_every_record_is_in_one_part_in_the_order_of_rows(seed, size):
    table = random_case(seed).table

    parts = parts_of(table, size)

    n_placed = np.zeros(table.n_rows, dtype=np.int64)
    for i in range(parts.n_parts):
        rows, counts = parts.part(i)
        assert (np.diff(rows) > 0).all()
        n_placed[rows] += counts
    assert n_placed.tolist() == table.weights.tolist()


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("size", [2, 7, 20])
def test_parts_have_at_least_their_size_and_less_than_twice_unless_all_are_equal(seed, size):
    table = random_case(seed, n_fewest=20).table

    parts = parts_of(table, size)

    assert sum(sizes_of(parts)) == table.n_records
    for i, n_records in enumerate(sizes_of(parts)):
        rows, _ = parts.part(i)
        assert n_records >= size
        assert n_records < 2 * size or len(np.unique(table.codes[rows], axis=0)) == 1


@pytest.mark.parametrize("seed", SEEDS)
def test_a_table_smaller_than_the_size_is_one_part(seed):
    table = random_case(seed, n_most=20).table

    assert sizes_of(parts_of(table, 20)) == [table.n_records]


def test_without_prepartition_all_rows_are_one_part():
    table = random_case(1).table
    with spread_over(1) as spread:
        parts = whole_table(table, 5, spread)

    rows, counts = parts.part(0)
    assert parts.n_parts == 1
    assert rows.tolist() == list(range(table.n_rows))
    assert counts.tolist() == table.weights.tolist()


def test_parts_too_small_for_a_cluster_are_refused():
    table = random_case(1).table

    with pytest.raises(PolicyError, match="size must be at least 5") as caught:
        parts_of(table, 4, k=5)

    assert caught.value.path == ("algorithm", "prepartition", "size")


@pytest.mark.parametrize("size", [0, -1])
def test_a_size_below_one_is_refused(size):
    with pytest.raises(ValueError, match="size must be a whole number, at least 1"):
        Prepartition(size)


@pytest.mark.parametrize(("size", "has_note"), [(5, True), (9, True), (10, False)])
def test_parts_with_room_for_one_group_only_are_noted(size, has_note):
    table = random_case(1).table

    grouping = KMember(prepartition=Prepartition(size)).group(
        table, Privacy((KAnonymity(5),)), Limits()
    )

    assert any("room for only one group" in note for note in grouping.notes) == has_note


def test_a_policy_says_it_in_words():
    assert shoal.KMember(prepartition=Prepartition(50)) == KMember(Prepartition(50))


def test_the_summary_shows_the_size_as_plain_data():
    rules = policy({"name": "k-member", "prepartition": {"size": 20}})

    summary = rules.anonymize(patients(60)).summary()

    assert json.loads(json.dumps(summary))["options"]["prepartition"] == {"size": 20}
