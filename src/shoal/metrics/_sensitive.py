"""Which sensitive column a measure is about."""

from __future__ import annotations

from collections.abc import Mapping

from shoal.errors import BadOption, nearest
from shoal.types.outcome import Outcome
from shoal.types.schema import ColumnSpec
from shoal.types.sensitive import SensitiveColumn


def refuse_sensitive(
    name: str | None, columns: Mapping[str, ColumnSpec], *, graded: bool = False
) -> None:
    """Raise `BadOption` if it is not clear which column is meant, or it has no severities."""
    found = {other: spec for other, spec in columns.items() if spec.role == "sensitive"}
    if name is None and len(found) > 1:
        raise BadOption(f"say which `column` of {', '.join(found)} is meant.")
    if name is not None and name not in found:
        raise BadOption(f"{name!r} is not a sensitive column{nearest(name, found)}")
    chosen = found[name or next(iter(found))]
    if graded and chosen.severity is None:
        raise BadOption("it needs severities: give the column a `severity` in the policy.")


def sensitive_columns(outcome: Outcome, measure: str) -> tuple[SensitiveColumn, ...]:
    found = outcome.table.sensitive_columns
    if not found:
        raise BadOption(f"{measure} is about a sensitive column, and the policy has none.")
    return found


def sensitive_column(outcome: Outcome, measure: str, name: str | None) -> SensitiveColumn:
    """The column that is asked for; without a name, the only one."""
    found = {column.name: column for column in sensitive_columns(outcome, measure)}
    if name is None and len(found) == 1:
        return next(iter(found.values()))
    if name is None:
        raise BadOption(f"{measure}: say which `column` of {', '.join(found)} is meant.")
    if name not in found:
        raise BadOption(f"{measure}: {name!r} is not a sensitive column{nearest(name, found)}")
    return found[name]
