"""A release judged together with those of the same table that came earlier."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from shoal.errors import CannotSatisfy, InputError, NotPrivate, PolicyError, counted
from shoal.policy.policy import Policy
from shoal.read.files import read_either
from shoal.read.given import source_of
from shoal.read.source import Source
from shoal.runs.inputs import read_columns, read_populations
from shoal.runs.together_columns import (
    Earlier,
    are_linked,
    as_linked,
    as_releases,
    known_table,
    schema_of_earlier,
    unchanged_values,
)
from shoal.runs.verification import persons_in_release, verify_release
from shoal.together.judge import findings_side_by_side, verify_together
from shoal.together.linked_releases import side_by_side
from shoal.together.same_rows import have_same_rows
from shoal.types.privacy import Privacy
from shoal.types.schema import Schema
from shoal.types.unit import PERSON, RECORD, Unit
from shoal.types.verdict import Finding
from shoal.types.watch import Watch


class Judged(NamedTuple):
    """What was found over all releases, and what to know about it."""

    findings: tuple[Finding, ...] = ()
    notes: tuple[str, ...] = ()
    unit: Unit = RECORD


def earlier_of(given: Any, encoding: str | None = None) -> tuple[Earlier, ...]:
    """Earlier releases from frames or the paths of files, one or several."""
    several = given if isinstance(given, list | tuple) else [given]
    return tuple(_earlier(one, i + 1, encoding) for i, one in enumerate(several))


def _earlier(one: Any, number: int, encoding: str | None) -> Earlier:
    if isinstance(one, str | Path):
        path = Path(one)
        return Earlier(read_either(path, encoding=encoding), path.name, path)
    return Earlier(source_of(one), f"number {number}")


def judge_together(
    new: Source,
    policy: Policy,
    original: Source,
    earlier: Sequence[Earlier],
    *,
    watch: Watch | None = None,
) -> Judged:
    """Ask every model of a policy about a release and those that came earlier, as one."""
    if policy.algorithm.traits.noise > 0:
        raise PolicyError(
            "with noise, cells need not cover the values that they stand for, so it cannot be "
            "said what several releases tell together. Leave the noise out",
            ("algorithm", "noise"),
        )
    notes, others = [], []
    for one in earlier:
        schema = schema_of_earlier(one, policy)
        _refuse_weaker(one, policy, schema)
        if have_same_rows(new, one.source, tuple(schema.columns), policy.missing_values):
            notes.append(f"The earlier release {one.name} has the rows of this one, and no others.")
        else:
            others.append(one)
    if not others:
        return Judged((), tuple(notes))
    if are_linked(new, policy, others):
        return Judged(_of_linked(new, policy, original, others), tuple(notes), PERSON)
    return _of_cells(new, policy, original, others, tuple(notes), watch)


def refuse_failing(judged: Judged, earlier: Sequence[Earlier]) -> None:
    """Refuse a release that fails together with earlier ones, with how many people that hits."""
    failing = [finding for finding in judged.findings if not finding.holds]
    if failing:
        n_failing = max(finding.n_failing_records for finding in failing)
        raise CannotSatisfy.together(
            [finding.model for finding in failing],
            judged.unit.counted(n_failing),
            [one.name for one in earlier],
        )


def note_on_earlier(judged: Judged) -> tuple[str, ...]:
    """What was done, for the notes of a release that holds."""
    if not judged.findings:
        return judged.notes
    n_earlier = judged.findings[0].n_releases - 1
    return (
        f"Verified together with {counted(n_earlier, 'earlier release')} of this table: whoever "
        f"has {'both' if n_earlier == 1 else 'all of them'} is promised no less than the policy.",
        *judged.notes,
    )


def _of_cells(
    new: Source,
    policy: Policy,
    original: Source,
    earlier: Sequence[Earlier],
    notes: tuple[str, ...],
    watch: Watch | None,
) -> Judged:
    """By what the cells cover and which values are equal: no one can link the rows otherwise."""
    sources = [new, *(one.source for one in earlier)]
    original, table = known_table(original, policy)
    values = unchanged_values(original, sources, policy, [one.name for one in earlier])
    quasi = tuple(table.quasi)
    populations = read_populations(policy, Schema({name: policy.columns[name] for name in quasi}))
    together = verify_together(
        table._replace(unchanged={name: found.in_table for name, found in values.items()}),
        as_releases(sources, values, policy),
        Privacy(policy.privacy),
        trusted=[0, *(i + 1 for i, one in enumerate(earlier) if _counts_people(one, policy))],
        populations={
            name: read_columns(people, policy, quasi) for name, people in populations.items()
        },
        watch=watch,
    )
    alone = zip(together.n_alone[1:], earlier, strict=True)
    notes += tuple(_note_alone(n, one) for n, one in alone if n)
    return Judged(together.findings, notes, PERSON if policy.person else RECORD)


def _of_linked(
    new: Source, policy: Policy, original: Source, earlier: Sequence[Earlier]
) -> tuple[Finding, ...]:
    """Where pseudonyms link rows, cells of all releases stand side by side."""
    privacy = Privacy(policy.privacy)
    if privacy.populations:
        raise InputError(
            "The same pseudonyms are in several releases, and models about a population cannot be "
            "judged over all of them. Use another key, or leave these models out."
        )
    sources = [new, *(one.source for one in earlier)]
    joined = side_by_side(as_linked(sources, policy, original, privacy.columns))
    return findings_side_by_side(joined, privacy, len(sources))


def _counts_people(one: Earlier, policy: Policy) -> bool:
    """Whether an earlier release, which keeps the models by itself, was counted by people too."""
    return not policy.person or persons_in_release(one.source, policy) is not None


def _refuse_weaker(one: Earlier, policy: Policy, schema: Schema) -> None:
    """Refuse where the earlier release fails by itself: then no other release can help."""
    models = tuple(
        model
        for model in policy.privacy
        if (model.about.column is None or model.about.column in schema.columns)
        and model.about.population is None
    )
    persons = persons_in_release(one.source, policy)
    verdict = verify_release(
        one.source, policy, schema, privacy=Privacy(models), populations={}, persons=persons
    )
    failing = [finding for finding in verdict.findings if not finding.holds]
    if failing:
        n_records = max(finding.n_failing_records for finding in failing)
        raise NotPrivate(
            f"The earlier release {one.name} does not satisfy this policy by itself "
            f"({', '.join(finding.model for finding in failing)}; "
            f"{verdict.unit.counted(n_records)} in groups that fail), so no release can satisfy "
            "it together with that one. Ask for no more than it was made with. Nothing was written."
        )


def _note_alone(n_records: int, one: Earlier) -> str:
    have = "has a row" if n_records == 1 else "have rows"
    return (
        f"{counted(n_records, 'record')} of the earlier release {one.name} {have} that no record "
        "of this table can have. Their people have left the table, or their values were changed: "
        "what both releases tell about them was not judged."
    )
