"""`shoal apply`: new records recoded as an earlier release was, and verified.

The run of `shoal anonymize` with two differences. Nothing is searched for: levels are given. And
where an earlier release is there, new records may hide among its records, so that what is verified
is the union of both.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from shoal.errors import CannotSatisfy, InputError, UnknownValues, counted, nearest
from shoal.group.parts.at_levels import at_levels
from shoal.group.parts.check_grouping import check_grouping
from shoal.group.parts.stats import stats_of_grouping
from shoal.policy.policy import Policy
from shoal.read.key import Key
from shoal.read.said import said_texts
from shoal.read.source import Source
from shoal.recode.cells import Cells
from shoal.release.release import Release
from shoal.runs.earlier_release import Earlier, Failing
from shoal.runs.finish import finish, publish
from shoal.runs.inputs import read_columns, repeating_in, spec_in
from shoal.runs.prepare import Encoded, Prepared, prepare
from shoal.runs.pseudonyms import pseudonymise_later, refuse_linked, with_pseudonyms
from shoal.runs.search import Found, outcome_of, refuse_nothing, settle
from shoal.runs.stages import Stages
from shoal.saved_recoding.fixed import Fixed
from shoal.types.arrays import MISSING, BoolArray
from shoal.types.column import RawColumn
from shoal.types.grouping import Grouping
from shoal.types.named import name_of
from shoal.types.privacy import Privacy
from shoal.types.schema import Schema

if TYPE_CHECKING:
    from shoal.saved_recoding.recoding import Recoding


def apply(
    recoding: Recoding,
    source: Source,
    *,
    earlier: Source | None = None,
    key: Key | None = None,
    threads: int | None = None,
    stages: Stages | None = None,
) -> Release:
    """Recode new records. What comes back has been verified, and holds the new records only."""
    policy, stages = recoding.policy, stages or Stages()
    before = None if earlier is None else Earlier.of_release(earlier, recoding)
    original, schema = fitted(source, policy)
    made = pseudonymise_later(original, recoding, key, stages, joins=before is not None)

    def read(people: Source, _: Policy, names: Sequence[str]) -> Mapping[str, RawColumn]:
        return columns_of(people, recoding, schema.in_order_of(list(names)))

    prepared = prepare(made.source, policy, schema, read=read, threads=threads, stages=stages)
    refuse_linked(prepared)
    if before is not None:
        refuse_people_of_earlier(recoding.policy)
        refuse_population_of_earlier(prepared.populations)
    with _dates_explained(policy):
        found = at_given_levels(prepared, recoding, before)
    if before is None:
        release = finish(prepared, found)
    else:
        release = finish(prepared, found, verify=lambda new: before.verify_with(new.frame))
        release = replace(release, notes=release.notes + before.notes)
    release = with_pseudonyms(release, made, original, stages)
    verdict = replace(release.verdict, repeating=repeating_in(original, policy, schema))
    return replace(release, verdict=verdict)


@contextmanager
def _dates_explained(policy: Policy) -> Iterator[None]:
    """A date that is written otherwise is missing from no list: say how others were written."""
    try:
        yield
    except UnknownValues as error:
        spec = policy.columns.get(error.column or "")
        fixed = None if spec is None else spec.hierarchy
        if spec is None or not isinstance(fixed, Fixed) or fixed.kind not in ("date", "datetime"):
            raise
        raise error.as_dates(spec.format or "YYYY-MM-DD") from None


def at_given_levels(prepared: Prepared, recoding: Recoding, before: Earlier | None) -> Found:
    """The groups of new records at the levels of the recoding, failing ones suppressed."""
    policy, stages = prepared.policy, prepared.stages
    encoded = prepared.encoded_for(policy.algorithm)
    table, limits = encoded.encoding.table, prepared.limits_for(encoded.encoding)
    with stages("group"):
        grouping = at_levels(table, tuple(recoding.levels.values()))
        check_grouping(grouping, table=table, limits=limits, algorithm=name_of(policy.algorithm))
    with stages("recode"):
        outcome, cells = settle(
            grouping, encoding=encoded.encoding, privacy=Privacy(()), limits=limits
        )
        new = NewRecords(prepared, encoded, limits.suppression)
        is_kept = new.kept_groups(outcome.grouping, cells, before)
        grouping = outcome.grouping.without(~is_kept)
        outcome = outcome_of(encoded.encoding, grouping, prepared.privacy)
    return Found(encoded, outcome, _cells_of(cells, is_kept))


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
        series = said_texts(
            source.frame[name], spec_in(source, policy, name), policy.missing_values, hierarchy.kind
        )
        column = hierarchy.read_as(series, policy.missing_values)
        if hierarchy.is_empty and policy.unknown == "error":
            _refuse_values(column)
        if not column.labels and level == hierarchy.height and policy.missing == "category":
            # With no value there would be no hierarchy, and the cell would be missing, not `*`.
            column = replace(column, labels=(hierarchy.a_leaf,), codes=column.codes - MISSING)
        columns[name] = column
    return columns


def refuse_people_of_earlier(policy: Policy) -> None:
    if policy.person and Schema(policy.columns).pseudonym is None:
        raise InputError(
            "The policy counts people, and an earlier release does not say whose its records are: "
            "new records may be of people who are in it. Recode them by themselves, or anonymize "
            "all anew; only pseudonyms tell who is in both."
        )


def refuse_population_of_earlier(populations: Mapping[str, Source]) -> None:
    if populations:
        raise InputError(
            "The policy has a model about a population, which cannot be verified for new records "
            "together with an earlier release. Recode them by themselves, or anonymize all anew."
        )


def _refuse_values(column: RawColumn) -> None:
    n_records = int((column.codes >= 0).sum())
    if n_records:
        raise InputError(
            f"Column {column.name!r}: {counted(n_records, 'record')} have a value, but none had "
            "one when the levels were chosen. Anonymize anew, or leave the column empty."
        )


@dataclass(frozen=True, eq=False, repr=False)
class NewRecords:
    """New records, coded, and how many of them may be suppressed."""

    prepared: Prepared
    encoded: Encoded
    limit: int

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
                else before.failing_with(
                    publish(self.prepared, self.encoded, kept, _cells_of(cells, is_kept))
                )
            )
            if not failing.is_group.any():
                return is_kept
            n_suppressed = kept.n_suppressed + failing.n_records
            if n_suppressed > self.limit:
                raise self._cannot(failing, n_suppressed, joins=before is not None)
            is_kept[np.flatnonzero(is_kept)[failing.is_group]] = False

    def _failing_alone(self, grouping: Grouping) -> Failing:
        privacy = self.prepared.privacy
        stats = stats_of_grouping(self.encoded.encoding.table, grouping)
        fails = ~privacy.holds(stats)
        return Failing(fails, int(stats.entries[fails].sum()), privacy.failing(stats))

    def _cannot(self, failing: Failing, n_suppressed: int, *, joins: bool) -> CannotSatisfy:
        may = "no record" if self.limit == 0 else "at most " + counted(self.limit, "record")
        together = " together with the earlier release" if joins else ""
        policy = self.prepared.policy
        cannot_join = joins or (policy.person and self.encoded.schema.pseudonym is None)
        other = "" if cannot_join else "verify them together with an earlier release (--release), "
        return CannotSatisfy(
            f"{', '.join(failing.models)} cannot be satisfied by the new records{together}: "
            f"{counted(int(failing.is_group.sum()), 'group')} with "
            f"{counted(failing.n_records, 'record')} fail, {counted(n_suppressed, 'record')} "
            f"would have to be suppressed, and {may} may be.\n"
            f"The levels are given. Wait for more records, {other}raise the share that may "
            "be suppressed (--suppression), or anonymize all records anew."
        )


def _cells_of(cells: tuple[Cells, ...], is_kept: BoolArray) -> tuple[Cells, ...]:
    return tuple(Cells(column.texts, column.of_group[is_kept]) for column in cells)
