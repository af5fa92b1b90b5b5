"""Venkata Ramana and Valli Kumari: MSTK against Incognito, and what the tree costs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shoal.reproduction.counted.mstk import CountedMstk
from shoal.reproduction.scale import Scale
from shoal.reproduction.tables import MSTK, adult_table
from shoal.reproduction.trial import Trial

MEASURES = {"iloss": "iloss", "DM": "dm", "CAVG": "cavg"}
METHODS: dict[str, Any] = {
    "MSTK": "mstk",
    "MSTK, merging with any": {"name": "mstk", "merge-scope": "any"},
    "Incognito": {"name": "incognito", "metric": "iloss"},
}


def trials(scale: Scale) -> Iterator[Trial]:
    table = adult_table("mstk", MSTK, scale.adult)
    for k in scale.mstk_k:
        for method, algorithm in METHODS.items():
            yield Trial("mstk-k", table, method, algorithm, k, measures=MEASURES)
    yield Trial("mstk-k", table, "MSTK, counted", CountedMstk(), scale.mstk_k[0], measures=MEASURES)
    for n in scale.counted:
        few = adult_table("mstk", MSTK, n)
        for method, algorithm in (("MSTK, counted", CountedMstk()), ("MSTK", "mstk")):
            yield Trial("mstk-n", few, method, algorithm, 3, 0, "n", n, measures=MEASURES)
