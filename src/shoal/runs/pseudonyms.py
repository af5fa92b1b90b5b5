"""Pseudonyms in a run: made before anything else is done, and looked at when it ends."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import polars as pl

from shoal.encode.linked import refuse_varying
from shoal.encode.people import warn_of_unclear_people
from shoal.errors import InputError, PolicyError
from shoal.policy.policy import Policy
from shoal.read.columns import read_column
from shoal.read.key import Key
from shoal.read.source import Source
from shoal.recode.pseudonyms import key_check, pseudonyms_of
from shoal.release.release import Release
from shoal.runs.prepare import Prepared
from shoal.runs.stages import Stages
from shoal.types.arrays import MISSING
from shoal.types.privacy import Privacy
from shoal.types.schema import Schema
from shoal.verify.linked import LinkedRows, identifier_leaks, rows_linked

if TYPE_CHECKING:
    from shoal.saved_recoding.recoding import Recoding


class Pseudonymised(NamedTuple):
    """A table with pseudonyms in place of identifiers, so that no later step sees those.

    `mapping` lists who is behind random pseudonyms, `key_check` tells one key from another.
    """

    source: Source
    mapping: pl.DataFrame | None = None
    key_check: str = ""
    notes: tuple[str, ...] = ()


def pseudonymise(source: Source, policy: Policy, key: Key | None, stages: Stages) -> Pseudonymised:
    """Replace the identifier that has the role pseudonym: by a key or, without one, at random."""
    name = Schema(policy.columns).pseudonym
    if name is None:
        if key is not None:
            raise PolicyError("a key was given, but no column has the role pseudonym", ("columns",))
        return Pseudonymised(source)
    with stages("encode"):
        return _replaced(source, name, policy, key)


def _replaced(source: Source, name: str, policy: Policy, key: Key | None) -> Pseudonymised:
    column = read_column(source.frame[name], missing_values=policy.missing_values)
    is_missing = column.codes == MISSING
    notes = warn_of_unclear_people([column], int(is_missing.sum()), policy.missing)
    made = pseudonyms_of(column, None if key is None else key.secret)
    stand_ins = made.of_record
    if policy.missing == "suppress":  # then records without an identifier are left out
        stand_ins = stand_ins.set(pl.Series(is_missing), None)
    frame = source.frame.with_columns(stand_ins)
    source = replace(source, frame=frame)
    if key is None:
        return Pseudonymised(source, made.mapping, notes=notes)
    return Pseudonymised(source, key_check=key_check(key.secret), notes=notes + key.notes)


def pseudonymise_later(
    source: Source, recoding: Recoding, key: Key | None, stages: Stages, *, joins: bool
) -> Pseudonymised:
    """The same for records that come after a release: they need a key.

    Where they join an earlier release it must be the same key, or one person would count as two.
    """
    name = Schema(recoding.policy.columns).pseudonym
    if name is not None and key is None:
        raise InputError(
            f"Column {name!r} has the role pseudonym, so new records need the key of the release: "
            "`--key-file`, SHOAL_KEY or, in Python, `key`."
        )
    made = pseudonymise(source, recoding.policy, key, stages)
    if made.key_check == recoding.key_check:
        return made
    if joins:
        raise InputError(
            f"The pseudonyms of {name!r} in the earlier release were made with another key or at "
            "random, so the same person would count as two. Give the key of the release, or "
            "recode the new records by themselves."
        )
    other = (
        f"The pseudonyms of {name!r} were made with another key than those of the release that "
        "this recoding is of (or those were random), so that rows of both cannot be linked.",
    )
    return made._replace(notes=made.notes + other)


def refuse_linked(prepared: Prepared) -> None:
    """Refuse quasi-identifiers that differ between rows which a pseudonym links."""
    name, people = prepared.schema.pseudonym, prepared.people
    if name is not None and people is not None:
        with prepared.policy.locating():
            columns = [prepared.columns[quasi] for quasi in prepared.schema.quasi]
            refuse_varying(columns, people.of_record, name)


def with_pseudonyms(
    release: Release, made: Pseudonymised, original: Source, stages: Stages
) -> Release:
    """A release with its mapping, and with what a recipient learns from its linked rows."""
    name = release.schema.pseudonym
    if name is None:
        return release
    published = Source(release.published, counts=release.counts)
    with stages("verify"):
        linked = linked_rows(published, release.policy, release.schema)
        assert linked is not None
        leaks = (*linked.leaks(name), *identifier_leaks(published, original, name))
    return replace(
        release,
        mapping=made.mapping,
        key_check=made.key_check,
        linked_rows=linked,
        verdict=replace(release.verdict, leaks=release.verdict.leaks + leaks),
        notes=release.notes + made.notes + tuple(linked.notes(name)),
    )


def linked_rows(release: Source, policy: Policy, schema: Schema) -> LinkedRows | None:
    """How many rows the people of a release have; None without a pseudonym."""
    if schema.pseudonym is None:
        return None
    k = Privacy(policy.privacy).smallest
    return rows_linked(release, schema.pseudonym, schema.quasi, k)
