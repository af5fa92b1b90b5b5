"""Loukides and Shao 2008: quality, skewed data, s, r, weights, thresholds, and cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shoal.reproduction.counted.k_member import CountedKMember
from shoal.reproduction.counted.mondrian import CountedMondrian
from shoal.reproduction.counted.tgc import CountedTgc
from shoal.reproduction.scale import Scale
from shoal.reproduction.tables import (
    TGC,
    TableOf,
    adult_table,
    drawn_table,
    first_rows,
    normal_table,
)
from shoal.reproduction.trial import Trial

ALL = 10**9  # records of a part: more than any table has, so that nothing is cut
UNCUT = 1e9  # delta': nothing forbids a cut
QUALITY: dict[str, Any] = {"UM": "utility", "protection": "protection", "DM": "dm", "loss": "loss"}
R = (0.1, 0.25, 0.5, 0.75, 1.0)


def trials(scale: Scale) -> Iterator[Trial]:
    yield from _quality(scale)
    yield from _skewed(scale)
    yield from _effects(scale)
    yield from _thresholds(scale)
    yield from _costs(scale)


def methods() -> dict[str, Any]:
    """The six of the paper's figures, TGC to the letter, and Shoal's own TGC."""
    return {
        "Mondrian": "mondrian",
        "K-Members": "k-member",
        "K-Members-p": {"name": "k-member-p", "prepartition": {"size": ALL}},
        "TGCU": CountedTgc(1.0),
        "TGCB": CountedTgc(0.5),
        "TGCP": CountedTgc(0.0),
        "Shoal TGCU": {"name": "tgc", "weights": {"utility": 1}},
        "Shoal TGCB": {"name": "tgc", "weights": {"utility": 0.5}},
        "Shoal TGCP": {"name": "tgc", "weights": {"utility": 0}},
    }


def _each(
    experiment: str, table: TableOf, scale: Scale, measures: dict[str, Any]
) -> Iterator[Trial]:
    for method, algorithm in methods().items():
        n_seeds = 1 if method == "Mondrian" else scale.seeds
        for k in scale.tgc_k:
            for seed in range(n_seeds):
                yield Trial(experiment, table, method, algorithm, k, seed, measures=measures)


def _quality(scale: Scale) -> Iterator[Trial]:
    asked = {"name": "query-error", "queries": scale.queries}
    columns = ["age", "sex", "salary-class"]
    type_1 = {**asked, "columns": columns, "selectivity": 0.015}
    type_2 = {**asked, "columns": [*columns, "race", "workclass"], "selectivity": 0.005}
    measures = QUALITY | {"ARE1": type_1, "ARE2": type_2}
    yield from _each("tgc-quality", adult_table("tgc", TGC, scale.adult), scale, measures)


def _skewed(scale: Scale) -> Iterator[Trial]:
    of_values = {figure: {"name": "c-l", "figure": figure} for figure in ("c", "l", "alone")}
    yield from _each("tgc-values", first_rows(scale.first), scale, of_values)
    yield from _each("tgc-normal", normal_table(scale.normal), scale, QUALITY)


def _effects(scale: Scale) -> Iterator[Trial]:
    """Of s, of r, and of the weights."""
    seeds = range(scale.seeds)
    adult, normal = adult_table("tgc", TGC, scale.adult), normal_table(scale.normal)
    for table, n in ((adult, scale.adult), (normal, scale.normal)):
        for s in (*(s for s in scale.s if s < n / 2), n):
            for method, algorithm in _with_s(s, n).items():
                for seed in seeds:
                    yield Trial("tgc-s", table, method, algorithm, 5, seed, "s", s,
                                measures=QUALITY)  # fmt: skip
    fixed = {"UM": "utility", "protection": "protection"} | {
        f"protection, r = {r:g}": {"name": "protection", "r": r} for r in R[:-1]
    }
    for r in R:
        for seed in seeds:
            for method, algorithm in (("TGCB", CountedTgc(0.5, r=r)),
                                      ("Shoal TGCB", {"name": "tgc", "r": r})):  # fmt: skip
                yield Trial("tgc-r", normal, method, algorithm, 5, seed, "r", r, measures=fixed)
    for tenth in range(11):
        weight = tenth / 10
        for seed in seeds:
            own = {"name": "tgc", "weights": {"utility": weight}}
            for method, algorithm in (("TGC", CountedTgc(weight)), ("Shoal TGC", own)):
                yield Trial("tgc-weights", normal, method, algorithm, 10, seed, "w_u", weight,
                            measures=QUALITY)  # fmt: skip


def _with_s(s: int, n: int) -> dict[str, Any]:
    literal = 0 if s == n else s
    return {
        "TGCB": CountedTgc(0.5, s=literal),
        "TGCB, delta' off": CountedTgc(0.5, s=literal, delta_prime=UNCUT),
        "Shoal TGCB": {"name": "tgc", "s": s},
    }


def _thresholds(scale: Scale) -> Iterator[Trial]:
    """Curves over delta on a sample and on all records; the chosen delta against a grid."""
    n_sample = max(round(0.025 * scale.adult), 100)
    whole = adult_table("tgc", TGC, scale.adult)
    for seed in range(scale.seeds):
        for table, method in ((whole, "all records"), (drawn_table(n_sample, seed), "sample")):
            for j in range(1, 16):
                algorithm = CountedTgc(0.5, s=0, delta=j / 16, delta_prime=UNCUT)
                yield Trial("tgc-delta", table, method, algorithm, 5, seed, "delta", j / 16,
                            measures=QUALITY)  # fmt: skip
    table = adult_table("tgc", TGC, scale.grid)
    for k in (5, 10):
        for seed in range(scale.seeds):
            yield Trial("tgc-grid", table, "chosen", CountedTgc(0.5), k, seed, measures=QUALITY)
            for j in range(1, scale.deltas + 1):
                delta = j / scale.deltas
                yield Trial("tgc-grid", table, "given", CountedTgc(0.5, delta=delta), k, seed,
                            "delta", delta, measures=QUALITY)  # fmt: skip


def _costs(scale: Scale) -> Iterator[Trial]:
    """Looks at records, against n and against s."""
    measures = {"loss": "loss"}
    for n in scale.samples:
        table = adult_table("tgc", TGC, n)
        counted = {
            "Mondrian": CountedMondrian(),
            "K-Members": CountedKMember(),
            "TGCB": CountedTgc(0.5),
            "TGCB, delta' off": CountedTgc(0.5, delta_prime=UNCUT),
            "TGCB, no parts": CountedTgc(0.5, s=0),
            "Shoal Mondrian": "mondrian",
            "Shoal K-Members": "k-member",
            "Shoal TGCB": "tgc",
            "Shoal TGCB, no parts": {"name": "tgc", "s": n},
        }
        for method, algorithm in counted.items():
            for seed in range(1 if "Mondrian" in method else scale.seeds):
                yield Trial("tgc-n", table, method, algorithm, 5, seed, "n", n, measures=measures)
    n = scale.samples[-1]
    for s in (10, 25, 50, 100, 250, 499, n // 4, n):
        for method, algorithm in _with_s(s, n).items():
            for seed in range(scale.seeds):
                yield Trial("tgc-cost-s", adult_table("tgc", TGC, n), method, algorithm, 5, seed,
                            "s", s, measures=measures)  # fmt: skip
