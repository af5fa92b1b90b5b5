"""The first step of a run: a table read as a policy says, ready for any algorithm."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from shoal.encode.encode import encode
from shoal.encode.noise import Noisy, rows_by_quasi, secret_key, with_noise
from shoal.encode.order import order_by
from shoal.encode.people import People, people_of
from shoal.encode.population import encode_population, warn_of_missing_people
from shoal.errors import CannotSatisfy, InputError, PolicyError, nearest
from shoal.policy.policy import Policy
from shoal.read.source import Source
from shoal.runs.inputs import (
    Reader,
    fit_to,
    read_columns,
    read_populations,
    refuse_threads,
    with_formats,
)
from shoal.runs.sample import sample_of
from shoal.runs.stages import Stages
from shoal.types.algorithm import Algorithm, Limits
from shoal.types.column import RawColumn
from shoal.types.privacy import Privacy
from shoal.types.schema import Schema
from shoal.types.table import Encoding, Table
from shoal.types.unit import PERSON, RECORD
from shoal.verify.rare import may_list_values

Needs = tuple[bool, float, int]  # whether nodes are published, noise, people of a listed value


@dataclass(frozen=True, eq=False, repr=False)
class Encoded:
    """A table as one kind of algorithm needs it: its columns and codes, and notes on both."""

    schema: Schema
    columns: Mapping[str, RawColumn]  # with noise, where the algorithm asks for it
    encoding: Encoding
    notes: tuple[str, ...]
    has_noise: bool = False


@dataclass(frozen=True, eq=False, repr=False)
class Prepared:
    """A table and a policy, read; encodings are made when first asked for, and kept.

    Most algorithms share one encoding; those that publish nodes of hierarchies need another.
    """

    source: Source
    policy: Policy
    schema: Schema
    columns: Mapping[str, RawColumn]  # quasi-identifiers and sensitive ones
    populations: Mapping[str, Source]
    people: People | None  # whose records they are, where the policy says so
    read: Reader
    threads: int
    stages: Stages
    _encoded: dict[Needs, Encoded] = field(default_factory=dict)

    @property
    def privacy(self) -> Privacy:
        return Privacy(self.policy.privacy)

    def privacy_for(self, table: Table) -> Privacy:
        """The models of the policy, and whether people can meet in groups of a table."""
        people_meet = table.people is not None and table.people.may_meet
        return Privacy(self.policy.privacy, people_meet)

    def under(self, policy: Policy) -> Prepared:
        """The same table under another policy that reads it alike: no file is read again."""
        ours, theirs = reading_of(self.policy), reading_of(policy)
        if ours != theirs:
            raise PolicyError("the columns must be read alike, for the table was read already")
        return replace(self, policy=policy)

    def encoded_for(self, algorithm: Algorithm) -> Encoded:
        """The table as an algorithm needs it."""
        traits = algorithm.traits
        needs = (traits.publishes_nodes, traits.noise, self._smallest_for(algorithm))
        if needs not in self._encoded:
            with self.stages("encode"), self.policy.locating():
                self._encoded[needs] = self._encode(algorithm)
        return self._encoded[needs]

    def forget_encodings(self, but: Collection[Needs]) -> None:
        """Let go of encodings that were made since: there may be one for every k."""
        for needs in self._encoded.keys() - set(but):
            del self._encoded[needs]

    @property
    def encodings(self) -> tuple[Needs, ...]:
        """What the table is encoded for by now."""
        return tuple(self._encoded)

    def limits_for(self, encoding: Encoding) -> Limits:
        """What is left to suppress after records that cannot be used, and the threads to use."""
        allowed = self.policy.suppression_limit(encoding.n_records)
        if encoding.n_suppressed > allowed:
            raise CannotSatisfy.unusable_records(
                encoding.n_suppressed, allowed, encoding.table.placed.words
            )
        if encoding.table.n_records == 0:
            raise CannotSatisfy.nothing_left()
        return Limits(
            suppression=allowed - encoding.n_suppressed,
            already_suppressed=encoding.n_suppressed,
            seed=self.policy.seed,
            threads=self.threads,
            watch=self.stages.watch,
        )

    def _encode(self, algorithm: Algorithm) -> Encoded:
        schema, fitting_notes = fit_to(algorithm, self.schema)
        columns, noise_notes = self._with_noise(algorithm.traits.noise, schema)
        self.stages.watch.check()
        encoding = encode(
            columns,
            schema,
            missing=self.policy.missing,
            unknown=self.policy.unknown,
            counts=self.source.counts,
            people=self.people,
            smallest=self._smallest_for(algorithm),
        )
        encoding = self._among_people(encoding, schema)
        people_notes = () if self.people is None else self.people.notes
        notes = fitting_notes + noise_notes + people_notes + encoding.notes
        return Encoded(schema, columns, encoding, notes, has_noise=bool(noise_notes))

    def _smallest_for(self, algorithm: Algorithm) -> int:
        """How many people a value needs to be listed in a set; 1 where there are no sets."""
        specs = [self.schema.columns[name] for name in self.schema.quasi]
        has_sets = not algorithm.traits.publishes_nodes and any(map(may_list_values, specs))
        return self.privacy.smallest if has_sets else 1

    def _with_noise(self, share: float, schema: Schema) -> Noisy:
        """The columns with the noise that an algorithm asks for, whatever the input's order."""
        if not share:
            return Noisy(dict(self.columns), ())
        if self.populations:
            raise PolicyError(
                "noise cannot be combined with models about a population (k-map, delta-presence): "
                "a noisy cell need not cover the true value, so matches cannot be counted. Remove "
                "one of the two",
                ("algorithm", "noise"),
            )
        if any(schema.columns[name].top is not None for name in schema.quasi):
            raise PolicyError(
                "noise cannot be combined with `top`: a value that was moved above the highest "
                "one would tell that it is one. Remove one of the two",
                ("algorithm", "noise"),
            )
        if self.people is not None:
            raise PolicyError(
                "noise cannot be combined with `person`: each record of a person would be moved "
                "differently, and the mean of several is close to the true value. Remove one of "
                "the two",
                ("algorithm", "noise"),
            )
        if self.source.counts is not None:
            raise PolicyError(
                "noise needs the records themselves: equal ones that were counted before would all "
                "be moved alike",
                ("algorithm", "noise"),
            )
        others = self.source.columns(schema.names("sensitive", "keep"))
        columns = dict(self.columns)
        rows = rows_by_quasi(columns, schema)
        self.stages.watch.check()
        order = order_by(rows, others)
        self.stages.watch.check()
        return with_noise(columns, schema, share=share, key=secret_key(), order=order)

    def _among_people(self, encoding: Encoding, schema: Schema) -> Encoding:
        """The same, with the populations of the policy coded like the table."""

        def together(people: Source) -> Mapping[str, RawColumn]:
            self.stages.watch.check()
            both = self.source.followed_by(people, schema.only("quasi"), self.policy.missing_values)
            return self.read(both, self.policy, schema.quasi)

        coded = {
            file: encode_population(together(people), encoding, schema)
            for file, people in self.populations.items()
        }
        notes = encoding.notes + tuple(
            note
            for file, people in coded.items()
            for note in warn_of_missing_people(encoding.table, people, Path(file).name)
        )
        return replace(encoding, table=replace(encoding.table, populations=coded), notes=notes)


