"""The risk of a table and of its release: read, fold, count, and put side by side."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from shoal.errors import InputError
from shoal.policy.policy import Policy
from shoal.read.columns import read_column
from shoal.read.source import Source
from shoal.risks.count import Counter
from shoal.risks.figures import AttackerRisk, Risk, TableRisk
from shoal.risks.notes import notes_on
from shoal.risks.population import (
    people_covered,
    people_with_equal_values,
    refuse_without,
)
from shoal.risks.rows import Rows, fold
from shoal.risks.survey import (
    Survey,
    columns_of,
    combinations_of,
    n_combinations,
    survey,
    survey_same,
)
from shoal.runs.inputs import fit_to, read_columns
from shoal.runs.stages import Stages
from shoal.types.arrays import Int64Array
from shoal.types.column import RawColumn
from shoal.types.schema import Schema
from shoal.types.shares import smallest_group
from shoal.types.watch import Watch
from shoal.verify.original import refuse_larger_release

THRESHOLD = 0.09  # of regulators of medicines: EMA policy 0070, Health Canada
MOST_COMBINATIONS = 2000  # all of up to three of 22 columns


def risk(
    frame: Any,
    policy: Policy | str | Path,
    population: Any = None,
    release: Any = None,
    *,
    threshold: float = THRESHOLD,
    most_combinations: int = MOST_COMBINATIONS,
    threads: int | None = None,
    watch: Watch | None = None,
) -> Risk:
    """How easily people are found in a polars, pandas or pyarrow table.

    >>> import polars as pl
    >>> from shoal.privacy.k_anonymity import KAnonymity
    >>> people = pl.DataFrame({"age": [31, 31, 52], "sex": ["f", "f", "m"]})
    >>> policy = Policy.of_roles(quasi=["age", "sex"], privacy=[KAnonymity(2)])
    >>> found = risk(people, policy)
    >>> found.data.n_unique, found.data.prosecutor.highest, round(found.data.marketer, 3)
    (1, 1.0, 0.667)
    """
    return risk_of(
        Source.of_frame(frame),
        Policy.of(policy),
        population=None if population is None else Source.of_frame(population),
        release=None if release is None else Source.of_frame(release),
        threshold=threshold,
        most_combinations=most_combinations,
        threads=threads,
        stages=Stages(watch=watch),
    )


def risk_of(
    source: Source,
    policy: Policy,
    *,
    population: Source | None = None,
    release: Source | None = None,
    threshold: float = THRESHOLD,
    most_combinations: int = MOST_COMBINATIONS,
    threads: int | None = None,
    stages: Stages | None = None,
) -> Risk:
    """The same for a table as it was read; `stages` hears how far it is."""
    stages = stages or Stages()
    quasi = policy.schema_for(source.frame.columns).quasi
    refuse_numbers(threshold, most_combinations, threads)
    refuse_tables(source, policy, quasi, population=population, release=release)
    with stages("encode"):
        tables = [coded(read_columns(source, policy, quasi))]
        tables += [] if release is None else [coded(read_cells(release, quasi))]
    people: list[Int64Array | None] = [None] * len(tables)
    if population is not None:
        with stages("population"), policy.locating():
            people = people_of(tables, population, policy, stages.watch)
    with stages("risk"):
        safe, n_threads = smallest_group(threshold), threads or os.cpu_count() or 1
        counters = [Counter(table.rows, safe, n_threads, stages.watch) for table in tables]
        surveys = survey_all(counters, most_combinations)
    risks = [
        table_risk(counter, found, quasi, matches)
        for counter, found, matches in zip(counters, surveys, people, strict=True)
    ]
    found = Risk(
        quasi=quasi,
        threshold=threshold,
        data=risks[0],
        release=risks[1] if release is not None else None,
        n_population=None if population is None else population.n_records,
        left_out=surveys[0].left_out,
        contribution_size=surveys[0].size,
    )
    return replace(found, notes=tuple(notes_on(found)))


class Coded(NamedTuple):
    """The quasi-identifiers of a table, and its different rows."""

    columns: dict[str, RawColumn]
    rows: Rows


def coded(columns: dict[str, RawColumn]) -> Coded:
    return Coded(columns, fold(list(columns.values())))


def read_cells(release: Source, names: Sequence[str]) -> dict[str, RawColumn]:
    """Released cells, letter by letter, as the check of a release compares them."""
    with ThreadPoolExecutor() as pool:
        read = pool.map(lambda name: read_column(release.frame[name], missing_values=()), names)
        return dict(zip(names, read, strict=True))


def people_of(
    tables: Sequence[Coded], population: Source, policy: Policy, watch: Watch
) -> list[Int64Array | None]:
    """For each table and row, the people who fit it: by equal values, or covered by its cells."""
    data, *releases = tables
    columns = list(data.columns.values())
    found: list[Int64Array | None] = [
        people_with_equal_values(data.rows, columns, population, policy.missing_values)
    ]
    for release in releases:
        schema, _ = fit_to(policy.algorithm, Schema(policy.columns))
        people = read_columns(population, policy, list(release.columns))
        found.append(people_covered(release.rows, release.columns, people, schema.columns, watch))
    return found


def survey_all(counters: Sequence[Counter], limit: int) -> list[Survey]:
    """The first table, and the others in the same combinations."""
    n_columns = len(counters[0].table.columns)
    total = len(counters) * n_combinations(n_columns, limit)
    counters[0].watch.begin("combinations", total)
    first = survey(counters[0], limit)
    return [first, *(survey_same(counter, first) for counter in counters[1:])]


def table_risk(
    counter: Counter, found: Survey, names: Sequence[str], people: Int64Array | None
) -> TableRisk:
    """The figures of one table; `people` of the population fit each row."""
    rows, safe = counter.table, counter.safe
    n_records = rows.n_records
    return TableRisk(
        n_records=n_records,
        n_groups=len(rows.weights),
        n_unique=int((rows.weights == 1).sum()),
        prosecutor=attacker_risk(rows, rows.weights, safe),
        # Whoever is in the table is one of the population, however few of them its file holds.
        journalist=None
        if people is None
        else attacker_risk(rows, np.maximum(people, rows.weights), safe),
        n_fewer_in_population=(
            0 if people is None else int(rows.weights[people < rows.weights].sum())
        ),
        combinations=combinations_of(found, names, n_records),
        columns=columns_of(found, names, n_records),
    )


def attacker_risk(rows: Rows, candidates: Int64Array, safe: int) -> AttackerRisk:
    """Picking one of the candidates of each row by chance."""
    n_records = rows.n_records
    return AttackerRisk(
        highest=1 / int(candidates.min()),
        average=math.fsum((rows.weights / candidates).tolist()) / n_records,
        n_at_risk=int(rows.weights[candidates < safe].sum()),
        n_records=n_records,
    )


def refuse_numbers(threshold: float, most_combinations: int, threads: int | None = None) -> None:
    if not 0 < threshold <= 1:
        raise InputError(
            f"threshold must be above 0 and at most 1, such as {THRESHOLD}; it is the highest risk "
            "that you accept for a record"
        )
    if most_combinations < 1:
        raise InputError("most_combinations must be at least 1")
    if threads is not None and threads < 1:
        raise InputError("threads must be at least 1")


def refuse_tables(
    source: Source,
    policy: Policy,
    quasi: Sequence[str],
    *,
    population: Source | None,
    release: Source | None,
) -> None:
    if population is not None:
        refuse_without(quasi, population)
    if release is None:
        return
    policy.schema_of_release(release.frame.columns)
    refuse_larger_release(release, source)


def warm_up() -> None:
    """Warm-up on a few records: kernels are compiled or loaded before the clock starts."""
    codes = np.array([0, 0, 1, 1], dtype=np.int32)
    column = RawColumn("warm-up", "text", ("a", "b"), None, codes)
    survey(Counter(fold([column] * 3), safe=2), 7)
