"""Refusing kept columns that tell what generalised ones hide, before anything is published."""

from __future__ import annotations

from collections.abc import Iterable

from shoal.errors import InputError, PolicyError
from shoal.metrics.loss import loss_by_column
from shoal.read.columns import can_be_read
from shoal.read.determines import Determined, determined_by
from shoal.read.said import read_as_said
from shoal.read.source import Source
from shoal.runs.prepare import Prepared
from shoal.runs.search import Found
from shoal.runs.verification import persons_of
from shoal.types.column import RawColumn
from shoal.types.schema import ColumnSpec, Schema


def refuse_determined(prepared: Prepared, found: Found) -> tuple[str, ...]:
    """Refuse kept and sensitive columns that tell a generalised one; notes on accepted ones."""
    schema = found.encoded.schema
    lost = loss_by_column(found.outcome)
    hidden = {name: prepared.columns[name] for name in schema.quasi if lost[name] > 0}
    kept = unchanged_columns(prepared.source, schema)
    if not hidden or not kept:
        return ()
    persons = persons_of(prepared.source, prepared.policy)
    return notes_on_determined(determined_by(kept, hidden, persons), schema)


def notes_on_determined(found: Iterable[Determined], schema: Schema) -> tuple[str, ...]:
    """Refuse columns that tell others; notes where the policy accepts it."""
    notes = []
    for told in found:
        if not any(schema.columns[name].determines == "accepted" for name in told.kept):
            raise PolicyError(_refusal(told), ("columns", told.kept[0]))
        notes.append(_told(told) + ", which the policy accepts.")
    return tuple(notes)


def unchanged_columns(source: Source, schema: Schema) -> dict[str, RawColumn]:
    """The columns that leave as they are and can be compared."""
    found = {}
    for name in schema.names("keep", "sensitive"):
        if can_be_read(source.frame[name]):
            try:
                as_numbers = ColumnSpec("quasi", of_table=schema.columns[name].notation)
                found[name] = read_as_said(source.frame[name], as_numbers, is_text=source.is_text)
            except InputError:  # infinite numbers
                continue
    return found


def _told(told: Determined) -> str:
    names = " and ".join(repr(name) for name in told.kept)
    tell = "tells" if len(told.kept) == 1 else "together tell"
    return f"Column {names} {tell} the value of {told.hidden!r}, which is generalised"


def _refusal(told: Determined) -> str:
    return (
        f"{_told(told)[0].lower()}{_told(told)[1:]} to hide it: records that share the one share "
        "the other, or one grows with the other. Give the role quasi or drop to what tells it; or "
        "write `determines: accepted` there if recipients may know"
    )
