"""From tables and a policy to columns: what the policy says decides how each one is read."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from shoal.errors import BadOption, InputError, nearest
from shoal.hierarchies.flat import flat
from shoal.policy.policy import Policy
from shoal.read.columns import refuse_lost_digits
from shoal.read.files import read_either
from shoal.read.leaves import UNKNOWN, unknown_values
from shoal.read.repeating import repeating_identifiers
from shoal.read.said import format_in, notation_in, read_as_said
from shoal.read.sensitive import CodedSensitive, coded_as, sensitive_of
from shoal.read.source import Source
from shoal.types.algorithm import Algorithm
from shoal.types.arrays import Int64Array
from shoal.types.column import RawColumn
from shoal.types.named import name_of
from shoal.types.notation import PLAIN
from shoal.types.privacy import Privacy
from shoal.types.repeating import Repeating
from shoal.types.schema import ColumnSpec, Schema
from shoal.types.sensitive import SensitiveColumn

Reader = Callable[[Source, Policy, Sequence[str]], Mapping[str, RawColumn]]  # of some columns
TOO_FEW = 10_000  # rows below which threads cost more than they save


def refuse_threads(threads: int | None) -> None:
    is_number = isinstance(threads, int) and not isinstance(threads, bool)
    if threads is not None and not (is_number and threads >= 1):
        raise BadOption("threads must be a whole number, at least 1")


def fit_to(algorithm: Algorithm, schema: Schema) -> tuple[Schema, tuple[str, ...]]:
    """The columns as an algorithm needs them: a full-domain one publishes nodes of hierarchies."""
    if not algorithm.traits.publishes_nodes:
        return schema, ()
    columns, notes = dict(schema.columns), []
    for name in schema.quasi:
        spec = columns[name]
        columns[name] = replace(
            spec, hierarchy=spec.hierarchy or flat(), publish="node", bounds=None
        )
        if spec.hierarchy is None:
            notes.append(
                f"Column {name!r} has no hierarchy, so {name_of(algorithm)} publishes its values "
                "as they are or not at all. A hierarchy would keep some detail."
            )
        elif spec.publish not in (None, "node"):
            notes.append(
                f"Column {name!r}: {name_of(algorithm)} publishes nodes of the hierarchy; "
                f"`publish: {spec.publish}` is not used."
            )
        if spec.bounds is not None:
            notes.append(f"Column {name!r}: there are no ranges, so `bounds` is not used.")
    return Schema(columns), tuple(notes)


def read_columns(source: Source, policy: Policy, names: Sequence[str]) -> dict[str, RawColumn]:
    """Some columns, coded."""

    def read(name: str) -> RawColumn:
        if policy.columns[name].role == "quasi":  # others are released as they are
            refuse_lost_digits(source.frame[name])
        column = read_as_said(
            source.frame[name],
            spec_in(source, policy, name),
            is_text=source.is_text,
            missing_values=policy.missing_values,
        )
        if column.text_counts is not None:
            source.text_counts[name] = column.text_counts
        return column

    if source.frame.height < TOO_FEW:
        return {name: read(name) for name in names}
    with ThreadPoolExecutor() as pool:  # polars works outside the interpreter lock
        return dict(zip(names, pool.map(read, names), strict=True))


def spec_in(source: Source, policy: Policy, name: str) -> ColumnSpec:
    """What a policy says of a column, unless its numbers have points already."""
    spec = policy.columns[name]
    return replace(spec, decimal="", thousands="", of_table=PLAIN) if source.has_points else spec


def with_formats(source: Source, policy: Policy, schema: Schema) -> tuple[Policy, Schema]:
    """Both with the ways in which a table shows its dates and numbers: later ones may not."""
    missing, found = policy.missing_values, {}
    for name in schema.quasi:
        spec, column = schema.columns[name], source.frame[name]
        if source.is_text and not spec.format and spec.may_be_numbers:
            spec = replace(spec, format=format_in(column, missing))
        notation = notation_in(column, spec, missing, is_text=source.is_text)
        if notation is not None:
            spec = spec.written(notation)
        if spec != schema.columns[name]:
            found[name] = spec
    if not found:
        return policy, schema
    columns = {name: found.get(name, spec) for name, spec in policy.columns.items()}
    return replace(policy, columns=columns), Schema({**schema.columns, **found})


def read_sensitive(
    released: RawColumn,
    spec: ColumnSpec,
    original: SensitiveColumn | None,
    counts: Int64Array | None = None,
) -> CodedSensitive:
    """What the values of a released column mean: with the original, among all of its values."""
    if original is not None:
        return coded_as(released, original)
    coded = sensitive_of(released, spec, counts)
    if (coded.codes == UNKNOWN).any():
        raise unknown_values(released, coded.codes, counts)
    return coded._replace(column=replace(coded.column, counts=None))


def read_populations(
    policy: Policy, schema: Schema, encoding: str | None = None
) -> dict[str, Source]:
    """The populations that models of the policy are about, by the files given there."""
    populations = {}
    for file in Privacy(policy.privacy).populations:
        people = read_either(Path(file), encoding=encoding)
        for name in schema.quasi:
            if name not in people.frame.columns:
                raise InputError(
                    f"The population {Path(file).name} has no column {name!r}"
                    f"{nearest(name, people.frame.columns)} It needs every quasi-identifier."
                )
            if policy.columns[name].publish in ("mean", "median"):
                raise policy.located(
                    f"column {name!r} publishes a {policy.columns[name].publish}, so the "
                    "people it matches in the population cannot be counted. Use range, set or node",
                    ("columns", name, "publish"),
                )
        populations[file] = people
    return populations


def repeating_in(source: Source, policy: Policy, schema: Schema) -> tuple[Repeating, ...]:
    """Identifiers that repeat, where the policy does not say whose record each one is."""
    return () if policy.person else repeating_identifiers(source, schema, policy.missing_values)


def warn_of_other_people(
    source: Source, policy: Policy, schema: Schema, n_people: int | None
) -> tuple[str, ...]:
    """Notes on identifiers that tell fewer people apart than the policy's `person` does."""
    if n_people is None:
        return ()
    names = " and ".join(repr(name) for name in policy.person)
    return tuple(
        f"Column {other.column!r} is an identifier too, and has fewer different values "
        f"({other.n_values:,}) than {names} tells people apart ({n_people:,}). If it is the one "
        f"that says who a person is, set `person: {other.column}`: then groups have fewer people "
        "than was counted."
        for other in repeating_identifiers(source, schema, policy.missing_values)
        if other.column not in policy.person and other.n_values < n_people
    )
