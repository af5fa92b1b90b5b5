"""`shoal check` and `shoal risk` where the table lives: its different rows come here, counted."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import polars as pl

from shoal.engines.engine import Engine
from shoal.errors import InputError
from shoal.policy.policy import Policy
from shoal.read.source import Source
from shoal.runs.anonymize_in_engine import notes_on_kept
from shoal.runs.check import check
from shoal.types.schema import Schema
from shoal.types.verdict import Verdict
from shoal.types.watch import Watch


def check_in_engine(engine: Engine, policy: Policy, *, watch: Watch | None = None) -> Verdict:
    """Verify a released table in an engine; kept columns stay there."""
    kept = {name for name in Schema(policy.columns).names("keep") if name in engine.columns}
    source = table_in(engine, engine.columns.keys() - kept)
    verdict = check(source, policy, watch=watch)
    schema = policy.schema_of_release(list(engine.columns))
    return replace(verdict, notes=verdict.notes + notes_on_kept(engine, schema, source.n_records))


def quasi_in(engine: Engine, policy: Policy) -> Source:
    """What the risk of a table is counted from: quasi-identifiers, and who people are."""
    needed = {*Schema(policy.columns).quasi, *policy.person}
    return table_in(engine, needed & engine.columns.keys())


def table_in(engine: Engine, needed: Collection[str]) -> Source:
    """Different rows of the columns that are needed. Others are there by name, without values."""
    names = [name for name in engine.columns if name in needed and engine.kind(name) != "unordered"]
    counted = engine.fold(names)
    if not counted.frame.height:
        raise InputError("The table has no records.")
    columns = {
        name: counted.frame[name]
        if name in names
        else pl.Series(name, [None] * counted.frame.height, dtype=pl.Null)
        for name in engine.columns
    }
    return Source(pl.DataFrame(columns), is_text=engine.is_text, counts=counted.counts)
