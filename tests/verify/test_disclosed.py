"""What cells tell besides what they cover, against all groups that they could be of."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import polars as pl
import pytest

import shoal
from naive.occurring import certain_values, node_of, possible_groups, range_of, set_of
from shoal.read.columns import read_column
from shoal.types.disclosed import Disclosed
from shoal.types.grid import OnGrid
from shoal.types.schema import ColumnSpec
from shoal.verify.disclosed import disclosed_by
from shoal.verify.occurring import occurring_below, occurring_in
from tiers import seeds

QUASI = ColumnSpec("quasi")
JOBS = {"care": ["nurse", "doctor"], "kitchen": ["cook", "waiter", "baker"], "else": ["pilot"]}
PATHS = {leaf: (leaf, node, "*") for node, leaves in JOBS.items() for leaf in leaves}


def compare(told, cell, domain, size, published):
    """What is told of a cell against every group that would have been published so."""
    groups = possible_groups(cell, domain, size, published)
    certain = {str(value) for value in certain_values(groups)}
    assert set(told.values if told else ()) == certain
    assert bool(told and told.exact_at == size) == (len(groups) == 1)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_what_a_range_tells_is_what_all_its_possible_groups_share(size):
    domain = [3, 4, 7, 9]
    generalised = {range_of(g) for g in combinations_with_replacement(domain, size)} - {
        str(value) for value in domain
    }

    for cell in generalised:
        compare(occurring_in(cell, QUASI), cell, domain, size, range_of)


@pytest.mark.parametrize("size", [2, 3, 4])
def test_what_a_set_tells_is_what_all_its_possible_groups_share(size):
    domain = list("abc")
    generalised = {set_of(g) for g in combinations_with_replacement(domain, size)} - set(domain)

    for cell in generalised:
        compare(occurring_in(cell, QUASI), cell, domain, size, set_of)


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("jobs", [list(PATHS), ["nurse", "cook", "baker"], ["nurse", "pilot"]])
def test_what_a_lowest_node_tells_is_what_all_its_possible_groups_share(jobs, size):
    spec = ColumnSpec("quasi", shoal.tree(JOBS))
    published = node_of(PATHS)
    below = occurring_below(read_column(pl.Series("job", jobs)), spec)
    generalised = {published(g) for g in combinations_with_replacement(jobs, size)} - set(jobs)

    for cell in generalised:
        compare(below.get(cell), cell, jobs, size, published)


def test_a_root_tells_nothing_where_values_are_missing():
    spec = ColumnSpec("quasi", shoal.flat())

    assert occurring_below(read_column(pl.Series("a", ["x", "y"])), spec)["*"].exact_at == 2
    assert occurring_below(read_column(pl.Series("a", ["x", "y", None])), spec) == {}


@pytest.mark.parametrize(
    ("cell", "spec"),
    [
        ("*", QUASI),
        (None, QUASI),
        ("34", QUASI),
        ("[20, 25)", QUASI),
        ("[a, b]", QUASI),
        ("[20, 24]", ColumnSpec("quasi", bounds=OnGrid())),
        ("[20, 24]", ColumnSpec("quasi", shoal.intervals(5))),
        ("{a, b}", ColumnSpec("quasi", publish="range")),
        ("{a, a}", QUASI),
    ],
)
def test_other_cells_tell_nothing(cell, spec):
    assert occurring_in(cell, spec) is None


@pytest.mark.parametrize("algorithm", ["mondrian", "k-member"])
@pytest.mark.parametrize("seed", seeds(3, thorough=40))
def test_counts_are_those_of_the_true_groups(algorithm, seed):
    rng = np.random.default_rng(seed)
    table = pl.DataFrame(
        {"age": rng.integers(0, 30, 40), "job": rng.choice(list("abcde"), 40), "n": range(40)}
    )
    columns = {"age": "quasi", "job": "quasi", "n": "keep"}
    rules = {"columns": columns, "privacy": [{"model": "k-anonymity", "k": 2}]}

    release = shoal.Policy.of_mapping({**rules, "algorithm": algorithm}).anonymize(table)

    nothing = {name: Disclosed(name, 0, 0, 0, 0, 0) for name in ("age", "job")}
    found = nothing | {column.column: column for column in release.verdict.discloses}
    for name, is_range in (("age", True), ("job", False)):
        groups = [
            table[name].filter(pl.Series(release.groups == group)).to_list()
            for group in range(release.verdict.n_groups)
        ]
        general = [g for g in groups if len(set(g)) > 1]
        ends = 2 * len(general) if is_range else 0
        assert found[name].cells == sum(map(len, general))
        assert found[name].range_ends == ends
        assert found[name].listed_values == (0 if is_range else sum(len(set(g)) for g in general))
        assert found[name].known_exactly == sum(
            len(g) for g in general if len(g) == (2 if is_range else len(set(g)))
        )


def test_counted_rows_tell_what_the_records_behind_them_do():
    cells = {"age": pl.Series(["[1, 2]", "[3, 4]"])}

    (column,) = disclosed_by(cells, {"age": QUASI}, np.array([2, 3]))

    assert (column.cells, column.known_exactly, column.range_ends) == (5, 2, 4)


def test_means_are_counted_by_group():
    cells = {"pay": pl.Series(["5", "10", "*"]), "b": pl.Series(["x", "x", "x"])}
    specs = {"pay": ColumnSpec("quasi", publish="mean"), "b": QUASI}

    (column,) = disclosed_by(cells, specs, np.array([2, 1, 1]))

    assert (column.means, column.cells, column.range_ends) == (2, 3, 0)


@pytest.mark.parametrize(
    ("algorithm", "columns"),
    [("flash", {"age": "quasi"}), ("mondrian", {"age": {"role": "quasi", "bounds": "grid"}})],
)
def test_full_domain_releases_and_grids_tell_nothing_besides(algorithm, columns):
    rules = {"columns": columns, "privacy": [{"model": "k-anonymity", "k": 2}]}
    policy = shoal.Policy.of_mapping({**rules, "algorithm": algorithm})

    release = policy.anonymize(pl.DataFrame({"age": [1, 2, 31, 32]}))

    assert release.verdict.discloses == ()
    assert release.summary()["discloses"]["range_ends"] == 0


def test_a_check_says_the_same_of_the_release():
    policy = shoal.Policy.of_roles(quasi=["age"], privacy=[shoal.KAnonymity(2)])
    release = policy.anonymize(pl.DataFrame({"age": [1, 2, 31, 32]}))

    found = policy.check(release.frame).as_dict()["discloses"]

    assert found == release.summary()["discloses"]
    assert found == {
        "cells": 4,
        "known_exactly": 4,
        "range_ends": 4,
        "listed_values": 0,
        "means": 0,
        "columns": [
            {
                "column": "age",
                "cells": 4,
                "known_exactly": 4,
                "range_ends": 4,
                "listed_values": 0,
                "means": 0,
            }
        ],
    }


def test_a_range_of_dates_has_ends_and_a_range_of_one_value_tells_nothing():
    cells = {
        "born": pl.Series(["[1990-01-02, 1991-05-06]", "1990-01-02"]),
        "age": pl.Series(["[21, 21]", "[21, 27]"]),
    }

    found = disclosed_by(cells, {"born": QUASI, "age": QUASI}, np.array([2, 3]))

    assert found == (
        Disclosed("born", cells=2, known_exactly=2, range_ends=2, listed_values=0, means=0),
        Disclosed("age", cells=3, known_exactly=0, range_ends=2, listed_values=0, means=0),
    )
