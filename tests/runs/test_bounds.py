"""Runs whose ranges end on a grid, or that publish means."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.errors import PolicyError
from shoal.verify.cell_text import measure, read_range
from tiers import seeds


def people(n, seed):
    rng = np.random.default_rng(seed)
    born = [date(1940, 1, 1) + timedelta(int(day)) for day in rng.integers(0, 25_000, n)]
    return pl.DataFrame(
        {
            "mrn": np.arange(n) // 2,
            "age": rng.integers(0, 95, n),
            "pay": rng.normal(30, 9, n).round(3),
            "born": born,
            "ill": rng.choice(list("abcd"), n),
        }
    ).with_columns(pl.when(pl.col("age") > 3).then(pl.col("age")))


def rules(privacy, *, bounds="grid", **settings):
    return shoal.Policy.of_mapping(
        {
            "columns": {
                "mrn": "identifier",
                "age": {"role": "quasi", "bounds": bounds},
                "pay": {"role": "quasi", "bounds": {"grid": 2.5}},
                "born": {"role": "quasi", "bounds": bounds},
                "ill": "sensitive",
            },
            "privacy": privacy,
            **settings,
        }
    )


K = {"model": "k-anonymity", "k": 3}
WAYS = [
    ([K], {}),
    ([K], {"algorithm": "k-member"}),
    ([K], {"person": "mrn"}),
    ([{"model": "t-closeness", "column": "ill", "t": 0.5}, K], {"suppression": 0.1}),
]


@pytest.mark.parametrize("seed", seeds(2, thorough=20))
@pytest.mark.parametrize(("privacy", "settings"), WAYS)
def test_every_cell_covers_its_value_and_ends_on_the_grid(privacy, settings, seed):
    table = people(120, seed)
    policy = rules(privacy, order="input", **settings)

    release = policy.anonymize(table)

    kept = table.filter(pl.Series(release.groups >= 0))
    for name, step in {"age": 5, "pay": 2.5, "born": None}.items():
        for cell, value in zip(release.frame[name], kept[name], strict=True):
            assert fits(cell, value)
            ends = read_range(cell or "")
            if ends is not None and step is not None:
                assert float(ends.low) % step == 0
    assert policy.check(release.frame).findings == release.verdict.findings


def fits(cell, value):
    if cell is None or cell == "*":
        return cell == "*" or value is None
    ends, found = read_range(cell), measure(str(value))
    low, high = measure(ends.low), measure(ends.high)
    return low.first <= found.first and (
        found.first <= high.last if ends.has_high else found.first < high.first
    )


def test_values_inside_a_bin_do_not_change_what_is_published():
    policy = shoal.Policy.of_mapping(
        {"columns": {"age": {"role": "quasi", "bounds": {"grid": 10}}}, "privacy": [K]}
    )
    first, second = [21, 24, 26, 41, 45, 49], [20, 20, 29, 40, 48, 48]

    frames = [policy.anonymize(pl.DataFrame({"age": ages})).frame for ages in (first, second)]

    assert frames[0]["age"].to_list() == ["[20, 29]"] * 3 + ["[40, 49]"] * 3
    assert frames[0].equals(frames[1])


def test_measures_judge_the_cell_that_is_published():
    policy = shoal.Policy.of_mapping(
        {"columns": {"age": {"role": "quasi", "bounds": {"grid": 10}}}, "privacy": [K]}
    )

    release = policy.anonymize(pl.DataFrame({"age": [21, 24, 26, 41, 45, 49]}))

    assert release.measures["loss"] == pytest.approx(9 / 28)


def test_a_population_is_matched_with_cells_on_the_grid(tmp_path):
    rng = np.random.default_rng(5)
    pl.DataFrame({"age": rng.integers(0, 95, 3000) + 0.5}).write_csv(tmp_path / "people.csv")
    table = pl.DataFrame({"age": rng.integers(0, 95, 100)})
    policy = shoal.Policy.of_mapping(
        {
            "columns": {"age": {"role": "quasi", "bounds": "grid"}},
            "privacy": [{"model": "k-map", "k": 60, "population": "people.csv"}],
        },
        folder=tmp_path,
    )

    release = policy.anonymize(table)

    assert release.verdict.holds
    assert release.verdict.findings[0].achieved >= 60
    assert release.verdict.n_groups > 3


def test_several_tables_have_cells_on_the_grid():
    patients = pl.DataFrame({"mrn": range(8), "age": [21, 24, 26, 29, 41, 45, 47, 49]})
    visits = pl.DataFrame({"mrn": [0, 0, 1, 2, 3, 4, 5, 6, 7], "ward": list("aabbabaab")})
    grid = {"role": "quasi", "bounds": {"grid": 10}}

    release = shoal.anonymize_tables(
        {"patients": patients, "visits": visits},
        {
            "tables": {
                "patients": {"columns": {"mrn": "pseudonym", "age": grid}},
                "visits": {"key": {"mrn": "patients"}, "columns": {"mrn": "pseudonym",
                                                                    "ward": "keep"}},
            },
            "person": "mrn",
            "privacy": [{"model": "k-anonymity", "k": 3}],
        },
    )  # fmt: skip

    cells = release.frames["patients"]["age"].to_list()
    assert set(cells) == {"[20, 29]", "[40, 49]"}


def test_a_full_domain_release_has_no_ranges_and_says_that_bounds_are_not_used():
    policy = shoal.Policy.of_mapping(
        {
            "columns": {"age": {"role": "quasi", "hierarchy": {"intervals": [10]},
                                "publish": "range", "bounds": "grid"}},
            "privacy": [K],
            "algorithm": "flash",
        }
    )  # fmt: skip

    release = policy.anonymize(pl.DataFrame({"age": [21, 24, 26, 41, 45, 49]}))

    assert set(release.frame["age"]) == {"[20, 29]", "[40, 49]"}
    assert any("`bounds` is not used" in note for note in release.notes)
    assert release.recoding.policy.columns["age"].bounds is None


def test_a_grid_of_words_is_refused_with_its_key():
    policy = shoal.Policy.of_mapping(
        {"columns": {"job": {"role": "quasi", "bounds": "grid"}}, "privacy": [K]}
    )

    with pytest.raises(PolicyError, match=r"columns.job.bounds: a grid needs numbers or dates"):
        policy.anonymize(pl.DataFrame({"job": ["cook", "nurse", "cook"]}))


@pytest.mark.parametrize("publish", ["mean", "median"])
def test_a_release_with_means_says_what_they_give_away(publish):
    table = pl.DataFrame({"pay": [1000, 1010, 1800, 2000, 2500, 2600]})
    policy = shoal.Policy.of_mapping(
        {"columns": {"pay": {"role": "quasi", "publish": publish}}, "privacy": [K]}
    )

    release = policy.anonymize(table)

    assert any("to who knows the others" in note for note in release.notes)
    assert all(float(cell) % 100 == 0 for cell in release.frame["pay"])
