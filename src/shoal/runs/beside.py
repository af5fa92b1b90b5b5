"""A release beside its original, for measures and for the dossier."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np

from shoal.encode.people import people_of
from shoal.policy.policy import Policy
from shoal.read.columns import can_be_read, read_column
from shoal.read.said import read_as_said
from shoal.read.source import Source
from shoal.types.arrays import Int64Array
from shoal.types.column import RawColumn
from shoal.types.privacy import Privacy
from shoal.types.schema import Schema
from shoal.utility.beside import Beside

FEWEST = 3  # people: a count below is not shown, however small the k of the policy


def beside_of(
    source: Source, released: Source, policy: Policy, schema: Schema, **places: Any
) -> Beside:
    """Both tables, with the `places` of their records where measures ask for them."""
    specs = {
        name: spec
        for name, spec in schema.columns.items()
        if name in released.frame.columns
        and spec.role != "pseudonym"
        and can_be_read(source.frame[name])
        and can_be_read(released.frame[name])
    }
    return Beside(
        specs=specs,
        before=partial(_before, source, policy, schema),
        after=partial(_after, released, policy, schema),
        find_people=partial(_people, source, policy),
        least=least_people(policy),
        **places,
    )


def least_people(policy: Policy) -> int:
    """How many people a figure must be about, to be shown."""
    privacy = Privacy(policy.privacy)
    return max(privacy.smallest, privacy.k, FEWEST)


def _before(source: Source, policy: Policy, schema: Schema, name: str) -> RawColumn:
    series, missing, spec = source.frame[name], policy.missing_values, schema.columns[name]
    if spec.role == "quasi":
        return read_as_said(series, spec, is_text=source.is_text, missing_values=missing)
    return read_column(series, is_text=source.is_text, missing_values=missing)


def _after(released: Source, policy: Policy, schema: Schema, name: str) -> RawColumn:
    """Published cells are text, and only what a release writes for missing is missing."""
    is_text = released.is_text and schema.columns[name].role != "quasi"
    missing = policy.missing_values if is_text else policy.missing_values[:1]
    return read_column(released.frame[name], is_text=is_text, missing_values=missing)


def _people(source: Source, policy: Policy) -> Int64Array:
    """The person of each record; each is that of another person if the policy does not say it."""
    if not policy.person:
        return np.arange(source.n_records, dtype=np.int64)
    people = people_of(source, policy.person, missing_values=policy.missing_values)
    return people.of_record.astype(np.int64)
