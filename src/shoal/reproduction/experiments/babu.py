"""Babu et al. 2013: Datafly, Improved Greedy and Samarati in loss, level, checks and time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shoal.reproduction.scale import Scale
from shoal.reproduction.tables import BABU, BABU_OTHER, babu_table, census_table
from shoal.reproduction.trial import Trial

MEASURES = {"iloss": "iloss"}
METHODS: dict[str, Any] = {
    "Datafly": {"name": "datafly", "metric": "iloss"},
    "Improved Greedy": {"name": "improved-greedy", "metric": "iloss"},
    "Samarati": {"name": "samarati", "metric": "iloss"},
}
TABLES = {"adult-babu": BABU, "adult-babu-other": BABU_OTHER}
LIMITS = (0.0, 0.01)
COLUMNS = range(3, 9)


def trials(scale: Scale) -> Iterator[Trial]:
    for name, roles in TABLES.items():
        table = babu_table(f"{name}-{scale.babu}", roles, scale.babu)
        for method, algorithm in METHODS.items():
            for limit in LIMITS:
                for k in scale.babu_k:
                    yield Trial("babu-k", table, method, algorithm, k, 0, "suppression", limit,
                                limit, MEASURES)  # fmt: skip
        for n in COLUMNS:
            few = babu_table(f"{name}-{scale.babu}-{n}", roles.only(n), scale.babu)
            for method, algorithm in METHODS.items():
                for limit in LIMITS:
                    of_limit = "babu-columns" if limit == 0 else "babu-columns-suppressing"
                    yield Trial(of_limit, few, method, algorithm, 10, 0, "columns", n, limit,
                                MEASURES)  # fmt: skip
    census = census_table(scale.folder, scale.census)
    for method, algorithm in METHODS.items():
        for k in scale.babu_k:
            yield Trial("babu-census", census, method, algorithm, k, 0, "suppression", 0.01, 0.01,
                        MEASURES)  # fmt: skip
