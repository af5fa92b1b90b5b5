"""Remembering what was released of which table, and noticing that it was released before."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from shoal import __version__
from shoal.errors import InputError, OutputError, counted
from shoal.read.registry import Entry, file_sha256, read_registry, values_sha256
from shoal.read.source import Source
from shoal.release.release import Release
from shoal.runs.together_columns import Earlier
from shoal.types.named import name_of
from shoal.write.registry import append_line


def remembered(
    release: Release,
    source: Source,
    registry: Path,
    *,
    data: Path | None = None,
    output: Path | None = None,
    earlier: Sequence[Earlier] = (),
) -> Release:
    """The release, noted in the registry, with notes on others of the same table.

    `data` and `output` are files, where there are some. Releases that were judged together with
    this one as `earlier` need no note. A registry that cannot be used does not undo a release.
    """
    entry = _entry(release, source, data, output)
    try:
        known = read_registry(registry)
        before = [other for other in known.entries if other.is_of_table(entry)]
        is_new = not any(_is_same(other, entry) for other in before)
        if is_new:
            append_line(registry, entry.text())
    except (InputError, OutputError) as error:
        return replace(release, notes=(*release.notes, f"This release was not remembered. {error}"))
    judged = {values_sha256(one.source.frame) for one in earlier}
    judged |= {file_sha256(one.file) for one in earlier if one.file is not None}
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
    return replace(release, notes=release.notes + notes)


def _entry(release: Release, source: Source, data: Path | None, output: Path | None) -> Entry:
    return Entry(
        time=datetime.now(UTC).isoformat(timespec="seconds"),
        data_sha256=None if data is None else file_sha256(data),
        data_values=values_sha256(source.frame),
        file=None if output is None else str(output.resolve()),
        release_sha256=None if output is None else file_sha256(output),
        release_values=values_sha256(release.published),
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
        return other.file is not None and file_sha256(Path(other.file)) == other.release_sha256
    except OSError:
        return False
