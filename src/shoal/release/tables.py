"""Several tables of the same people, released together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from shoal import __version__
from shoal.errors import NotVerified, counted
from shoal.types.showable import Showable
from shoal.types.tables_verdict import TablesVerdict
from shoal.types.unit import PERSON
from shoal.types.verdict import Verdict

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True, eq=False, repr=False)
class ReleasedTable:
    """One of the tables: as published, as the caller's kind of frame, and what was verified."""

    frame: Any
    published: pl.DataFrame
    verdict: Verdict
    n_read: int
    notes: tuple[str, ...] = ()

    @property
    def n_released(self) -> int:
        return self.published.height

    def as_dict(self) -> dict[str, Any]:
        return {
            "rows": self.n_read,
            "released": self.n_released,
            "suppressed": self.n_read - self.n_released,
            **{key: value for key, value in self.verdict.as_dict().items() if key != "rows"},
        }


@dataclass(frozen=True, eq=False, repr=False)
class TablesRelease(Showable):
    """Released tables and everything known about them. None exists unless all are verified.

    `people` names the table with a row for each person. `measures` say what was lost in it and, if
    pseudonyms link the tables, in the quasi-identifiers of all.

    >>> import polars as pl, shoal
    >>> patients = pl.DataFrame({"mrn": [1, 2], "age": [31, 38]})
    >>> visits = pl.DataFrame({"mrn": [1, 1, 2], "ward": ["A", "B", "A"]})
    >>> release = shoal.anonymize_tables({"patients": patients, "visits": visits}, {
    ...     "tables": {"patients": {"columns": {"mrn": "identifier", "age": "quasi"}},
    ...                "visits": {"key": {"mrn": "patients"},
    ...                           "columns": {"mrn": "identifier", "ward": "keep"}}},
    ...     "person": "mrn", "privacy": [{"model": "k-anonymity", "k": 2}]})
    >>> release.n_people, release.verdict.holds, release.frames["visits"].rows()
    (2, True, [('A',), ('A',), ('B',)])
    """

    tables: Mapping[str, ReleasedTable]
    people: str
    measures: Mapping[str, float]
    loss_by_column: Mapping[str, float]
    n_people_read: int
    seconds: Mapping[str, float]
    notes: tuple[str, ...] = ()
    mapping: pl.DataFrame | None = None  # who is behind random pseudonyms; never published

    def __post_init__(self) -> None:
        if not self.verdict.holds:
            failing = [name for name, verdict in self.verdict.tables.items() if not verdict.holds]
            raise NotVerified(
                f"The published tables do not satisfy the policy ({', '.join(failing)}). Nothing "
                "was released. This is a defect of Shoal. Please report it."
            )

    def __repr__(self) -> str:
        """Counts only: what is printed ends in logs."""
        rows = ", ".join(
            f"{name} {counted(table.n_released, 'row')}" for name, table in self.tables.items()
        )
        return f"<TablesRelease: {rows}; {PERSON.counted(self.n_people)}, verified>"

    def print_to(self, console: Console) -> None:
        from shoal.report.tables_text import print_tables_summary

        print_tables_summary(self, console)

    @property
    def n_people(self) -> int:
        """How many people were released."""
        return self.tables[self.people].verdict.n_people or 0

    @property
    def verdict(self) -> TablesVerdict:
        """What was verified, table by table."""
        return TablesVerdict({name: table.verdict for name, table in self.tables.items()})

    @property
    def frames(self) -> dict[str, Any]:
        """The released tables, each of the kind that was given."""
        return {name: table.frame for name, table in self.tables.items()}

    def summary(self) -> dict[str, Any]:
        """The run in numbers, as `shoal anonymize --json` prints it."""
        return {
            "shoal": __version__,
            "people": self.n_people,
            "people_read": self.n_people_read,
            "tables": {name: table.as_dict() for name, table in self.tables.items()},
            "measures": dict(self.measures),
            "loss_by_column": dict(self.loss_by_column),
            "seconds": {stage: round(s, 4) for stage, s in self.seconds.items()},
            "notes": list(self.notes),
        }

    def write(self, folder: str | Path, *, ending: str = "csv") -> dict[str, Path]:
        """Write every table into a folder; returns the files. All are verified before."""
        from shoal.write.folder import TableFile, write_folder

        files = [TableFile(f"{n}.{ending}", table.published) for n, table in self.tables.items()]
        return dict(zip(self.tables, write_folder(Path(folder), files), strict=True))

    def write_mapping(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Write who is behind random pseudonyms, readable by the owner alone."""
        from shoal.errors import OutputError
        from shoal.write.mapping import write_mapping

        if self.mapping is None:
            raise OutputError(
                "There is no mapping: pseudonyms were made with a key, or not at all."
            )
        write_mapping(self.mapping, Path(path), overwrite=overwrite)
