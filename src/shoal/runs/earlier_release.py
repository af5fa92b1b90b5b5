"""An earlier release, whose groups new records may join."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import polars as pl

from shoal.encode.encode import encode
from shoal.errors import CannotSatisfy, InputError, NotPrivate, counted
from shoal.group.parts.at_levels import at_levels
from shoal.group.parts.stats import stats_of_grouping
from shoal.hierarchies.flat import Flat
from shoal.policy.policy import Policy
from shoal.read.columns import read_column
from shoal.read.source import Source
from shoal.recode.recode import Published
from shoal.runs.inputs import read_columns
from shoal.runs.prepare import read_people
from shoal.runs.verification import persons_of, verify_release
from shoal.saved_recoding.fixed import Fixed
from shoal.types.arrays import BoolArray
from shoal.types.hierarchy import ROOT
from shoal.types.privacy import Privacy
from shoal.types.schema import ColumnSpec, Schema
from shoal.types.table import Encoding
from shoal.types.unit import PERSON
from shoal.types.verdict import Leak, Verdict
from shoal.verify.linked import rows_linked

if TYPE_CHECKING:
    from shoal.saved_recoding.recoding import Recoding


class Failing(NamedTuple):
    """Which groups of new records fail, with how many records, and the models they fail."""

    is_group: BoolArray
    n_records: int
    models: tuple[str, ...]


@dataclass(frozen=True, eq=False, repr=False)
class Earlier:
    """The cells and sensitive values of an earlier release, as text."""

    frame: pl.DataFrame
    policy: Policy
    schema: Schema
    kinds: dict[str, str]  # of the sensitive columns

    @classmethod
    def of_release(cls, source: Source, recoding: Recoding) -> Earlier:
        """Read an earlier release. It must be one of this recoding, and keep the policy itself."""
        policy = recoding.policy
        schema = policy.schema_of_release(source.frame.columns)
        verdict = verify_release(source, policy, schema, persons=persons_of(source, policy))
        if not verdict.holds:
            failing = [finding.model for finding in verdict.findings if not finding.holds]
            raise NotPrivate(
                "The earlier release does not satisfy the policy of the recoding by itself "
                f"({', '.join(failing) or 'it has a column that must be withheld'}), so no new "
                "record can be added to it. Nothing was written."
            )
        seen = schema.only("pseudonym", "quasi", "sensitive")
        earlier = cls(
            _as_text(source.frame, policy, seen), policy, seen, _kinds(source.frame, policy, seen)
        )
        earlier._refuse_other_levels(recoding)
        return earlier

    @property
    def notes(self) -> tuple[str, ...]:
        return (
            f"The new records were verified together with {counted(self.frame.height, 'record')} "
            "of the earlier release: share them with those who have it, and not by themselves.",
        )

    def failing_with(self, new: Published) -> Failing:
        """Which groups of new records fail a model together with the earlier release.

        The groups are numbered as in `new.groups`.
        """
        privacy = Privacy(self.policy.privacy)
        flat = {name: _flat(spec) for name, spec in self.schema.columns.items()}
        policy = replace(self._policy, columns={**self.policy.columns, **flat})
        both = Source(self._union(new.frame))
        self._refuse_moved(both)
        columns = read_columns(both, policy, tuple(flat))
        people = None if self.schema.pseudonym is None else read_people(both, self._policy)
        encoding = encode(columns, Schema(flat), missing="category", unknown="error", people=people)
        grouping = at_levels(encoding.table, [0] * len(self.schema.quasi))
        stats = stats_of_grouping(encoding.table, grouping)
        fails = ~privacy.holds(stats)
        of_new = grouping.labels[encoding.row_of_record][self.frame.height :]
        is_group = np.zeros(int(new.groups.max()) + 1, dtype=np.bool_)
        is_group[new.groups[fails[of_new]]] = True
        if fails.any() and not is_group.any():
            raise _changes_the_whole(privacy.failing(stats), int(fails.sum()))
        return Failing(is_group, self._n_failing(encoding, fails[of_new]), privacy.failing(stats))

    def verify_with(self, new: pl.DataFrame) -> Verdict:
        """The independent check, on what a reader has who holds both files."""
        both = Source(self._union(new))
        persons = persons_of(both, self._policy)
        union = verify_release(both, self._policy, self.schema, persons=persons)
        leaks = verify_release(Source(new), self.policy, self.schema).leaks
        return replace(union, leaks=leaks + self._leaks(both))

    def _n_failing(self, encoding: Encoding, is_failing: BoolArray) -> int:
        """How many of the new records fail or, where people are known, entries of theirs."""
        if encoding.entry_of_record is None:
            return int(is_failing.sum())
        return len(np.unique(encoding.entry_of_record[self.frame.height :][is_failing]))

    @property
    def _policy(self) -> Policy:
        """In the union, missing is null already, whatever else a file writes for it."""
        return replace(self.policy, missing_values=("",))

    def _union(self, new: pl.DataFrame) -> pl.DataFrame:
        kinds = _kinds(new, self.policy, self.schema)
        for name, kind in self.kinds.items():
            if "text" in {kind, kinds.get(name, kind)} != {"text"}:
                raise InputError(
                    f"Column {name!r} is text in one of the new data and the earlier release and "
                    f"{kind if kind != 'text' else kinds[name]} in the other, so that their values "
                    "cannot be compared. Give both as csv, or both as parquet."
                )
        union = pl.concat([self.frame, _as_text(new, self.policy, self.schema)])
        measured = {
            name: _typed(union[name].alias("values"), {kind, kinds.get(name, kind)}).alias(name)
            for name, kind in (kinds | self.kinds).items()
        }
        return pl.DataFrame({name: measured.get(name, union[name]) for name in union.columns})

    def _leaks(self, both: Source) -> tuple[Leak, ...]:
        """People whose rows a pseudonym links from group to group."""
        name = self.schema.pseudonym
        if name is None:
            return ()
        return tuple(rows_linked(both, name, self.schema.quasi, 1).leaks(name))

    def _refuse_moved(self, both: Source) -> None:
        """Refuse new records of people who are in another group of the earlier release."""
        for leak in self._leaks(both):
            raise NotPrivate(
                f"{PERSON.counted(leak.count)} would be in another group than in the earlier "
                f"release, and the pseudonym {leak.column!r} links the rows, so both groups "
                "together could single them out. Give them the quasi-identifiers that they had, or "
                "leave them out. Nothing was written."
            )

    def _refuse_other_levels(self, recoding: Recoding) -> None:
        """Refuse a release whose cells this recoding cannot have written."""
        for name, level in recoding.levels.items():
            spec = self.policy.columns[name].hierarchy
            assert isinstance(spec, Fixed)
            if level == spec.height:
                nodes: tuple[str, ...] = (ROOT,)
            elif spec.listed is not None:
                nodes = spec.listed.labels[level]
            else:
                continue
            n_other = int((~self.frame[name].alias("cells").drop_nulls().is_in(nodes)).sum())
            if n_other:
                raise InputError(
                    f"Column {name!r}: {counted(n_other, 'record')} of the earlier release have a "
                    f"cell that is not a node of level {level}. It was made with another recoding."
                )


def _typed(labels: pl.Series, kinds: set[str]) -> pl.Series:
    """Labels of numbers, dates and times as what they measure, or models would see words."""
    if kinds <= {"integer"}:
        return labels.cast(pl.Int64)
    if kinds <= {"integer", "number"}:
        return labels.cast(pl.Float64)
    if kinds == {"date"}:
        return labels.str.to_date("%Y-%m-%d")
    if kinds == {"datetime"}:
        return labels.str.to_datetime("%Y-%m-%d %H:%M:%S%.f", time_unit="us")
    if kinds == {"time"}:
        return labels.str.to_time("%H:%M:%S%.f")
    return labels


def _changes_the_whole(models: tuple[str, ...], n_groups: int) -> CannotSatisfy:
    return CannotSatisfy(
        f"{', '.join(models)} cannot be satisfied: together with the new records, "
        f"{counted(n_groups, 'group')} of the earlier release fail that contain no new record, so "
        "suppressing new records does not help. Anonymize all records anew."
    )


def _flat(spec: ColumnSpec) -> ColumnSpec:
    """Cells are compared letter by letter, whatever they were made of."""
    return ColumnSpec("quasi", Fixed(Flat(), "text")) if spec.role == "quasi" else spec


def _as_text(frame: pl.DataFrame, policy: Policy, schema: Schema) -> pl.DataFrame:
    """Cells and sensitive values as text and missing ones as null, from any kind of file."""
    missing = ["", policy.missing_text or ""]
    columns = {}
    for name in schema.columns:
        if name in schema.quasi:
            cells = frame[name].alias("cells").cast(pl.String)  # a name may be a pattern
            columns[name] = cells.set(cells.is_in(missing).fill_null(False), None).alias(name)
        else:
            column = read_column(frame[name], missing_values=policy.missing_values)
            labels = pl.Series([*column.labels, None], dtype=pl.String)
            columns[name] = labels.gather(column.codes % len(labels)).alias(name)
    return pl.DataFrame(columns)


def _kinds(frame: pl.DataFrame, policy: Policy, schema: Schema) -> dict[str, str]:
    """The kinds of sensitive columns that have a value."""
    columns = [
        read_column(frame[name], missing_values=policy.missing_values) for name in schema.sensitive
    ]
    return {column.name: column.kind for column in columns if column.labels}
