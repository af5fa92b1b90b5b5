"""A hospital's table, made up, with values that no policy would contain by accident."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import polars as pl
import pytest

from shoal.proposals.propose import Proposal, Suggestion, propose
from shoal.read.source import Source

N_PATIENTS = 400
Columns = Mapping[str, Sequence[str]]


@pytest.fixture
def hospital() -> dict[str, list[str]]:
    rng = np.random.default_rng(7)
    born = np.datetime64("1931-01-02") + rng.integers(0, 30_000, N_PATIENTS)
    zips = rng.choice([2139, 2142, 13053, 14850], N_PATIENTS)
    return {
        "name": [f"Zora{i} Quillfeather" for i in range(N_PATIENTS)],
        "patient_id": [f"MRX{i // 2:06}" for i in range(N_PATIENTS)],
        "dob": [str(day) for day in born],
        "zip": [f"{code:05}" for code in zips],
        "sex": rng.choice(["Fraulein", "Herrlein"], N_PATIENTS).tolist(),
        "diagnosis": rng.choice(["Lupus", "Scurvy", "Gout", "?"], N_PATIENTS).tolist(),
        "note": [f"Seen at {i} o'clock, unwell" for i in range(N_PATIENTS)],
        "visits": [str(n) for n in rng.integers(0, 9, N_PATIENTS)],
    }


@pytest.fixture
def propose_for() -> Callable[[Columns], Proposal]:
    """The proposal for columns of text, as they would come from a csv file."""
    return lambda columns: propose(Source(pl.DataFrame(dict(columns)), is_text=True))


@pytest.fixture
def suggest_for(propose_for) -> Callable[[str, Sequence[str]], Suggestion]:
    """The suggestion for one column, beside another that is quasi anyhow."""

    def suggest(name: str, values: Sequence[str]) -> Suggestion:
        return propose_for({name: values, "sex": ["x"] * len(values)}).suggestions[0]

    return suggest
