"""Estimates for a table that is a sample, before and after, and for each of its records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import polars as pl

from shoal.encode.fold import fold_equal_rows
from shoal.policy.policy import Policy
from shoal.read.source import Source
from shoal.read.weights import weights_of
from shoal.risks.estimates import (
    BY_TREE,
    BY_WEIGHTS,
    Estimates,
    RowEstimate,
    estimate_rows,
    figures_of,
)
from shoal.risks.estimators.class_sizes import NoEstimate
from shoal.risks.rows import Rows, with_missing
from shoal.runs.inputs import spec_in
from shoal.runs.sample import Sample
from shoal.types.arrays import FloatArray, Int32Array, Int64Array
from shoal.types.column import RawColumn
from shoal.types.schema import Schema

DEFAULT = BY_TREE  # without weights


class Estimated(NamedTuple):
    """The figures, and those of each record."""

    estimates: Estimates
    records: pl.DataFrame | None


class Side(NamedTuple):
    """The data or its release: rows, the columns they were folded from, and weights of records."""

    rows: Rows
    columns: Sequence[RawColumn]
    weights: FloatArray | None


def estimate(
    sample: Sample, data: Side, release: Side | None, *, method: str | None, threshold: float
) -> Estimated:
    """Risks among the people of the population, with the estimator that is wanted."""
    method = method or (DEFAULT if sample.weights is None else BY_WEIGHTS)
    found = _of_rows(method, data, sample)
    after = None if release is None else _of_rows(method, release, sample)
    estimates = Estimates(
        n_population=sample.n_population,
        assumed=tuple(_assumed(sample, release, method)),
        data=figures_of(found, data.rows, threshold),
        release=None
        if release is None or after is None
        else figures_of(after, release.rows, threshold),
    )
    return Estimated(estimates, records_of(data, found) if isinstance(found, RowEstimate) else None)


def weights_in_release(release: Source, policy: Policy) -> FloatArray | None:
    """The weights of released records, where they were released."""
    name = Schema(policy.columns).weight
    if name is None or name not in release.frame.columns:
        return None
    return weights_of(release, name, spec_in(release, policy, name), policy.missing_values)


def _of_rows(method: str, side: Side, sample: Sample) -> RowEstimate | NoEstimate:
    weights = None
    if side.weights is not None and side.rows.owners is None:
        summed = np.bincount(row_of_record(side), side.weights, minlength=len(side.rows.weights))
        weights = summed.astype(np.float64)
    return estimate_rows(method, side.rows, sample.n_population, weights)


def _assumed(sample: Sample, release: Side | None, method: str) -> list[str]:
    said = [sample.assumed, "records were drawn without regard to the quasi-identifiers"]
    if method == BY_WEIGHTS and sample.weights is not None:
        said[1] = "weights are the inverse of the probability to be drawn"
        if release is not None and release.weights is None:
            said.append(
                "the release has no weights, so all of its records stand for equally many people"
            )
    if release is not None:
        said.append("everybody in the population would be generalised as the release is")
    return said


def records_of(side: Side, found: RowEstimate) -> pl.DataFrame:
    """A line for each record of the data, in its order."""
    row = row_of_record(side)
    columns: dict[str, np.ndarray] = {
        "group_size": side.rows.weights[row],
        "unique_in_population": found.chance[row],
    }
    if found.expected is not None:
        columns["expected_risk"] = found.expected[row]
    return pl.DataFrame(columns)


def records_of_matches(side: Side, n_people: Int64Array) -> pl.DataFrame:
    """The same where the population is known: so many people match each row."""
    row = row_of_record(side)
    matches = np.maximum(n_people, side.rows.weights)[row]
    return pl.DataFrame(
        {
            "group_size": side.rows.weights[row],
            "unique_in_population": (matches == 1).astype(np.float64),
            "expected_risk": 1 / matches,
        }
    )


def row_of_record(side: Side) -> Int32Array:
    codes = [with_missing(column) for column in side.columns]
    return fold_equal_rows(codes, side.rows.n_codes).row_of_record
