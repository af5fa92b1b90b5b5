"""Lin and Wei 2008: OKA against the three k-members in loss and cost, and with outliers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from shoal.reproduction.counted.k_member import CountedKMember
from shoal.reproduction.counted.oka import CountedOka
from shoal.reproduction.scale import Scale
from shoal.reproduction.tables import OKA, TableOf, adult_table, oka_with_outliers
from shoal.reproduction.trial import Trial

MEASURES = {"il": "il"}
SEEDINGS = ("seed-to-seed", "last-added", "oka-text")
FIRST = ("race", "occupation", "native-country")  # columns to sort by first, besides age
SORTED: dict[str, Any] = {"name": "oka", "order": "sorted"}


def trials(scale: Scale) -> Iterator[Trial]:
    table = adult_table("oka", OKA, scale.adult)
    for k in scale.oka_k:
        for method, algorithm in _methods().items():
            yield from _seeds("oka-k", table, method, algorithm, k, scale)
        for column in FIRST:
            other = adult_table(f"oka-first-{column}", OKA.first(column), scale.adult)
            yield from _seeds("oka-k", other, f"OKA, sorted by {column}", SORTED, k, scale)
    for k in scale.oka_k[:: max(len(scale.oka_k) // 2, 1)]:
        of_outliers = [oka_with_outliers(scale.adult, beyond) for beyond in (False, True)]
        for one in (table, *of_outliers):
            for method, algorithm in _methods().items():
                yield from _seeds("oka-outliers", one, method, algorithm, k, scale)
    for n in scale.counted:
        few = adult_table("oka", OKA, n)
        for k in scale.oka_k:
            for method, algorithm in _counted().items():
                for seed in range(scale.seeds):
                    yield Trial("oka-n", few, method, algorithm, k, seed, "n", n,
                                measures=MEASURES)  # fmt: skip


def _methods() -> dict[str, Any]:
    members = {f"k-member, {one}": {"name": "k-member", "seeding": one} for one in SEEDINGS}
    return {"OKA": SORTED, "OKA, random order": "oka", **members}


def _counted() -> dict[str, Any]:
    return {
        "OKA": CountedOka(),
        **{f"k-member, {one}": CountedKMember(one) for one in SEEDINGS},  # type: ignore[arg-type]
        "Shoal OKA": SORTED,
        "Shoal k-member": "k-member",
    }


def _seeds(
    experiment: str, table: TableOf, method: str, algorithm: Any, k: int, scale: Scale
) -> Iterator[Trial]:
    for seed in range(scale.seeds):
        yield Trial(experiment, table, method, algorithm, k, seed, measures=MEASURES)
