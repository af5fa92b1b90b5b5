"""`bounds` of a quasi-identifier: what a policy can say, and how it comes back."""

from __future__ import annotations

import pytest

import shoal
from shoal.errors import PolicyError
from shoal.types.grid import OnGrid


def policy(**pay):
    return shoal.Policy.of_mapping(
        {
            "columns": {"pay": {"role": "quasi", **pay}},
            "privacy": [{"model": "k-anonymity", "k": 2}],
        }
    )


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("tight", None),
        ("grid", OnGrid()),
        ({"grid": "5"}, OnGrid(5.0)),
        ({"grid": 0.25}, OnGrid(0.25)),
        ({"grid": "month"}, OnGrid("month")),
    ],
)
def test_bounds_are_tight_or_a_grid_and_come_back(written, meant, tmp_path):
    rules = policy(bounds=written)

    assert rules.columns["pay"].bounds == meant
    rules.write(tmp_path / "policy.yaml")
    assert shoal.Policy.load(tmp_path / "policy.yaml") == rules


@pytest.mark.parametrize(
    ("pay", "words"),
    [
        ({"bounds": "gird"}, "did you mean 'grid'"),
        ({"bounds": {"step": 5}}, "must be tight, grid, or a grid with its step"),
        ({"bounds": {"grid": 0}}, "a number above 0"),
        ({"bounds": {"grid": "week"}}, "must be one of hour, day, month"),
        ({"bounds": ["grid"]}, "keys with values"),
        ({"bounds": "grid", "publish": "set"}, "publishes a set"),
        ({"bounds": "grid", "publish": "node", "hierarchy": "flat"}, "publishes a node"),
        ({"bounds": "grid", "hierarchy": {"intervals": [5]}}, "add `publish: range`"),
        ({"bounds": "tight", "publish": "mean"}, "is always rounded"),
    ],
)
def test_bounds_that_mean_nothing_are_refused_where_they_stand(pay, words):
    with pytest.raises(PolicyError, match=words) as caught:
        policy(**pay)

    assert caught.value.path[:3] == ("columns", "pay", "bounds")


def test_only_quasi_identifiers_have_bounds():
    columns = {"age": "quasi", "pay": {"role": "keep", "bounds": "grid"}}

    with pytest.raises(PolicyError, match="a column with the role keep has no bounds"):
        shoal.Policy.of_mapping({"columns": columns, "privacy": [{"model": "k-anonymity", "k": 2}]})
