"""Compiling, or loading, the kernels that a policy will need."""

from __future__ import annotations

import contextlib
from dataclasses import replace

import numpy as np

from shoal.bound.lower_bound import lower_bound
from shoal.encode.encode import encode
from shoal.errors import NotPrivate
from shoal.policy.policy import Policy
from shoal.runs.inputs import fit_to
from shoal.types.algorithm import Limits
from shoal.types.column import RawColumn
from shoal.types.privacy import Privacy
from shoal.types.schema import ColumnSpec, Schema, Severities
from shoal.types.table import Population

MOST_RECORDS = 1000  # records
_warm: set[str] = set()  # policies whose kernels this process has loaded


def warm_up(policy: Policy) -> None:
    """Run the algorithm on a few records, so that kernels are compiled or loaded beforehand."""
    models = [type(model) for model in policy.privacy]
    roles = [(spec.role, spec.severity is None) for spec in policy.columns.values()]
    kind = repr((policy.algorithm, models, roles))
    if kind not in _warm:
        _run_on_a_few(policy)
        _warm.add(kind)


def _run_on_a_few(policy: Policy) -> None:
    n = min(max(4, 2 * Privacy(policy.privacy).smallest + 1), MOST_RECORDS)
    codes, numbers = np.arange(n, dtype=np.int32), np.arange(n)
    labels = tuple(map(str, numbers))
    severities = Severities(dict.fromkeys(labels, 1.0))
    schema = Schema(
        {
            name: ColumnSpec(spec.role, severity=severities if spec.severity else None)
            for name, spec in policy.columns.items()
        }
    )
    schema, _ = fit_to(policy.algorithm, schema)
    columns = {name: RawColumn(name, "integer", labels, numbers, codes) for name in schema.columns}
    table = encode(columns, schema, missing="category", unknown="error").table
    privacy = Privacy(policy.privacy)
    people = Population(table.codes, table.weights, table.axes, (codes,) * len(table.axes))
    table = replace(table, populations=dict.fromkeys(privacy.populations, people))
    with contextlib.suppress(NotPrivate):
        policy.algorithm.group(table, privacy, Limits(suppression=n))
    if policy.algorithm.traits.bounded:
        lower_bound(table, privacy, Limits())
