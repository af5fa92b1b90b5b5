"""An identifier that several records share."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.errors import counted


@dataclass(frozen=True)
class Repeating:
    """An identifier whose values repeat, so that a person may have several records.

    >>> Repeating("patient_id", 300, 1500).counts
    '300 values in 1,500 rows'
    """

    column: str
    n_values: int
    n_records: int  # that have a value

    @property
    def counts(self) -> str:
        return f"{counted(self.n_values, 'value')} in {counted(self.n_records, 'row')}"
