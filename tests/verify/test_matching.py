"""Which records the rows of published cells match, against counting one by one."""

from __future__ import annotations

import numpy as np
import pytest

from conformance.tables import patients, policy
from shoal.read.source import Source
from shoal.runs.inputs import read_columns
from shoal.types.column import RawColumn
from shoal.types.schema import ColumnSpec
from shoal.types.watch import Watch
from shoal.verify import matching as module
from shoal.verify.covers import covers
from shoal.verify.matching import Matching
from tiers import seeds


def random_case(seed, *, n_records, n_groups):
    """Cells that cover random values, groups of random cells, records of random values."""
    rng = np.random.default_rng(seed)
    n_values, n_cells = rng.integers(1, 9, 3), rng.integers(1, 7, 3)
    tables = [
        rng.random((c, v + 1)) < rng.choice([0.05, 0.5, 0.9])
        for c, v in zip(n_cells, n_values, strict=True)
    ]
    codes = [rng.integers(-1, v, n_records).astype(np.int32) for v in n_values]
    cells = np.stack([rng.integers(0, c, n_groups) for c in n_cells], axis=1)
    return cells, tables, codes


def one_by_one(cells, tables, codes):
    return [
        np.flatnonzero(
            np.all([t[c][v] for t, c, v in zip(tables, row, codes, strict=True)], axis=0)
        )
        for row in cells
    ]


@pytest.mark.parametrize("most_bytes", [96_000_000, 100, 0])
@pytest.mark.parametrize("seed", seeds(4, thorough=40))
def test_matched_records_are_those_found_one_by_one(seed, most_bytes, monkeypatch):
    monkeypatch.setattr(module, "MOST_BYTES", most_bytes)  # with bits, with some, without
    cells, tables, codes = random_case(seed, n_records=seed * 13 + 1, n_groups=seed + 1)
    expected = one_by_one(cells, tables, codes)

    matching = Matching(cells, [table.__getitem__ for table in tables], codes)

    assert matching.sizes().tolist() == [len(records) for records in expected]
    found = dict(matching)
    assert found.keys() == set(range(len(cells)))
    for group, records in enumerate(expected):
        np.testing.assert_array_equal(found[group], records)


@pytest.mark.parametrize("algorithm", ["mondrian", "flash", "k-member"])
def test_the_groups_of_a_release_match_at_least_their_own_records(algorithm):
    table, rules = patients(120), policy(algorithm)
    release = rules.anonymize(table)
    schema = rules.schema_for(table.columns)
    columns = read_columns(Source.of_frame(table), rules, schema.quasi)
    groups = release.frame.select(schema.quasi).unique(maintain_order=True)
    cells = {name: groups[name].to_list() for name in schema.quasi}

    matching = Matching.of_cells(cells, columns, schema.columns)

    numbered = [dict.fromkeys(texts) for texts in cells.values()]
    tables = [
        covers(list(texts), columns[name], schema.columns[name])
        for name, texts in zip(cells, numbered, strict=True)
    ]
    rows = np.array(
        [
            [list(of).index(t) for t in texts]
            for of, texts in zip(numbered, cells.values(), strict=True)
        ]
    ).T
    expected = one_by_one(rows, tables, [columns[name].codes for name in cells])
    assert matching.sizes().tolist() == [len(records) for records in expected]
    for group, records in matching:
        own = np.flatnonzero(release.groups == group)  # groups are numbered as they stand
        assert set(own) <= set(records.tolist())
        np.testing.assert_array_equal(records, expected[group])


def test_without_groups_or_records_nothing_matches():
    column = RawColumn("x", "integer", ("1",), np.array([1]), np.zeros(0, dtype=np.int32))
    specs = {"x": ColumnSpec("quasi")}

    assert Matching.of_cells({"x": ["1", "*"]}, {"x": column}, specs).sizes().tolist() == [0, 0]
    assert Matching.of_cells({"x": []}, {"x": column}, specs).sizes().tolist() == []


class Counting(Watch):
    """How often the work looks whether it is cancelled: once for each cell that it matches."""

    n_checks = 0

    def check(self):
        self.n_checks += 1
        super().check()


def everything(_):
    return np.ones(2, dtype=np.bool_)


def test_groups_that_begin_with_the_same_cells_share_the_work():
    rows = [(many, few) for many in range(4) for few in range(2)]
    codes, watch = np.zeros(5, dtype=np.int32), Counting()

    assert len(dict(Matching(np.array(rows), [everything] * 2, [codes] * 2, watch))) == 8

    assert watch.n_checks == 2 + 8  # the column with few cells comes first


@pytest.mark.parametrize(
    ("most_bytes", "expected"),
    [
        (2, [False, False, False]),
        (3, [True, False, False]),
        (8, [True, False, False]),
        (9, [True, True, False]),
        (20, [True, True, False]),
        (21, [True, True, True]),
    ],
)
def test_bits_are_kept_of_as_many_columns_as_there_is_room_for(most_bytes, expected, monkeypatch):
    monkeypatch.setattr(module, "MOST_BYTES", most_bytes)
    codes = np.zeros(16, dtype=np.int32)  # 3 bytes, one to spare

    matching = Matching(np.array([[0, 0, 0], [0, 1, 3]]), [everything] * 3, [codes] * 3)

    assert len(dict(matching)) == 2
    assert [column._bits.cache_info().currsize > 0 for column in matching._columns] == expected


@pytest.mark.parametrize(("codes", "expected"), [([3, -1, 7], 100 // 9 + 1), ([], 100 // 2 + 1)])
def test_the_values_of_as_many_cells_are_kept_as_there_is_room_for(codes, expected, monkeypatch):
    monkeypatch.setattr(module, "MOST_BYTES", 200)
    of_records = np.array(codes, dtype=np.int32)

    matching = Matching(np.zeros((1, 2), dtype=int), [everything] * 2, [of_records] * 2)

    for column in matching._columns:
        assert column._values.cache_info().maxsize == expected


@pytest.mark.parametrize(("n_matched", "is_list"), [(0, True), (1, True), (2, False), (64, False)])
def test_few_records_are_listed_and_many_are_bits(n_matched, is_list):
    codes = np.zeros(64, dtype=np.int32)
    codes[np.linspace(0, 63, n_matched, dtype=int)] = 1
    matching = Matching(np.zeros((1, 1), dtype=int), [lambda _: np.arange(3) == 1], [codes])

    matched = matching._columns[0].matched(matching._all(), 0)

    assert (matched.dtype != np.uint8) == is_list
    assert dict(matching)[0].tolist() == np.flatnonzero(codes).tolist()
