"""What a table is a sample of, as its policy says: how many people, and what each record weighs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from shoal.errors import InputError
from shoal.policy.policy import Policy
from shoal.read.files import read_either
from shoal.read.source import Source
from shoal.read.weights import weights_of
from shoal.runs.inputs import spec_in
from shoal.types.arrays import FloatArray
from shoal.types.schema import Schema
from shoal.types.unit import Unit


@dataclass(frozen=True, eq=False, repr=False)
class Sample:
    """So many people are in the population; `weights` of each record, where the table has some."""

    n_population: int
    assumed: str  # where the number comes from
    weights: FloatArray | None = None


def sample_of(source: Source, policy: Policy, n_counted: int, unit: Unit) -> Sample | None:
    """The sample that the policy describes, if any. Refuses what cannot be, before any work."""
    name = Schema(policy.columns).weight
    if name is not None:
        if n_counted != source.n_records:
            raise policy.located(
                f"weights are of people with one record each, but {n_counted:,} people have "
                f"{source.n_records:,} records. Keep one of each, or give the column the role keep "
                "or drop",
                ("columns", name),
            )
        return _weighted(source, policy, name)
    population = policy.population
    n_people = None if population is None else population.n_people(n_counted)
    if population is None or n_people is None:
        return None
    if n_people < n_counted:
        raise policy.located(
            f"the population has {n_people:,} people, but the table has {unit.counted(n_counted)}. "
            "The population includes everybody who is in the table",
            ("population", "size"),
        )
    said = (
        f"the table is {population.fraction:.6g} of a population of {n_people:,} people"
        if population.fraction is not None
        else f"the population has {n_people:,} people"
    )
    return Sample(n_people, said)


def population_file(policy: Policy, encoding: str | None = None) -> Source | None:
    """The table of all people that the policy names, if it does."""
    if policy.population is None or policy.population.file is None:
        return None
    return read_either(Path(policy.population.file), encoding=encoding)


def _weighted(source: Source, policy: Policy, name: str) -> Sample:
    if source.counts is not None:
        raise InputError("Weights need the records themselves, not rows that were counted.")
    weights = weights_of(source, name, spec_in(source, policy, name), policy.missing_values)
    n_people = max(round(math.fsum(weights.tolist())), source.n_records)
    said = f"the weights of column {name!r} add up to {n_people:,} people"
    return Sample(n_people, said, weights)
