"""At which scale the experiments are run: as the papers did, or small."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Scale:
    """Sizes of tables, grids and how many seeds; `folder` keeps tables that are fetched."""

    name: str
    folder: Path
    seeds: int
    adult: int = 30_162
    babu: int = 32_561
    first: int = 5_000
    normal: int = 8_000
    grid: int = 10_000  # records, for the grid of 64 deltas
    share: float = 1.0  # of the records of t-clustering's tables
    census: int = 199_523
    queries: int = 10_000
    tgc_k: tuple[int, ...] = (2, 5, 10, 25, 50)
    deltas: int = 64
    samples: tuple[int, ...] = (500, 1_000, 2_000, 5_000, 10_000)
    s: tuple[int, ...] = (5, 10, 15, 25, 50, 100, 250, 1_000)
    babu_k: tuple[int, ...] = (2, 5, 10, 20, 50, 100)
    mstk_k: tuple[int, ...] = (3, 6, 9, 12, 15, 18, 21)
    oka_k: tuple[int, ...] = (5, 10, 20, 30, 40, 50)
    sizes: tuple[int, ...] = (2, 3, 9, 10, 11, 15, 16, 17, 18)
    counted: tuple[int, ...] = (500, 1_000, 2_000, 4_000)

    @property
    def in_words(self) -> str:
        if self.name == "full":
            return f"at full scale: the papers' tables and {self.seeds} seeds where there is chance"
        return (
            f"at a small scale (`--{self.name}`): samples of about {self.adult:,} records, "
            f"{self.seeds} seeds, few values of k. Verdicts at full scale may differ"
        )


def full(folder: Path) -> Scale:
    return Scale("full", folder, seeds=5)


def quick(folder: Path) -> Scale:
    return Scale(
        "quick", folder, seeds=2, adult=2_000, babu=2_000, first=1_000, normal=1_000, grid=800,
        share=0.06, census=5_000, queries=1_000, tgc_k=(2, 5, 10), deltas=16,
        samples=(250, 500, 1_000, 2_000), s=(5, 25, 100), babu_k=(2, 10, 50), mstk_k=(3, 9, 21),
        oka_k=(5, 20, 50), sizes=(2, 3, 9, 18), counted=(250, 500, 1_000),
    )  # fmt: skip


def tiny(folder: Path) -> Scale:
    """For tests."""
    return Scale(
        "tiny", folder, seeds=1, adult=300, babu=300, first=200, normal=150, grid=150, share=0.01,
        census=300, queries=50, tgc_k=(2, 5), deltas=4, samples=(100, 200), s=(5, 25),
        babu_k=(2, 5), mstk_k=(3, 6), oka_k=(5, 10), sizes=(2, 3), counted=(100, 200),
    )  # fmt: skip
