"""The cells of real releases cover the values that they stand for."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import shoal
from conformance.tables import HIERARCHIES, patients, policy
from naive.patients import is_covered
from shoal import catalog
from shoal.read.files import read_file
from shoal.read.source import Source
from shoal.runs.anonymize import anonymize
from shoal.runs.inputs import read_columns
from shoal.verify.covers import covers


def linked(release, table, rules):
    """For each quasi-identifier: its column and its spec, and the cell of each record or None."""
    schema = rules.schema_for(table.columns)
    assert set(schema.quasi) == HIERARCHIES.keys()
    columns = read_columns(Source.of_frame(table), rules, schema.quasi)
    in_order = np.argsort(release.groups, kind="stable")
    records = in_order[np.sum(release.groups < 0) :]  # released rows run by group
    for name in schema.quasi:
        yield name, columns[name], schema.columns[name], records, release.frame[name].to_list()


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("publish", [None, "range", "set"])
@pytest.mark.parametrize("algorithm", catalog.names("algorithm"))
def test_the_cell_of_every_record_covers_its_value(algorithm, publish, seed):
    rules = policy(algorithm)
    if publish:
        fits = ("age", "pay", "born") if publish == "range" else HIERARCHIES
        specs = {n: replace(rules.columns[n], publish=publish) for n in fits}
        rules = replace(rules, columns={**rules.columns, **specs})
    table = patients(80, seed)

    release = rules.anonymize(table)

    for name, column, spec, records, cells in linked(release, table, rules):
        distinct = list(dict.fromkeys(cells))
        table_of = covers(distinct, column, spec)
        rows = [distinct.index(cell) for cell in cells]
        assert table_of[rows, column.codes[records]].all(), name
        for cell, row in zip(distinct, table_of, strict=True):
            if cell != "*":
                assert row[-1] == (cell is None)


@pytest.mark.parametrize("algorithm", ["flash", "mondrian"])
def test_cells_cover_as_many_values_as_a_slow_reading_says(algorithm):
    table, rules = patients(150, 4), policy(algorithm)
    release = rules.anonymize(table)

    for name, column, spec, _, cells in linked(release, table, rules):
        for cell in set(cells) - {None, "*"}:
            row = covers([cell], column, spec)[0]
            expected = [is_covered(name, cell, label) for label in column.labels]
            assert row.tolist() == [*expected, False], (name, cell)


AWKWARD = [
    "[1, 2]",
    "[1, 3]",
    "{a, b}",
    "a",
    "b",
    'q"q',
    "a, b",
    " a",
    "1",
    "01",
    "2.50",
    "*",
    "\\",
]


@pytest.mark.parametrize("algorithm", ["mondrian", "flash", "k-member"])
@pytest.mark.parametrize("seed", range(4))
def test_awkward_values_are_covered_by_their_own_cells(algorithm, seed, tmp_path):
    rng = np.random.default_rng(seed)
    n = 60
    moments = pl.Series(rng.integers(-(10**15), 10**15, n)).cast(pl.Datetime("us"))
    frame = pl.DataFrame(
        {
            "text": rng.choice(AWKWARD, n),
            "mixed": rng.choice([*map(str, range(-9, 9)), "none"], n),
            "moment": moments,
            "time": pl.Series(rng.integers(0, 86_400 * 10**9, n)).cast(pl.Time),
            "flag": rng.random(n) < 0.3,
            "fraction": np.round(rng.normal(0, 1e-6, n), 9),
            "whole": rng.integers(-(2**62), 2**62, n),
            "code": [f"{i:03}" for i in rng.integers(0, 999, n)],
        }
    )
    frame.write_csv(tmp_path / "table.csv")
    hierarchies = {"whole": shoal.intervals(10**17, 10**18), "fraction": shoal.intervals(1e-7)}
    hierarchies |= {"moment": shoal.dates("hour", "day", "year")} if seed % 2 else {}
    rules = shoal.Policy.of_roles(
        quasi={name: hierarchies.get(name) for name in frame.columns},
        privacy=[shoal.KAnonymity(3)],
        algorithm=algorithm,
    )
    for source in (Source.of_frame(frame), read_file(tmp_path / "table.csv")):
        release = anonymize(source, rules)
        columns = read_columns(source, rules, frame.columns)
        records = np.argsort(release.groups, kind="stable")
        for name in frame.columns:
            cells = release.published[name].to_list()
            distinct = list(dict.fromkeys(cells))
            table = covers(distinct, columns[name], rules.columns[name])
            rows = [distinct.index(cell) for cell in cells]
            assert table[rows, columns[name].codes[records]].all(), name
