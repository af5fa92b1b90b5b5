"""Tables that pseudonyms link: searched as one table, published as many, verified joined.

Who holds the release can join its tables by their pseudonyms, so the promise is about whole people.
All tables are joined to one, with a row for each person and event, and that is anonymized with
`person`. Then each table is published on its own, with the cells of its people.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import polars as pl

from shoal.encode.order import order_by, ranks_by
from shoal.errors import InputError, NotVerified
from shoal.policy.policy import Policy
from shoal.policy.tables import TablesPolicy
from shoal.read.fingerprints import warn_of_fingerprints
from shoal.read.key import Key
from shoal.read.source import Source
from shoal.recode.afresh import afresh
from shoal.recode.recode import forget_categories
from shoal.release.release import Release
from shoal.release.tables import ReleasedTable, TablesRelease
from shoal.runs.anonymize import anonymize
from shoal.runs.inputs import read_columns
from shoal.runs.keyed_tables import KeyedTables
from shoal.runs.linked_verification import LinkedVerification, notes_on_links
from shoal.runs.pseudonyms import pseudonymise
from shoal.runs.stages import Stages
from shoal.runs.verification import meanings_of, persons_of
from shoal.types.arrays import Int32Array, Int64Array
from shoal.types.schema import Schema
from shoal.types.sensitive import SensitiveColumn
from shoal.types.unit import PERSON
from shoal.write.frames import to_native

KEPT = ("sensitive", "keep")  # roles of columns that are released as they are


def anonymize_linked(
    tables: KeyedTables,
    policy: TablesPolicy,
    *,
    key: Key | None,
    threads: int | None,
    stages: Stages,
) -> TablesRelease:
    """People are anonymized with all that is known of them, then every table is published."""
    rules, people = policy.joined(), tables.sources[policy.people]
    refuse_people_without_cells(tables, policy)
    made = pseudonymise(people, rules, key, stages)
    with stages("encode"):
        joined = join_tables(tables.with_source(policy.people, made.source), policy, rules)
    with policy.locating():
        release = anonymize(
            people,
            rules,
            pseudonymised=made._replace(source=joined),
            threads=threads,
            stages=stages,
        )
    with stages("recode"):
        row_of_person = np.argsort(tables.person[policy.people])
        cells = _cells_of(made.source.frame[policy.key].gather(row_of_person), release)
        published = {name: _publish(name, tables, policy, cells) for name in policy.tables}
    with stages("verify"):
        verifying = LinkedVerification(
            policy,
            {name: table.frame for name, table in published.items()},
            _meanings(joined, rules),
            stages.watch,
        )
        refuse_other_cells(verifying, release)
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
        notes=tables.notes + _notes_of_search(release, joined) + notes_on_links(verifying),
        mapping=release.mapping,
    )


def _notes_of_search(release: Release, joined: Source) -> tuple[str, ...]:
    """Those of the joined release, less those on rows: it has others than the tables."""
    on_rows = [*warn_of_fingerprints(joined, release.schema)]
    if release.linked_rows is not None and release.schema.pseudonym is not None:
        on_rows += release.linked_rows.notes(release.schema.pseudonym)
    return tuple(note for note in release.notes if note not in on_rows)


def refuse_people_without_cells(tables: KeyedTables, policy: TablesPolicy) -> None:
    """Refuse people without an event where a table of events has quasi-identifiers.

    Somebody with an event could hide only among others who have one too, and the search cannot know
    that. Where records with missing values are suppressed, these people are.
    """
    if policy.settings.get("missing") == "suppress":
        return
    for name in policy.events:
        quasi = Schema(policy.tables[name].columns).quasi
        n_without = tables.n_people - len(np.unique(tables.person[name]))
        if quasi and n_without:
            have = "has" if n_without == 1 else "have"
            raise InputError(
                f"{PERSON.counted(n_without)} {have} no row in the table {name!r}, so that its "
                f"quasi-identifier {quasi[0]!r} is unknown for them, and who has a row stands out. "
                f"Move the column to {policy.people!r}, drop it, or set `missing: suppress` in the "
                "policy to leave these people out."
            )


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


def refuse_other_cells(verifying: LinkedVerification, release: Release) -> None:
    """Refuse tables in which somebody has other cells than were found and verified for them."""
    names = (verifying.policy.key, *release.schema.quasi)
    found, published = (
        pl.DataFrame({str(i): frame[name].cast(pl.String) for i, name in enumerate(names)})
        for frame in (release.published, verifying.people)
    )
    found, published = found.unique(), published.unique()
    others = found.join(published, on=found.columns, how="anti", nulls_equal=True)
    if others.height or found.height != published.height:
        raise NotVerified(
            "The published tables have other people, or other cells of theirs, than were searched "
            "for. Nothing was released. This is a defect of Shoal. Please report it."
        )


class _Cells(NamedTuple):
    """What is published of each person, by number; null for somebody who is suppressed.

    `place` is that of the person among all, by the cells and then by the pseudonym.
    """

    pseudonyms: pl.Series
    quasi: pl.DataFrame  # by their names in the joined table
    place: Int32Array


def _cells_of(pseudonyms: pl.Series, release: Release) -> _Cells:
    """What the joined release has for the people behind pseudonyms."""
    name, frame = release.schema.pseudonym, release.published
    assert name is not None
    rows = pl.DataFrame({"person": frame[name]}).with_row_index("row")
    people = pl.DataFrame({"person": pseudonyms}).join(
        rows.unique("person", keep="first"), on="person", how="left", maintain_order="left"
    )
    row = people["row"]
    cells = pl.DataFrame({column: frame[column].gather(row) for column in release.schema.quasi})
    pseudonyms = pseudonyms.set(row.is_null(), None)
    everything = [*cells.get_columns(), pseudonyms]
    numbered = pl.DataFrame({str(i): column for i, column in enumerate(everything)})
    return _Cells(pseudonyms, cells, ranks_by(np.zeros(len(row), dtype=np.int32), numbered))


class _Published(NamedTuple):
    """A table as it is published, and which row of the source each row is."""

    frame: pl.DataFrame
    rows: Int64Array
    schema: Schema


def _publish(name: str, tables: KeyedTables, policy: TablesPolicy, cells: _Cells) -> _Published:
    """The rows of released people with their cells, in an order that tells nothing."""
    source, person = tables.sources[name], tables.person[name]
    schema = Schema(policy.tables[name].columns).in_order_of(source.frame.columns)
    pseudonyms = cells.pseudonyms.gather(person)
    rows = np.flatnonzero(pseudonyms.is_not_null().to_numpy())
    columns = []
    for column in schema.released:
        role = schema.columns[column].handled_as
        if role == "pseudonym":
            series = pseudonyms.gather(rows)
        elif role == "quasi":
            series = cells.quasi[policy.joined_name(name, column)].gather(person[rows])
        else:
            series = forget_categories(source.frame[column].gather(rows), source.frame[column])
        columns.append(series.alias(column))
    frame = pl.DataFrame(columns)
    if policy.settings.get("order") != "input":
        own = [column for column in columns if schema.columns[column.name].handled_as in KEPT]
        in_order = order_by(cells.place[person[rows]], pl.DataFrame(own))
        frame, rows = frame[in_order], rows[in_order]
    return _Published(pl.DataFrame([afresh(column) for column in frame]), rows, schema)


def _meanings(joined: Source, rules: Policy) -> dict[str, SensitiveColumn]:
    """What the values of the original mean, and how many people have each."""
    schema = rules.schema_for(joined.frame.columns)
    names = tuple(dict.fromkeys(m.about.column for m in rules.privacy if m.about.column))
    columns = read_columns(joined, rules, names)
    return meanings_of(columns, names, schema, None, persons_of(joined, rules))
