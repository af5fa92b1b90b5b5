"""TGC: its options, what it does with tables of every kind, and on real data."""

import math

import numpy as np
import polars as pl
import pytest

import shoal
from cases.handmade import encoded
from cases.tgc import random_case
from conformance.tables import MODELS, patients, policy
from shared_data import SHARED, needs_shared
from shoal.errors import PolicyError
from shoal.group.cluster.tgc import Tgc, Weights
from shoal.privacy.k_anonymity import KAnonymity
from shoal.types.algorithm import Limits
from shoal.types.privacy import Privacy
from tiers import seeds

SEEDS = seeds(2, thorough=12)
U, B, P = Weights(1, 0), Weights(0.5, 0.5), Weights(0, 1)


def grouped(table, algorithm, k, **limits):
    return algorithm.group(table, Privacy((KAnonymity(k),)), Limits(**limits))


def sizes_of(grouping):
    return np.bincount(grouping.labels, weights=grouping.counts)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("weights", [U, B, P], ids="UBP")
def test_every_group_has_k_records(seed, weights):
    table, k = random_case(seed).table, 2 + seed % 5

    grouping = grouped(table, Tgc(weights), k, seed=seed)

    assert sizes_of(grouping).min() >= k
    assert grouping.counts.sum() == table.n_records
    assert grouping.trace["accepted"] >= grouping.n_groups


@pytest.mark.parametrize("seed", SEEDS)
def test_clusters_without_leftovers_are_no_larger_than_max_size(seed):
    table = random_case(seed).table

    free = grouped(table, Tgc(delta=1.0, max_size=0), 2, seed=seed)
    capped = grouped(table, Tgc(delta=1.0, max_size=2), 2, seed=seed)

    assert free.n_groups <= capped.n_groups
    assert sizes_of(free).max() > 3


@pytest.mark.parametrize("name", ["tgc", "k-member-p"])
def test_the_number_of_threads_does_not_change_the_groups(name):
    rng = np.random.default_rng(5)
    frame = pl.DataFrame({name: rng.integers(0, 400, size=20_000) for name in "abcs"})
    table = encoded(frame, {"a": "quasi", "b": "quasi", "c": "quasi", "s": "sensitive"}).table
    algorithm = policy(name).algorithm

    one, three = (grouped(table, algorithm, 3, threads=n) for n in (1, 3))

    assert table.n_rows > 10_000  # enough for several threads to be used
    for field in ("rows", "counts", "labels", "low", "high"):
        np.testing.assert_array_equal(getattr(one, field), getattr(three, field))
    assert one.trace == three.trace


def test_the_seed_chooses_the_random_records():
    table = random_case(7).table

    labels = {tuple(grouped(table, Tgc(delta=0.5), 3, seed=seed).labels) for seed in range(8)}

    assert len(labels) > 1


@pytest.mark.parametrize("model", sorted(MODELS))
@pytest.mark.parametrize("name", ["tgc", "k-member-p"])
def test_any_model_holds(name, model):
    assert policy(name, model).anonymize(patients(120)).verdict.holds


@pytest.mark.parametrize("seed", range(3))
def test_weights_steer_between_utility_and_protection(seed):
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame(
        {
            "age": rng.integers(0, 90, 600),
            "height": rng.integers(140, 200, 600),
            "pay": rng.integers(0, 100, 600),
        }
    )
    how = {"quasi": ["age", "height"], "sensitive": ["pay"], "privacy": [shoal.KAnonymity(3)]}

    figures = [shoal.anonymize(frame, algorithm=Tgc(w), **how).summary() for w in (U, B, P)]

    utility, protection = ([f[key] for f in figures] for key in ("utility", "protection"))
    assert utility == sorted(utility)
    assert protection == sorted(protection, reverse=True)


def test_the_summary_says_what_was_chosen_and_found():
    summary = policy("tgc").anonymize(patients(100)).summary()

    assert 0 < summary["delta"] < 1
    assert 0 < summary["delta_prime"] <= 1
    assert summary["accepted"] > 0
    assert summary["rejected"] >= 0
    for figure in ("utility", "protection"):
        assert summary[figure] > 0
        assert summary[f"{figure}_by_record"] > 0
    assert summary["options"]["weights"] == {"utility": 0.5, "protection": 0.5}


def test_a_delta_that_rejects_everything_is_noted_and_keeps_k():
    release = policy({"name": "tgc", "delta": 0.0}).anonymize(patients(60))

    assert release.verdict.holds
    assert any("With delta = 0 no cluster reaches 3 records" in note for note in release.notes)
    assert release.summary()["delta"] is None


