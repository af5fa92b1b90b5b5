"""Every exception of Shoal.

::

    ShoalError                 exit code 2 unless said otherwise
    ├── InputError             a file or frame cannot be read
    ├── OutputError            a file cannot be written; the old one is untouched
    ├── PolicyError            a policy is wrong: key and line are named
    ├── BadOption              an option of a model or an algorithm makes no sense; a ValueError too
    ├── HierarchyError         a hierarchy is wrong, or does not fit its column
    │   └── UnknownValues      values of a column that are missing from its hierarchy
    ├── NoSeverity             values of a column without a severity, where others have one
    ├── Cancelled              exit code 130: the run was cancelled, nothing was written
    └── NotPrivate             exit code 1: the policy is not satisfied, nothing was written
        ├── CannotSatisfy      no grouping within the limits satisfies a model
        └── NotVerified        the published cells failed the independent check

A message says what is wrong, where, how often, and what to do. It never shows a cell's value: logs
are passed on.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

Words = tuple[str, str]  # for one of what is counted, and for several
RECORDS: Words = ("record", "records")
KeyPath = tuple[str | int, ...]  # the way to a key of a policy: ("privacy", 0, "k")


class ShoalError(Exception):
    """Something the user can fix; the message says how.

    >>> import polars as pl, shoal
    >>> people = pl.DataFrame({"age": [31, 38]})
    >>> try:
    ...     shoal.anonymize(people, quasi=["age"], privacy=[shoal.KAnonymity(3)])
    ... except shoal.ShoalError as error:
    ...     print(type(error).__name__, error.exit_code)
    CannotSatisfy 1
    """

    exit_code = 2
    column: str | None = None  # that it is about, where it is about one
    counts: Mapping[str, int] = MappingProxyType({})  # what was counted, by name

    def as_dict(self) -> dict[str, Any]:
        """As a command with `--json` prints it: no value of a cell is in it.

        >>> InputError("The table has no records.").as_dict()["kind"]
        'InputError'
        """
        where = {} if self.column is None else {"column": self.column}
        return {
            "code": self.exit_code,
            "kind": type(self).__name__,
            "what": str(self),
            **where,
            "counts": dict(self.counts),
        }


class InputError(ShoalError):
    """A file or a frame cannot be read as a table."""


class OutputError(ShoalError):
    """A file cannot be written."""


class PolicyError(ShoalError):
    """A policy is wrong. `path` leads to the key, `line` is known when it came from a file."""

    def __init__(self, message: str, path: KeyPath = (), line: int | None = None):
        super().__init__(message)
        self.message = message
        self.path = path
        self.line = line
        if len(path) > 1 and path[0] == "columns":
            self.column = str(path[1])

    def __str__(self) -> str:
        where = ".".join(str(step) for step in self.path)
        if self.line is not None:
            where = f"line {self.line}, {where}" if where else f"line {self.line}"
        return f"Policy, {where}: {self.message}" if where else f"Policy: {self.message}"


class BadOption(ShoalError, ValueError):
    """An option of a model, an algorithm or a call makes no sense: `KAnonymity(0)`."""


class HierarchyError(ShoalError):
    """A hierarchy is not a tree, or does not fit its column."""


class UnknownValues(HierarchyError):
    """Values of a column that are missing from its hierarchy; they are in `values`."""

    values: tuple[str, ...]

    @classmethod
    def in_column(cls, column: str, values: Iterable[str], n_records: int) -> UnknownValues:
        values = tuple(values)
        error = cls(
            f"Column {column!r}: {counted(len(values), 'value')} "
            f"({counted(n_records, 'record')}) {'is' if len(values) == 1 else 'are'} missing from "
            "the hierarchy.\n"
            "Add them to the hierarchy, set `unknown: other` (one value for all of them), or "
            "`unknown: suppress` with a suppression limit that covers them.\n"
            "They are not shown here, because logs are passed on. `shoal hierarchy` shows them on "
            "your screen; in Python, see `error.values`."
        )
        error.values = values
        error.column = column
        error.counts = {"values": len(values), "records": n_records}
        return error

    def as_dates(self, written: str) -> UnknownValues:
        """The same about dates, which no hierarchy lists: how the others were written."""
        n_values, n_records = self.counts["values"], self.counts["records"]
        error = UnknownValues(
            f"Column {self.column!r}: {counted(n_values, 'value')} "
            f"({counted(n_records, 'record')}) {'is' if n_values == 1 else 'are'} not written "
            f"{written}, as the dates of the release were.\n"
            "Write the new dates in the same way, or anonymize all records anew."
        )
        error.values, error.column, error.counts = self.values, self.column, self.counts
        return error


class NoSeverity(ShoalError):
    """Values of a column that have no severity where others have; they are in `values`."""

    values: tuple[str, ...]

    @classmethod
    def in_column(cls, column: str, values: Iterable[str], n_records: int) -> NoSeverity:
        values = tuple(values)
        of_missing = " (a missing value is the empty text)" if "" in values else ""
        error = cls(
            f"Column {column!r}: {counted(len(values), 'value')} "
            f"({counted(n_records, 'record')}) {'has' if len(values) == 1 else 'have'} no "
            f"severity. Give every value a severity{of_missing}.\n"
            "They are not shown here, because logs are passed on. In Python, see `error.values`."
        )
        error.values = values
        error.column = column
        error.counts = {"values": len(values), "records": n_records}
        return error


class Cancelled(ShoalError):
    """Somebody ended the run before it was done. Nothing was written."""

    exit_code = 130

    def __init__(self) -> None:
        super().__init__("The run was cancelled. Nothing was written.")


class NotPrivate(ShoalError):
    """The policy is not satisfied. Nothing was written."""

    exit_code = 1


class CannotSatisfy(NotPrivate):
    """No grouping within the limits satisfies the policy."""

    is_hopeless = False  # whether even one group of all records fails

    @classmethod
    def counting(cls, message: str, **counts: int) -> CannotSatisfy:
        """The error with what was counted, for programs."""
        error = cls(message)
        error.counts = counts
        return error

    @classmethod
    def table_too_small(
        cls, model: str, smallest: int, n: int, words: Words = RECORDS
    ) -> CannotSatisfy:
        return cls.counting(
            f"{model} needs at least {_so_many(smallest, words)} in every group, but the table has "
            f"only {_so_many(n, words)}.\nRelax the model, or add {words[1]}.",
            needed=smallest,
            found=n,
        )

    @classmethod
    def unusable_records(cls, n_records: int, limit: int, words: Words = RECORDS) -> CannotSatisfy:
        return cls.counting(
            f"{_so_many(n_records, words)} with missing or unknown values must be suppressed by "
            f"the policy, but at most {limit:,} may be suppressed. Raise `suppression`.",
            records=n_records,
            limit=limit,
        )

    @classmethod
    def nothing_left(cls) -> CannotSatisfy:
        return cls(
            "Every record would be suppressed, so there is nothing to release. "
            "Relax the models, or make fewer columns quasi-identifiers."
        )

    @classmethod
    def too_many_to_suppress(
        cls,
        models: Iterable[str],
        n_groups: int,
        n_records: int,
        limit: int,
        words: Words = RECORDS,
    ) -> CannotSatisfy:
        return cls.counting(
            f"{', '.join(models)} cannot be satisfied: {counted(n_groups, 'group')} with "
            f"{_so_many(n_records, words)} {'fails' if n_groups == 1 else 'fail'}, but "
            f"{_may_be_suppressed(limit, words)}.\n"
            "Relax the model, raise `suppression`, or make fewer columns quasi-identifiers.",
            groups=n_groups,
            records=n_records,
            limit=limit,
        )

    @classmethod
    def together(
        cls, models: Iterable[str], n_failing: str, earlier: Iterable[str]
    ) -> CannotSatisfy:
        """`n_failing`: how many records or people, in words; `earlier`: names of releases."""
        return cls(
            f"{', '.join(models)} cannot be satisfied together with the earlier release "
            f"{' and '.join(earlier)}: for {n_failing}, whoever has both is left with too few "
            "candidates, or learns too much of their values. Nothing was written.\n"
            "Give the earlier release again. Or use a full-domain algorithm (such as flash) for "
            "all releases, at the same levels or higher ones for every column. Or release other "
            "people."
        )

    @classmethod
    def too_little_use(cls, missed: Iterable[str], advice: Iterable[str]) -> CannotSatisfy:
        """`missed`: what was required and what was measured; `advice`: what would reach it."""
        return cls(
            f"The release keeps its privacy, but not its use: {'; '.join(missed)}. Nothing was "
            "written.\n" + "\n".join(advice)
        )

    @classmethod
    def even_as_one_group(
        cls,
        models: Iterable[str],
        advice: Iterable[str],
        n_records: int,
        limit: int,
        words: Words = RECORDS,
    ) -> CannotSatisfy:
        """`advice`: what to ask for instead, a sentence for each model that fails."""
        error = cls(
            f"{', '.join(models)} cannot be satisfied: even if all quasi-identifiers are fully "
            f"generalised, 1 group with {_so_many(n_records, words)} fails, but "
            f"{_may_be_suppressed(limit, words)}.\n" + "\n".join(advice)
        )
        error.is_hopeless = True
        return error


def _may_be_suppressed(limit: int, words: Words) -> str:
    allowed = f"no {words[0]}" if limit == 0 else f"at most {_so_many(limit, words)}"
    return f"{allowed} may be suppressed"


def _so_many(n: int, words: Words) -> str:
    return f"{n:,} {words[n != 1]}"


class NotVerified(NotPrivate):
    """The independent check of the published cells failed: a defect of Shoal. Please report it."""

    @classmethod
    def no_grouping(cls, algorithm: str, why: str) -> NotVerified:
        return cls(
            f"{algorithm} returned an invalid grouping: {why}. Nothing was released. "
            "This is a defect of the algorithm. Please report it."
        )


def nearest(name: str, known: Iterable[str]) -> str:
    """The end of a sentence about an unknown name: the closest known name, or a full stop.

    >>> nearest("mondrain", ["mondrian", "flash"])
    "; did you mean 'mondrian'?"
    """
    by_folded = {candidate.casefold(): candidate for candidate in known}
    close = difflib.get_close_matches(name.casefold(), by_folded, n=1)
    return f"; did you mean {by_folded[close[0]]!r}?" if close else "."


def counted(n: int, noun: str) -> str:
    """A number with its noun.

    >>> counted(1, "group"), counted(1200, "group")
    ('1 group', '1,200 groups')
    """
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"
