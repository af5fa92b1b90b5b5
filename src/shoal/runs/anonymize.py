"""`shoal anonymize`: from a table and a policy to a verified release."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from shoal.policy.policy import Policy
from shoal.read.key import Key
from shoal.read.source import Source
from shoal.release.release import Release
from shoal.runs.determined import refuse_determined
from shoal.runs.finish import finish
from shoal.runs.inputs import repeating_in, warn_of_other_people
from shoal.runs.minimums import with_minimums
from shoal.runs.prepare import Prepared, prepare
from shoal.runs.pseudonyms import Pseudonymised, pseudonymise, refuse_linked, with_pseudonyms
from shoal.runs.search import refuse_small_table, refuse_without_levels, search
from shoal.runs.stages import Stages
from shoal.runs.verification import warn_of_gaps
from shoal.runs.warm_up import warm_up
from shoal.types.privacy import Privacy

if TYPE_CHECKING:
    from shoal.runs.together_columns import Earlier


def anonymize(
    source: Source,
    policy: Policy,
    *,
    key: Key | None = None,
    threads: int | None = None,
    stages: Stages | None = None,
    neighbours: bool = False,
    is_warm: bool = False,
    pseudonymised: Pseudonymised | None = None,
    earlier: Sequence[Earlier] = (),
) -> Release:
    """Anonymize a table. What comes back has been verified.

    `key`: makes the pseudonyms; without one they are random, and the release has their mapping.
    `neighbours`: also look at the levels next to those that a full-domain algorithm chose.
    `is_warm`: the kernels are compiled already; the command does that while it reads the file.
    `pseudonymised`: the table with pseudonyms, if they are made already; they are told apart from
    the identifiers in `source`. `earlier`: releases of this table that others have; together with
    them, this one must keep the policy too.
    """
    stages = stages or Stages()
    if neighbours:
        refuse_without_levels(policy.algorithm)
    table = source if pseudonymised is None else pseudonymised.source
    schema = policy.schema_for(table.frame.columns)
    privacy = Privacy(policy.privacy)
    refuse_small_table(privacy, table.n_records)
    if not is_warm:
        with stages("compile"):
            warm_up(policy)
    if pseudonymised is None:
        pseudonymised = pseudonymise(source, policy, key, stages)
    prepared = prepare(pseudonymised.source, policy, schema, threads=threads, stages=stages)
    release = release_prepared(prepared, pseudonymised, source, neighbours=neighbours)
    release = with_minimums(release, prepared)
    release = _with_earlier(release, pseudonymised.source, earlier, stages)
    gaps = warn_of_gaps(schema, privacy, release.verdict)
    gaps += warn_of_other_people(table, policy, schema, release.n_people_read)
    verdict = replace(release.verdict, repeating=repeating_in(table, policy, schema))
    return replace(release, verdict=verdict, notes=release.notes + gaps)


def release_prepared(
    prepared: Prepared, pseudonymised: Pseudonymised, original: Source, *, neighbours: bool = False
) -> Release:
    """A verified release of a table that was read already, by its policy alone."""
    stages, policy = prepared.stages, prepared.policy
    refuse_linked(prepared)
    found = search(prepared, neighbours=neighbours)
    with stages("verify"), policy.locating():
        accepted = refuse_determined(prepared, found)
    release = finish(prepared, found)
    release = replace(release, notes=release.notes + accepted)
    return with_pseudonyms(release, pseudonymised, original, stages)


def _with_earlier(
    release: Release, original: Source, earlier: Sequence[Earlier], stages: Stages
) -> Release:
    """A release that keeps its policy together with earlier ones too, or an error."""
    if not earlier:
        return release
    from shoal.runs.together import judge_together, note_on_earlier, refuse_failing

    new = Source(release.published, counts=release.counts)
    with stages("verify"):
        judged = judge_together(new, release.policy, original, earlier, watch=stages.watch)
    refuse_failing(judged, earlier)
    verdict = replace(release.verdict, findings=release.verdict.findings + judged.findings)
    return replace(release, verdict=verdict, notes=release.notes + note_on_earlier(judged))
