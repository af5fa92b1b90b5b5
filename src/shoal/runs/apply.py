"""New records recoded as an earlier release was, and verified: the stages in order.

The pipeline of `shoal anonymize` with two differences. Nothing is searched for: levels are given.
And where an earlier release is there, new records may hide among its records, so that what is
verified is the union of both.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from shoal.encode.encode import encode
from shoal.errors import CannotSatisfy, InputError, counted, nearest
from shoal.group.parts.check_grouping import check_grouping
from shoal.group.parts.stats import stats_of_grouping
from shoal.metrics import measures_of
from shoal.metrics.loss import loss_by_column
from shoal.policy.policy import Policy
from shoal.read.fingerprints import warn_of_fingerprints
from shoal.read.source import Source
from shoal.recode.cells import Cells
from shoal.recode.recode import Published, group_of_records, recode
from shoal.release.release import Release
from shoal.runs.anonymize import among_people, limits_of, outcome_of, refuse_nothing, settle
from shoal.runs.check import verify_release as verify_alone
from shoal.runs.earlier_release import Earlier, Failing
from shoal.runs.inputs import read_columns, read_populations
from shoal.runs.stages import Stages
from shoal.saved_recoding.fixed import Fixed
from shoal.saved_recoding.given_levels import at_levels
from shoal.types.algorithm import Limits
from shoal.types.arrays import MISSING, BoolArray
from shoal.types.column import RawColumn
from shoal.types.grouping import Grouping
from shoal.types.named import name_of
from shoal.types.privacy import Privacy
from shoal.types.schema import Schema
from shoal.types.table import Encoding
from shoal.write.frames import to_native

if TYPE_CHECKING:
    from shoal.saved_recoding.recoding import Recoding


def apply(
    recoding: Recoding,
    source: Source,
    *,
    earlier: Source | None = None,
    threads: int | None = None,
    stages: Stages | None = None,
) -> Release:
    """Recode new records. What comes back has been verified, and holds the new records only."""
    stages = stages or Stages()
    policy = recoding.policy
    before = None if earlier is None else Earlier.of_release(earlier, recoding)
    source, schema = fitted(source, policy)

    def read(people: Source, _: Policy, names: Sequence[str]) -> Mapping[str, RawColumn]:
        return columns_of(people, recoding, schema.in_order_of(list(names)))

    with stages("encode"):
        columns = columns_of(source, recoding, schema)
        encoding = encode(columns, schema, missing=policy.missing, unknown=policy.unknown)
        populations = read_populations(policy, schema, source.encoding)
        refuse_population_of_earlier(populations, before)
        encoding = among_people(encoding, source, populations, policy, schema, read=read)
        limits = limits_of(policy, encoding, threads)
    with stages("group"):
        grouping = at_levels(encoding.table, tuple(recoding.levels.values()))
        name = name_of(policy.algorithm)
        check_grouping(grouping, table=encoding.table, limits=limits, algorithm=name)
        outcome, cells = settle(grouping, encoding=encoding, privacy=Privacy(()), limits=limits)
    new = NewRecords(source, policy, schema, encoding, limits)
    with stages("recode"):
        grouping = outcome.grouping
        is_kept = new.kept_groups(grouping, cells, before)
        grouping, cells = grouping.without(~is_kept), _cells_of(cells, is_kept)
        published = new.publish(grouping, cells)
        outcome = outcome_of(encoding, grouping, Privacy(policy.privacy))
    with stages("verify"):
        release = replace(source, frame=published.frame)
        original = {name: columns[name] for name in Privacy(policy.privacy).columns}
        verdict = (
            verify_alone(
                release,
                policy,
                schema,
                original=original,
                populations=populations,
                read=read,
            )
            if before is None
            else before.verify_with(published.frame)
        )
    return Release(
        frame=to_native(source, published.frame, published.records, schema),
        published=published.frame,
        verdict=verdict,
        measures=measures_of(outcome),
        loss_by_column=loss_by_column(outcome),
        groups=published.groups,
        grouping=grouping,
        policy=policy,
        schema=schema,
        axes=encoding.table.axes,
        seconds=stages.seconds,
        n_unique_before=None if encoding.n_suppressed else encoding.table.n_unique,
        notes=encoding.notes
        + warn_of_fingerprints(source.frame, schema)
        + (() if before is None else before.notes),
    )


def fitted(source: Source, policy: Policy) -> tuple[Source, Schema]:
    """The new table with its columns in the release's order; withheld ones may be absent."""
    names = source.frame.columns
    for name in Schema(policy.columns).released:
        if name not in names:
            raise InputError(
                f"Column {name!r} of the release is not in the new data{nearest(name, names)}"
            )
    for name in names:
        if name not in policy.columns:
            raise InputError(
                f"Column {name!r} of the new data is not in the recoding"
                f"{nearest(name, policy.columns)} Remove it, or anonymize anew with a policy that "
                "says what it is."
            )
    order = [name for name in policy.columns if name in names]
    return replace(source, frame=source.columns(order)), Schema(policy.columns).in_order_of(order)


