"""The records that a measure compares."""

from __future__ import annotations

from shoal.errors import BadOption
from shoal.types.outcome import Outcome
from shoal.utility.beside import Beside


def records_of(outcome: Outcome, measure: str) -> Beside:
    if outcome.beside is None:
        raise BadOption(f"{measure} compares records, and those of this table were only counted.")
    return outcome.beside
