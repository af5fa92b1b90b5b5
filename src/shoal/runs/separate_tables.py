"""Tables whose keys are withheld: each is released on its own, without suppressed people."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np

from shoal.errors import CannotSatisfy, InputError
from shoal.policy.tables import TablesPolicy
from shoal.release.release import Release
from shoal.release.tables import ReleasedTable, TablesRelease
from shoal.runs.anonymize import anonymize
from shoal.runs.keyed_tables import KeyedTables
from shoal.runs.stages import Stages
from shoal.runs.whole_tables import release_whole


def anonymize_separately(
    tables: KeyedTables, policy: TablesPolicy, *, threads: int | None, stages: Stages
) -> TablesRelease:
    """The table of people first; who is suppressed there leaves from all other tables."""
    released: dict[str, ReleasedTable] = {}
    losses: dict[str, Release] = {}
    left = tables
    for name in (policy.people, *policy.events):
        rules = policy.alone(name)
        if rules is None or not left.sources[name].n_records:
            released[name] = release_whole(name, left, policy, stages)
            continue
        with _in_table(name, policy):
            found = anonymize(left.sources[name], rules, threads=threads, stages=stages)
        losses[name] = found
        released[name] = ReleasedTable(
            found.frame, found.published, found.verdict, tables.n_read[name], notes=found.notes
        )
        if name == policy.people:
            assert found.groups is not None
            is_left = np.ones(tables.n_people, dtype=np.bool_)
            is_left[tables.person[name][found.groups < 0]] = False
            left = tables.of_people(is_left)
    main = losses.get(policy.people)
    return TablesRelease(
        tables={name: released[name] for name in policy.tables},
        people=policy.people,
        measures={} if main is None else main.measures,
        loss_by_column={
            policy.joined_name(name, column): loss
            for name, found in losses.items()
            for column, loss in found.loss_by_column.items()
        },
        n_people_read=tables.n_people,
        seconds=stages.seconds,
        notes=tables.notes
        + tuple(f"Table {name!r}. {n}" for name in policy.tables for n in released[name].notes),
    )


@contextmanager
def _in_table(name: str, policy: TablesPolicy) -> Iterator[None]:
    """Errors that are raised inside say which table they are about."""
    try:
        with policy.locating(name):
            yield
    except (CannotSatisfy, InputError) as error:
        error.args = (f"Table {name!r}. {error}",)
        raise
