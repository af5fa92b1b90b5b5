"""Tables in which nothing can be looked up: all of their rows are one group."""

from __future__ import annotations

import numpy as np
import polars as pl

from shoal.encode.order import order_by
from shoal.errors import CannotSatisfy, counted
from shoal.policy.tables import TablesPolicy
from shoal.read.columns import read_column
from shoal.read.fingerprints import warn_of_fingerprints
from shoal.read.source import Source
from shoal.recode.afresh import afresh
from shoal.recode.recode import forget_categories
from shoal.release.tables import ReleasedTable
from shoal.runs.inputs import read_sensitive
from shoal.runs.keyed_tables import KeyedTables
from shoal.runs.stages import Stages
from shoal.runs.verification import warn_of_gaps
from shoal.types.arrays import Int64Array
from shoal.types.privacy import Privacy
from shoal.types.schema import Schema
from shoal.types.verdict import Verdict
from shoal.verify.verify import verify
from shoal.write.frames import to_native


def release_whole(
    name: str, tables: KeyedTables, policy: TablesPolicy, stages: Stages
) -> ReleasedTable:
    """A table as it is, without what is withheld, in an order that tells nothing."""
    source = tables.sources[name]
    schema = policy.schema_for(name, source.frame.columns)
    with stages("recode"):
        frame = pl.DataFrame(
            {c: forget_categories(source.frame[c], source.frame[c]) for c in schema.released}
        )
        rows = np.arange(source.frame.height)
        if policy.settings.get("order") != "input":
            rows = order_by(np.zeros(source.frame.height, dtype=np.int32), frame)
        frame = pl.DataFrame({c: afresh(frame[c].gather(rows)) for c in schema.released})
    with stages("verify"):
        published = Source(frame, is_text=source.is_text)
        verdict = verify_whole(name, published, policy, tables.person[name][rows])
        _refuse_failing(name, verdict)
    return ReleasedTable(
        to_native(source, frame, rows, schema), frame, verdict, tables.n_read[name],
        notes=notes_on_whole(name, published, policy, verdict),
    )  # fmt: skip


def verify_whole(
    name: str, published: Source, policy: TablesPolicy, persons: Int64Array | None = None
) -> Verdict:
    """Whether all rows, as one group, keep the models about them."""
    schema, privacy = Schema(policy.tables[name].columns), _models_of(name, policy)
    columns = {
        c: read_column(published.frame[c], missing_values=policy.missing_values)
        for c in privacy.columns
    }
    return verify(
        published.frame,
        quasi=(),
        sensitive={c: read_sensitive(columns[c], schema.columns[c], None) for c in columns},
        privacy=privacy,
        withheld=schema.withheld,
        persons=persons,
    )


def notes_on_whole(
    name: str, published: Source, policy: TablesPolicy, verdict: Verdict
) -> tuple[str, ...]:
    schema = Schema(policy.tables[name].columns)
    gaps = warn_of_gaps(schema, _models_of(name, policy), verdict)
    return gaps + warn_of_fingerprints(published, schema)


def _models_of(name: str, policy: TablesPolicy) -> Privacy:
    """Models of a table, less those that look people up in a population: here nothing can be."""
    return Privacy(tuple(m for m in policy.models_of(name) if m.about.population is None))


def _refuse_failing(name: str, verdict: Verdict) -> None:
    """What fails here is not a defect: the table has too few people, or too few values."""
    failing = [finding for finding in verdict.findings if not finding.holds]
    if failing:
        raise CannotSatisfy(
            f"{', '.join(finding.model for finding in failing)} cannot be satisfied by the table "
            f"{name!r}: its {counted(verdict.n_records, 'row')} are one group, which fails. "
            f"{failing[0].demand} {failing[0].found}\nRelax the model, or leave the table out."
        )
