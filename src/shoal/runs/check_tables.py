"""`shoal check` with `tables`: released tables, joined where pseudonyms link them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from shoal.policy.tables import TablesPolicy
from shoal.read.source import Source
from shoal.runs.anonymize_tables import sources_of
from shoal.runs.check import check
from shoal.runs.linked_verification import LinkedVerification, notes_on_links
from shoal.runs.verification import warn_of_gaps
from shoal.runs.whole_tables import notes_on_whole, verify_whole
from shoal.types.privacy import Privacy
from shoal.types.schema import Schema
from shoal.types.tables_verdict import TablesVerdict
from shoal.types.verdict import Leak, Verdict
from shoal.types.watch import Watch
from shoal.verify.leaks import index_leaks, refuse_odd_cells
from shoal.verify.linked import note_on_others


def check_tables(
    frames: Mapping[str, Any],
    policy: TablesPolicy | Mapping[str, Any] | str | Path,
    *,
    watch: Watch | None = None,
) -> TablesVerdict:
    """Verify released tables of the same people against a policy that has `tables`.

    Pseudonyms join the tables, so that people are counted with all that is known of them. Where
    keys are withheld nothing joins them: each table is checked by itself, and its rows are counted.

    >>> import polars as pl, shoal
    >>> policy = {
    ...     "tables": {"patients": {"columns": {"mrn": "pseudonym", "age": "quasi"}},
    ...                "visits": {"key": {"mrn": "patients"},
    ...                           "columns": {"mrn": "pseudonym", "illness": "sensitive"}}},
    ...     "person": "mrn", "privacy": [{"model": "k-anonymity", "k": 2}]}
    >>> patients = pl.DataFrame({"mrn": ["x", "y"], "age": ["[31, 38]", "[31, 38]"]})
    >>> visits = pl.DataFrame({"mrn": ["x", "z"], "illness": ["flu", "gout"]})
    >>> verdict = shoal.check_tables({"patients": patients, "visits": visits}, policy)
    >>> verdict.holds, verdict.tables["visits"].leaks
    (False, (Leak(kind='key without a person', column='mrn', count=1),))
    """
    rules = TablesPolicy.of(policy)
    return check_sources(sources_of(frames, rules), rules, watch=watch)


def check_sources(
    sources: Mapping[str, Source], policy: TablesPolicy, *, watch: Watch | None = None
) -> TablesVerdict:
    """The same for tables as they were read."""
    sources = {name: sources[name] for name in policy.tables}
    if policy.links == "pseudonym":
        return _check_linked(sources, policy, watch)
    verdicts = {name: _check_alone(name, sources[name], policy, watch) for name in sources}
    notes = tuple(f"Table {name!r}. {note}" for name, v in verdicts.items() for note in v.notes)
    return TablesVerdict(verdicts, notes)


def _check_linked(
    sources: Mapping[str, Source], policy: TablesPolicy, watch: Watch | None
) -> TablesVerdict:
    leaks = {name: _indexes(name, source, policy) for name, source in sources.items()}
    for name, source in sources.items():
        _schema(name, source, policy, leaks[name])
    frames = {name: source.frame for name, source in sources.items()}
    verifying = LinkedVerification(policy, frames, watch=watch)
    verdicts = {name: verifying.verdict(name) for name in policy.tables}
    schema, people = Schema(verifying.rules.columns), verdicts[policy.people]
    notes = warn_of_gaps(schema, Privacy(verifying.rules.privacy), people)
    notes += (*note_on_others(sources[policy.people], policy.key), *notes_on_links(verifying))
    return TablesVerdict(
        {name: replace(v, leaks=leaks[name] + v.leaks) for name, v in verdicts.items()}, notes
    )


def _check_alone(name: str, source: Source, policy: TablesPolicy, watch: Watch | None) -> Verdict:
    """A table by itself. Without its keys, people cannot be counted."""
    rules = policy.alone(name)
    if rules is not None and source.n_records:
        with policy.locating(name):
            return check(source, rules, watch=watch)
    leaks = _indexes(name, source, policy)
    _schema(name, source, policy, leaks)
    found = verify_whole(name, source, policy)
    notes = notes_on_whole(name, source, policy, found)
    return replace(found, leaks=leaks + found.leaks, notes=notes)


def _indexes(name: str, source: Source, policy: TablesPolicy) -> tuple[Leak, ...]:
    known = policy.tables[name].columns
    return tuple(index_leaks(source, [c for c in source.frame.columns if c not in known]))


def _schema(name: str, source: Source, policy: TablesPolicy, leaks: tuple[Leak, ...]) -> Schema:
    """The roles of the columns of a released table, less indexes, which are told of as leaks."""
    indexes = {leak.column for leak in leaks}
    schema = policy.schema_of_release(name, [c for c in source.frame.columns if c not in indexes])
    refuse_odd_cells(source, schema)
    return schema
