"""What there is to say about the risk of a table: figures only, never a cell."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from shoal.risks.estimates import Estimates
from shoal.types.showable import Showable
from shoal.types.unit import PERSON, RECORD, Unit

if TYPE_CHECKING:
    import polars as pl
    from rich.console import Console


@dataclass(frozen=True)
class AttackerRisk:
    """How often an attacker who looks a person up picks the right one, over all that are counted.

    These are the records of a table, or its people, each by the record that is easiest to find.
    """

    highest: float
    average: float
    n_at_risk: int  # above the threshold
    n_counted: int

    def as_dict(self, unit: Unit = RECORD) -> dict[str, Any]:
        return {
            "highest": self.highest,
            "average": self.average,
            "at_risk": _part(self.n_at_risk, self.n_counted, unit),
        }


@dataclass(frozen=True)
class Combination:
    """What an attacker gets who knows these columns of everybody, and no others."""

    columns: tuple[str, ...]
    n_counted: int
    n_groups: int
    n_unique: int
    n_at_risk: int
    n_found: float  # on average, if everyone is looked up once

    @property
    def average(self) -> float:
        """The average risk: a record among n that look alike is found with chance 1/n."""
        return self.n_found / self.n_counted

    @property
    def unique_share(self) -> float:
        return self.n_unique / self.n_counted

    def as_dict(self, unit: Unit = RECORD) -> dict[str, Any]:
        return {
            "columns": list(self.columns),
            "groups": self.n_groups,
            "average": self.average,
            "unique": _part(self.n_unique, self.n_counted, unit),
            "at_risk": _part(self.n_at_risk, self.n_counted, unit),
        }


@dataclass(frozen=True)
class ColumnRisk:
    """What one column adds to the risk.

    `contribution`: its fair part of the average risk of the combinations it is in, see
    docs/risk.md; `share`: of the contributions of all columns. `alone`: known by itself.
    `left_out`: all quasi-identifiers but this one.
    """

    column: str
    contribution: float
    share: float
    alone: Combination
    left_out: Combination

    def as_dict(self, unit: Unit = RECORD) -> dict[str, Any]:
        without = self.left_out.as_dict(unit)
        del without["columns"]
        return {
            "column": self.column,
            "contribution": self.contribution,
            "contribution_share": self.share,
            "left_out": without,
        }


@dataclass(frozen=True)
class TableRisk:
    """The risk of one table: that of the data, or that of a release.

    `n_people`: how many its records are of; then every figure is about them. None: it is not
    known whose they are, and every figure is about records.
    """

    n_records: int
    n_groups: int
    n_unique: int
    prosecutor: AttackerRisk
    journalist: AttackerRisk | None  # None: no population was given
    n_fewer_in_population: int  # those that more people of the table than of the population fit
    combinations: tuple[Combination, ...]
    columns: tuple[ColumnRisk, ...]  # the one that contributes most first
    n_people: int | None = None

    @property
    def unit(self) -> Unit:
        return RECORD if self.n_people is None else PERSON

    @property
    def n_counted(self) -> int:
        return self.n_records if self.n_people is None else self.n_people

    @property
    def marketer(self) -> float:
        """The share that somebody who looks everybody up is expected to get right."""
        return (self.journalist or self.prosecutor).average

    def most_identifying(self) -> list[Combination]:
        """Most that are unique first, then the highest average risk, then the fewest columns."""
        return sorted(
            self.combinations, key=lambda c: (-c.n_unique, -c.n_found, len(c.columns))
        )  # stable, so ties stay in the order of the columns

    def of_size(self, n_columns: int) -> list[Combination]:
        return [c for c in self.combinations if len(c.columns) == n_columns]

    def as_dict(self) -> dict[str, Any]:
        unit, n = self.unit, self.n_counted
        return {
            "rows": self.n_records,
            **({} if self.n_people is None else {"people": self.n_people}),
            "groups": self.n_groups,
            "unique": _part(self.n_unique, n, unit),
            "prosecutor": self.prosecutor.as_dict(unit),
            "journalist": self.journalist.as_dict(unit) if self.journalist else None,
            "fewer_in_population": self.n_fewer_in_population if self.journalist else None,
            "marketer": {"average": self.marketer, unit.many: self.marketer * n},
            "columns": [column.as_dict(unit) for column in self.columns],
            "combinations": [c.as_dict(unit) for c in self.most_identifying()],
        }


@dataclass(frozen=True, repr=False)
class Risk(Showable):
    """The risk of a table, and of its release.

    Where the policy tells of the population, `estimates` are about it, and `records` is a polars
    table with a line for each record of the data: how many records look like it, the probability
    that it is unique in the population, and its expected risk there. It is for the steward alone.

    >>> import polars as pl, shoal
    >>> policy = shoal.Policy.of_roles(quasi=["age"], privacy=[shoal.KAnonymity(2)])
    >>> shoal.risk(pl.DataFrame({"age": [31, 31, 52]}), policy)
    <Risk: 1 of 3 records unique>
    """

    quasi: tuple[str, ...]
    threshold: float
    data: TableRisk
    release: TableRisk | None = None
    n_population: int | None = None
    left_out: Mapping[int, int] = field(default_factory=dict)  # columns -> combinations uncounted
    contribution_size: int = 1  # combinations of up to so many columns are all counted
    notes: tuple[str, ...] = ()
    estimates: Estimates | None = None  # of a table that is a sample
    records: pl.DataFrame | None = field(default=None, compare=False)  # in the order of the data

    def __repr__(self) -> str:
        unit, n = self.data.unit, self.data.n_counted
        return f"<Risk: {self.data.n_unique:,} of {unit.counted(n)} unique>"

    def print_to(self, console: Console) -> None:
        from shoal.report.risk import print_risk

        print_risk(self, console)

    @property
    def n_fewer_records(self) -> int | None:
        """How many records of the data are not in the release."""
        return None if self.release is None else self.data.n_records - self.release.n_records

    def as_dict(self) -> dict[str, Any]:
        """As `shoal risk --json` prints it."""
        return {
            "quasi": list(self.quasi),
            "threshold": self.threshold,
            "population": self.n_population,
            "combinations": {
                "counted": len(self.data.combinations),
                "left_out": sum(self.left_out.values()),
                "left_out_by_size": {str(size): n for size, n in self.left_out.items()},
                "contribution_size": self.contribution_size,
            },
            "data": self._dict_of(self.data),
            "release": self._dict_of(self.release) if self.release else None,
            "estimates": None if self.estimates is None else self.estimates.as_dict(),
            "fewer_records": self.n_fewer_records,
            "notes": list(self.notes),
        }

    def _dict_of(self, table: TableRisk) -> dict[str, Any]:
        """A policy that says who is behind the records also asks which of the two was counted."""
        counted = {"counted": table.unit.many} if self.data.n_people is not None else {}
        return counted | table.as_dict()


def _part(n: int, of: int, unit: Unit) -> dict[str, Any]:
    return {unit.many: n, "share": n / of}
