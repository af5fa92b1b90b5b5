"""Tables that pseudonyms link, joined again as a recipient would join them, and counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import polars as pl

from shoal.policy.policy import Policy
from shoal.policy.tables import TablesPolicy
from shoal.read.fingerprints import warn_of_fingerprints
from shoal.read.source import Source
from shoal.runs.verification import persons_of, verify_release
from shoal.types.privacy import Privacy
from shoal.types.schema import Schema
from shoal.types.sensitive import SensitiveColumn
from shoal.types.verdict import Leak, Verdict
from shoal.types.watch import Watch
from shoal.verify.linked import LinkedRows, rows_linked


@dataclass(frozen=True, eq=False, repr=False)
class LinkedVerification:
    """Published tables, and what the original's values mean where it is at hand."""

    policy: TablesPolicy
    published: Mapping[str, pl.DataFrame]
    meanings: Mapping[str, SensitiveColumn] | None = None
    watch: Watch | None = None
    rules: Policy = field(init=False)
    people: pl.DataFrame = field(init=False)  # every person with the cells of all tables

    def __post_init__(self) -> None:
        object.__setattr__(self, "rules", self.policy.joined())
        object.__setattr__(self, "people", self._people())

    def verdict(self, name: str) -> Verdict:
        """Whether people, with all their cells and the values of a table, keep the models."""
        released = Source(self._with_values(name))
        verdict = verify_release(
            released,
            self.rules,
            Schema({column: self.rules.columns[column] for column in released.frame.columns}),
            privacy=self._models_of(name),
            original=self.meanings,
            persons=persons_of(released, self.rules),
            watch=self.watch,
        )
        leaks = (*self._withheld(name), *self._lost_keys(name), *self._in_several_groups(name))
        return replace(verdict, n_records=self.published[name].height, leaks=leaks)

    def rows_of_people(self, name: str) -> LinkedRows:
        """How many rows of a table the people have, and who stands out by that, or by none."""
        rows = pl.DataFrame({"key": self._keys(name)}).drop_nulls().group_by("key").len("rows")
        people = pl.DataFrame({"key": self.people[self.policy.key]})
        found = people.join(rows, on="key", how="left", maintain_order="left")["rows"]
        counts = found.fill_null(0).cast(pl.Int64).to_numpy()
        linked = self._linked(Source(self.people, counts=counts + 1))  # none is a number too
        return replace(linked, most=linked.most - 1)

    def _linked(self, rows: Source) -> LinkedRows:
        k = Privacy(self.rules.privacy).smallest
        return rows_linked(rows, self.policy.key, Schema(self.rules.columns).quasi, k)

    def _models_of(self, name: str) -> Privacy:
        own = {self.policy.joined_name(name, column) for column in self.policy.tables[name].columns}
        return Privacy(
            tuple(m for m in self.rules.privacy if m.about.column is None or m.about.column in own)
        )

    def _keys(self, name: str) -> pl.Series:
        return self.published[name][self.policy.tables[name].key].cast(pl.String)

    def _people(self) -> pl.DataFrame:
        """The table of people, and the quasi-identifiers of the other tables."""
        policy, frame = self.policy, self._named(self.policy.people)
        for name in policy.events:
            cells = self._named(name, "quasi")
            if cells.width > 1:
                numbered = pl.DataFrame({str(i): cell for i, cell in enumerate(cells)})
                first = numbered.with_row_index("row").unique(numbered.columns, maintain_order=True)
                frame = _joined(frame, cells[first["row"]], policy.key)
        return frame

    def _with_values(self, name: str) -> pl.DataFrame:
        """Every person with the cells of all tables, and the values of one."""
        values = self._named(name, "sensitive")
        if name == self.policy.people or values.width == 1:
            return self.people
        return _joined(self.people, values, self.policy.key)

    def _named(self, name: str, *roles: str) -> pl.DataFrame:
        """The key and other columns of a published table, by the names of the joined policy."""
        spec, frame, joined = self.policy.tables[name], self.published[name], self.rules.columns
        named = {self.policy.joined_name(name, c): frame[c] for c in frame.columns if c != spec.key}
        chosen = {
            called: column
            for called, column in named.items()
            if called in joined and (not roles or joined[called].role in roles)
        }
        return pl.DataFrame({self.policy.key: self._keys(name), **chosen})

    def _withheld(self, name: str) -> list[Leak]:
        frame = self.published[name]
        withheld = Schema(self.policy.tables[name].columns).withheld
        return [Leak("withheld column", c, frame.height) for c in withheld if c in frame.columns]

    def _lost_keys(self, name: str) -> list[Leak]:
        """Rows that point to somebody who is not in the published table of people."""
        if name == self.policy.people:
            return []
        known = self.people[self.policy.key].drop_nulls().unique()
        is_known = self._keys(name).is_in(known.implode()).fill_null(False)
        n_lost = int((~is_known).sum())
        return [Leak("key without a person", self.policy.tables[name].key, n_lost)] * bool(n_lost)

    def _in_several_groups(self, name: str) -> list[Leak]:
        if name != self.policy.people:
            return []
        return list(self._linked(Source(self.people)).leaks(self.policy.key))


def notes_on_links(verifying: LinkedVerification) -> tuple[str, ...]:
    """What a recipient learns from rows that are linked, and from columns released unchanged."""
    policy, notes = verifying.policy, list[str]()
    for name, frame in verifying.published.items():
        schema = Schema(policy.tables[name].columns)
        found = warn_of_fingerprints(Source(frame), schema)
        if name in policy.events:
            found += tuple(verifying.rows_of_people(name).notes(policy.tables[name].key))
        notes += [f"Table {name!r}. {note}" for note in found]
    return tuple(notes)


def _joined(left: pl.DataFrame, right: pl.DataFrame, key: str) -> pl.DataFrame:
    """Each row of the left with each row of the right that has its key, or else with none.

    By row numbers, because polars takes some names of columns for patterns.
    """
    mine = pl.DataFrame({"key": left[key]}).with_row_index("left")
    theirs = pl.DataFrame({"key": right[key]}).with_row_index("right")
    rows = mine.join(theirs, on="key", how="left", maintain_order="left_right")
    columns = {name: left[name].gather(rows["left"]) for name in left.columns}
    columns |= {name: right[name].gather(rows["right"]) for name in right.columns if name != key}
    return pl.DataFrame(columns)
