"""From a table and a policy to a verified release: the stages in order."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any

import numpy as np

from shoal import catalog
from shoal.encode.encode import encode
from shoal.errors import CannotSatisfy, NotPrivate, PolicyError
from shoal.group._check import check_grouping
from shoal.group._count import stats_of_grouping
from shoal.group._suppress import suppress_failing
from shoal.metrics import MEASURES
from shoal.metrics.loss import loss_by_column
from shoal.policy import Policy
from shoal.progress import Stages
from shoal.read.columns import read_column
from shoal.read.fingerprints import warn_of_fingerprints
from shoal.read.hierarchies import flat
from shoal.read.source import Source
from shoal.recode.cells import Cells, cells_of_groups
from shoal.recode.recode import group_of_records, merge_equal_groups, recode
from shoal.release import Release
from shoal.types.column import RawColumn
from shoal.types.grouping import Grouping
from shoal.types.limits import Algorithm, Limits
from shoal.types.neighbour import Neighbour
from shoal.types.outcome import Outcome
from shoal.types.privacy import Leak, Privacy, Verdict, name_of
from shoal.types.schema import ColumnSpec, Schema
from shoal.types.table import Encoding
from shoal.verify.order import order_leaks
from shoal.verify.verify import verify
from shoal.write.frames import to_native

MOST_TO_REHEARSE = 1000  # records


def anonymize(
    source: Source,
    policy: Policy,
    *,
    threads: int | None = None,
    stages: Stages | None = None,
    neighbours: bool = False,
) -> Release:
    """Anonymize a table. What comes back has been verified.

    `neighbours`: also look at what lies beside the levels that a full-domain algorithm chose.
    """
    stages = stages or Stages()
    if neighbours:
        refuse_without_levels(policy.algorithm)
    schema = policy.schema_for(source.frame.columns)
    schema, fitting_notes = fit_to(policy.algorithm, schema)
    privacy = Privacy(policy.privacy)
    refuse_small_table(privacy, source.n_records)
    if "compile" not in stages.seconds:  # the command does it while it reads the file
        with stages("compile"):
            compile_kernels(policy)
    with stages("encode"), policy.locating():
        columns = read_columns(source, policy, schema.quasi + schema.sensitive)
        encoding = encode(columns, schema, missing=policy.missing, unknown=policy.unknown)
        limits = replace(limits_of(policy, encoding, threads), watch=stages.watch)
    with stages("group"):
        grouping = policy.algorithm.group(encoding.table, privacy, limits)
        name = name_of(policy.algorithm)
        check_grouping(grouping, table=encoding.table, limits=limits, algorithm=name)
        refuse_nothing(encoding.n_records - encoding.n_suppressed - grouping.n_suppressed)
        beside = look_beside(policy, grouping, encoding, limits) if neighbours else ()
    with stages("recode"):
        outcome, cells = settle(grouping, encoding=encoding, privacy=privacy, limits=limits)
        groups = group_of_records(source, encoding, outcome.grouping, schema)
        missing_text = policy.missing_text if source.is_text else None
        published = recode(
            source, groups, cells, schema=schema, order=policy.order, missing_text=missing_text
        )
    with stages("verify"):
        verdict = verify_release(replace(source, frame=published.frame), policy, schema)
    return Release(
        frame=to_native(source, published.frame, published.records, schema),
        published=published.frame,
        verdict=verdict,
        measures={name: catalog.load("metric", name)(outcome) for name in MEASURES},
        loss_by_column=loss_by_column(outcome),
        groups=published.groups,
        grouping=outcome.grouping,
        policy=policy,
        schema=schema,
        axes=encoding.table.axes,
        seconds=stages.seconds,
        neighbours=beside,
        notes=fitting_notes
        + encoding.notes
        + grouping.notes
        + unprotected(schema, privacy)
        + warn_of_fingerprints(source.frame, schema),
    )


def check(source: Source, policy: Policy, *, original: Source | None = None) -> Verdict:
    """Verify a table that somebody else, or an earlier run, released."""
    schema = policy.schema_of_release(source.frame.columns)
    verdict = verify_release(source, policy, schema)
    leaks, notes = verdict.leaks, warn_of_fingerprints(source.frame, schema)
    if original is not None:
        kept = (Leak("order of the original", None, source.n_records),)
        leaks += kept if policy.order == "input" else order_leaks(source, original, schema)
        withheld = policy.schema_for(original.frame.columns).only("identifier")
        notes += warn_of_fingerprints(original.frame, withheld)
    return replace(verdict, leaks=leaks, notes=notes)


def anonymize_frame(frame: Any, policy: Policy, *, threads: int | None = None) -> Release:
    return anonymize(Source.of_frame(frame), policy, threads=threads)


def check_frame(frame: Any, policy: Policy) -> Verdict:
    return check(Source.of_frame(frame), policy)


def verify_release(release: Source, policy: Policy, schema: Schema) -> Verdict:
    """Read a released table anew, and ask every model about it."""
    privacy = Privacy(policy.privacy)
    return verify(
        release.frame,
        quasi=schema.quasi,
        sensitive=read_columns(release, policy, privacy.columns),
        privacy=privacy,
        withheld=Schema(policy.columns).withheld,
    )


def read_columns(source: Source, policy: Policy, names: Sequence[str]) -> dict[str, RawColumn]:
    """Some columns, coded."""

    def read(name: str) -> RawColumn:
        return read_column(
            source.frame[name],
            is_text=source.is_text and policy.columns[name].may_be_numbers,
            missing_values=policy.missing_values,
        )

    with ThreadPoolExecutor() as pool:  # polars works outside the interpreter lock
        return dict(zip(names, pool.map(read, names), strict=True))


def limits_of(policy: Policy, encoding: Encoding, threads: int | None) -> Limits:
    """What is left to suppress after records that cannot be used, and the threads to use."""
    allowed = policy.suppression_limit(encoding.n_records)
    if encoding.n_suppressed > allowed:
        raise CannotSatisfy.unusable_records(encoding.n_suppressed, allowed)
    if threads is not None and threads < 1:
        raise PolicyError("threads must be at least 1")
    refuse_nothing(encoding.n_records - encoding.n_suppressed)
    return Limits(
        suppression=allowed - encoding.n_suppressed,
        already_suppressed=encoding.n_suppressed,
        seed=policy.seed,
        threads=threads or os.cpu_count() or 1,
    )


def fit_to(algorithm: Algorithm, schema: Schema) -> tuple[Schema, tuple[str, ...]]:
    """The columns as an algorithm needs them: a full-domain one publishes nodes of hierarchies."""
    if not getattr(algorithm, "publishes_nodes", False):
        return schema, ()
    columns, notes = dict(schema.columns), []
    for name in schema.quasi:
        spec = columns[name]
        columns[name] = replace(spec, hierarchy=spec.hierarchy or flat(), publish="node")
        if spec.hierarchy is None:
            notes.append(
                f"Column {name!r} has no hierarchy, so {name_of(algorithm)} publishes its values "
                "as they are or not at all. A hierarchy would keep some detail."
            )
        elif spec.publish not in (None, "node"):
            notes.append(
                f"Column {name!r}: {name_of(algorithm)} publishes nodes of the hierarchy; "
                f"`publish: {spec.publish}` is not used."
            )
    return Schema(columns), tuple(notes)


def unprotected(schema: Schema, privacy: Privacy) -> tuple[str, ...]:
    """Notes on sensitive columns that no model is about."""
    return tuple(
        f"Column {name!r} is sensitive, but no model is about it: all records of a group may have "
        "the same value. Add for example {model: distinct-l-diversity, column: ..., l: 2}."
        for name in schema.sensitive
        if name not in privacy.columns
    )


def look_beside(
    policy: Policy, grouping: Grouping, encoding: Encoding, limits: Limits
) -> tuple[Neighbour, ...]:
    """The nodes around the one that a full-domain algorithm chose."""
    look: Any = policy.algorithm
    privacy = Privacy(policy.privacy)
    found: tuple[Neighbour, ...] = look.neighbours(grouping.levels, encoding.table, privacy, limits)
    return found


def refuse_without_levels(algorithm: Algorithm) -> None:
    if not hasattr(algorithm, "neighbours"):
        raise PolicyError(
            f"{name_of(algorithm)} chooses no level for a whole column, so there are no neighbours "
            "to show. Full-domain algorithms do, such as flash",
            ("algorithm",),
        )


def refuse_nothing(n_left: int) -> None:
    if n_left == 0:
        raise CannotSatisfy.nothing_left()


def refuse_small_table(privacy: Privacy, n_records: int) -> None:
    for model in privacy:
        if model.smallest > n_records:
            raise CannotSatisfy.table_too_small(name_of(model), model.smallest, n_records)


def settle(
    grouping: Grouping, *, encoding: Encoding, privacy: Privacy, limits: Limits
) -> tuple[Outcome, tuple[Cells, ...]]:
    """Name the cells of every group, and make one of the groups whose cells are the same."""
    cells = cells_of_groups(outcome_of(encoding, grouping, privacy))
    grouping, cells = merge_equal_groups(grouping, cells)
    if not privacy.survives_merging:  # then the union of two groups that held may fail
        table = encoding.table
        grouping = suppress_failing(grouping, table=table, privacy=privacy, limits=limits)
        refuse_nothing(grouping.n_groups)
        cells = cells_of_groups(outcome_of(encoding, grouping, privacy))
    return outcome_of(encoding, grouping, privacy), cells


def outcome_of(encoding: Encoding, grouping: Grouping, privacy: Privacy) -> Outcome:
    return Outcome(
        table=encoding.table,
        grouping=grouping,
        stats=stats_of_grouping(encoding.table, grouping),
        n_suppressed=encoding.n_suppressed + grouping.n_suppressed,
        k=privacy.k,
    )


def compile_kernels(policy: Policy) -> None:
    """Rehearse on a few records, so that kernels are compiled, or loaded, before the clock runs."""
    n = min(max(4, 2 * Privacy(policy.privacy).smallest + 1), MOST_TO_REHEARSE)
    codes, numbers = np.arange(n, dtype=np.int32), np.arange(n)
    labels = tuple(map(str, numbers))
    schema = Schema({name: ColumnSpec(spec.role) for name, spec in policy.columns.items()})
    schema, _ = fit_to(policy.algorithm, schema)
    columns = {name: RawColumn(name, "integer", labels, numbers, codes) for name in schema.columns}
    encoding = encode(columns, schema, missing="category", unknown="error")
    with contextlib.suppress(NotPrivate):
        policy.algorithm.group(encoding.table, Privacy(policy.privacy), Limits(suppression=n))
