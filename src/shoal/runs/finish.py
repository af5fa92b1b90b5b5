"""The last step of a run: publish the cells, verify them by other code, and make a release."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from shoal.metrics import measures_of
from shoal.metrics.loss import loss_by_column
from shoal.read.fingerprints import warn_of_fingerprints
from shoal.read.formulas import warn_of_formulas
from shoal.read.source import Source
from shoal.read.weights import warn_of_strata
from shoal.recode.cells import Cells
from shoal.recode.recode import Published, place, recode
from shoal.release.release import Release
from shoal.runs.beside import beside_of
from shoal.runs.prepare import Encoded, Prepared
from shoal.runs.search import Found
from shoal.runs.verification import (
    listed_rare_in,
    meanings_of,
    persons_of,
    verify_release,
)
from shoal.types.axis import Axis
from shoal.types.grouping import Grouping
from shoal.types.verdict import Verdict
from shoal.utility.beside import Beside
from shoal.verify.leaks import detailed_zips
from shoal.verify.rare import people_with_values
from shoal.write.frames import to_native

Verifier = Callable[[Published], Verdict]


def finish(prepared: Prepared, found: Found, *, verify: Verifier | None = None) -> Release:
    """What was found, as a verified release; `verify` replaces the check of it by itself."""
    stages, encoded = prepared.stages, found.encoded
    with stages("recode"):
        published = publish(prepared, encoded, found.grouping, found.cells)
    with stages("verify"):
        verdict = verify(published) if verify else verify_published(prepared, encoded, published)
    source, schema, encoding = prepared.source, encoded.schema, encoded.encoding
    knows_unique = encoding.n_suppressed == 0 and not encoded.has_noise
    return Release(
        frame=to_native(source, published.frame, published.records, schema),
        published=published.frame,
        counts=published.counts,
        text_counts=published.text_counts,
        verdict=verdict,
        measures=measures_of(found.outcome),
        loss_by_column=loss_by_column(found.outcome),
        n_read=source.n_records,
        groups=published.groups_of_input(source.frame.height),
        grouping=found.grouping,
        policy=prepared.policy,
        schema=schema,
        axes=encoding.table.axes,
        seconds=stages.seconds,
        n_unique_before=encoding.table.n_unique if knows_unique else None,
        n_people_read=None if prepared.people is None else prepared.people.n_people,
        neighbours=found.neighbours,
        bound=found.bound,
        outcome=replace(found.outcome, beside=_beside(prepared, encoded, published)),
        notes=(
            *encoded.notes,
            *found.grouping.notes,
            *warn_of_centres(encoding.table.axes),
            *warn_of_fingerprints(source, schema),
            *warn_of_strata(published.frame, schema),
            *warn_of_formulas(published.frame, published.text_counts),
        ),
    )


def _beside(prepared: Prepared, encoded: Encoded, published: Published) -> Beside | None:
    """The release beside its original, for measures; None where records were only counted."""
    source = prepared.source
    if source.counts is not None:
        return None
    return beside_of(
        source,
        replace(source, frame=published.frame),
        prepared.policy,
        encoded.schema,
        rows=encoded.encoding.row_of_record,
        groups=published.groups,
        origins=partial(np.asarray, published.records),  # a lambda would not go to other processes
    )


def warn_of_centres(axes: Sequence[Axis]) -> Iterator[str]:
    """Notes on columns that publish a mean or a median, which are rounded."""
    for axis in axes:
        if axis.publish in ("mean", "median"):
            yield (
                f"Column {axis.name!r} publishes a {axis.publish}, rounded. With the size of its "
                "group, it limits what the last member can have to who knows the others. A range "
                "with `bounds: grid` or a hierarchy does not."
            )


def publish(
    prepared: Prepared, encoded: Encoded, grouping: Grouping, cells: tuple[Cells, ...]
) -> Published:
    """The published table, not yet verified."""
    source, policy, schema = prepared.source, prepared.policy, encoded.schema
    placement = place(source, encoded.encoding, grouping, schema)
    prepared.stages.watch.check()
    return recode(
        source,
        placement,
        cells,
        schema=schema,
        order=policy.order,
        missing_text=policy.missing_text if source.is_text else None,
        watch=prepared.stages.watch,
    )


def verify_published(
    prepared: Prepared, encoded: Encoded, published: Published, *, release: Source | None = None
) -> Verdict:
    """The independent check of a published table, which knows the original.

    `release`: the same rows as they were read where they are published, if that is elsewhere.
    """
    source, names = prepared.source, prepared.privacy.columns
    persons = persons_of(source, prepared.policy)
    if release is None:
        release = replace(source, frame=published.frame, counts=published.counts)

    def people_of(name: str) -> Mapping[str, int]:
        return people_with_values(
            encoded.columns[name],
            published.records,
            persons=None if persons is None else persons[published.records],
            counts=published.counts,
        )

    verdict = verify_release(
        release,
        prepared.policy,
        encoded.schema,
        original=meanings_of(encoded.columns, names, encoded.schema, source.counts, persons),
        persons=None if persons is None else persons[published.records],
        populations=prepared.populations,
        read=prepared.read,
        watch=prepared.stages.watch,
    )
    rare = listed_rare_in(release, encoded.schema, prepared.privacy.smallest, people_of)
    detailed = detailed_zips(release, encoded.schema)
    return replace(verdict, leaks=(*verdict.leaks, *rare, *detailed))
