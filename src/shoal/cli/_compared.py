"""`shoal check --report`: whether a dossier is of this file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from rich.console import Console

    from shoal.policy.policy import Policy
    from shoal.report.dossier.compare import Comparison
    from shoal.report.summarise import Facts
    from shoal.types.verdict import Verdict


class Dossier(NamedTuple):
    """A dossier that was given, with the policy that it carries."""

    path: Path
    facts: Facts

    @classmethod
    def read(cls, path: Path) -> Dossier:
        from shoal.report.dossier.embedded import read_dossier

        return cls(path, read_dossier(path))

    def policy(self) -> Policy | None:
        """What anybody can check; None if that is nothing."""
        from shoal.policy.public import policy_of_keys

        carried = self.facts.get("policy")
        keys = carried.get("keys") if isinstance(carried, dict) else None
        return None if keys is None else policy_of_keys(keys)

    def compare(self, release: Path, verdict: Verdict | None) -> Comparison:
        from shoal.read.steady import sha256_of
        from shoal.report.dossier.compare import Comparison, compare, compare_page

        found = compare(self.facts, sha256=sha256_of(release), verdict=verdict)
        page = compare_page(self.path, self.facts)
        return Comparison(*(mine + its for mine, its in zip(found, page, strict=True)))


def print_comparison(comparison: Comparison, path: Path, console: Console) -> None:
    from rich.text import Text

    from shoal.report.text import print_list

    is_of = "is of this file" if comparison.holds else "is NOT of this file, or was changed"
    console.print(Text(f"\nThe dossier {path} {is_of}", "bold"))
    print_list("Differs", comparison.differs, console)
    print_list("Agrees", comparison.agrees, console)
    print_list("Not compared", comparison.notes, console)
