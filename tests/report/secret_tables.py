"""Tables whose every cell can be recognised wherever it turns up."""

from __future__ import annotations

from typing import Any

import polars as pl

import shoal
from shoal.release.release import Release

SECRET = "s3cr3t"  # part of every cell of the tables here, so that a leaked one is found
NUMBERS = (771_001, 771_003, 771_004, 771_008)  # and so are numbers: each begins with 771


def people(n_records: int = 24, *, column: str = "born in") -> pl.DataFrame:
    """A table whose every cell can be recognised."""
    rows = range(n_records)
    return pl.DataFrame(
        {
            "name": [f"{SECRET}-name-{i}" for i in rows],
            "income": [NUMBERS[i % 4] + 10 * (i % 3) for i in rows],
            column: [f"{SECRET}-town-{i % 3}" for i in rows],
            "work": [f"{SECRET}-work-{i % 4}" for i in rows],
            "illness": [f"{SECRET}-ill-{i % 5}" for i in rows],
            "visits": [f"{SECRET}-visits-{i % 2}" for i in rows],
            "note": [f"{SECRET}-note-{i}" for i in rows],
        }
    )


def release_of(frame: pl.DataFrame, **changes: Any) -> Release:
    """The release of `people`, its last three columns being what they always are."""
    work = [(f"{SECRET}-work-{i}", f"{SECRET}-field-{i % 2}") for i in range(4)]
    settings: dict[str, Any] = {
        "identifiers": ["name"],
        "quasi": {"income": None, frame.columns[2]: None, "work": shoal.levels(work)},
        "sensitive": ["illness"],
        "keep": ["visits"],
        "drop": ["note"],
        "privacy": [shoal.KAnonymity(3), shoal.DistinctLDiversity("illness", 2)],
    }
    return shoal.anonymize(frame, **(settings | changes))
