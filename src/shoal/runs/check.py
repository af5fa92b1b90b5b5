"""Verifying a release, one of our own before it leaves or anybody's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from shoal.errors import counted
from shoal.policy.policy import Policy
from shoal.read.fingerprints import warn_of_fingerprints
from shoal.read.source import Source
from shoal.runs.inputs import Reader, read_columns, read_populations, read_sensitive
from shoal.types.column import RawColumn
from shoal.types.privacy import Privacy
from shoal.types.schema import Schema
from shoal.types.verdict import Leak, Verdict
from shoal.types.watch import Watch
from shoal.verify.leaks import index_leaks, rare_values, refuse_odd_cells
from shoal.verify.order import order_leaks
from shoal.verify.original import refuse_other_original
from shoal.verify.verify import People, verify


def check(
    source: Source,
    policy: Policy,
    *,
    original: Source | None = None,
    watch: Watch | None = None,
) -> Verdict:
    """Verify a table that somebody else, or an earlier run, released."""
    unknown = [name for name in source.frame.columns if name not in policy.columns]
    leaks = tuple(index_leaks(source, unknown))
    indexes = {leak.column for leak in leaks}
    schema = policy.schema_of_release([n for n in source.frame.columns if n not in indexes])
    refuse_odd_cells(source, schema)
    columns = None
    if original is not None:
        policy.schema_for(original.frame.columns)
        refuse_other_original(source, original, schema)
        columns = read_columns(original, policy, Privacy(policy.privacy).columns)
    verdict = verify_release(source, policy, schema, original=columns, watch=watch)
    leaks += verdict.leaks
    if min(verdict.group_sizes) < (smallest := Privacy(policy.privacy).smallest):
        leaks += tuple(rare_values(source, schema, smallest))
    notes = warn_of_gaps(schema, Privacy(policy.privacy), verdict)
    notes += warn_of_fingerprints(source.frame, schema)
    if original is not None:
        kept = (Leak("order of the original", None, source.n_records),)
        leaks += (
            kept
            if policy.order == "input"
            else order_leaks(source, original, schema, policy.missing_values)
        )
        withheld = policy.schema_for(original.frame.columns).only("identifier")
        notes += warn_of_fingerprints(original.frame, withheld)
    return replace(verdict, leaks=leaks, notes=notes)


def warn_of_gaps(schema: Schema, privacy: Privacy, verdict: Verdict) -> tuple[str, ...]:
    """Notes on what no model is about: sensitive columns, records that stand alone."""
    notes = [
        f"Column {name!r} is sensitive, but no model is about it: all records of a group may have "
        f"the same value. Add for example {{model: distinct-l-diversity, column: {name}, l: 2}}."
        for name in schema.sensitive
        if name not in privacy.columns
    ]
    n_alone = verdict.group_sizes.get(1, 0)
    if n_alone and privacy.smallest == 1 and privacy.k == 1:
        notes.append(
            f"{counted(n_alone, 'record')} {'stands' if n_alone == 1 else 'stand'} alone: no other "
            "looks like that, so whoever knows the person's quasi-identifiers finds the row. No "
            "model of the policy asks for larger groups; {model: k-anonymity, k: 5} does."
        )
    return tuple(notes)


def check_frame(frame: Any, policy: Policy, *, watch: Watch | None = None) -> Verdict:
    return check(Source.of_frame(frame), policy, watch=watch)


def verify_release(
    release: Source,
    policy: Policy,
    schema: Schema,
    *,
    original: Mapping[str, RawColumn] | None = None,
    populations: Mapping[str, Source] | None = None,
    read: Reader = read_columns,
    watch: Watch | None = None,
) -> Verdict:
    """Read a released table anew, and ask every model about it.

    `original` has the sensitive columns of the input, where somebody has it; `read` reads the
    quasi-identifiers of populations.
    """
    privacy = Privacy(policy.privacy)
    if populations is None:
        populations = read_populations(policy, schema, release.encoding)
    sensitive = read_columns(release, policy, privacy.columns)
    return verify(
        release.frame,
        quasi=schema.quasi,
        sensitive={
            name: read_sensitive(column, schema.columns[name], (original or {}).get(name))
            for name, column in sensitive.items()
        },
        privacy=privacy,
        populations={
            name: People(read(people, policy, schema.quasi), schema.columns, policy.missing_values)
            for name, people in populations.items()
        },
        withheld=Schema(policy.columns).withheld,
        watch=watch,
    )
