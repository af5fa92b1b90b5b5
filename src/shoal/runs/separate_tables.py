"""Tables whose keys are withheld: each is released on its own, without suppressed people."""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.encode.order import order_by
from shoal.policy.tables import TablesPolicy
from shoal.read.columns import read_column
from shoal.recode.recode import forget_categories
from shoal.release.release import Release
from shoal.release.tables import ReleasedTable, TablesRelease
from shoal.runs.anonymize import anonymize
from shoal.runs.inputs import read_sensitive
from shoal.runs.keyed_tables import KeyedTables
from shoal.runs.stages import Stages
from shoal.types.privacy import Privacy
from shoal.types.schema import Schema
from shoal.verify.verify import verify
from shoal.write.frames import to_native


def anonymize_separately(
    tables: KeyedTables, policy: TablesPolicy, *, threads: int | None, stages: Stages
) -> TablesRelease:
    """The table of people first; who is suppressed there leaves from all other tables."""
    rules = policy.alone(policy.people)
    is_left = np.ones(tables.n_people, dtype=np.bool_)
    released: dict[str, ReleasedTable] = {}
    main: Release | None = None
    if rules is not None:
        main = anonymize(tables.sources[policy.people], rules, threads=threads, stages=stages)
        assert main.groups is not None
        is_left[tables.person[policy.people][main.groups < 0]] = False
        released[policy.people] = _of_release(main, tables.n_read[policy.people])
    left = tables.of_people(is_left)
    for name in policy.tables:
        if name in released:
            continue
        own = policy.alone(name)
        if own is None:
            released[name] = _as_it_is(name, left, policy, stages)
        else:
            found = anonymize(left.sources[name], own, threads=threads, stages=stages)
            released[name] = _of_release(found, tables.n_read[name])
    return TablesRelease(
        tables={name: released[name] for name in policy.tables},
        people=policy.people,
        measures={} if main is None else main.measures,
        loss_by_column={} if main is None else main.loss_by_column,
        n_people_read=tables.n_people,
        seconds=stages.seconds,
        notes=tables.notes
        + tuple(f"{name}: {note}" for name, table in released.items() for note in table.notes),
    )


def _of_release(release: Release, n_read: int) -> ReleasedTable:
    return ReleasedTable(
        release.frame, release.published, release.verdict, n_read, notes=release.notes
    )


def _as_it_is(
    name: str, tables: KeyedTables, policy: TablesPolicy, stages: Stages
) -> ReleasedTable:
    """A table in which nobody can be looked up: all its people are one group."""
    source = tables.sources[name]
    schema = Schema(policy.tables[name].columns).in_order_of(source.frame.columns)
    with stages("recode"):
        frame = pl.DataFrame(
            {c: forget_categories(source.frame[c], source.frame[c]) for c in schema.released}
        )
        rows = order_by(np.zeros(source.frame.height, dtype=np.int32), frame)
        frame = frame[rows]
    with stages("verify"):
        privacy = Privacy(policy.models_of(name))
        missing = policy.settings.get("missing_values", ("",))
        columns = {c: read_column(frame[c], missing_values=missing) for c in privacy.columns}
        verdict = verify(
            frame,
            quasi=(),
            sensitive={
                c: read_sensitive(columns[c], schema.columns[c], None) for c in privacy.columns
            },
            privacy=privacy,
            withheld=schema.withheld,
            persons=tables.person[name][rows],
        )
    return ReleasedTable(
        to_native(source, frame, rows, schema), frame, verdict, tables.n_read[name]
    )
