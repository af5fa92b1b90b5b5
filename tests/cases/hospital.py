"""Patients, their visits and their samples: three tables of the same people."""

from __future__ import annotations

import random
from typing import Any

import polars as pl

KEY = bytes(range(32))


def hospital(n: int = 60, seed: int = 0) -> dict[str, pl.DataFrame]:
    """Every patient has up to three visits and up to two samples; some have none."""
    draw = random.Random(seed)
    numbers = draw.sample(range(1000, 1000 + 5 * n), n)
    visits = [number for number in numbers for _ in range(draw.randint(0, 3))]
    samples = [number for number in numbers for _ in range(draw.randint(0, 2))]
    draw.shuffle(visits)
    return {
        "patients": pl.DataFrame(
            {
                "mrn": numbers,
                "age": [draw.randint(20, 60) for _ in numbers],
                "city": [draw.choice(["Bonn", "Köln", "Ulm"]) for _ in numbers],
                "blood": [draw.choice(["A", "B", "0"]) for _ in numbers],
            }
        ),
        "visits": pl.DataFrame(
            {
                "patient": visits,
                "illness": [draw.choice(["flu", "gout", "cold", "lupus"]) for _ in visits],
                "ward": [f"ward {draw.randint(1, 3)}" for _ in visits],
            }
        ),
        "samples": pl.DataFrame(
            {
                "mrn": samples,
                "found": [draw.choice(["iron", "zinc"]) for _ in samples],
                "by": [f"Dr. {i}" for i, _ in enumerate(samples)],
            }
        ),
    }


def hospital_policy(role: str = "pseudonym", **changes: Any) -> dict[str, Any]:
    """The keys of its policy; keys of the tables become pseudonyms, or are withheld."""
    return {
        "tables": {
            "patients": {
                "columns": {"mrn": role, "age": "quasi", "city": "quasi", "blood": "keep"}
            },
            "visits": {
                "key": {"patient": "patients"},
                "columns": {"patient": role, "illness": "sensitive", "ward": "keep"},
            },
            "samples": {
                "key": {"mrn": "patients"},
                "columns": {"mrn": role, "found": "sensitive", "by": "drop"},
            },
        },
        "person": "mrn",
        "privacy": [
            {"model": "k-anonymity", "k": 4},
            {"model": "distinct-l-diversity", "column": "illness", "l": 2},
        ],
    } | changes
