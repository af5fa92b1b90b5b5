"""Kayem and Meinel: severity distance, loss and time of t-clustering."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shoal.reproduction.scale import Scale
from shoal.reproduction.tables import KAYEM, kayem_table
from shoal.reproduction.trial import Trial

PAIRS = ((30_000, 9), (35_000, 17), (40_000, 16), (45_000, 16), (50_000, 16))
PRINTED = {30_000: 0.0015, 35_000: 0.00117, 40_000: 0.0015, 45_000: 0.00035, 50_000: 0.002}
MEASURES: dict[str, Any] = {"loss": "loss"} | {
    f"distance:{column}": {"name": "severity-distance", "column": column}
    for column in KAYEM.sensitive
}
METHODS: dict[str, Any] = {
    "t = 0.004": {"name": "t-clustering", "t": 0.004},
    "t = 0.017": {"name": "t-clustering", "t": 0.017},
    "t = 0.2": {"name": "t-clustering", "t": 0.2},
    "not balanced": {"name": "t-clustering", "t": 1e6, "balance": 0},
}


def trials(scale: Scale) -> Iterator[Trial]:
    for n, k in PAIRS:
        n_drawn = round(n * scale.share)
        table = kayem_table(n_drawn, scale.folder)
        for method, algorithm in METHODS.items():
            for seed in range(scale.seeds):
                yield Trial("kayem-table", table, method, algorithm, k, seed, "n", n_drawn,
                            measures=MEASURES)  # fmt: skip
    table = kayem_table(round(PAIRS[0][0] * scale.share), scale.folder)
    for size in scale.sizes:
        for method, algorithm in METHODS.items():
            for suppression in (0.0, 0.01):
                for seed in range(scale.seeds if suppression == 0 else 1):
                    yield Trial("kayem-sizes", table, method, algorithm, size, seed,
                                "suppression", suppression, suppression, MEASURES)  # fmt: skip
