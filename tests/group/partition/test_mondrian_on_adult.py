"""Mondrian on real data: what docs and figures of peers say of it."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shared_data import SHARED, needs_shared
from shoal.datasets import DEMO_COLUMNS, adult, copy_adult

QUASI = [name for name in DEMO_COLUMNS if name != "salary-class"]

# il of the best Mondrian among the Python peers at k = 5, same columns and hierarchies.
BEST_PEER = 35_965


@pytest.mark.parametrize(("strict", "documented"), [(True, 0.054), (False, 0.094)])
def test_the_loss_on_adult_is_the_documented_one(strict, documented, tmp_path):
    copy_adult(tmp_path)
    hierarchies = {
        name: None if name == "age" else shoal.levels(tmp_path / "hierarchies" / f"{name}.csv")
        for name in QUASI
    }

    release = shoal.anonymize(
        adult(complete=True).select(QUASI),
        quasi=hierarchies,
        privacy=[shoal.KAnonymity(5)],
        algorithm=shoal.Mondrian(strict=strict),
    )

    assert round(release.measures["loss"], 3) == documented


@needs_shared
@pytest.mark.parametrize(("k", "documented"), [(5, 0.062), (50, 0.231)])
def test_the_loss_on_other_hierarchies_is_the_documented_one(k, documented):
    folder = SHARED / "data" / "adult"
    people = pl.read_csv(folder / "adult.csv", separator=";").select(QUASI)
    hierarchies = {
        name: None if name == "age" else shoal.levels(folder / f"adult_hierarchy_{name}.csv")
        for name in QUASI
    }

    release = shoal.anonymize(people, quasi=hierarchies, privacy=[shoal.KAnonymity(k)])

    assert round(release.measures["loss"], 3) == documented
    assert k != 5 or release.measures["il"] < BEST_PEER
