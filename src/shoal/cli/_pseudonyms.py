"""Where pseudonyms come from: a key, or chance and a file that lists who is who."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from shoal.errors import InputError

if TYPE_CHECKING:
    from shoal.read.key import Key
    from shoal.release.release import Release
    from shoal.release.tables import TablesRelease
    from shoal.write.atomic import FileSet


@dataclass(frozen=True)
class PseudonymFiles:
    """The files that the command line names for pseudonyms."""

    key_file: Path | None = None
    mapping: Path | None = None  # where random pseudonyms are listed
    force: bool = False

    def key_or_mapping(self, pseudonym: str | None) -> Key | None:
        """The key; None where a mapping will be written, or there is no column that needs one."""
        key = self.key(pseudonym)
        if pseudonym is not None and key is None and self.mapping is None:
            raise InputError(_without_key(pseudonym))
        return key

    def key(self, pseudonym: str | None) -> Key | None:
        """The key of the command line or the environment, if a pseudonym is to be made with it."""
        from shoal.read.key import key_of_environment, read_key

        if self.key_file is not None and self.mapping is not None:
            raise click.UsageError("--key-file and --mapping exclude each other. Give one of them.")
        if pseudonym is None:
            self._refuse_unused()
            return None
        if self.mapping is not None:
            return None
        key = key_of_environment() if self.key_file is None else read_key(self.key_file)
        for note in key.notes if key else ():
            click.echo(f"shoal: {note}", err=True)
        return key

    def protect(self, files: Mapping[str, Path | None]) -> None:
        """Refuse to write where an input or another output is, or over an earlier mapping."""
        from shoal.cli._outputs import protect, refuse_inputs

        for path in files.values():
            if path is not None and self.key_file is not None:
                refuse_inputs(path, {"the key": self.key_file})
        if self.mapping is not None:
            protect(self.mapping, force=self.force, inputs=files, is_ours=lambda _: False)

    def write(self, release: Release | TablesRelease, files: FileSet) -> None:
        """Write the mapping among the other files. It comes first: it cannot be made again."""
        from shoal.write.mapping import write_mapping

        if self.mapping is not None:
            assert release.mapping is not None
            write_mapping(release.mapping, self.mapping, overwrite=self.force, files=files)

    @property
    def files(self) -> dict[str, Path | None]:
        """The files by what they are, which nothing else may overwrite."""
        return {"the key": self.key_file, "the mapping": self.mapping}

    @property
    def facts(self) -> dict[str, str]:
        return {} if self.mapping is None else {"mapping": str(self.mapping)}

    @property
    def message(self) -> str:
        """What to tell the user at the end."""
        if self.mapping is None:
            return ""
        return (
            f"{self.mapping} was written too. It is INTERNAL: it lists who is behind each "
            "pseudonym. Keep it apart from the release, or delete it if it is not needed."
        )

    def _refuse_unused(self) -> None:
        for option, path in (("--key-file", self.key_file), ("--mapping", self.mapping)):
            if path is not None:
                raise click.UsageError(
                    f"{option} is for a column with the role pseudonym, and the policy has none."
                )


def _without_key(pseudonym: str) -> str:
    return (
        f"Column {pseudonym!r} has the role pseudonym, which needs a key or a mapping. Either make "
        "a key with `shoal key FILE` and give it as `--key-file FILE` or in SHOAL_KEY: the same "
        "person then has the same pseudonym in later releases. Or give `--mapping FILE`: "
        "pseudonyms are random then, and the file lists who is behind each."
    )
