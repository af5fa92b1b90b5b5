"""All files that a run writes: the release, and what belongs to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.cli._dossier import DossierFiles
from shoal.cli._outputs import refuse_inputs
from shoal.cli._overwriting import refuse_lost
from shoal.cli._pseudonyms import PseudonymFiles
from shoal.cli._recoding import RecodingFile
from shoal.cli._registry import RegistryFile

if TYPE_CHECKING:
    from shoal.read.source import Source
    from shoal.release.release import Release
    from shoal.runs.stages import Stages
    from shoal.runs.together_columns import Earlier
    from shoal.write.atomic import FileSet


@dataclass
class RunFiles:
    """Where they go. Each is refused before any work if it would overwrite what must stay."""

    output: Path
    dossier: DossierFiles = field(default_factory=DossierFiles)
    recoding: RecodingFile | None = None  # None: it is not written
    pseudonyms: PseudonymFiles = field(default_factory=PseudonymFiles)
    registry: RegistryFile = field(default_factory=RegistryFile)
    force: bool = False  # whether the release may replace a file that is none
    _protected: dict[str, Path | None] = field(default_factory=dict)

    def check(self, inputs: Mapping[str, Path]) -> None:
        """Refuse, before anything is read, a release that could not be written."""
        from shoal.write.files import check_ending

        check_ending(self.output)
        refuse_lost(self.output, inputs, force=self.force, registry=self.registry.path)

    def protect(self, inputs: Mapping[str, Path], *, with_levels: bool) -> None:
        """Refuse an output that is an input or another output.

        `with_levels`: the algorithm chooses levels, so that there will be a recoding.
        """
        outputs = {"the release": self.output, **self.dossier.files, **self.registry.files}
        for what, target in outputs.items():
            others = {name: path for name, path in outputs.items() if name != what}
            refuse_inputs(target, {**inputs, **others})
        files: dict[str, Path | None] = {**inputs, **outputs}
        self.pseudonyms.protect(files)
        self._protected = files | self.pseudonyms.files
        if self.recoding is not None and with_levels:
            self.recoding.protect(self._protected)

    def gather(
        self,
        source: Source,
        release: Release,
        *,
        inputs: Mapping[str, Path],
        threads: int | None,
        stages: Stages,
    ) -> None:
        """What takes time, before a file is replaced."""
        self.dossier.gather(
            source, release, self.output, inputs=inputs, threads=threads, stages=stages
        )
        if self.recoding is not None and release.grouping.levels is not None:
            self.recoding.protect(self._protected)

    def write(
        self,
        release: Release,
        source: Source,
        files: FileSet,
        *,
        data: Path,
        earlier: Sequence[Earlier],
    ) -> Release:
        """Write all of them among `files`. Gives the release with what the registry says of it."""
        from shoal.read.steady import sha256_of
        from shoal.runs.registry import Written
        from shoal.write.files import add_file

        self.pseudonyms.write(release, files)
        draft = add_file(
            files,
            release.records(),
            self.output,
            delimiter=source.delimiter,
            labels=source.labels,
        )
        written = Written(self.output, sha256_of(draft))
        release = self.registry.notice(release, source, data, written, earlier)
        if self.recoding is not None:
            self.recoding.write(release, files, written.sha256)
        self.dossier.write(release, written, files)
        return release

    def recoding_facts(self, summary: dict[str, Any]) -> dict[str, Any]:
        """The summary with where the recoding is."""
        return summary if self.recoding is None else self.recoding.add_to(summary)

    @property
    def messages(self) -> list[str]:
        """What to tell the user about the files that are internal."""
        recoding = "" if self.recoding is None else self.recoding.message
        return [message for message in (recoding, self.pseudonyms.message) if message]
