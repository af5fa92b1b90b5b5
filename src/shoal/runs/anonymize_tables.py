"""`shoal anonymize` with `tables`: people once, and with them everything that points to them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shoal.errors import PolicyError
from shoal.policy.tables import TablesPolicy
from shoal.read.given import source_of
from shoal.read.key import Key, key_of
from shoal.read.source import Source
from shoal.release.tables import TablesRelease
from shoal.runs.keyed_tables import KeyedTables
from shoal.runs.linked_tables import anonymize_linked
from shoal.runs.separate_tables import anonymize_separately
from shoal.runs.stages import Stages
from shoal.types.frames import File, Given
from shoal.types.watch import Watch


def anonymize_tables(
    frames: Mapping[str, Given],
    policy: TablesPolicy | Mapping[str, Any] | File,
    *,
    key: str | Path | bytes | None = None,
    threads: int | None = None,
    watch: Watch | None = None,
) -> TablesRelease:
    """Anonymize polars, pandas or pyarrow tables of the same people; all come back, verified.

    `policy` has `tables`: one of people, and others whose rows point to them. Keys become the same
    pseudonyms in all tables, by `key` or at random, or are left out of all, as the policy says.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"mrn": [1, 2, 3, 4], "age": [31, 38, 52, 55]})
    >>> visits = pl.DataFrame({"mrn": [1, 1, 3, 4], "illness": ["flu", "gout", "flu", "cold"]})
    >>> release = shoal.anonymize_tables({"patients": patients, "visits": visits}, {
    ...     "tables": {"patients": {"columns": {"mrn": "pseudonym", "age": "quasi"}},
    ...                "visits": {"key": {"mrn": "patients"},
    ...                           "columns": {"mrn": "pseudonym", "illness": "sensitive"}}},
    ...     "person": "mrn", "privacy": [{"model": "k-anonymity", "k": 2}]})
    >>> release
    <TablesRelease: patients 4 rows, visits 4 rows; 4 people, verified>
    >>> release.frames["patients"]["age"].to_list()
    ['[31, 38]', '[31, 38]', '[52, 55]', '[52, 55]']
    >>> set(release.frames["visits"]["mrn"]) <= set(release.frames["patients"]["mrn"])
    True
    """
    rules = TablesPolicy.of(policy)
    return anonymize_sources(
        sources_of(frames, rules),
        rules,
        key=None if key is None else key_of(key),
        threads=threads,
        stages=Stages(watch=watch),
    )


def sources_of(frames: Mapping[str, Any], policy: TablesPolicy) -> dict[str, Source]:
    """The caller's tables. Those of events may be empty."""
    policy.refuse_other_tables(frames)
    return {
        name: source_of(frame, may_be_empty=name in policy.events) for name, frame in frames.items()
    }


def anonymize_sources(
    sources: Mapping[str, Source],
    policy: TablesPolicy,
    *,
    key: Key | None = None,
    threads: int | None = None,
    stages: Stages | None = None,
) -> TablesRelease:
    """The same for tables as they were read."""
    stages = stages or Stages()
    with stages("encode"):
        tables = KeyedTables.of_sources(sources, policy)
    if policy.links == "pseudonym":
        return anonymize_linked(tables, policy, key=key, threads=threads, stages=stages)
    if key is not None:
        raise PolicyError("a key was given, but no column has the role pseudonym", ("tables",))
    return anonymize_separately(tables, policy, threads=threads, stages=stages)
