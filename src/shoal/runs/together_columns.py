"""The columns of several releases of one table, coded alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

import numpy as np
import polars as pl

from shoal.errors import InputError, counted, nearest
from shoal.policy.policy import Policy
from shoal.read.columns import can_be_read, read_column
from shoal.read.leaves import UNKNOWN
from shoal.read.sensitive import CodedSensitive, coded_as, sensitive_of
from shoal.read.source import Source
from shoal.runs.inputs import fit_to, read_columns
from shoal.runs.verification import meanings_of, persons_of
from shoal.together.linked_releases import LinkedRelease, share_pseudonyms
from shoal.together.placed import ReadRelease, ReadTable, alike
from shoal.together.sets import fold
from shoal.types.arrays import MISSING, Int32Array, Int64Array
from shoal.types.column import RawColumn
from shoal.types.privacy import Privacy
from shoal.types.schema import Schema


class Unchanged(NamedTuple):
    """Codes of a column that leaves unchanged, in the table and in each release that has it."""

    in_table: Int32Array
    in_releases: tuple[Int32Array | None, ...]


class Earlier(NamedTuple):
    """A release that others have already, and what to call it."""

    source: Source
    name: str
    file: Path | None = None


def schema_of_earlier(one: Earlier, policy: Policy) -> Schema:
    """The columns of an earlier release; it may lack some, but must not have others."""
    names = one.source.frame.columns
    released = Schema(policy.columns).released
    for name in names:
        if name not in policy.columns:
            raise InputError(
                f"The earlier release {one.name} has a column {name!r} that the policy does not "
                f"name{nearest(name, policy.columns)}"
            )
        if name not in released:
            raise InputError(
                f"The earlier release {one.name} has the column {name!r}, which this policy "
                "withholds. So it cannot be said what its cells mean, or what they add to this "
                "release. Give the column the role that it had."
            )
    schema = Schema(policy.columns).in_order_of(list(names))
    if not schema.quasi:
        raise InputError(
            f"The earlier release {one.name} has no quasi-identifier of the policy, so people "
            "cannot be looked for in it."
        )
    return schema


def known_table(original: Source, policy: Policy) -> tuple[Source, ReadTable]:
    """The table that releases were made of, without the records that the policy never releases.

    They have an unknown sensitive value or, with `missing: suppress`, a quasi-identifier missing.
    """
    schema = policy.schema_for(original.frame.columns)
    names = Privacy(policy.privacy).columns
    read = read_columns(original, policy, names)
    coded = {
        name: sensitive_of(read[name], schema.columns[name], original.counts) for name in names
    }
    is_known = np.ones(original.frame.height, dtype=np.bool_)
    for column in coded.values():
        is_known &= column.codes != UNKNOWN
    if policy.missing == "suppress":
        for quasi in read_columns(original, policy, schema.quasi).values():
            is_known &= quasi.codes != MISSING
    persons = persons_of(original, policy)
    meanings = meanings_of(read, names, schema, original.counts, persons)
    counts = _counts(original)
    if not is_known.all():
        kept = None if original.counts is None else counts[is_known]
        original = replace(original, frame=original.frame.filter(pl.Series(is_known)), counts=kept)
    table = ReadTable(
        read_columns(original, policy, schema.quasi),
        {},
        {n: CodedSensitive(meanings[n], c.codes[is_known]) for n, c in coded.items()},
        counts[is_known],
        None if persons is None else persons[is_known],
    )
    return original, table


def unchanged_values(
    original: Source, sources: Sequence[Source], policy: Policy, names: Sequence[str]
) -> dict[str, Unchanged]:
    """Codes of sensitive and kept columns, equal where values are; None where one is not released.

    Kept columns that cannot be compared, such as lists, are left out. `names` are those of the
    earlier releases, all but the first.
    """
    found = {}
    for name in Schema(policy.columns).names("sensitive", "keep"):
        columns = [original.frame[name]]
        columns += [s.frame[name] for s in sources if name in s.frame.columns]
        if not all(map(can_be_read, columns)):
            continue
        first, *codes = alike(columns, policy.missing_values)
        coded = iter(codes)
        of_releases = [next(coded) if name in s.frame.columns else None for s in sources]
        for codes_there, source, where in zip(of_releases[1:], sources[1:], names, strict=True):
            if codes_there is not None:
                _refuse_foreign(first, codes_there, source, f"Column {name!r} of {where}")
        found[name] = Unchanged(first, tuple(of_releases))
    return found


def _refuse_foreign(known: Int32Array, codes: Int32Array, source: Source, where: str) -> None:
    """Refuse values that the table does not have: it cannot be said whose they are."""
    n_foreign = int(_counts(source)[~np.isin(codes, known)].sum())
    if n_foreign:
        raise InputError(
            f"{where}: {counted(n_foreign, 'record')} "
            f"{'has a value that does' if n_foreign == 1 else 'have values that do'} not occur in "
            "the table, so it is an earlier release of another table, or the column was changed "
            "or generalised there. Give a table and a policy that it was made with."
        )


def as_releases(
    sources: Sequence[Source], values: Mapping[str, Unchanged], policy: Policy
) -> list[ReadRelease]:
    """Cells, unchanged values and counts of every release, the new one first."""
    fitted = fit_to(policy.algorithm, policy.schema_of_release(sources[0].frame.columns))[0]
    found = []
    for i, source in enumerate(sources):
        cells = _cells(source, policy)
        specs = fitted.columns if i == 0 else policy.columns
        unchanged = {}
        for name, codes in values.items():
            here = codes.in_releases[i]
            if here is not None:
                unchanged[name] = here
        found.append(
            ReadRelease(cells, {name: specs[name] for name in cells}, unchanged, _counts(source))
        )
    return found


def are_linked(new: Source, policy: Policy, earlier: Sequence[Earlier]) -> bool:
    """Whether the new release and the earlier ones have pseudonyms in common."""
    name = Schema(policy.columns).pseudonym
    if name is None:
        return False
    is_linked = [
        name in one.source.frame.columns
        and share_pseudonyms(_texts(new, name), _texts(one.source, name))
        for one in earlier
    ]
    if any(is_linked) and not all(is_linked):
        raise InputError(
            f"Pseudonyms in the column {name!r} link this release to some of the earlier ones and "
            "not to others. What all of them tell together cannot be judged. Make pseudonyms with "
            "another key: then none are linked."
        )
    return any(is_linked)


def as_linked(
    sources: Sequence[Source], policy: Policy, original: Source, names: Sequence[str]
) -> list[LinkedRelease]:
    """The pseudonyms, groups and sensitive values of releases that have them in common."""
    pseudonym = Schema(policy.columns).pseudonym
    assert pseudonym is not None
    schema = policy.schema_for(original.frame.columns)
    read = read_columns(original, policy, names)
    meanings = meanings_of(read, names, schema, original.counts, persons_of(original, policy))
    found = []
    for source in sources:
        for name in names:
            if name not in source.frame.columns:
                raise InputError(
                    f"An earlier release with the same pseudonyms has no column {name!r}, which a "
                    "model is about. Use another key, or leave the model out."
                )
        columns = read_columns(source, policy, names)
        groups = fold([column.codes for column in _cells(source, policy).values()])
        sensitive = {name: coded_as(columns[name], meanings[name]) for name in names}
        found.append(LinkedRelease(_texts(source, pseudonym), groups.number, sensitive))
    return found


def _cells(source: Source, policy: Policy) -> dict[str, RawColumn]:
    """Cells are text, and only what a release writes for missing is missing."""
    quasi = [n for n in Schema(policy.columns).quasi if n in source.frame.columns]
    missing = policy.missing_values[:1]
    return {name: read_column(source.frame[name], missing_values=missing) for name in quasi}


def _texts(source: Source, name: str) -> pl.Series:
    texts = source.frame[name].alias("texts").cast(pl.String)
    return texts.set((texts == "").fill_null(False), None)


def _counts(source: Source) -> Int64Array:
    if source.counts is not None:
        return source.counts
    return np.ones(source.frame.height, dtype=np.int64)