def test_no_sensitive_column_means_utility_alone_and_a_note():
    frame = patients(80).select("age", "job")
    how = {"quasi": ["age", "job"], "privacy": [shoal.KAnonymity(3)]}

    by_default = shoal.anonymize(frame, algorithm="tgc", **how)
    by_utility = shoal.anonymize(frame, algorithm=Tgc(U), **how)

    assert by_default.frame.equals(by_utility.frame)
    assert any("no sensitive column" in note for note in by_default.notes)
    assert not any("no sensitive column" in note for note in by_utility.notes)
    assert "protection" not in by_default.summary()


@pytest.mark.parametrize(
    ("utility", "protection"), [(0.5, 0.6), (1, 1), (-0.5, 1.5), (0.2, 0.2), (math.nan, 1)]
)
def test_weights_that_do_not_add_up_to_one_are_refused(utility, protection):
    with pytest.raises(ValueError, match=r"^weights must be two numbers from 0 to 1"):
        Weights(utility, protection)
    weights = {"utility": utility, "protection": protection}
    with pytest.raises(PolicyError, match="weights must") as caught:
        policy({"name": "tgc", "weights": weights})
    assert caught.value.path == ("algorithm", "weights")


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("r", 1.5),
        ("r", -0.1),
        ("s", 0),
        ("delta", -1),
        ("delta", math.nan),
        ("delta-prime", -0.5),
        ("max-size", -1),
    ],
)
def test_an_option_out_of_its_range_is_refused_by_its_name(option, value):
    with pytest.raises(PolicyError, match=f"{option} must be") as caught:
        policy({"name": "tgc", option: value})

    assert caught.value.path == ("algorithm", option)


def test_an_option_of_other_clusterers_is_refused():
    with pytest.raises(PolicyError, match="'prepartition' is unknown here"):
        policy({"name": "tgc", "prepartition": {"size": 10}})


def test_subspaces_too_small_for_a_cluster_are_refused():
    with pytest.raises(PolicyError, match="s must be at least 3") as caught:
        policy({"name": "tgc", "s": 2}).anonymize(patients(60))

    assert caught.value.path == ("algorithm", "s")


def test_a_max_size_below_k_is_refused():
    with pytest.raises(PolicyError, match="max-size must be at least 3") as caught:
        policy({"name": "tgc", "max_size": 2}).anonymize(patients(60))

    assert caught.value.path == ("algorithm", "max-size")


@pytest.mark.parametrize(("s", "has_note"), [(3, True), (5, True), (6, False)])
def test_subspaces_with_room_for_one_group_only_are_noted(s, has_note):
    release = policy({"name": "tgc", "s": s}).anonymize(patients(60))

    assert any("room for only one group" in note for note in release.notes) == has_note


def test_a_sensitive_column_of_one_value_does_no_harm():
    frame = pl.DataFrame({"age": range(30), "ill": ["flu"] * 30})

    release = shoal.anonymize(
        frame, quasi=["age"], sensitive=["ill"], privacy=[shoal.KAnonymity(3)], algorithm="tgc"
    )

    assert release.summary()["protection"] == 1
    assert release.verdict.n_groups > 3


def test_numbers_of_a_csv_are_numbers_in_a_sensitive_column_too():
    rng = np.random.default_rng(2)
    numbers = pl.DataFrame({"age": rng.integers(0, 50, 90), "pay": rng.integers(0, 200, 90)})
    how = {"quasi": ["age"], "sensitive": ["pay"], "privacy": [shoal.KAnonymity(3)]}

    as_numbers = shoal.anonymize(numbers, algorithm="tgc", **how)
    as_text = shoal.anonymize(numbers.cast({"pay": pl.String}), algorithm="tgc", **how)

    found = [release.summary()["protection"] for release in (as_numbers, as_text)]
    assert found[0] == pytest.approx(found[1], rel=0.05)  # rows stand in another order
    assert found[0] < 0.8


@needs_shared
def test_on_adult_weights_buy_protection_for_detail():
    folder = SHARED / "data" / "adult"
    people = pl.read_csv(folder / "adult.csv", separator=";").drop("salary-class")

    def hierarchy(name):
        return shoal.levels(folder / f"adult_hierarchy_{name}.csv")

    names = [name for name in people.columns if name not in ("age", "occupation")]
    figures = [
        shoal.anonymize(
            people,
            quasi={"age": None} | {name: hierarchy(name) for name in names},
            sensitive={"occupation": hierarchy("occupation")},
            privacy=[shoal.KAnonymity(10)],
            algorithm=Tgc(weights),
        ).summary()
        for weights in (U, B, P)
    ]

    for key in ("utility", "utility_by_record"):
        assert [f[key] for f in figures] == sorted(f[key] for f in figures)
    for key in ("protection", "protection_by_record"):
        assert [f[key] for f in figures] == sorted((f[key] for f in figures), reverse=True)
