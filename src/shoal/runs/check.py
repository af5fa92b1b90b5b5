"""`shoal check`: verify a release from elsewhere or from an earlier run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from shoal.errors import InputError
from shoal.policy.policy import Policy
from shoal.read.fingerprints import warn_of_fingerprints
from shoal.read.formulas import warn_of_formulas
from shoal.read.source import Source
from shoal.runs.inputs import read_columns, repeating_in
from shoal.runs.pseudonyms import linked_rows
from shoal.runs.together import judge_together
from shoal.runs.together_columns import Earlier
from shoal.runs.verification import (
    listed_rare_in,
    meanings_of,
    persons_in_release,
    persons_of,
    verify_release,
    warn_of_gaps,
    warn_of_uncounted_people,
)
from shoal.types.privacy import Privacy
from shoal.types.schema import Schema
from shoal.types.sensitive import SensitiveColumn
from shoal.types.verdict import Finding, Leak, Verdict
from shoal.types.watch import Watch
from shoal.verify.leaks import detailed_zips, index_leaks, rare_values, refuse_odd_cells
from shoal.verify.linked import identifier_leaks, note_on_others
from shoal.verify.order import order_leaks
from shoal.verify.original import refuse_other_original
from shoal.verify.rare import people_with_values


def check(
    source: Source,
    policy: Policy,
    *,
    original: Source | None = None,
    earlier: Sequence[Earlier] = (),
    watch: Watch | None = None,
) -> Verdict:
    """Verify a table that was released elsewhere or by an earlier run.

    With `earlier` releases of the original, also whether all of them together keep the policy.
    """
    if earlier and original is None:
        raise InputError(
            "What several releases tell together can be judged only with the table that they were "
            "made of. Give it as `--original`, in Python as `original`."
        )
    unknown = [name for name in source.frame.columns if name not in policy.columns]
    indexes = tuple(index_leaks(source, unknown))
    named = {leak.column for leak in indexes}
    schema = policy.schema_of_release([n for n in source.frame.columns if n not in named])
    refuse_odd_cells(source, schema)
    persons = persons_in_release(source, policy)
    meanings = None
    if original is not None:
        meanings = _meanings_in(original, source, policy, schema, of_people=persons is not None)
    verdict = verify_release(
        source, policy, schema, original=meanings, persons=persons, watch=watch
    )
    found = _Found(leaks=indexes + verdict.leaks)
    found += _of_release(source, policy, schema, verdict)
    found += _of_linked_rows(source, policy, schema, original)
    if original is not None:
        found += _of_rare(source, policy, schema, original)
        found += _of_order(source, policy, schema, original)
        found += _of_earlier(source, policy, schema, original, earlier, watch)
        roles = policy.schema_for(original.frame.columns)
        verdict = replace(verdict, repeating=repeating_in(original, policy, roles))
    return replace(
        verdict,
        findings=verdict.findings + found.findings,
        leaks=found.leaks,
        notes=found.notes,
        person=policy.person,
    )


@dataclass(frozen=True)
class _Found:
    """What the parts of a check found besides the models' verdict."""

    leaks: tuple[Leak, ...] = ()
    notes: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()

    def __add__(self, other: _Found) -> _Found:
        return _Found(
            self.leaks + other.leaks, self.notes + other.notes, self.findings + other.findings
        )


def _meanings_in(
    original: Source, source: Source, policy: Policy, schema: Schema, *, of_people: bool
) -> dict[str, SensitiveColumn]:
    """What models compare groups with: the values of the whole original table."""
    policy.schema_for(original.frame.columns)
    refuse_other_original(source, original, schema)
    names = Privacy(policy.privacy).columns
    return meanings_of(
        read_columns(original, policy, names),
        names,
        schema,
        original.counts,
        persons_of(original, policy) if of_people else None,
    )


def _of_release(source: Source, policy: Policy, schema: Schema, verdict: Verdict) -> _Found:
    """Rare values of groups that are too small, and what the numbers do not say."""
    privacy = Privacy(policy.privacy)
    is_small = min(verdict.group_sizes) < privacy.smallest
    return _Found(
        leaks=(
            *(rare_values(source, schema, privacy.smallest) if is_small else ()),
            *detailed_zips(source, schema),
        ),
        notes=(
            *warn_of_uncounted_people(policy, verdict),
            *warn_of_gaps(schema, privacy, verdict),
            *warn_of_fingerprints(source, schema),
            *warn_of_formulas(source.frame),
        ),
    )


def _of_rare(source: Source, policy: Policy, schema: Schema, original: Source) -> _Found:
    """Values listed in sets that fewer people of the original have than may be told."""
    if policy.algorithm.traits.publishes_nodes:
        return _Found()

    def people_of(name: str) -> Mapping[str, int]:
        column = read_columns(original, policy, [name])[name]
        persons = persons_of(original, policy)
        return people_with_values(column, persons=persons, counts=original.counts)

    smallest = Privacy(policy.privacy).smallest
    return _Found(leaks=tuple(listed_rare_in(source, schema, smallest, people_of)))


def _of_linked_rows(
    source: Source, policy: Policy, schema: Schema, original: Source | None
) -> _Found:
    """What pseudonyms tell: rows of one person, and identifiers that are not stand-ins."""
    linked, pseudonym = linked_rows(source, policy, schema), schema.pseudonym
    if linked is None or pseudonym is None:
        return _Found()
    leaks = tuple(linked.leaks(pseudonym))
    if original is not None:
        leaks += tuple(identifier_leaks(source, original, pseudonym))
    return _Found(leaks, (*linked.notes(pseudonym), *note_on_others(source, pseudonym)))


def _of_order(source: Source, policy: Policy, schema: Schema, original: Source) -> _Found:
    """Whether the order of the rows tells whose they are."""
    if policy.order == "input":
        return _Found(leaks=(Leak("order of the original", None, source.n_records),))
    return _Found(leaks=tuple(order_leaks(source, original, schema, policy.missing_values)))


def _of_earlier(
    source: Source,
    policy: Policy,
    schema: Schema,
    original: Source,
    earlier: Sequence[Earlier],
    watch: Watch | None,
) -> _Found:
    """What this release tells together with earlier ones."""
    if not earlier:
        return _Found()
    published = replace(source, frame=source.columns(schema.released))
    judged = judge_together(published, policy, original, earlier, watch=watch)
    return _Found(notes=judged.notes, findings=judged.findings)