def prepare(
    source: Source,
    policy: Policy,
    schema: Schema,
    *,
    read: Reader = read_columns,
    threads: int | None = None,
    stages: Stages | None = None,
) -> Prepared:
    """Read the columns that are searched, and the populations that models are about.

    `read` reads columns of the table and of populations; `stages` hears how long it takes.
    """
    refuse_threads(threads)
    stages = stages or Stages()
    with stages("encode"), policy.locating():
        policy, schema = with_formats(source, policy, schema)
        people = read_people(source, policy)
        n_counted = source.n_records if people is None else people.n_people
        sample_of(source, policy, n_counted, RECORD if people is None else PERSON)
        return Prepared(
            source=source,
            policy=policy,
            schema=schema,
            columns=read(source, policy, schema.quasi + schema.sensitive),
            populations=read_populations(policy, schema, source.encoding),
            people=people,
            read=read,
            threads=threads or os.cpu_count() or 1,
            stages=stages,
        )


def read_people(source: Source, policy: Policy) -> People | None:
    """Whose record each one is, if the policy says so."""
    if not policy.person:
        return None
    for name in policy.person:
        if name not in source.frame.columns:
            raise InputError(
                f"People are told apart by column {name!r}, which the data does not have"
                f"{nearest(name, source.frame.columns)} Without it, people cannot be counted."
            )
    missing, texts = policy.missing, policy.missing_values
    return people_of(source, policy.person, missing=missing, missing_values=texts)


def reading_of(policy: Policy) -> tuple[object, ...]:
    """What decides how a table is read and coded."""
    populations = Privacy(policy.privacy).populations
    how = policy.missing, policy.missing_values, policy.unknown
    return policy.columns, policy.person, *how, populations
