"""From a table and a policy to a verified release: the stages in order."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from shoal import catalog
from shoal.encode.encode import encode
from shoal.encode.noise import Noisy, rows_by_quasi, secret_key, with_noise
from shoal.encode.population import encode_population, warn_of_missing_people
from shoal.errors import CannotSatisfy, PolicyError
from shoal.group.parts.check_grouping import check_grouping
from shoal.group.parts.stats import stats_of_grouping
from shoal.group.parts.suppress import suppress_failing
from shoal.metrics import MEASURES
from shoal.metrics.loss import loss_by_column
from shoal.policy.policy import Policy
from shoal.read.fingerprints import warn_of_fingerprints
from shoal.read.source import Source
from shoal.recode.cells import Cells, cells_of_groups
from shoal.recode.recode import group_of_records, merge_equal_groups, order_by, recode
from shoal.release.release import Release
from shoal.runs.check import verify_release, warn_of_gaps
from shoal.runs.inputs import Reader, fit_to, read_columns, read_populations
from shoal.runs.stages import Stages
from shoal.runs.warm_up import compile_kernels
from shoal.types.algorithm import Limits
from shoal.types.column import RawColumn
from shoal.types.grouping import Grouping
from shoal.types.named import name_of
from shoal.types.neighbour import Neighbour
from shoal.types.outcome import Outcome
from shoal.types.privacy import Privacy
from shoal.types.schema import Schema
from shoal.types.table import Encoding
from shoal.types.watch import Watch
from shoal.write.frames import to_native


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
        columns, noise_notes = add_noise(columns, source, policy, schema)
        populations = read_populations(policy, schema, source.encoding)
        encoding = encode(columns, schema, missing=policy.missing, unknown=policy.unknown)
        encoding = among_people(encoding, source, populations, policy, schema)
        limits = replace(limits_of(policy, encoding, threads), watch=stages.watch)
        refuse_small_table(privacy, encoding.table.n_records)  # without what is suppressed
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
        verdict = verify_release(
            replace(source, frame=published.frame),
            policy,
            schema,
            original={name: columns[name] for name in privacy.columns},
            populations=populations,
            watch=stages.watch,
        )
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
        n_unique_before=None if encoding.n_suppressed or noise_notes else encoding.table.n_unique,
        neighbours=beside,
        notes=fitting_notes
        + noise_notes
        + encoding.notes
        + grouping.notes
        + warn_of_gaps(schema, privacy, verdict)
        + warn_of_fingerprints(source.frame, schema),
    )


def anonymize_frame(
    frame: Any, policy: Policy, *, threads: int | None = None, watch: Watch | None = None
) -> Release:
    return anonymize(Source.of_frame(frame), policy, threads=threads, stages=Stages(watch=watch))


def add_noise(
    columns: dict[str, RawColumn], source: Source, policy: Policy, schema: Schema
) -> Noisy:
    """The columns with the noise that the algorithm asks for, whatever the input's order."""
    share = getattr(policy.algorithm, "noise", 0.0)
    if not share:
        return Noisy(columns, ())
    if Privacy(policy.privacy).populations:
        raise PolicyError(
            "with noise a cell does not say whom of a population it matches; leave one of the two "
            "out, the noise or the models with a population",
            ("algorithm", "noise"),
        )
    others = source.columns(schema.names("sensitive", "keep"))
    order = order_by(rows_by_quasi(columns, schema), others)
    return with_noise(columns, schema, share=share, key=secret_key(), order=order)


def among_people(
    encoding: Encoding,
    source: Source,
    populations: Mapping[str, Source],
    policy: Policy,
    schema: Schema,
    read: Reader = read_columns,
) -> Encoding:
    """The same, with populations coded like the table; `read` reads columns of both."""

    def together(people: Source) -> Mapping[str, RawColumn]:
        both = source.followed_by(people, schema.quasi, policy.missing_values)
        return read(both, policy, schema.quasi)

    coded = {
        file: encode_population(together(people), encoding, schema)
        for file, people in populations.items()
    }
    notes = encoding.notes + tuple(
        note
        for file, people in coded.items()
        for note in warn_of_missing_people(encoding.table, people, Path(file).name)
    )
    return replace(encoding, table=replace(encoding.table, populations=coded), notes=notes)


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


def look_beside(
    policy: Policy, grouping: Grouping, encoding: Encoding, limits: Limits
) -> tuple[Neighbour, ...]:
    """The nodes around the one that a full-domain algorithm chose."""
    look: Any = policy.algorithm
    privacy = Privacy(policy.privacy)
    found: tuple[Neighbour, ...] = look.neighbours(grouping.levels, encoding.table, privacy, limits)
    return found


def refuse_without_levels(algorithm: object) -> None:
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
