"""A certificate says that no single move lowers the loss: by brute force, none does."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from naive.certificate import changes_of_moves
from tiers import seeds

from cases.handmade import encoded, quasi  # isort: skip
from shoal.group.local.sweep import Sweep, _start
from shoal.types.algorithm import Limits
from shoal.types.privacy import Privacy

JOBS = {"Care": ["nurse", "doctor", "aide"], "Kitchen": ["cook", "baker"]}
TOWNS = {"north": {"coast": ["a", "b"], "hills": ["c"]}, "south": {"plain": ["d", "e"]}}


def groups_of(grouping, table):
    """The rows of each group, one for each record."""
    groups = [[] for _ in range(grouping.n_groups)]
    for row, label, count in zip(grouping.rows, grouping.labels, grouping.counts, strict=True):
        groups[label] += [tuple(table.codes[row].tolist())] * int(count)
    return groups


def paths_of(table):
    return [list(axis.hierarchy.paths()) for axis in table.axes]


def random_table(seed):
    rng = np.random.default_rng(seed)
    n, k = int(rng.integers(14, 40)), int(rng.integers(2, 5))
    frame = pl.DataFrame(
        {
            "job": rng.choice(["nurse", "doctor", "aide", "cook", "baker"], n),
            "town": rng.choice(list("abcde"), n),
            "sex": rng.choice(["f", "m"], n),
        }
    )
    trees = {"job": JOBS, "town": TOWNS, "sex": {"any": ["f", "m"]}}
    return encoded(frame, {name: quasi(shoal.tree(t)) for name, t in trees.items()}).table, k


def test_there_are_moves_that_lower_the_loss_before_the_search():
    helped = set()
    for seed in range(2):
        table, k = random_table(seed)
        start = groups_of(_start(table, Privacy((shoal.KAnonymity(k),)), Limits(threads=1)), table)
        for groups in (
            start,
            [[row for rows in start for row in rows]],
        ):  # and all records in one group
            moves = changes_of_moves(groups, paths_of(table), k)
            helped |= {name for name, change, _ in moves if change < -1e-9}

    assert {"shift", "swap", "open", "split"} <= helped


@pytest.mark.parametrize("seed", seeds(4, thorough=60))
def test_no_single_move_lowers_the_loss(seed):
    table, k = random_table(seed)

    found = Sweep(effort="full").group(
        table, Privacy((shoal.KAnonymity(k),)), Limits(seed=seed, threads=1)
    )

    assert found.trace["certified"] is True
    tried = set()
    for name, change, smallest in changes_of_moves(groups_of(found, table), paths_of(table), k):
        assert smallest >= k, name
        assert change >= -1e-9, name
        tried.add(name)
    assert {"swap", "merge"} <= tried


def test_the_table_whose_cells_another_program_leaves_too_wide():
    """Two men below fifty with one zip code were published with a wider one."""
    rows = [
        ("34", "male", "81931"), ("45", "female", "81675"), ("66", "male", "81925"),
        ("70", "female", "81931"), ("34", "male", "81667"), ("34", "female", "81931"),
        ("70", "male", "81931"), ("45", "male", "81931"),
    ]  # fmt: skip
    frame = pl.DataFrame(rows, schema=["age", "sex", "zip"], orient="row")
    ages = {"<50": ["34", "45"], ">=50": ["66", "70"]}

    release = shoal.anonymize(
        frame,
        quasi={
            "age": shoal.tree(ages),
            "sex": shoal.tree({"any": ["male", "female"]}),
            "zip": shoal.prefix(5),
        },
        privacy=[shoal.KAnonymity(2)],
        algorithm={"name": "sweep", "effort": "full"},
    )

    assert release.summary()["certified"] is True
    men = release.frame.filter((pl.col("sex") == "male") & (pl.col("age") == "<50"))
    assert men["zip"].to_list() == ["81931", "81931"]


def test_models_are_asked_about_every_move_that_would_help():
    rng = np.random.default_rng(3)
    frame = pl.DataFrame(
        {"job": rng.choice(["nurse", "doctor", "cook"], 40), "ill": rng.choice(["x", "y"], 40)}
    )
    release = shoal.anonymize(
        frame,
        quasi={"job": shoal.tree(JOBS)},
        sensitive=["ill"],
        privacy=[shoal.KAnonymity(3), shoal.DistinctLDiversity("ill", 2)],
        algorithm={"name": "sweep", "effort": "full"},
    )

    assert release.summary()["certified"] is True


def test_what_cannot_be_known_is_not_certified():
    rng = np.random.default_rng(0)
    frame = pl.DataFrame(
        {"town": rng.choice(list("abcdefgh"), 60), "sex": rng.choice(list("fm"), 60)}
    )

    release = shoal.anonymize(
        frame, quasi=["town", "sex"], privacy=[shoal.KAnonymity(4)],
        algorithm={"name": "sweep", "effort": "full"},
    )  # fmt: skip

    assert release.summary()["certified"] is False  # sets without a hierarchy
