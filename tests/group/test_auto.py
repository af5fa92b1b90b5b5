"""Auto: it tries several algorithms and takes the best."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.errors import CannotSatisfy, PolicyError
from tiers import seeds


def people(seed, n=80):
    rng = np.random.default_rng(seed)
    return pl.DataFrame({"age": rng.integers(20, 80, n), "city": rng.choice(list("abcd"), n)})


def release_by(algorithm, frame, **more):
    return shoal.anonymize(
        frame,
        quasi=more.pop("quasi", ["age", "city"]),
        privacy=[shoal.KAnonymity(5)],
        algorithm=algorithm,
        **more,
    )


@pytest.mark.parametrize("seed", seeds(2, thorough=20))
@pytest.mark.parametrize("metric", ["loss", "dm", "query-error"])
def test_the_best_of_its_candidates_is_released(seed, metric):
    frame, names = people(seed), ("mondrian", "mstk", "k-member")
    alone = {name: release_by(name, frame).measure(metric) for name in names}

    found = release_by(shoal.Auto(names, metric), frame)

    summary = found.summary()
    assert {one["algorithm"]: one["cost"] for one in summary["tried"]} == pytest.approx(alone)
    assert summary["chosen"] == min(alone, key=alone.get)
    assert found.frame.equals(release_by(summary["chosen"], frame).frame)


def test_what_is_beyond_the_budget_is_not_tried_and_the_first_always_is():
    summary = release_by(shoal.Auto(budget=0.00005), people(1)).summary()

    assert [one["algorithm"] for one in summary["tried"]] == ["mondrian"]
    assert summary["not_tried"] == ["sweep", "mstk", "k-member"]


def test_the_summary_says_who_was_tried_and_what_each_lost():
    text = " ".join(str(release_by(shoal.Auto(("mondrian", "mstk")), people(1))).split())

    assert "(chosen) loss 0." in text
    assert "Tried m" in text


def test_full_domain_algorithms_are_candidates_where_columns_have_nodes():
    quasi = {"age": shoal.intervals(5, 10, 20, 40), "city": shoal.flat()}

    found = release_by(shoal.Auto(("flash",)), people(2), quasi=quasi)

    assert found.summary()["chosen"] == "flash"
    assert found.frame.equals(release_by("flash", people(2), quasi=quasi).frame)


def test_full_domain_algorithms_alone_have_the_table_read_for_them():
    found = release_by(shoal.Auto(("flash", "ola")), people(2))

    assert found.frame.equals(release_by("flash", people(2)).frame)


def test_full_domain_algorithms_among_others_need_nodes():
    summary = release_by(shoal.Auto(("flash", "mondrian")), people(2)).summary()

    assert [one["algorithm"] for one in summary["tried"]] == ["mondrian"]


def test_what_nobody_can_keep_is_refused_as_by_the_first():
    frame = pl.DataFrame({"age": [1, 2, 3, 4], "ill": ["a"] * 4})

    with pytest.raises(CannotSatisfy, match="distinct-l-diversity cannot be satisfied"):
        shoal.anonymize(
            frame,
            quasi=["age"],
            sensitive=["ill"],
            privacy=[shoal.DistinctLDiversity("ill", 2)],
            algorithm=shoal.Auto(("mondrian", "k-member")),
        )


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"candidates": ["mondrain"]}, "did you mean 'mondrian'"),
        ({"candidates": ["auto"]}, "auto itself"),
        ({"budget": 0}, "budget must be"),
        ({"metric": "los"}, "did you mean 'loss'"),
        ({"metric": "entropy"}, "metric must be one of groups"),
        ({"metric": "marginals"}, "metric must be one of groups"),
    ],
)
def test_options_that_make_no_sense_are_refused(options, message):
    with pytest.raises(PolicyError, match=message):
        release_by({"name": "auto", **options}, people(1))
