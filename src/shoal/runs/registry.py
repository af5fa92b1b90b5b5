"""Remembering what was released of which table, and noticing that it was released before."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from shoal import __version__
from shoal.errors import InputError, OutputError, counted
from shoal.read.registry import Entry, read_registry, values_sha256
from shoal.read.source import Source
from shoal.read.steady import sha256_of
from shoal.release.release import Release
from shoal.types.named import name_of
from shoal.write.registry import append_line

if TYPE_CHECKING:
    from shoal.runs.together_columns import Earlier

NOT_REMEMBERED = "This release was not remembered."


class Noticed(NamedTuple):
    """What a registry says about a release: notes on others of its table, and its own line.

    There is no line for a release that is known already.
    """

    notes: tuple[str, ...]
    line: str | None


class Written(NamedTuple):
    """The file that a release is in, or will be, and its digest."""

    path: Path
    sha256: str


def notice(
    release: Release,
    source: Source,
    registry: Path,
    *,
    data: Path | None = None,
    written: Written | None = None,
    earlier: Sequence[Earlier] = (),
) -> Noticed:
    """Look for other releases of a table; `data` and `written` are files, where there are some.

    Releases that were judged together with this one as `earlier` need no note. A registry that
    cannot be used does not prevent a release.
    """
    entry = _entry(release, source, data, written)
    try:
        known = read_registry(registry)
    except InputError as error:
        return Noticed((f"{NOT_REMEMBERED} {error}",), None)
    before = [other for other in known.entries if other.is_of_table(entry)]
    is_new = not any(
        _is_same(other, entry) and other.release_sha256 == entry.release_sha256 for other in before
    )
    judged = {values_sha256(one.source.frame) for one in earlier}
    judged |= {sha256_of(one.file) for one in earlier if one.file is not None}
    others = [
        other
        for other in before
        if not _is_same(other, entry) and not {other.release_values, other.release_sha256} & judged
    ]
    notes = tuple(_note(other) for other in {o.release_values: o for o in others}.values())
    if known.n_damaged:
        notes += (
            f"{counted(known.n_damaged, 'line')} of {registry.name} cannot be read, so releases "
            "of this table may be missing there.",
        )
    return Noticed(notes, entry.text() if is_new else None)


def remember(registry: Path, noticed: Noticed) -> tuple[str, ...]:
    """Add the line of a release that is written by now; if that fails, a note says so."""
    try:
        if noticed.line is not None:
            append_line(registry, noticed.line)
    except OutputError as error:
        return (f"{NOT_REMEMBERED} {error}",)
    return ()


def remembered(
    release: Release, source: Source, registry: Path, *, earlier: Sequence[Earlier] = ()
) -> Release:
    """A release of a frame, noted in the registry, with notes on others of the same table."""
    noticed = notice(release, source, registry, earlier=earlier)
    notes = noticed.notes + remember(registry, noticed)
    return replace(release, notes=release.notes + notes)


def _entry(release: Release, source: Source, data: Path | None, written: Written | None) -> Entry:
    return Entry(
        time=datetime.now(UTC).isoformat(timespec="seconds"),
        data_sha256=None if data is None else sha256_of(data),
        data_values=values_sha256(source.frame, source.text_counts),
        file=None if written is None else str(written.path.resolve()),
        release_sha256=None if written is None else written.sha256,
        release_values=values_sha256(release.published, release.text_counts),
        policy_sha256=hashlib.sha256(release.policy.text().encode()).hexdigest(),
        models=tuple(name_of(model) for model in release.policy.privacy),
        shoal=__version__,
    )


def _is_same(one: Entry, other: Entry) -> bool:
    """Whether both entries are of releases with the same rows."""
    return one.release_values == other.release_values


def _note(other: Entry) -> str:
    """That the table was released before, and what to do."""
    name = "" if other.file is None else f" as {Path(other.file).name}"
    first = (
        f"This table was released before, on {other.time[:10]}{name}. Whoever has both releases "
        "may learn more than the policy allows."
    )
    if other.file is None:
        return f"{first} Give that release as `--earlier` (in Python, `earlier`) to find out."
    if _is_there(other):
        return (
            f"{first} Its file is still where it was written: run again with `--earlier` and the "
            "path of this file to find out."
        )
    return (
        f"{first} Its file is no longer where it was written, or was changed. Give what you shared "
        "as `--earlier` to find out."
    )


def _is_there(other: Entry) -> bool:
    try:
        return other.file is not None and sha256_of(Path(other.file)) == other.release_sha256
    except InputError:
        return False
