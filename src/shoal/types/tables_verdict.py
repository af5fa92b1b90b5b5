"""What a verification found in several tables of the same people."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from shoal.types.showable import Showable
from shoal.types.verdict import Finding, Leak, Verdict

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True, repr=False)
class TablesVerdict(Showable):
    """A verdict for each table; the release holds if all of them do.

    >>> good, bad = Verdict(6, 2, {3: 2}, ()), Verdict(1, 1, {1: 1}, (), (Leak("index", "no", 1),))
    >>> found = TablesVerdict({"patients": good, "visits": bad})
    >>> found.holds, found.whole.leaks
    (False, (Leak(kind='index', column='visits.no', count=1),))
    """

    tables: Mapping[str, Verdict]
    notes: tuple[str, ...] = ()

    def __repr__(self) -> str:
        tables = ", ".join(f"{name} {verdict.standing}" for name, verdict in self.tables.items())
        return f"<TablesVerdict: {tables}>"

    def print_to(self, console: Console) -> None:
        from shoal.report.tables_text import print_tables_verdict

        print_tables_verdict(self, console)

    @property
    def holds(self) -> bool:
        return all(verdict.holds for verdict in self.tables.values())

    def __bool__(self) -> bool:
        return self.holds

    @property
    def whole(self) -> Verdict:
        """All tables as one: what was found in several of them, once, and all leaks."""
        verdicts = tuple(self.tables.values())
        people = [v.n_people for v in verdicts]
        of_groups = [v.group_sizes for v in verdicts]
        is_same = all(sizes == of_groups[0] for sizes in of_groups)
        sizes = Counter[int]()
        for more in of_groups[:1] if is_same else of_groups:
            sizes.update(more)
        return Verdict(
            n_records=sum(v.n_records for v in verdicts),
            n_groups=sum(sizes.values()),
            group_sizes=dict(sorted(sizes.items())),
            findings=self._findings(),
            leaks=self._leaks(),
            notes=self.notes,
            n_people=None if None in people else max(n for n in people if n is not None),
            person=next((v.person for v in verdicts if v.person), ()),
        )

    def as_dict(self) -> dict[str, Any]:
        return {
            "holds": self.holds,
            "tables": {name: verdict.as_dict() for name, verdict in self.tables.items()},
            "notes": list(self.notes),
        }

    def _findings(self) -> tuple[Finding, ...]:
        """Each finding once; where the same model has others in other tables, with its table."""
        named = [(name, f) for name, v in self.tables.items() for f in v.findings]
        times = Counter(_demand(finding) for _, finding in _different(named))
        return tuple(
            finding
            if times[_demand(finding)] == 1
            else replace(finding, found=f"In {name!r}: {finding.found}")
            for name, finding in _different(named)
        )

    def _leaks(self) -> tuple[Leak, ...]:
        return tuple(
            leak if leak.column is None else replace(leak, column=f"{name}.{leak.column}")
            for name, verdict in self.tables.items()
            for leak in verdict.leaks
        )


def _different(named: list[tuple[str, Finding]]) -> list[tuple[str, Finding]]:
    """Findings that are not equal to an earlier one."""
    return [
        (name, finding)
        for i, (name, finding) in enumerate(named)
        if all(finding != earlier for _, earlier in named[:i])
    ]


def _demand(finding: Finding) -> tuple[str, str | None, str]:
    return finding.model, finding.column, finding.demand
