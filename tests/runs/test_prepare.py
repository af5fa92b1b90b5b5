"""Many algorithms and policies on one table that was read once."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest
from polars.testing import assert_frame_equal

import shoal
from shoal import catalog
from shoal.errors import CannotSatisfy, PolicyError
from shoal.policy.policy import Policy
from shoal.read.source import Source
from shoal.runs.anonymize import anonymize
from shoal.runs.finish import finish
from shoal.runs.inputs import read_columns
from shoal.runs.prepare import prepare
from shoal.runs.search import search

FRAME = pl.DataFrame(
    {
        "age": [20 + (7 * i) % 50 for i in range(120)],
        "job": [("nurse", "cook", "clerk")[i % 3] for i in range(120)],
        "illness": [("flu", "cold", "gout", "mumps")[(i * i) % 4] for i in range(120)],
    }
)
GRADES = shoal.severity({"flu": 1, "cold": 2, "gout": 5, "mumps": 3})
POLICY = Policy.of_roles(
    quasi={"age": shoal.intervals(5, 10), "job": None},
    sensitive={"illness": GRADES},
    privacy=[shoal.KAnonymity(3), shoal.DistinctLDiversity("illness", 2)],
)


@pytest.fixture
def prepared():
    return prepare(Source(FRAME), POLICY, POLICY.schema_for(FRAME.columns))


def test_every_algorithm_finds_on_a_prepared_table_what_it_finds_alone(prepared):
    names = catalog.names("algorithm")
    assert names

    for name in names:
        rules = POLICY.with_algorithm(name)
        here = prepared.under(rules)
        release = finish(here, search(here))
        assert_frame_equal(release.published, anonymize(Source(FRAME), rules).published)
        assert release.measures == anonymize(Source(FRAME), rules).measures


def test_a_table_is_encoded_once_for_all_algorithms_that_need_it_alike(prepared, monkeypatch):
    made = []

    def counting(*arguments, **keywords):
        made.append(arguments)
        return encode(*arguments, **keywords)

    from shoal.runs.prepare import encode

    monkeypatch.setattr("shoal.runs.prepare.encode", counting)
    for k in (2, 5):
        for name in ("mondrian", "k-member", "oka", "flash", "datafly"):
            here = prepared.under(POLICY.with_algorithm(name).with_k(k))
            assert finish(here, search(here)).verdict.holds

    # For those that publish nodes of hierarchies, and for the others by k: sets hide rare values.
    assert len(made) == 3


def test_columns_are_read_once_for_all_policies():
    read = []

    def reading(*arguments):
        read.append(arguments)
        return read_columns(*arguments)

    schema = POLICY.schema_for(FRAME.columns)
    prepared = prepare(Source(FRAME), POLICY, schema, read=reading)
    for name in ("mondrian", "flash"):
        here = prepared.under(POLICY.with_algorithm(name).with_k(5))
        assert finish(here, search(here)).verdict.holds

    assert len(read) == 1


@pytest.mark.parametrize(
    "change",
    [
        {"missing": "suppress"},
        {"unknown": "suppress"},
        {"missing_values": ("", "?")},
        {"columns": {**POLICY.columns, "job": replace(POLICY.columns["job"], weight=2.0)}},
    ],
    ids=str,
)
def test_a_policy_that_reads_the_table_otherwise_is_refused(prepared, change):
    with pytest.raises(PolicyError, match="read alike"):
        prepared.under(replace(POLICY, **change))


def test_records_that_cannot_be_used_count_against_the_suppression_that_is_allowed():
    gaps = FRAME.with_columns(age=pl.Series([None] * 12 + FRAME["age"].to_list()[12:]))

    def limits(suppression):
        policy = replace(POLICY, missing="suppress", suppression=suppression)
        prepared = prepare(Source(gaps), policy, policy.schema_for(gaps.columns))
        return prepared.limits_for(prepared.encoded_for(policy.algorithm).encoding)

    assert (limits(0.1).suppression, limits(0.15).suppression) == (0, 6)
    with pytest.raises(CannotSatisfy, match="12 records with missing or unknown values"):
        limits(0.09)
