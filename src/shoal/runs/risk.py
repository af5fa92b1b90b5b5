"""The risk of a table and of its release: read, fold, count, and put side by side."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import polars as pl

from shoal.encode.people import People, people_of
from shoal.errors import BadOption, InputError
from shoal.policy.policy import Policy
from shoal.read.columns import read_column
from shoal.read.given import source_of
from shoal.read.source import Source
from shoal.risks.count import Counter
from shoal.risks.count_people import PeopleCounter
from shoal.risks.count_records import RecordCounter
from shoal.risks.estimates import refuse_estimator
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
from shoal.runs.estimates import (
    Estimated,
    Side,
    estimate,
    records_of_matches,
    weights_in_release,
)
from shoal.runs.inputs import fit_to, read_columns, refuse_threads, with_formats
from shoal.runs.sample import Sample, population_file, sample_of
from shoal.runs.stages import Stages
from shoal.types.arrays import Int64Array
from shoal.types.column import RawColumn
from shoal.types.frames import File, Given
from shoal.types.schema import Schema
from shoal.types.shares import smallest_group
from shoal.types.unit import PERSON, RECORD
from shoal.types.watch import Watch
from shoal.verify.original import refuse_larger_release

THRESHOLD = 0.09  # of regulators of medicines: EMA policy 0070, Health Canada
MOST_COMBINATIONS = 2000  # all of up to three of 22 columns


def risk(
    frame: Given,
    policy: Policy | Mapping[str, Any] | File,
    population: Given | None = None,
    release: Given | None = None,
    *,
    threshold: float = THRESHOLD,
    estimator: str | None = None,
    most_combinations: int = MOST_COMBINATIONS,
    threads: int | None = None,
    watch: Watch | None = None,
) -> Risk:
    """How easily people are found in a polars, pandas or pyarrow table, or that of a file.

    Where the policy says which population the table is a sample of, risks are estimated for it, by
    the `estimator` of a name; `risk.records` has those of each record.

    >>> import polars as pl
    >>> from shoal.privacy.k_anonymity import KAnonymity
    >>> people = pl.DataFrame({"age": [31, 31, 52], "sex": ["f", "f", "m"]})
    >>> policy = Policy.of_roles(quasi=["age", "sex"], privacy=[KAnonymity(2)])
    >>> found = risk(people, policy)
    >>> found.data.n_unique, found.data.prosecutor.highest, round(found.data.marketer, 3)
    (1, 1.0, 0.667)
    """
    return risk_of(
        source_of(frame),
        Policy.of(policy),
        population=None if population is None else source_of(population),
        release=None if release is None else source_of(release),
        threshold=threshold,
        estimator=estimator,
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
    estimator: str | None = None,
    most_combinations: int = MOST_COMBINATIONS,
    threads: int | None = None,
    stages: Stages | None = None,
) -> Risk:
    """The same for a table as it was read; `stages` hears how far it is."""
    stages = stages or Stages()
    quasi = policy.schema_for(source.frame.columns).quasi
    refuse_numbers(threshold, most_combinations, threads)
    refuse_estimator(estimator)
    if population is None:
        population = population_file(policy, source.encoding)
    refuse_tables(source, policy, quasi, population=population, release=release)
    with stages("encode"), policy.locating():
        policy, _ = with_formats(source, policy, policy.schema_for(source.frame.columns))
        people = people_in(source, policy)
        n, unit = (source.n_records, RECORD) if people is None else (people.n_people, PERSON)
        sample = None if population is not None else sample_of(source, policy, n, unit)
        refuse_without_sample(estimator, sample, population)
        tables = [coded(source, read_columns(source, policy, quasi), people)]
        if release is not None:
            people = people_in_release(release, policy)
            tables.append(coded(release, read_cells(release, quasi), people))
    matches: list[Int64Array | None] = [None] * len(tables)
    if population is not None:
        with stages("population"), policy.locating():
            matches = people_who_fit(tables, population, policy, stages.watch)
    with stages("risk"):
        safe, n_threads = smallest_group(threshold), threads or os.cpu_count() or 1
        counters = [counter_of(table.rows, safe, n_threads, stages.watch) for table in tables]
        surveys = survey_all(counters, most_combinations)
    with stages("risk"):
        estimated = None
        if sample is not None:
            sides = sides_of(tables, sample, release, policy)
            estimated = estimate(sample, *sides, method=estimator, threshold=threshold)
    risks = [
        table_risk(table, found, quasi, fitting, safe)
        for table, found, fitting in zip(tables, surveys, matches, strict=True)
    ]
    found = Risk(
        quasi=quasi,
        threshold=threshold,
        data=risks[0],
        release=risks[1] if release is not None else None,
        n_population=None if population is None else population.n_records,
        left_out=surveys[0].left_out,
        contribution_size=surveys[0].size,
        estimates=None if estimated is None else estimated.estimates,
        records=_records(tables[0], estimated, matches[0]),
    )
    return replace(found, notes=(*tables[0].notes, *notes_on(found)))


def sides_of(
    tables: Sequence[Coded], sample: Sample, release: Source | None, policy: Policy
) -> tuple[Side, Side | None]:
    data = Side(tables[0].rows, list(tables[0].columns.values()), sample.weights)
    if release is None:
        return data, None
    weights = weights_in_release(release, policy)
    return data, Side(tables[1].rows, list(tables[1].columns.values()), weights)


def _records(
    table: Coded, estimated: Estimated | None, matches: Int64Array | None
) -> pl.DataFrame | None:
    """The risk of each record, estimated or, with a population, counted."""
    if estimated is not None:
        return estimated.records
    if matches is None or table.rows.owners is not None:
        return None
    return records_of_matches(Side(table.rows, list(table.columns.values()), None), matches)


class Coded(NamedTuple):
    """The quasi-identifiers of a table, and its different rows, with their records or people."""

    columns: dict[str, RawColumn]
    rows: Rows
    n_records: int
    n_people: int | None
    notes: tuple[str, ...]


def coded(source: Source, columns: dict[str, RawColumn], people: People | None) -> Coded:
    n_people, notes = (None, ()) if people is None else (people.n_people, people.notes)
    rows = fold(list(columns.values()), people, source.counts)
    return Coded(columns, rows, source.n_records, n_people, notes)


def people_in(source: Source, policy: Policy) -> People | None:
    """Whose records these are, if the policy says how to tell."""
    if not policy.person:
        return None
    return people_of(source, policy.person, missing_values=policy.missing_values)


def people_in_release(release: Source, policy: Policy) -> People | None:
    """The same for a release that has all columns which tell people apart.

    Pseudonyms do that as well as the original values do. Generalised cells do not.
    """
    is_carried = all(
        name in release.frame.columns and policy.columns[name].role != "quasi"
        for name in policy.person
    )
    return people_in(release, policy) if is_carried else None


def read_cells(release: Source, names: Sequence[str]) -> dict[str, RawColumn]:
    """Released cells, letter by letter, as the check of a release compares them."""
    with ThreadPoolExecutor() as pool:
        read = pool.map(lambda name: read_column(release.frame[name], missing_values=()), names)
        return dict(zip(names, read, strict=True))


def people_who_fit(
    tables: Sequence[Coded], population: Source, policy: Policy, watch: Watch
) -> list[Int64Array | None]:
    """For each table and row, the people who fit it: by equal values, or covered by its cells."""
    data, *releases = tables
    columns = list(data.columns.values())
    found: list[Int64Array | None] = [
        people_with_equal_values(
            data.rows, columns, population, policy.missing_values, policy.columns
        )
    ]
    for release in releases:
        schema, _ = fit_to(policy.algorithm, Schema(policy.columns))
        people = read_columns(population, policy, list(release.columns))
        found.append(people_covered(release.rows, release.columns, people, schema.columns, watch))
    return found


def survey_all(counters: Sequence[Counter[Any]], limit: int) -> list[Survey]:
    """The first table, and the others in the same combinations."""
    n_columns = len(counters[0].table.columns)
    total = len(counters) * n_combinations(n_columns, limit)
    counters[0].watch.begin("combinations", total)
    first = survey(counters[0], limit)
    return [first, *(survey_same(counter, first) for counter in counters[1:])]


def counter_of(rows: Rows, safe: int, threads: int, watch: Watch) -> Counter[Any]:
    kind = RecordCounter if rows.owners is None else PeopleCounter
    return kind(rows, safe, threads, watch)


def table_risk(
    table: Coded, found: Survey, names: Sequence[str], fitting: Int64Array | None, safe: int
) -> TableRisk:
    """The figures of one table; so many people of the population are `fitting` each row."""
    rows, (n_groups, sizes) = table.rows, table.rows.classes()
    return TableRisk(
        n_records=table.n_records,
        n_groups=n_groups,
        n_unique=rows.n_with(sizes == 1),
        prosecutor=attacker_risk(rows, sizes, safe),
        # Whoever is in the table is one of the population, however few of them its file holds.
        journalist=None
        if fitting is None
        else attacker_risk(rows, np.maximum(fitting, sizes), safe),
        n_fewer_in_population=0 if fitting is None else rows.n_with(fitting < sizes),
        combinations=combinations_of(found, names, rows.n),
        columns=columns_of(found, names, rows.n),
        n_people=table.n_people,
    )


def attacker_risk(rows: Rows, candidates: Int64Array, safe: int) -> AttackerRisk:
    """Picking one of the candidates of each row by chance, and of a person's rows the worst."""
    fewest, weights = rows.least(candidates)
    return AttackerRisk(
        highest=1 / int(candidates.min()),
        average=math.fsum((weights / fewest).tolist()) / rows.n,
        n_at_risk=rows.n_with(candidates < safe),
        n_counted=rows.n,
    )


def refuse_numbers(threshold: float, most_combinations: int, threads: int | None = None) -> None:
    if not isinstance(threshold, int | float) or not 0 < threshold <= 1:
        raise InputError(
            f"threshold must be above 0 and at most 1, such as {THRESHOLD}; it is the highest risk "
            "that you accept for a record"
        )
    if not isinstance(most_combinations, int) or most_combinations < 1:
        raise BadOption("most_combinations must be a whole number, at least 1")
    refuse_threads(threads)


def refuse_without_sample(
    estimator: str | None, sample: Sample | None, population: Source | None
) -> None:
    if estimator is None or sample is not None:
        return
    why = (
        "the population is known, so its people are counted and nothing is estimated"
        if population is not None
        else "the policy does not say what the table is a sample of. Add `population: {size: N}`, "
        "`{fraction: F}`, or a column with the role weight"
    )
    raise BadOption(f"An estimator was chosen, but {why}")


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
    rows = fold([column] * 3)
    survey(RecordCounter(rows, safe=2), 7)
    survey(PeopleCounter(replace(rows, owners=np.zeros(2, dtype=np.int32)), safe=2), 7)