def columns_of(source: Source, recoding: Recoding, schema: Schema) -> dict[str, RawColumn]:
    """Quasi-identifiers read as they were for the release, sensitive columns as always."""
    policy = recoding.policy
    columns = read_columns(source, policy, schema.sensitive)
    for name, level in recoding.levels.items():
        hierarchy = schema.columns[name].hierarchy
        assert isinstance(hierarchy, Fixed)
        column = hierarchy.read_as(source.frame[name], policy.missing_values)
        if hierarchy.is_empty and policy.unknown == "error":
            _refuse_values(column)
        if not column.labels and level == hierarchy.height and policy.missing == "category":
            # With no value there would be no hierarchy, and the cell would be missing, not `*`.
            column = replace(column, labels=(hierarchy.a_leaf,), codes=column.codes - MISSING)
        columns[name] = column
    return columns


def refuse_population_of_earlier(populations: Mapping[str, Source], before: Earlier | None) -> None:
    if populations and before is not None:
        raise InputError(
            "The policy has a model about a population, which cannot be verified for new records "
            "together with an earlier release. Recode them by themselves, or anonymize all anew."
        )


def _refuse_values(column: RawColumn) -> None:
    n_records = int((column.codes >= 0).sum())
    if n_records:
        raise InputError(
            f"Column {column.name!r}: {counted(n_records, 'record')} have a value, and none had "
            "one when the levels were chosen. Anonymize anew, or leave the column empty."
        )


@dataclass(frozen=True, eq=False, repr=False)
class NewRecords:
    """New records, coded, and what they are released by."""

    source: Source
    policy: Policy
    schema: Schema
    encoding: Encoding
    limits: Limits

    def publish(self, grouping: Grouping, cells: tuple[Cells, ...]) -> Published:
        """The published table, not yet verified."""
        source, policy, schema = self.source, self.policy, self.schema
        return recode(
            source,
            group_of_records(source, self.encoding, grouping, schema),
            cells,
            schema=schema,
            order=policy.order,
            missing_text=policy.missing_text if source.is_text else None,
        )

    def kept_groups(
        self, grouping: Grouping, cells: tuple[Cells, ...], before: Earlier | None
    ) -> BoolArray:
        """Which groups may stay: failing ones are suppressed, and the others are asked again."""
        is_kept = np.ones(grouping.n_groups, dtype=np.bool_)
        while True:
            kept = grouping.without(~is_kept)
            refuse_nothing(kept.n_groups)
            failing = (
                self._failing_alone(kept)
                if before is None
                else before.failing_with(self.publish(kept, _cells_of(cells, is_kept)))
            )
            if not failing.is_group.any():
                return is_kept
            n_suppressed = kept.n_suppressed + failing.n_records
            if n_suppressed > self.limits.suppression:
                raise self._cannot(failing, n_suppressed, joins=before is not None)
            is_kept[np.flatnonzero(is_kept)[failing.is_group]] = False

    def _failing_alone(self, grouping: Grouping) -> Failing:
        privacy = Privacy(self.policy.privacy)
        stats = stats_of_grouping(self.encoding.table, grouping)
        fails = ~privacy.holds(stats)
        return Failing(fails, int(stats.sizes[fails].sum()), privacy.failing(stats))

    def _cannot(self, failing: Failing, n_suppressed: int, *, joins: bool) -> CannotSatisfy:
        allowed = self.limits.suppression
        may = "no record" if allowed == 0 else "at most " + counted(allowed, "record")
        together = " together with the earlier release" if joins else ""
        other = "" if joins else "verify them together with an earlier release (--release), "
        return CannotSatisfy(
            f"{', '.join(failing.models)} cannot be met by the new records{together}: "
            f"{counted(int(failing.is_group.sum()), 'group')} with "
            f"{counted(failing.n_records, 'record')} fail, {counted(n_suppressed, 'record')} "
            f"would have to be suppressed, and {may} may be.\n"
            f"The levels are given. Wait for more records, {other}raise `suppression` in the "
            "recoding, or anonymize all records anew."
        )


def _cells_of(cells: tuple[Cells, ...], is_kept: BoolArray) -> tuple[Cells, ...]:
    return tuple(Cells(column.texts, column.of_group[is_kept]) for column in cells)
