"""The attack on several releases of one table."""

from __future__ import annotations

from collections.abc import Sequence

from shoal.attacks.intersection import AttackedRelease, Intersection, intersection
from shoal.attacks.known import KnownPeople
from shoal.attacks.released import Released
from shoal.errors import InputError
from shoal.policy.policy import Policy
from shoal.read.source import Source
from shoal.runs.together_columns import Earlier, as_releases, schema_of_earlier, unchanged_values
from shoal.types.schema import Schema
from shoal.types.watch import Watch


def attack_together(
    release: Source,
    original: Source,
    policy: Policy,
    earlier: Sequence[Earlier],
    known: Sequence[str],
    people: KnownPeople,
    watch: Watch,
) -> tuple[Intersection, ...]:
    """Look for the people that the adversary knows in all releases."""
    for one in earlier:
        schema_of_earlier(one, policy)
        if not any(name in one.source.frame.columns for name in known):
            raise InputError(
                f"The earlier release {one.name} has no column that the adversary knows."
            )
    sources = [release, *(one.source for one in earlier)]
    values = unchanged_values(original, sources, policy, [one.name for one in earlier])
    attacked = []
    for read in as_releases(sources, values, policy):
        cells = {name: column for name, column in read.cells.items() if name in known}
        attacked.append(AttackedRelease(Released.of_cells(cells), read.specs, read.unchanged))
    truth = {name: found.in_table[people.records] for name, found in values.items()}
    return intersection(people, attacked, truth, Schema(policy.columns).sensitive, watch)
