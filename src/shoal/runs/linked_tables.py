"""Tables that pseudonyms link: searched as one table, published as many, verified joined.

Who holds the release can join its tables by their pseudonyms, so the promise is about whole people.
All tables are joined to one, with a row for each person and event, and that is anonymized with
`person`. Then each table is published on its own, with the cells of its people.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
import polars as pl

from shoal.encode.order import order_by
from shoal.policy.policy import Policy
from shoal.policy.tables import TablesPolicy
from shoal.read.key import Key
from shoal.read.source import Source
from shoal.recode.pseudonyms import keyed
from shoal.recode.recode import forget_categories
from shoal.release.release import Release
from shoal.release.tables import ReleasedTable, TablesRelease
from shoal.runs.anonymize import anonymize
from shoal.runs.inputs import read_columns
from shoal.runs.keyed_tables import KeyedTables
from shoal.runs.stages import Stages
from shoal.runs.verification import meanings_of, persons_of, verify_release
from shoal.types.arrays import Int64Array
from shoal.types.privacy import Privacy
from shoal.types.schema import Schema
from shoal.types.sensitive import SensitiveColumn
from shoal.types.verdict import Leak, Verdict
from shoal.verify.linked import LinkedRows, rows_linked
from shoal.write.frames import to_native

PERSON, ROW = "person", "row"  # names inside frames


def anonymize_linked(
    tables: KeyedTables,
    policy: TablesPolicy,
    *,
    key: Key | None,
    threads: int | None,
    stages: Stages,
) -> TablesRelease:
    """People are anonymized with all that is known of them, then every table is published."""
    rules = policy.joined()
    with stages("encode"):
        joined = join_tables(tables, policy, rules)
    release = anonymize(joined, rules, key=key, threads=threads, stages=stages)
    with stages("recode"):
        cells = _cells_of_people(tables, release, key)
        published = {name: _publish(name, tables, policy, cells) for name in policy.tables}
    with stages("verify"):
        verifying = _Verifying(policy, rules, published, _meanings(joined, rules))
        verdicts = {name: verifying.verdict(name) for name in policy.tables}
    return TablesRelease(
        tables={
            name: ReleasedTable(
                frame=to_native(tables.sources[name], table.frame, table.rows, table.schema),
                published=table.frame,
                verdict=verdicts[name],
                n_read=tables.n_read[name],
            )
            for name, table in published.items()
        },
        people=policy.people,
        measures=release.measures,
        loss_by_column=release.loss_by_column,
        n_people_read=tables.n_people,
        seconds=stages.seconds,
        notes=_notes(release, verifying) + tables.notes,
        mapping=release.mapping,
    )


def _notes(release: Release, verifying: _Verifying) -> tuple[str, ...]:
    """Those of the joined release, with the rows of people in each table for those of the join."""
    of_join = () if release.linked_rows is None else release.linked_rows.notes(verifying.key)
    left_out = set(of_join)
    notes = [note for note in release.notes if note not in left_out]
    for name in verifying.policy.events:
        linked = verifying.rows_of_people(name)
        key = verifying.policy.tables[name].key
        notes += [f"Table {name!r}. {note}" for note in linked.notes(key)]
    return tuple(notes)


def join_tables(tables: KeyedTables, policy: TablesPolicy, rules: Policy) -> Source:
    """All tables as one: a person has as many rows as there are in the table with most of them.

    In the other tables the person's rows come again from the first, which changes no set of
    values; somebody without an event has missing values there.
    """
    turns = np.ones(tables.n_people, dtype=np.int64)
    for name in policy.events:
        turns = np.maximum(turns, np.bincount(tables.person[name], minlength=tables.n_people))
    person = np.repeat(np.arange(tables.n_people), turns)
    turn = np.arange(len(person)) - np.repeat(np.cumsum(turns) - turns, turns)
    columns: dict[str, pl.Series] = {}
    for name, source in tables.sources.items():
        row = _row_at(tables.person[name], person, turn, tables.n_people)
        for column in source.frame.columns:
            joined_name = policy.joined_name(name, column)
            if joined_name in rules.columns:
                columns[joined_name] = source.frame[column].gather(row).alias(joined_name)
    is_text = any(source.is_text for source in tables.sources.values())
    return Source(pl.DataFrame(list(columns.values())), is_text=is_text)


def _row_at(of_row: Int64Array, person: Int64Array, turn: Int64Array, n_people: int) -> pl.Series:
    """The row of a table that is a person's so many-th, from the first again; null: none."""
    n_rows = np.bincount(of_row, minlength=n_people)
    first = np.cumsum(n_rows) - n_rows
    place = first[person] + turn % np.maximum(n_rows[person], 1)
    has_none = n_rows[person] == 0
    by_person = np.append(np.argsort(of_row, kind="stable"), -1)
    rows = by_person[np.where(has_none, -1, place)]
    return pl.Series(rows, dtype=pl.Int64).set(pl.Series(has_none), None)


