"""`shoal anonymize` where the table lives: an engine counts and joins, the search is done here.

Different rows of quasi-identifiers and sensitive columns come here with their counts; which group
each goes to, and the cells of each group, go back. Records do not leave; of a kept column, values
come here only where it seems to tell a hidden one, or where they look like formulas.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import partial

import numpy as np
import polars as pl

from shoal.engines.engine import Engine, Parts, Placed, Shares
from shoal.errors import InputError, NotVerified
from shoal.policy.policy import Policy
from shoal.read.fingerprints import fingerprints
from shoal.read.formulas import SIGNS, n_formulas, note_on_formulas
from shoal.read.source import Source
from shoal.recode.recode import Published, place
from shoal.release.release import Release
from shoal.runs.determined_in_engine import refuse_determined_in
from shoal.runs.finish import finish, verify_published
from shoal.runs.minimums import with_minimums
from shoal.runs.prepare import Prepared, prepare
from shoal.runs.search import Found, refuse_small_table, refuse_without_levels, search
from shoal.runs.stages import Stages
from shoal.runs.verification import warn_of_gaps
from shoal.runs.warm_up import warm_up
from shoal.types.arrays import SUPPRESSED
from shoal.types.privacy import Privacy
from shoal.types.repeating import Repeating
from shoal.types.schema import Schema
from shoal.types.verdict import Verdict


def anonymize_in_engine(
    engine: Engine,
    policy: Policy,
    *,
    threads: int | None = None,
    stages: Stages | None = None,
    neighbours: bool = False,
    is_warm: bool = False,
) -> Release:
    """Anonymize a table in an engine. When this returns, the verified release is in its place.

    What comes back knows the released rows by their counts, without the columns that are kept.
    """
    stages = stages or Stages()
    refuse_what_needs_records(policy)
    if neighbours:
        refuse_without_levels(policy.algorithm)
    schema = policy.schema_for(list(engine.columns))
    searched = schema.only("quasi", "sensitive")
    _refuse_unordered(engine, searched)
    if not is_warm:
        with stages("compile"):
            warm_up(policy)
    with stages("read"):
        source = _counted(engine, searched)
    privacy = Privacy(policy.privacy)
    refuse_small_table(privacy, source.n_records)
    prepared = prepare(source, policy, searched, threads=threads, stages=stages)
    found = search(prepared, neighbours=neighbours)
    with stages("verify"), policy.locating():
        notes = refuse_determined_in(engine, prepared, found, schema)
    with stages("write"):
        _stage(engine, prepared, found, schema)
    release = finish(prepared, found, verify=partial(_verify, engine, prepared, found, schema))
    release = with_minimums(release, prepared)
    with stages("verify"):
        notes += notes_on_kept(engine, schema, source.n_records)
        repeating = _repeating(engine, policy, schema)
    with stages("write"):
        engine.publish()
    notes += warn_of_gaps(schema, privacy, release.verdict)
    verdict = replace(release.verdict, repeating=repeating)
    return replace(release, verdict=verdict, notes=release.notes + notes)


def refuse_what_needs_records(policy: Policy) -> None:
    """Refuse, before anything is read, what counted rows do not tell."""
    elsewhere = "Export the table to a file, and run Shoal on that"
    pseudonym = Schema(policy.columns).pseudonym
    if pseudonym is not None:
        raise policy.located(
            f"pseudonyms cannot be made where the table lives. {elsewhere}, or give the column "
            "the role identifier",
            ("columns", pseudonym, "role"),
        )
    if policy.person:
        raise policy.located(
            "people behind records cannot be counted where the table lives: groups would have to "
            f"know whose each record is. {elsewhere}",
            ("person",),
        )
    weight = Schema(policy.columns).weight
    if weight is not None:
        raise policy.located(
            f"weights are of single records, which are only counted where the table lives. "
            f"{elsewhere}, or give the column the role keep or drop",
            ("columns", weight, "role"),
        )
    if policy.order == "input":
        raise policy.located(
            "a table in a database has no order of its own that could be kept. Remove `order`",
            ("order",),
        )
    if policy.algorithm.traits.noise:
        raise policy.located(
            "noise needs the records themselves: equal ones that were counted would all be moved "
            f"alike. {elsewhere}, or remove the noise",
            ("algorithm", "noise"),
        )


def _refuse_unordered(engine: Engine, schema: Schema) -> None:
    for name in schema.columns:
        if engine.kind(name) == "unordered":
            raise InputError(
                f"Column {name!r} has the type {engine.columns[name]}, which cannot be ordered or "
                "generalised. Convert it to numbers, dates or text, or give it the role keep or "
                "drop."
            )


def _counted(engine: Engine, schema: Schema) -> Source:
    """Different rows and their counts, as every later step takes them."""
    frame, counts = engine.fold(list(schema.columns))
    if not frame.height:
        raise InputError("The table has no records.")
    return Source(frame, is_text=engine.is_text, delimiter=engine.delimiter, counts=counts)


def _stage(engine: Engine, prepared: Prepared, found: Found, schema: Schema) -> None:
    """Let the engine build the release from groups and their cells."""
    missing = prepared.policy.missing_text if engine.is_text else None
    quasi = found.encoded.schema.quasi
    cells = {
        name: pl.Series([missing if t is None else t for t in c.texts], dtype=pl.String).gather(
            c.of_group
        )
        for name, c in zip(quasi, found.cells, strict=True)
    }
    engine.stage(
        placed_in(prepared.source, found),
        pl.DataFrame(cells),
        released=schema.released,
        unchanged=schema.unchanged,
    )


def placed_in(source: Source, found: Found) -> Placed:
    """Which group the records of each counted row go to, as an engine needs it."""
    grouping, rows = found.grouping, found.encoded.encoding.row_of_record
    is_divided = np.bincount(grouping.rows) > 1
    first_part = np.searchsorted(grouping.rows, np.arange(len(is_divided)))
    of_row = np.where(is_divided, SUPPRESSED, grouping.labels[first_part])
    line_of_row = np.where(is_divided, np.arange(len(is_divided)), SUPPRESSED)
    in_parts = is_divided[grouping.rows]
    ends = np.cumsum(grouping.counts)
    begins = ends - grouping.counts
    start_of_line = begins[first_part][grouping.rows]
    shares = place(source, found.encoded.encoding, grouping, found.encoded.schema)
    assert shares.rows is not None  # the source counts
    assert shares.counts is not None
    is_released = shares.groups != SUPPRESSED
    return Placed(
        group=np.append(of_row, SUPPRESSED).astype(np.int32)[rows],
        line=np.append(line_of_row, SUPPRESSED).astype(np.int32)[rows],
        parts=Parts(
            grouping.rows[in_parts],
            (begins - start_of_line)[in_parts],
            (ends - start_of_line)[in_parts],
            grouping.labels[in_parts],
        ),
        shares=Shares(
            shares.rows[is_released], shares.groups[is_released], shares.counts[is_released]
        ),
    )


def _verify(
    engine: Engine, prepared: Prepared, found: Found, schema: Schema, published: Published
) -> Verdict:
    """The independent check of what the engine built, counted there."""
    columns = list(engine.staged_columns)
    counted = engine.count_staged([*schema.quasi, *schema.sensitive])
    expected = 0 if published.counts is None else int(published.counts.sum())
    if columns != list(schema.released) or int(counted.counts.sum()) != expected:
        raise NotVerified(
            f"The table that was built has {int(counted.counts.sum()):,} records in "
            f"{len(columns)} columns, and {expected:,} in {len(schema.released)} were to be "
            "released. Nothing was released. This is a defect of Shoal. Please report it."
        )
    release = replace(prepared.source, frame=counted.frame, counts=counted.counts)
    return verify_published(prepared, found.encoded, published, release=release)


def notes_on_kept(engine: Engine, schema: Schema, n_records: int) -> tuple[str, ...]:
    """Notes on kept columns: those that are nearly unique, and cells that look like formulas."""
    kept = schema.names("keep")
    counting = {name: partial(engine.n_different, [name]) for name in kept}
    formulas: Mapping[str, int] = {
        name: sum(n_formulas(*some) for some in engine.beginning_with(name, SIGNS))
        for name in kept
        if engine.kind(name) == "text"
    }
    return fingerprints(counting, n_records) + note_on_formulas(formulas)


def _repeating(engine: Engine, policy: Policy, schema: Schema) -> tuple[Repeating, ...]:
    """Identifiers that repeat: then rows are not people."""
    names = [n for n in schema.names("identifier") if engine.kind(n) != "unordered"]
    counted = (Repeating(n, *engine.n_present(n, policy.missing_values)) for n in names)
    return tuple(found for found in counted if found.n_values < found.n_records)
