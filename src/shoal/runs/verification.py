"""Verifying a release: our own before it is written, or one from elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np
import polars as pl

from shoal.policy.policy import Policy
from shoal.read.sensitive import sensitive_of
from shoal.read.source import Source
from shoal.runs.inputs import Reader, read_columns, read_populations, read_sensitive
from shoal.types.arrays import Int32Array, Int64Array
from shoal.types.column import RawColumn
from shoal.types.privacy import Privacy
from shoal.types.schema import ColumnSpec, Schema
from shoal.types.sensitive import SensitiveColumn
from shoal.types.verdict import Leak, Verdict
from shoal.types.watch import Watch
from shoal.verify.rare import may_list_values, n_listing_rare
from shoal.verify.verify import People, number_people, verify


def verify_release(
    release: Source,
    policy: Policy,
    schema: Schema,
    *,
    privacy: Privacy | None = None,
    original: Mapping[str, SensitiveColumn] | None = None,
    populations: Mapping[str, Source] | None = None,
    read: Reader = read_columns,
    persons: Int64Array | None = None,
    watch: Watch | None = None,
) -> Verdict:
    """Read a released table anew, and ask every model about it, or those of `privacy`.

    `original` has what the values of the input's sensitive columns mean, if it is at hand;
    `read` reads the quasi-identifiers of populations; `persons` are behind the rows, if known.
    """
    privacy = Privacy(policy.privacy) if privacy is None else privacy
    if populations is None:
        populations = read_populations(policy, schema, release.encoding)
    known = original or {}
    sensitive = {
        name: read_sensitive(column, schema.columns[name], known.get(name), release.counts)
        for name, column in read_columns(release, policy, privacy.columns).items()
    }
    return verify(
        release.frame,
        quasi=schema.quasi,
        sensitive=sensitive,
        privacy=privacy,
        populations={
            name: People(read(people, policy, schema.quasi), schema.columns, policy.missing_values)
            for name, people in populations.items()
        },
        withheld=Schema(policy.columns).withheld,
        counts=release.counts,
        persons=persons,
        disclosing=_disclosing(policy, schema),
        watch=watch,
    )


def listed_rare_in(
    release: Source, schema: Schema, smallest: int, people_of: Callable[[str], Mapping[str, int]]
) -> Iterator[Leak]:
    """Sets that list a value which fewer people have than may be told.

    `people_of` a column says how many people have each of its values.
    """
    for name in schema.quasi:
        if smallest > 1 and may_list_values(schema.columns[name]):
            n_records = n_listing_rare(
                release.frame[name], people_of(name), smallest, release.counts
            )
            if n_records:
                yield Leak("rare value in a set", name, n_records)


def _disclosing(policy: Policy, schema: Schema) -> dict[str, ColumnSpec]:
    """Quasi-identifiers whose cells may tell more than what they cover.

    A full-domain release has none of them, and the ends of noisy ranges are nobody's values.
    """
    traits = policy.algorithm.traits
    if traits.publishes_nodes or traits.noise:
        return {}
    return {name: schema.columns[name] for name in schema.quasi}


def meanings_of(
    columns: Mapping[str, RawColumn],
    names: Sequence[str],
    schema: Schema,
    counts: Int64Array | None = None,
    persons: Int64Array | None = None,
) -> dict[str, SensitiveColumn]:
    """What the values of the original's sensitive columns mean, and how often each occurs.

    With the `persons` behind its rows, how many of them have each.
    """
    coded = [sensitive_of(columns[name], schema.columns[name], counts) for name in names]
    if persons is None:
        return {column.name: column for column, _ in coded}
    return {column.name: _by_people(column, codes, persons) for column, codes in coded}


def _by_people(column: SensitiveColumn, codes: Int32Array, persons: Int64Array) -> SensitiveColumn:
    is_known = codes >= 0
    pairs = pl.DataFrame({"code": codes[is_known], "person": persons[is_known]}).unique()
    counts = np.bincount(pairs["code"].to_numpy(), minlength=column.n_codes).astype(np.int64)
    return column.counted(counts, pl.Series(persons).n_unique())


def persons_of(source: Source, policy: Policy) -> Int64Array | None:
    """The people behind the rows of a table that says so, numbered by the verifier's own code."""
    if not policy.person or not all(name in source.frame.columns for name in policy.person):
        return None
    return number_people(source.columns(policy.person), policy.missing_values)


def persons_in_release(release: Source, policy: Policy) -> Int64Array | None:
    """The same for a released table, where generalised cells do not tell people apart."""
    return None if _is_generalised(policy) else persons_of(release, policy)


def _is_generalised(policy: Policy) -> bool:
    return any(policy.columns[name].role == "quasi" for name in policy.person)


def warn_of_uncounted_people(policy: Policy, verdict: Verdict) -> tuple[str, ...]:
    """A note where the policy asks for people, and the release does not tell them apart."""
    if not policy.person or verdict.n_people is not None:
        return ()
    names = " and ".join(repr(name) for name in policy.person)
    has = "has only generalised" if _is_generalised(policy) else "does not have"
    return (
        f"The policy counts people by {names}, which the release {has}. People cannot be "
        "counted from it, so records were: a group may have fewer people than records. They were "
        "counted when the release was made; only a release with pseudonyms can be counted again.",
    )


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
            f"{verdict.unit.counted(n_alone)} {'stands' if n_alone == 1 else 'stand'} alone: no "
            "other looks the same, so anyone who knows the quasi-identifiers finds the row. No "
            "model of the policy asks for larger groups; {model: k-anonymity, k: 5} does."
        )
    return tuple(notes)