class _Cells(NamedTuple):
    """What is published of each person, by number; null for somebody who is suppressed."""

    pseudonyms: pl.Series
    quasi: pl.DataFrame  # by their names in the joined table


def _cells_of_people(tables: KeyedTables, release: Release, key: Key | None) -> _Cells:
    """The pseudonym of every person, and the cells that the joined release has for it."""
    name, quasi = release.schema.pseudonym, release.schema.quasi
    assert name is not None
    identifiers = pl.Series(tables.identifiers, dtype=pl.String)
    if key is not None:
        pseudonyms = keyed(tables.identifiers, key.secret)
    else:
        assert release.mapping is not None
        known = dict(release.mapping.iter_rows())
        pseudonyms = pl.Series([known[text] for text in identifiers], dtype=pl.String)
    frame = release.published
    first = pl.DataFrame({PERSON: frame[name]}).with_row_index(ROW).unique(PERSON, keep="first")
    people = pl.DataFrame({PERSON: pseudonyms}).join(first, on=PERSON, how="left")
    row = people[ROW]
    cells = pl.DataFrame({str(i): frame[column].gather(row) for i, column in enumerate(quasi)})
    cells.columns = list(quasi)
    return _Cells(pseudonyms.set(row.is_null(), None), cells)


class _PublishedTable(NamedTuple):
    """A table as it is published, and which row of the source each row is."""

    frame: pl.DataFrame
    rows: Int64Array
    schema: Schema


def _publish(
    name: str, tables: KeyedTables, policy: TablesPolicy, cells: _Cells
) -> _PublishedTable:
    """The rows of released people with their cells, in an order that tells nothing."""
    source, person = tables.sources[name], tables.person[name]
    schema = Schema(policy.tables[name].columns).in_order_of(source.frame.columns)
    pseudonyms = cells.pseudonyms.gather(person)
    rows = np.flatnonzero(pseudonyms.is_not_null().to_numpy())
    columns = []
    for column in schema.released:
        role = schema.columns[column].role
        if role == "pseudonym":
            series = pseudonyms.gather(rows)
        elif role == "quasi":
            series = cells.quasi[policy.joined_name(name, column)].gather(person[rows])
        else:
            series = forget_categories(source.frame[column].gather(rows), source.frame[column])
        columns.append(series.alias(column))
    frame = pl.DataFrame(columns)
    if policy.settings.get("order", "published") == "published":
        keys = [column.gather(person[rows]) for column in cells.quasi.get_columns()]
        keys += [pseudonyms.gather(rows), *columns]
        numbered = pl.DataFrame([column.alias(str(i)) for i, column in enumerate(keys)])
        in_order = order_by(np.zeros(len(rows), dtype=np.int32), numbered)
        frame, rows = frame[in_order], rows[in_order]
    return _PublishedTable(frame, rows, schema)


