"""The dossiers and the public policy that are written together with a release."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path, PurePath
from typing import TYPE_CHECKING

from shoal.cli._outputs import is_page, protect

if TYPE_CHECKING:
    from shoal.policy.public import PublicPolicy
    from shoal.read.source import Source
    from shoal.release.release import Release
    from shoal.report.dossier.known import FileFact
    from shoal.runs.evidence import Evidence
    from shoal.runs.registry import Written
    from shoal.runs.stages import Stages
    from shoal.write.atomic import FileSet


class DossierFiles:
    """Where they go, and what they show; made before the release is written, written after it."""

    def __init__(
        self,
        internal: tuple[Path, ...] = (),
        external: tuple[Path, ...] = (),
        public_policy: Path | None = None,
        *,
        force: bool = False,
    ) -> None:
        self.internal, self.external, self.public_policy = internal, external, public_policy
        self.force = force
        self._inputs: tuple[FileFact, ...] = ()
        self._evidence: Evidence | None = None
        self._public: PublicPolicy | None = None
        self._policy_text = ""  # of the public one

    @property
    def files(self) -> dict[str, Path]:
        """By what they are; those of one kind are numbered."""
        found: dict[str, Path] = {}
        for kind, paths in (("report", self.internal), ("external report", self.external)):
            found |= {f"the {kind} {n}".removesuffix(" 1"): p for n, p in enumerate(paths, start=1)}
        return found | ({"the public policy": p} if (p := self.public_policy) else {})

    def protect(self, inputs: Mapping[str, Path | None]) -> None:
        """Refuse to overwrite an input or each other, ever, and anything but our own files."""
        seen = dict(inputs)
        for what, path in self.files.items():
            is_ours = _is_public_policy if path == self.public_policy else _is_dossier
            protect(path, force=self.force, inputs=seen, is_ours=is_ours)
            seen[what] = path

    def gather(
        self,
        source: Source,
        release: Release,
        output: Path,
        *,
        inputs: Mapping[str, Path],
        threads: int | None,
        stages: Stages,
    ) -> None:
        """Everything that takes time or can fail, before a file is replaced.

        `inputs` are the files that were read, by what they are; `output` will have the release.
        """
        if not self.files:
            return
        from shoal.runs.evidence import gather
        from shoal.runs.public_policy import public_policy

        if self.internal or self.external:
            self._inputs = _digests(inputs)
            self._evidence = gather(source, release, threads=threads, stages=stages)
        self._public = public_policy(release)
        if self.public_policy is not None:
            policy = self.public_policy.name
            self._policy_text = self._public.text(release=output.name, policy=policy)

    def write(self, release: Release, written: Written, files: FileSet) -> None:
        """Write them among `files`, once it is known what the file of the release will hold."""
        if self.public_policy is not None:
            files.write_text(self.public_policy, self._policy_text)
        if not (self.internal or self.external):
            return
        from shoal.report.dossier.external import external
        from shoal.report.dossier.facts import dossier_facts
        from shoal.report.dossier.files import text_of
        from shoal.report.dossier.known import FileFact, Known

        known = Known(
            output=str(written.path),
            files=(*self._inputs, FileFact("release", written.path.name, written.sha256)),
            evidence=self._evidence,
            public=self._public,
            command=command_line(sys.argv),
            made_at=datetime.now(UTC),
        )
        facts = dossier_facts(release, known)
        for path in self.internal:
            files.write_text(path, text_of(facts, path), is_private=True)
        for path in self.external:
            files.write_text(path, text_of(external(facts), path))


def command_line(arguments: list[str]) -> str:
    """What was typed, without the folders of the writer.

    >>> command_line(["/usr/bin/shoal", "anonymize", "/home/ann/a b.csv", "--report=out/d.html"])
    "shoal anonymize 'a b.csv' --report=d.html"
    """
    import shlex

    return shlex.join(["shoal", *map(_without_folders, arguments[1:])])


def _without_folders(argument: str) -> str:
    option, equals, value = argument.partition("=")
    if argument.startswith("-") and equals:
        return f"{option}={PurePath(value).name or value}"
    return PurePath(argument).name or argument


def _digests(inputs: Mapping[str, Path]) -> tuple[FileFact, ...]:
    from shoal.read.steady import sha256_of
    from shoal.report.dossier.known import FileFact

    names = {"the data": "input", "the policy": "policy"}
    return tuple(
        FileFact(names.get(what, "named by the policy"), path.name, sha256_of(path))
        for what, path in inputs.items()
    )


def _is_dossier(path: Path) -> bool:
    """Whether a file is a dossier, which may be replaced by a newer one."""
    from shoal.errors import InputError
    from shoal.report.dossier.embedded import read_dossier

    if is_page(path):
        return True
    try:
        read_dossier(path)
    except InputError:
        return False
    return True


def _is_public_policy(path: Path) -> bool:
    from shoal.policy.public import is_public_policy

    return is_public_policy(path)
