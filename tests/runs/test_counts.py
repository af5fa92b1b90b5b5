"""A release from different rows and their counts is the release from the records themselves."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import shoal
from shoal import catalog
from shoal.errors import InputError, PolicyError
from shoal.policy.policy import Policy
from shoal.read.source import Source
from shoal.runs.anonymize import anonymize
from shoal.runs.check import check
from shoal.types.schema import ColumnSpec

SAME = ("verdict", "measures", "loss_by_column", "n_read", "n_released", "n_unique_before", "notes")
ALGORITHMS = [*catalog.names("algorithm"), shoal.Mondrian(strict=False)]


def people(seed: int, n: int = 400) -> pl.DataFrame:
    """Few different rows, so that counting them pays and groups divide them."""
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": rng.choice([20, 21, 35, 36, 60], n, p=[0.4, 0.3, 0.15, 0.1, 0.05]),
            "zip": pl.Series(rng.choice(["0213", "0214", ""], n, p=[0.6, 0.3, 0.1])).replace(
                "", None
            ),
            "illness": rng.choice(["flu", "cold", "gout"], n, p=[0.5, 0.3, 0.2]),
        }
    ).with_columns(pl.col("zip").replace("", None))


def counted(frame: pl.DataFrame) -> Source:
    different = frame.group_by(frame.columns).agg(pl.len().alias("n"))
    return Source(different.drop("n"), counts=different["n"].to_numpy().astype(np.int64))


def policy(algorithm="mondrian", **settings) -> Policy:
    return Policy.of_roles(
        quasi={"age": shoal.intervals(5, 20), "zip": shoal.prefix(4)},
        sensitive={"illness": shoal.severity({"flu": 1, "cold": 2, "gout": 5})},
        privacy=[shoal.KAnonymity(7), shoal.TCloseness("illness", 0.3, distance="equal")],
        algorithm=algorithm,
        **settings,
    )


@pytest.mark.parametrize("algorithm", ALGORITHMS, ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_counts_alone_give_the_release_of_the_records(algorithm, seed):
    frame, rules = people(seed), policy(algorithm)

    from_records = anonymize(Source(frame), rules)
    from_counts = anonymize(counted(frame), rules)

    assert from_counts.published.height < frame.height
    assert_frame_equal(from_counts.records(), from_records.published)
    for name in SAME:
        assert getattr(from_counts, name) == getattr(from_records, name), name
    assert from_counts.groups is None


@pytest.mark.parametrize("seed", range(3))
def test_equal_records_that_were_counted_are_divided_among_groups(seed):
    rules = policy(shoal.Mondrian(strict=False))

    release = anonymize(counted(people(seed)), rules)

    assert release.grouping.separates_equal_records
    assert release.n_released == 400


def test_kept_columns_are_counted_with_the_others(tmp_path):
    frame = people(0).with_columns(visits=pl.Series(np.arange(400) % 3))
    rules = policy()
    rules = replace(rules, columns={**rules.columns, "visits": ColumnSpec("keep")})

    anonymize(Source(frame), rules).write(tmp_path / "records.csv")
    anonymize(counted(frame), rules).write(tmp_path / "counts.csv")

    assert (tmp_path / "counts.csv").read_bytes() == (tmp_path / "records.csv").read_bytes()


@pytest.mark.parametrize("missing", ["suppress", "category"])
def test_suppressed_records_are_counted_too(missing):
    frame, rules = people(1), policy(missing=missing, suppression=0.5)

    from_records, from_counts = anonymize(Source(frame), rules), anonymize(counted(frame), rules)

    n_missing = frame["zip"].null_count() if missing == "suppress" else 0
    assert from_counts.n_read - from_counts.n_released == n_missing
    assert from_counts.measures == from_records.measures


def test_a_check_counts_the_same():
    release = anonymize(counted(people(2)), policy())
    published = Source(release.published, counts=release.counts)

    assert check(published, policy()) == check(Source(release.records()), policy())


def test_errors_count_records_and_not_rows():
    frame = pl.DataFrame({"age": [20, None], "zip": ["0213"] * 2, "illness": ["flu"] * 2})

    with pytest.raises(InputError, match="'age': 30 records have no value"):
        anonymize(Source(frame, counts=np.array([10, 30])), policy(missing="error"))


def test_noise_needs_the_records_themselves():
    noisy = policy(shoal.TClustering(noise=0.1))

    with pytest.raises(PolicyError, match="noise needs the records themselves"):
        anonymize(counted(people(0)), noisy)


@pytest.mark.parametrize("counts", [[1, 2], [1, 0, 1]])
def test_counts_that_cannot_be_are_refused(counts):
    with pytest.raises(InputError, match=r"[Cc]ount"):
        Source(people(0, 3), counts=np.array(counts))
