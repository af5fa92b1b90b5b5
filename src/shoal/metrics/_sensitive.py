"""Which sensitive column a measure is about."""

from __future__ import annotations

from shoal.errors import BadOption, nearest
from shoal.types.outcome import Outcome
from shoal.types.sensitive import SensitiveColumn


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
