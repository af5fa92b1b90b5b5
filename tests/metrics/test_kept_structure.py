"""What a release still tells of distributions, associations and classes."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import naive.utility as naive
import shoal
from shoal.errors import BadOption
from shoal.metrics._learning import Accuracy
from shoal.metrics.classification import Classification
from shoal.metrics.correlation import Correlation
from shoal.metrics.marginals import Marginals
from tiers import seeds


def people(seed, n=60):
    rng = np.random.default_rng(seed)
    age = rng.integers(20, 60, n)
    return pl.DataFrame(
        {
            "age": age,
            "city": rng.choice(["Bonn", "Lima", "Oslo", "Rome"], n, p=[0.6, 0.2, 0.1, 0.1]),
            "pay": np.where(age + rng.normal(0, 4, n) > 40, "high", "low"),
        }
    )


def release_of(frame, k=5, **more):
    return shoal.anonymize(
        frame, quasi=["age", "city"], sensitive=["pay"], privacy=[shoal.KAnonymity(k)], **more
    )


def covered(cell, values):
    return values if cell == "*" else cell[1:-1].split(", ") if cell[0] == "{" else [cell]


@pytest.mark.parametrize("seed", seeds(2, thorough=20))
def test_the_moved_share_of_a_column_is_that_of_its_records(seed):
    frame = people(seed)
    release = release_of(frame)
    values = sorted(set(frame["city"]))

    details = Marginals().explain(release.outcome).details

    cells = [covered(cell, values) for cell in release.published["city"]]
    expected = naive.moved_share(frame["city"].to_list(), cells)
    assert details["columns"]["city"] == pytest.approx(expected)
    assert details["columns"]["pay"] == 0  # it is released as it is
    assert details["worst"] == max(details["columns"], key=details["columns"].get)


def test_a_column_that_tells_nothing_is_taken_for_evenly_spread():
    frame = pl.DataFrame({"city": ["Bonn"] * 9 + ["Lima"] * 3, "age": [30, 40] * 6})

    release = shoal.anonymize(frame, quasi=["city", "age"], privacy=[shoal.KAnonymity(5)])

    assert set(release.published["city"]) == {"*"}
    assert release.measure("marginals") == pytest.approx(9 / 12 - 1 / 2)


def test_the_correlation_of_numbers_is_by_the_middles_of_ranges():
    frame = pl.DataFrame({"a": [1, 2, 11, 14], "b": [3, 9, 20, 21]})
    release = shoal.anonymize(frame, quasi=["a", "b"], privacy=[shoal.KAnonymity(2)])

    measured = Correlation().explain(release.outcome)

    before = naive.correlation(frame.rows())
    after = naive.correlation([(1.5, 6.0)] * 2 + [(12.5, 20.5)] * 2)
    assert measured.value == pytest.approx(abs(before - after))
    assert measured.details["worst"]["columns"] == ["a", "b"]


def test_an_association_that_is_gone_has_moved_to_nothing():
    frame = pl.DataFrame({"a": ["x"] * 13 + ["y"] * 27, "b": ["u"] * 13 + ["v"] * 27})
    release = shoal.anonymize(frame, quasi=["a", "b"], privacy=[shoal.KAnonymity(40)])

    measured = Correlation().explain(release.outcome)

    assert measured.details["worst"]["before"] == 1
    assert measured.details["worst"]["after"] == pytest.approx(0, abs=0.05)


# classification


@pytest.mark.parametrize("seed", seeds(3, thorough=30))
def test_balanced_accuracy_is_that_of_the_classes_one_by_one(seed):
    rng = np.random.default_rng(seed)
    truth, guessed = rng.integers(0, 3, 50), rng.integers(0, 3, 50)

    found = Accuracy.of(truth, guessed)

    assert found.value == pytest.approx(naive.balanced_accuracy(truth.tolist(), guessed.tolist()))
    assert found.low < found.value < found.high


def test_what_can_be_learned_is_between_the_original_and_guessing():
    release = release_of(people(1, 400), k=20)

    details = Classification("pay").explain(release.outcome).details

    assert details["majority"] == 0.5
    assert 0.5 < release.measure("classification", target="pay") <= details["original"] + 0.05
    assert details["held_out"] + details["learned_from"] == 400


@pytest.mark.parametrize("learner", ["logistic", "tree"])
def test_the_order_of_the_records_does_not_change_what_is_learned(learner):
    frame = people(2, 200)
    shuffled = frame.sample(fraction=1, shuffle=True, seed=5)

    first, second = (
        release_of(table).measure("classification", target="pay", learner=learner, seed=3)
        for table in (frame, shuffled)
    )

    assert first == second


@pytest.mark.parametrize(
    ("target", "message"),
    [
        ("", "say which column to recognise"),
        ("age", "'age' must be a sensitive or kept column"),
        ("pat", "did you mean 'pay'"),
    ],
)
def test_a_target_must_be_released_as_it_is(target, message):
    with pytest.raises(BadOption, match=message):
        release_of(people(3)).measure("classification", target=target)


def test_a_target_of_one_value_cannot_be_learned():
    frame = people(3).with_columns(pay=pl.lit("low"))

    with pytest.raises(BadOption, match="has 1 value"):
        release_of(frame).measure("classification", target="pay")


def test_levels_of_a_release_add_up_as_in_its_lattice():
    frame = pl.DataFrame({"age": [21, 27, 44, 52], "sex": ["f", "m", "m", "f"]})
    release = shoal.anonymize(
        frame,
        quasi={"age": shoal.intervals(20, 40), "sex": None},
        privacy=[shoal.KAnonymity(2)],
        algorithm="flash",
    )

    assert release.measure("level") == sum(release.summary()["levels"].values())
