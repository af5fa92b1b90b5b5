"""k-member: its options, what it does with tables of every kind, and on real data."""

import numpy as np
import polars as pl
import pytest

import shoal
from cases.cluster import random_case
from cases.handmade import encoded
from conformance.tables import MODELS, patients, policy
from shared_data import SHARED, needs_shared
from shoal.errors import PolicyError
from shoal.group.cluster.k_member import KMember
from shoal.group.parts.pre_partition import Prepartition
from shoal.privacy.k_anonymity import KAnonymity
from shoal.types.algorithm import Limits
from shoal.types.privacy import Privacy
from tiers import seeds

SEEDS = seeds(3, thorough=20)
MOST_ON_ADULT = 16_000  # il, k = 5: a prototype that looks at every record had 16,344


def grouped(table, algorithm, k, **limits):
    return algorithm.group(table, Privacy((KAnonymity(k),)), Limits(**limits))


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("seeding", ["seed-to-seed", "oka-text", "last-added"])
def test_there_are_as_many_clusters_as_k_records_make(seed, seeding):
    table, k = random_case(seed, n_fewest=6).table, 2 + seed % 5

    grouping = grouped(table, KMember(seeding=seeding), k, seed=seed)

    sizes = np.bincount(grouping.labels, weights=grouping.counts)
    assert len(sizes) == table.n_records // k
    assert sizes.min() >= k
    assert (sizes - k).sum() == table.n_records % k


@pytest.mark.parametrize("size", [None, 200])
def test_the_number_of_threads_does_not_change_the_groups(size):
    rng = np.random.default_rng(5)
    frame = pl.DataFrame({name: rng.integers(0, 400, size=20_000) for name in "abc"})
    table = encoded(frame, dict.fromkeys("abc", "quasi")).table
    algorithm = KMember(prepartition=Prepartition(size) if size else None)

    one, three = (grouped(table, algorithm, 3, threads=n) for n in (1, 3))

    assert table.n_rows > 10_000  # enough for several threads to be used
    for field in ("rows", "counts", "labels", "low", "high"):
        np.testing.assert_array_equal(getattr(one, field), getattr(three, field))


def test_the_seed_chooses_the_random_record():
    table = random_case(7).table

    labels = {tuple(grouped(table, KMember(), 3, seed=seed).labels) for seed in range(8)}

    assert len(labels) > 1


def test_equal_records_make_a_group_before_any_others():
    table = encoded(pl.DataFrame({"age": [1, 1, 1, 5, 5, 5, 9, 9, 9]}), {"age": "quasi"}).table

    grouping = grouped(table, KMember(), 3)

    assert grouping.low.tolist() == grouping.high.tolist()


@pytest.mark.parametrize("model", sorted(MODELS))
def test_any_model_holds(model):
    assert policy("k-member", model).anonymize(patients(120)).verdict.holds


def test_an_unknown_seeding_is_refused_with_the_nearest():
    with pytest.raises(PolicyError, match="did you mean 'last-added'"):
        policy({"name": "k-member", "seeding": "last-aded"})


@needs_shared
def test_the_loss_on_adult_is_small():
    folder = SHARED / "data" / "adult"
    people = pl.read_csv(folder / "adult.csv", separator=";").drop("salary-class")
    hierarchies = {
        name: None if name == "age" else shoal.levels(folder / f"adult_hierarchy_{name}.csv")
        for name in people.columns
    }

    found = [
        shoal.anonymize(
            people,
            quasi=hierarchies,
            privacy=[shoal.KAnonymity(5)],
            algorithm="k-member",
            seed=seed,
        ).measures["il"]
        for seed in range(5)
    ]

    assert np.mean(found) <= MOST_ON_ADULT
