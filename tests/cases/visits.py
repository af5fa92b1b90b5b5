"""A hospital: patients with five visits each, who were born once and admitted five times."""

from __future__ import annotations

from datetime import date, timedelta

import numpy as np
import polars as pl

import shoal

N_PATIENTS, N_VISITS = 300, 5
QUASI = ("sex", "born", "admitted")


def visits(n_patients: int = N_PATIENTS, seed: int = 0) -> pl.DataFrame:
    rng = np.random.default_rng(seed)
    patient = np.repeat(np.arange(n_patients), N_VISITS)
    sex, born = rng.choice(["f", "m"], n_patients), rng.integers(0, 400, n_patients)
    admitted = rng.integers(0, 365, len(patient))
    return pl.DataFrame(
        {
            "patient": patient,
            "sex": sex[patient],
            "born": [date(1980, 1, 1) + timedelta(int(day)) for day in born[patient]],
            "admitted": [date(2024, 1, 1) + timedelta(int(day)) for day in admitted],
            "illness": rng.choice(["flu", "cold", "cough"], len(patient), p=[0.5, 0.3, 0.2]),
        }
    )


def rules(person: str | tuple[str, ...] = "patient", quasi=QUASI, **settings) -> shoal.Policy:
    """The policy of such a table; without a person, it counts records."""
    return shoal.Policy.of_roles(
        identifiers=["patient"],
        quasi=list(quasi),
        drop=[name for name in QUASI if name not in quasi],
        sensitive=["illness"],
        privacy=[shoal.KAnonymity(5)],
        person=person,
        **settings,
    )
