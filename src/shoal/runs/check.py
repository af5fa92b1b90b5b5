"""`shoal check`: verify a release from elsewhere or from an earlier run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from shoal.errors import InputError
from shoal.policy.policy import Policy
from shoal.read.fingerprints import warn_of_fingerprints
from shoal.read.formulas import warn_of_formulas
from shoal.read.source import Source
from shoal.runs.inputs import read_columns, repeating_in
from shoal.runs.pseudonyms import linked_rows
from shoal.runs.together import earlier_of, judge_together
from shoal.runs.together_columns import Earlier
from shoal.runs.verification import (
    meanings_of,
    persons_in_release,
    persons_of,
    verify_release,
    warn_of_gaps,
    warn_of_uncounted_people,
)
from shoal.types.privacy import Privacy
from shoal.types.verdict import Leak, Verdict
from shoal.types.watch import Watch
from shoal.verify.leaks import index_leaks, rare_values, refuse_odd_cells
from shoal.verify.linked import identifier_leaks, note_on_others
from shoal.verify.order import order_leaks
from shoal.verify.original import refuse_other_original


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
    leaks = tuple(index_leaks(source, unknown))
    indexes = {leak.column for leak in leaks}
    schema = policy.schema_of_release([n for n in source.frame.columns if n not in indexes])
    refuse_odd_cells(source, schema)
    persons = persons_in_release(source, policy)
    meanings = None
    if original is not None:
        policy.schema_for(original.frame.columns)
        refuse_other_original(source, original, schema)
        names = Privacy(policy.privacy).columns
        meanings = meanings_of(
            read_columns(original, policy, names),
            names,
            schema,
            original.counts,
            None if persons is None else persons_of(original, policy),
        )
    verdict = verify_release(
        source, policy, schema, original=meanings, persons=persons, watch=watch
    )
    leaks += verdict.leaks
    if min(verdict.group_sizes) < (smallest := Privacy(policy.privacy).smallest):
        leaks += tuple(rare_values(source, schema, smallest))
    notes = warn_of_uncounted_people(policy, verdict)
    notes += warn_of_gaps(schema, Privacy(policy.privacy), verdict)
    notes += warn_of_fingerprints(source, schema) + warn_of_formulas(source.frame)
    linked, pseudonym = linked_rows(source, policy, schema), schema.pseudonym
    if linked is not None and pseudonym is not None:
        leaks += tuple(linked.leaks(pseudonym))
        notes += (*linked.notes(pseudonym), *note_on_others(source, pseudonym))
        if original is not None:
            leaks += tuple(identifier_leaks(source, original, pseudonym))
    if original is not None:
        kept = (Leak("order of the original", None, source.n_records),)
        leaks += (
            kept
            if policy.order == "input"
            else order_leaks(source, original, schema, policy.missing_values)
        )
        roles = policy.schema_for(original.frame.columns)
        verdict = replace(verdict, repeating=repeating_in(original, policy, roles))
    if original is not None and earlier:
        published = replace(source, frame=source.columns(schema.released))
        judged = judge_together(published, policy, original, earlier, watch=watch)
        verdict = replace(verdict, findings=verdict.findings + judged.findings)
        notes += judged.notes
    return replace(verdict, leaks=leaks, notes=notes, person=policy.person)


def check_frame(
    frame: Any,
    policy: Policy,
    original: Any = None,
    *,
    earlier: Any = (),
    watch: Watch | None = None,
) -> Verdict:
    before = None if original is None else Source.of_frame(original)
    return check(
        Source.of_frame(frame), policy, original=before, earlier=earlier_of(earlier), watch=watch
    )
