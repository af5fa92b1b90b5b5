"""The recoding file that is written together with a release."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.cli._outputs import protect
from shoal.errors import OutputError

if TYPE_CHECKING:
    from shoal.release.release import Release
    from shoal.saved_recoding.recoding import Recoding
    from shoal.write.atomic import FileSet

ENDING = ".recoding.json"


class RecodingFile:
    """Where the recoding of a release goes, and afterwards whether it was written."""

    def __init__(self, release: Path, *, force: bool) -> None:
        self.path = recoding_path(release)
        self.force = force
        self.is_written = False
        self.message = ""  # what to tell the user

    def protect(self, inputs: Mapping[str, Path | None]) -> None:
        """Refuse to overwrite an input, ever, and anything but a recoding unless told to."""
        from shoal.saved_recoding.recoding import is_recoding

        protect(self.path, force=self.force, inputs=inputs, is_ours=is_recoding)

    def write(self, release: Release, files: FileSet, release_sha256: str) -> None:
        """Write it, or say why it cannot be; the release is worth having without it."""
        from shoal.saved_recoding.recoding import is_recoding

        recoding = release.recoding
        if recoding is None:
            if self.path.exists() and is_recoding(self.path):
                self.message = (
                    f"{self.path} belongs to an earlier release, not to this one: this algorithm "
                    "does not choose one level per column."
                )
            return
        try:
            text = replace(recoding, release_sha256=release_sha256).text()
        except OutputError as error:
            self.message = str(error)
            return
        files.write_text(self.path, text, is_private=True)
        self.is_written = True
        self.message = (
            f"{self.path} was written too. It is INTERNAL: it lists raw values, so keep it with "
            "the data. `shoal apply` uses it to recode later records."
        )

    def add_to(self, summary: dict[str, Any]) -> dict[str, Any]:
        """The summary with where the recoding is or, as a note, why it is not."""
        if self.is_written:
            return summary | {"recoding": str(self.path)}
        return summary | ({"notes": [*summary["notes"], self.message]} if self.message else {})


def recoding_path(release: Path) -> Path:
    """release.csv.gz -> release.recoding.json"""
    from shoal.write.files import ending_of

    n_letters = len(release.name) - len(ending_of(release) or "")
    return release.with_name(release.name[:n_letters] + ENDING)


def releases_of(recoding: Path) -> list[Path]:
    """The files next to a recoding whose name says that it was written with them."""
    from shoal.write.files import ALL_ENDINGS

    if not recoding.name.endswith(ENDING):
        return []
    stem = recoding.name.removesuffix(ENDING)
    paths = [recoding.with_name(stem + ending) for ending in ALL_ENDINGS]
    return [path for path in paths if path.is_file()]


def warn_of_other_release(recoding: Recoding, releases: Sequence[Path]) -> tuple[str, ...]:
    """A note if none of these files was written together with the recoding."""
    from shoal.read.steady import sha256_of

    if not recoding.release_sha256 or not releases:
        return ()
    if recoding.release_sha256 in map(sha256_of, releases):
        return ()
    return (
        f"{releases[0]} is not the file that was written together with this recoding: its SHA-256 "
        "differs. If you did not join, change or convert it, the two may be of different runs. "
        "Then anonymize anew, and use both files of that run.",
    )
