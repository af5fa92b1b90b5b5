"""Every exception of Shoal.

::

    ShoalError                 exit code 2 unless said otherwise
    ├── InputError             a file or frame cannot be read
    ├── OutputError            a file cannot be written; the old one is untouched
    ├── PolicyError            a policy is wrong: key and line are named
    ├── HierarchyError         a hierarchy is wrong, or does not fit its column
    │   └── UnknownValues      values of a column that are no leaves of its hierarchy
    └── NotPrivate             exit code 1: the policy is not met, nothing was written
        ├── CannotSatisfy      no grouping within the limits satisfies a model
        └── NotVerified        the published cells failed the independent check

A message says what, where, how many and what to try. It never shows a cell's value: logs travel.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class ShoalError(Exception):
    """Something the user can mend; the message says how."""

    exit_code = 2


class InputError(ShoalError):
    """A file or a frame cannot be read as a table."""


class OutputError(ShoalError):
    """A file cannot be written."""


class PolicyError(ShoalError):
    """A policy is wrong. `path` leads to the key, `line` is known when it came from a file."""

    def __init__(self, message: str, path: tuple[str | int, ...] = (), line: int | None = None):
        super().__init__(message)
        self.message = message
        self.path = path
        self.line = line

    def __str__(self) -> str:
        where = ".".join(str(step) for step in self.path)
        if self.line is not None:
            where = f"line {self.line}, {where}" if where else f"line {self.line}"
        return f"Policy, {where}: {self.message}" if where else f"Policy: {self.message}"


class HierarchyError(ShoalError):
    """A hierarchy is no tree, or does not fit its column."""


class UnknownValues(HierarchyError):
    """Values of a column that are no leaves of its hierarchy; they are in `values`."""

    values: tuple[str, ...]

    @classmethod
    def in_column(cls, column: str, values: Iterable[str], n_records: int) -> UnknownValues:
        values = tuple(values)
        error = cls(
            f"Column {column!r}: {_count(len(values), 'value')}, in "
            f"{_count(n_records, 'record')}, "
            f"{'is no leaf' if len(values) == 1 else 'are no leaves'} of its hierarchy.\n"
            "Add them to the hierarchy, or set `unknown: suppress` with a suppression limit "
            "that covers them.\n"
            "From Python they are in `error.values`; logs travel, so they are not shown here."
        )
        error.values = values
        return error


class NotPrivate(ShoalError):
    """The policy is not met. Nothing was written."""

    exit_code = 1


class CannotSatisfy(NotPrivate):
    """No grouping within the limits satisfies the policy."""

    @classmethod
    def k_larger_than_table(cls, k: int, n_records: int) -> CannotSatisfy:
        return cls(
            f"k = {k} needs at least {k} records in every group, and the table has "
            f"{_count(n_records, 'record')}.\nLower k, or add records."
        )

    @classmethod
    def too_many_to_suppress(
        cls, models: Iterable[str], n_groups: int, n_records: int, limit: int
    ) -> CannotSatisfy:
        return cls(
            f"{', '.join(models)} cannot be met: {_count(n_groups, 'group')} with "
            f"{_count(n_records, 'record')} fail, and "
            f"{'no record' if limit == 0 else 'at most ' + _count(limit, 'record')} "
            "may be suppressed.\n"
            "Relax the model, raise `suppression`, or make fewer columns quasi-identifiers."
        )

    @classmethod
    def even_as_one_group(cls, models: Iterable[str], n_records: int, limit: int) -> CannotSatisfy:
        return cls(
            f"{', '.join(models)} cannot be met: with every quasi-identifier generalised to the "
            f"top, 1 group with {_count(n_records, 'record')} still fails, and "
            f"{'no record' if limit == 0 else 'at most ' + _count(limit, 'record')} "
            "may be suppressed.\nRelax the model or raise `suppression`."
        )


class NotVerified(NotPrivate):
    """The independent check of the published cells failed: a defect of Shoal, please report it."""


def nearest(name: str, known: Iterable[str]) -> str:
    """How a sentence about an unknown name ends: with the known name that is close, or a stop.

    >>> nearest("mondrain", ["mondrian", "flash"])
    "; did you mean 'mondrian'?"
    """
    by_folded = {candidate.casefold(): candidate for candidate in known}
    close = difflib.get_close_matches(name.casefold(), by_folded, n=1)
    return f"; did you mean {by_folded[close[0]]!r}?" if close else "."


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}" if n == 1 else f"{n:,} {noun}s"
