"""A verified release."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic

import numpy as np
import polars as pl

from shoal import __version__
from shoal.errors import BadOption, NotVerified, OutputError, counted
from shoal.policy.fields import build_named
from shoal.policy.policy import Policy
from shoal.release.memory import peak_memory_mb
from shoal.types.arrays import Int32Array, Int64Array
from shoal.types.axis import Axis
from shoal.types.bound import Bound
from shoal.types.disclosed import disclosed_facts
from shoal.types.frames import FrameT
from shoal.types.grouping import Grouping
from shoal.types.metric import AnyMetric
from shoal.types.minimum import MinimumFound
from shoal.types.named import name_of, settings_of
from shoal.types.neighbour import Neighbour
from shoal.types.outcome import Outcome
from shoal.types.schema import Schema
from shoal.types.showable import Showable
from shoal.types.text_counts import TextCounts
from shoal.types.unit import PERSON
from shoal.types.verdict import Verdict

if TYPE_CHECKING:
    from rich.console import Console

    from shoal.saved_recoding.recoding import Recoding
    from shoal.verify.linked import LinkedRows


@dataclass(frozen=True, eq=False, repr=False)
class Release(Showable, Generic[FrameT]):
    """A released table and everything known about it. None exists without a passing verdict.

    `groups` has the group of each input record, -1 where it is suppressed; it links the release
    to the input, so it is never part of what is published. A release of rows that were counted
    has `counts`, the records that each row of `published` stands for, and no `groups`.

    >>> import polars as pl, shoal
    >>> release = shoal.anonymize(pl.DataFrame({"age": [31, 38, 52, 55]}), quasi=["age"],
    ...                           privacy=[shoal.KAnonymity(2)])
    >>> release
    <Release: 4 of 4 records in 2 groups, verified>
    >>> release.frame["age"].to_list(), release.groups.tolist()
    (['[31, 38]', '[31, 38]', '[52, 55]', '[52, 55]'], [0, 0, 1, 1])
    """

    frame: FrameT
    published: pl.DataFrame
    verdict: Verdict
    measures: Mapping[str, float]
    loss_by_column: Mapping[str, float]
    n_read: int  # records
    grouping: Grouping
    policy: Policy
    schema: Schema
    axes: tuple[Axis, ...]
    seconds: Mapping[str, float]
    groups: Int32Array | None = None
    counts: Int64Array | None = None
    n_unique_before: int | None = None  # records (or people) of the input that stood alone
    n_people_read: int | None = None  # None: it is not known who is behind the records
    notes: tuple[str, ...] = ()
    text_counts: Mapping[str, TextCounts] = field(default_factory=dict)  # of quasi-identifiers
    neighbours: tuple[Neighbour, ...] = ()
    utility: tuple[MinimumFound, ...] = ()  # what the policy asks to measure
    bound: Bound | None = None  # the least loss that is possible, where it was computed
    outcome: Outcome | None = None  # what measures look at; it has the input, so never publish it
    linked_rows: LinkedRows | None = None  # by pseudonyms
    key_check: str = ""  # tells the key of the pseudonyms from others
    mapping: pl.DataFrame | None = None  # who is behind random pseudonyms; never published

    def __post_init__(self) -> None:
        if not self.verdict.holds:
            failing = [finding for finding in self.verdict.findings if not finding.holds]
            what = ", ".join(
                f"{finding.model} fails in {finding.n_failing_groups:,} groups"
                for finding in failing
            )
            raise NotVerified(
                f"The published cells do not satisfy the policy ({what or 'a column leaks'}). "
                "Nothing was released. This is a defect of Shoal. Please report it."
            )

    def __repr__(self) -> str:
        """Counts only: what is printed ends in logs."""
        people = self.verdict.n_people
        return (
            f"<Release: {self.n_released:,} of {counted(self.n_read, 'record')} "
            f"{'' if people is None else f'({PERSON.counted(people)}) '}"
            f"in {counted(self.verdict.n_groups, 'group')}, "
            f"{'rows verified, not people' if self.verdict.is_of_rows_only else 'verified'}>"
        )

    def print_to(self, console: Console) -> None:
        from shoal.report.text import print_summary

        print_summary(self, console)

    @property
    def n_unique_rows(self) -> int:
        """Released rows that no other looks like in all released columns, kept ones included."""
        compared = [c for c in self.published if not (c.dtype.is_nested() or c.dtype == pl.Object)]
        if not compared:
            return 0
        frame = pl.DataFrame({str(i): column for i, column in enumerate(compared)})
        is_alone = frame.is_unique().to_numpy()
        return int((is_alone if self.counts is None else is_alone & (self.counts == 1)).sum())

    @property
    def repeating(self) -> tuple[str, ...]:
        """Identifiers that repeat, where rows were counted: people may have several."""
        return tuple(repeating.column for repeating in self.verdict.repeating)

    @property
    def n_released(self) -> int:
        return self.published.height if self.counts is None else int(self.counts.sum())

    def records(self) -> pl.DataFrame:
        """The published table with a row for each record.

        >>> import polars as pl, shoal
        >>> release = shoal.anonymize(pl.DataFrame({"age": [31, 38]}), quasi=["age"],
        ...                           privacy=[shoal.KAnonymity(2)])
        >>> release.records().rows()
        [('[31, 38]',), ('[31, 38]',)]
        """
        if self.counts is None:
            return self.published
        return self.published[np.repeat(np.arange(self.published.height), self.counts)]

    def measure(self, name: str, **options: Any) -> float:
        """Any measure that `shoal metrics` lists, with its options.

        >>> import polars as pl, shoal
        >>> release = shoal.anonymize(pl.DataFrame({"age": [31, 38]}), quasi=["age"],
        ...                           privacy=[shoal.KAnonymity(2)])
        >>> release.measure("dm")
        4
        """
        return self.measure_by(build_named("metric", name, options, ("measure", "name")))

    def measure_by(self, metric: AnyMetric) -> float:
        """The same for a metric that is made already.

        >>> import polars as pl, shoal
        >>> release = shoal.anonymize(pl.DataFrame({"age": [31, 38]}), quasi=["age"],
        ...                           privacy=[shoal.KAnonymity(2)])
        >>> release.measure_by(shoal.Dm())
        4
        """
        name = name_of(metric)
        if "levels" in metric.needs:
            raise BadOption(f"{name} is about levels, for searches only; a release has none of it.")
        if self.outcome is None:
            raise BadOption("A release of several tables has no measures of the whole.")
        value: float = np.asarray(metric.measure(self.outcome)).item()
        return value

    def summary(self) -> dict[str, Any]:
        """The run in numbers, as `shoal anonymize --json` prints it.

        >>> import polars as pl, shoal
        >>> release = shoal.anonymize(pl.DataFrame({"age": [31, 38]}), quasi=["age"],
        ...                           privacy=[shoal.KAnonymity(2)])
        >>> release.summary()["groups"], release.summary()["unique"]
        (1, {'before': 2, 'after': 0})
        """
        return {
            "shoal": __version__,
            "rows": self.n_read,
            "released": self.n_released,
            "suppressed": self.n_read - self.n_released,
            **self._people(),
            **self.verdict.counted(),
            "groups": self.verdict.n_groups,
            "algorithm": name_of(self.policy.algorithm),
            "options": settings_of(self.policy.algorithm),
            "seed": self.policy.seed,
            **self._levels(),
            "stopped": None,
            **self.grouping.trace,
            **self._bound(),
            "unique": {"before": self.n_unique_before, "after": self.verdict.group_sizes.get(1, 0)},
            "privacy": [finding.as_dict() for finding in self.verdict.findings],
            "discloses": disclosed_facts(self.verdict.discloses),
            "measures": dict(self.measures),
            **self._utility(),
            "loss_by_column": dict(self.loss_by_column),
            "seconds": {stage: round(s, 4) for stage, s in self.seconds.items()},
            "peak_memory_mb": peak_memory_mb(),
            "notes": list(self.notes),
            **self._neighbours(),
        }

    @property
    def recoding(self) -> Recoding | None:
        """How later records are recoded in the same way; None where cells have no common level.

        >>> import polars as pl, shoal
        >>> release = shoal.anonymize(pl.DataFrame({"age": [31, 38]}),
        ...                           quasi={"age": shoal.intervals(10)},
        ...                           privacy=[shoal.KAnonymity(2)], algorithm="flash")
        >>> release.recoding
        <Recoding: age 1>
        """
        from shoal.saved_recoding.recoding import Recoding

        return Recoding.of_release(self)

    def write(self, path: str | Path, *, delimiter: str = ",") -> None:
        """Write the released table as csv, csv.gz or parquet, by the ending of the name.

        >>> import polars as pl, shoal
        >>> from tempfile import TemporaryDirectory
        >>> release = shoal.anonymize(pl.DataFrame({"age": [31, 38]}), quasi=["age"],
        ...                           privacy=[shoal.KAnonymity(2)])
        >>> with TemporaryDirectory() as folder:
        ...     release.write(f"{folder}/released.csv", delimiter=";")
        ...     print(Path(f"{folder}/released.csv").read_text())
        age
        [31, 38]
        [31, 38]
        <BLANKLINE>
        """
        from shoal.write.files import write_file

        write_file(self.records(), Path(path), delimiter=delimiter)

    def write_mapping(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Write who is behind each random pseudonym as csv, readable by you alone.

        It is internal: never publish it. An existing file stays unless it may be overwritten.

        >>> import polars as pl, shoal
        >>> from tempfile import TemporaryDirectory
        >>> visits = pl.DataFrame({"patient": ["Ann", "Bob", "Ann"], "age": [31, 38, 31]})
        >>> release = shoal.anonymize(visits, pseudonyms=["patient"], quasi=["age"],
        ...                           privacy=[shoal.KAnonymity(2)])
        >>> with TemporaryDirectory() as folder:
        ...     release.write_mapping(f"{folder}/mapping.csv")
        ...     oct(Path(f"{folder}/mapping.csv").stat().st_mode & 0o777)
        '0o600'
        """
        from shoal.write.mapping import write_mapping

        if self.mapping is None:
            raise OutputError(
                "This release has no mapping: its pseudonyms come from a key, or it has none."
            )
        write_mapping(self.mapping, Path(path), overwrite=overwrite)

    def report(
        self,
        path: str | Path,
        *,
        output: str | Path | None = None,
        original: Any = None,
        external: bool = False,
    ) -> None:
        """Write the dossier of the release: a page, or its JSON twin if the name ends in .json.

        `output` is the file that the release is in. With the `original` table, it also has the
        risk before and after, attacks, and what still holds. An `external` one leaves out what
        helps an attacker.

        >>> import polars as pl, shoal
        >>> from tempfile import TemporaryDirectory
        >>> release = shoal.anonymize(pl.DataFrame({"age": [31, 38]}), quasi=["age"],
        ...                           privacy=[shoal.KAnonymity(2)])
        >>> with TemporaryDirectory() as folder:
        ...     release.report(f"{folder}/report.html", output="released.csv")
        ...     "released.csv" in Path(f"{folder}/report.html").read_text(encoding="utf-8")
        True
        """
        from shoal.report.dossier.files import write_of_release

        write_of_release(self, Path(path), output=output, original=original, is_external=external)

    def _people(self) -> dict[str, Any]:
        """How many people were released, and read, where it is known who is behind the records.

        Where pseudonyms link rows, also what the number of rows tells.
        """
        if self.verdict.n_people is None:
            return {}
        people = {"people": self.verdict.n_people, "people_read": self.n_people_read}
        linked = self.linked_rows
        return people | ({} if linked is None else {"rows_per_person": linked.as_dict()})

    def _levels(self) -> dict[str, dict[str, int]]:
        """The level of each column, where the recoding is a full-domain one."""
        levels = self.grouping.levels
        return (
            {} if levels is None else {"levels": dict(zip(self.schema.quasi, levels, strict=True))}
        )

    def _utility(self) -> dict[str, list[dict[str, Any]]]:
        """What the policy asks to measure, and whether it is reached."""
        return {"utility": [one.as_dict() for one in self.utility]} if self.utility else {}

    def _bound(self) -> dict[str, Any]:
        """The least loss that is possible, and how far the release is from it."""
        return {} if self.bound is None else self.bound.as_dict(self.measures.get("loss"))

    def _neighbours(self) -> dict[str, list[dict[str, Any]]]:
        """The neighbours of the chosen levels, if they were asked for."""
        nodes = [neighbour.as_dict() for neighbour in self.neighbours]
        return {"neighbours": nodes} if nodes else {}
