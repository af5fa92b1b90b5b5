"""`shoal.anonymize_in_database`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from shoal.engines.how import How
from shoal.engines.location import Location, location_of
from shoal.engines.opening import open_engine
from shoal.policy.policy import Policy
from shoal.release.release import Release
from shoal.runs.anonymize_in_engine import anonymize_in_engine, refuse_what_needs_records
from shoal.runs.stages import Stages
from shoal.types.frames import File
from shoal.types.watch import Watch


def anonymize_in_database(
    data: str | Path,
    output: str | Path,
    policy: Policy | Mapping[str, Any] | File,
    *,
    memory: str | None = None,
    threads: int | None = None,
    force: bool = False,
    watch: Watch | None = None,
) -> Release:
    """Anonymize a table where it lives: in DuckDB, PostgreSQL, or a file larger than memory.

    `data` and `output` are `file.duckdb::table`, `postgresql://host/database::schema.table`, or csv
    and parquet files, which DuckDB reads and writes. When this returns, the verified release is in
    its place. What comes back has its measures, notes and verdict; its rows are those that were
    counted, without columns that are only kept. `memory` is what DuckDB may use, such as `"4GB"`;
    `force` also replaces what Shoal did not release.

    >>> import polars as pl, shoal
    >>> from tempfile import TemporaryDirectory
    >>> policy = shoal.Policy.of_roles(quasi=["age"], keep=["visits"],
    ...                                privacy=[shoal.KAnonymity(2)])
    >>> with TemporaryDirectory() as folder:
    ...     people, release = Path(folder, "people.parquet"), Path(folder, "release.parquet")
    ...     pl.DataFrame({"age": [31, 38, 31], "visits": [2, 1, 5]}).write_parquet(people)
    ...     shoal.anonymize_in_database(people, release, policy)
    ...     pl.read_parquet(release).rows()
    <Release: 3 of 3 records in 1 group, verified>
    [('[31, 38]', 1), ('[31, 38]', 2), ('[31, 38]', 5)]
    """
    rules = Policy.of(policy)
    refuse_what_needs_records(rules)
    how = How(memory=memory, threads=threads, force=force)
    with open_engine(_place(data), _place(output), how) as engine:
        return anonymize_in_engine(engine, rules, threads=threads, stages=Stages(watch=watch))


def _place(given: str | Path) -> Location | Path:
    found = location_of(given) if isinstance(given, str) else None
    return Path(given) if found is None else found