def _meanings(joined: Source, rules: Policy) -> dict[str, SensitiveColumn]:
    """What the values of the original mean, and how many people have each."""
    schema = rules.schema_for(joined.frame.columns)
    names = tuple(dict.fromkeys(m.about.column for m in rules.privacy if m.about.column))
    columns = read_columns(joined, rules, names)
    return meanings_of(columns, names, schema, None, persons_of(joined, rules))


class _Verifying(NamedTuple):
    """Published tables, joined again as a recipient would join them, and counted."""

    policy: TablesPolicy
    rules: Policy
    published: dict[str, _PublishedTable]
    meanings: dict[str, SensitiveColumn]

    def verdict(self, name: str) -> Verdict:
        """Whether people, with all their cells and the values of a table, keep the models."""
        frame = self._joined(name)
        own = {self.policy.joined_name(name, column) for column in self.policy.tables[name].columns}
        models = tuple(
            model
            for model in self.rules.privacy
            if model.about.column is None or model.about.column in own
        )
        rules = replace(self.rules, privacy=models or self.rules.privacy[:1])
        schema = Schema({c: self.rules.columns[c] for c in frame.columns})
        verdict = verify_release(
            Source(frame),
            rules,
            schema,
            original=self.meanings,
            persons=persons_of(Source(frame), self.rules),
        )
        table = self.published[name]
        leaks = verdict.leaks + tuple(self._lost_people(name, frame[self.key]))
        withheld = Schema(self.policy.tables[name].columns).withheld
        leaks += tuple(
            Leak("withheld column", column, table.frame.height)
            for column in withheld
            if column in table.frame.columns
        )
        return replace(verdict, n_records=table.frame.height, leaks=leaks)

    @property
    def key(self) -> str:
        return self.policy.tables[self.policy.people].key

    def rows_of_people(self, name: str) -> LinkedRows:
        """How many rows of a table the people have, and who stands out by that."""
        quasi = [c for c in self.rules.columns if self.rules.columns[c].role == "quasi"]
        people = self._joined(self.policy.people)
        keys = self.published[name].frame[self.policy.tables[name].key].alias(self.key)
        frame = people.join(keys.value_counts(name="rows"), on=self.key, how="left")
        rows = frame["rows"].fill_null(0).to_numpy().astype(np.int64)
        counted = Source(frame.drop("rows").filter(pl.Series(rows > 0)), counts=rows[rows > 0])
        return rows_linked(counted, self.key, quasi, Privacy(self.rules.privacy).smallest)

    def _joined(self, name: str) -> pl.DataFrame:
        """Every published person with the cells of all tables and the values of one."""
        key, frame = self.key, self._named(self.policy.people)
        for other in self.policy.events:
            columns = self._named(other)
            quasi = [c for c in columns.columns if c in self.rules.columns
                     and self.rules.columns[c].role == "quasi"]  # fmt: skip
            values = [c for c in columns.columns if c not in (key, *quasi)]
            if quasi:
                cells = columns.select(key, *quasi).unique(maintain_order=True)
                frame = frame.join(cells, on=key, how="left", maintain_order="left")
            if other == name and values:
                frame = frame.join(
                    columns.select(key, *values), on=key, how="left", maintain_order="left"
                )
        return frame

    def _named(self, name: str) -> pl.DataFrame:
        """What the joined policy knows of a published table, by the names it uses."""
        table = self.policy.tables[name]
        key, frame = self.key, self.published[name].frame
        chosen = {
            key if c == table.key else self.policy.joined_name(name, c): frame[c]
            for c in frame.columns
        }
        known = {c: s.alias(c) for c, s in chosen.items() if c == key or c in self.rules.columns}
        return pl.DataFrame(list(known.values()))

    def _lost_people(self, name: str, people: pl.Series) -> list[Leak]:
        """Rows that point to somebody who is not in the published table of people."""
        keys = self.published[name].frame[self.policy.tables[name].key]
        n_lost = int((~keys.is_in(people.unique().implode())).sum())
        return [Leak("key of nobody", self.policy.tables[name].key, n_lost)] if n_lost else []
