"""The result of a comparison: a table of runs, and what it can be asked."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import polars as pl

from shoal.comparison.measures import SECONDS, Measure
from shoal.comparison.run import Run
from shoal.comparison.variants import Variant
from shoal.errors import BadOption, counted, nearest
from shoal.policy.policy import Policy
from shoal.types.showable import Showable

if TYPE_CHECKING:
    from rich.console import Console

    from shoal.plot.figure import Figure


@dataclass(frozen=True, eq=False, repr=False)
class Comparison(Showable):
    """What many policies made of one table. Every release among them was verified, and let go.

    >>> import polars as pl, shoal
    >>> people = pl.DataFrame({"age": [31, 38, 52, 55, 41, 47, 29, 63]})
    >>> policy = shoal.Policy.of_roles(quasi=["age"], privacy=[shoal.KAnonymity(2)])
    >>> found = shoal.compare(people, policy, algorithms=["mondrian", "mstk"], k=[2, 4],
    ...                       processes=0)
    >>> found
    <Comparison: 4 runs, 4 verified>
    >>> found.best("loss", k=2).method
    'mondrian'
    """

    runs: tuple[Run, ...]
    variants: tuple[Variant, ...]  # of the runs, in their order
    measures: tuple[Measure, ...]
    n_records: int
    folder: Path | None = None

    def __repr__(self) -> str:
        n_verified = sum(run.is_verified for run in self.runs)
        return f"<{type(self).__name__}: {counted(len(self.runs), 'run')}, {n_verified} verified>"

    def print_to(self, console: Console) -> None:
        from shoal.report.comparison.text import print_comparison

        print_comparison(self, console)

    def _repr_html_(self) -> str:
        from shoal.report.comparison.page import notebook_part

        return notebook_part(self)

    @cached_property
    def frame(self) -> pl.DataFrame:
        """A row for each run: what was tried, how it ended, and what it measures."""
        paths = self.paths
        rows: list[dict[str, Any]] = [
            {
                "run": run.id,
                "method": run.method,
                "k": run.k,
                **{path: run.options.get(path) for path in paths},
                "seed": run.seed,
                "outcome": run.outcome,
                "why": run.why,
                "groups": run.groups,
                "released": run.released,
                "suppressed": run.suppressed,
                **{m.label: run.measures.get(m.label) for m in self.measures},
                "seconds": run.seconds,
                "policy": f"policies/{policy_name(variant)}",
            }
            for run, variant in zip(self.runs, self.variants, strict=True)
        ]
        floats = dict.fromkeys([*(m.label for m in self.measures), "seconds"], pl.Float64)
        counts = dict.fromkeys(("groups", "released", "suppressed"), pl.Int64)
        options = dict.fromkeys(paths, pl.String)
        return pl.DataFrame(
            rows, schema_overrides={**floats, **counts, **options}, infer_schema_length=None
        )

    @property
    def paths(self) -> tuple[str, ...]:
        """The options that vary, by their paths."""
        return tuple(dict.fromkeys(path for run in self.runs for path in run.options))

    @property
    def verified(self) -> tuple[Run, ...]:
        return tuple(run for run in self.runs if run.is_verified)

    def measure(self, label: str) -> Measure:
        """A measure of the table by its name; the processor time is one too."""
        known = {m.label: m for m in (*self.measures, SECONDS)}
        if label not in known:
            raise BadOption(
                f"{label!r} was not measured{nearest(label, known)} There is {', '.join(known)}."
            )
        return known[label]

    def best(self, measure: str = "loss", k: int | None = None) -> Run:
        """The verified run with the best figure, perhaps among those with one k."""
        asked = self.measure(measure)
        among = [run for run in self.verified if k is None or run.k == k]
        found = [(value, run) for run in among if (value := value_of(run, asked)) is not None]
        if not found:
            ks = ", ".join(map(str, sorted({run.k for run in self.verified}))) or "none"
            raise BadOption(f"No verified run has {measure} with this k. k of verified runs: {ks}.")
        sign = 1 if asked.lower_is_better else -1
        return min(found, key=lambda pair: sign * pair[0])[1]

    def policy(self, run: Run | str) -> Policy:
        """The policy of a run, or of the id of one."""
        return self._variant(run).policy

    def policy_file(self, run: Run | str) -> str:
        """Where the policy of a run is, inside the folder."""
        return f"policies/{policy_name(self._variant(run))}"

    def _variant(self, run: Run | str) -> Variant:
        id_ = run if isinstance(run, str) else run.id
        for variant in self.variants:
            if variant.id == id_:
                return variant
        raise BadOption("There is no run with this id.")

    def plot(self, measure: str = "loss") -> Figure:
        """A measure against k, or against what varies; a notebook shows it."""
        from shoal.report.comparison.figures import figure_of

        return figure_of(self, self.measure(measure))

    def html(self) -> str:
        """All plots and the list of runs as one page that needs nothing else."""
        from shoal.report.comparison.page import page_of

        return page_of(self)

    def page(self, path: str | Path) -> None:
        """Write that page."""
        from shoal.write.atomic import write_text

        write_text(Path(path), self.html())


def value_of(run: Run, measure: Measure) -> float | None:
    return run.seconds if measure is SECONDS else run.measures.get(measure.label)


def policy_name(variant: Variant) -> str:
    """The name of the file with the policy of a variant.

    Its id keeps names apart that look alike.
    """
    words = re.sub(r"[^a-z0-9.]+", "-", variant.name.lower().replace("algorithm.", ""))
    seed = f"-seed-{variant.seed}" if variant.seed else ""
    return f"{words.strip('-')[:60]}{seed}-{variant.id[:6]}.yaml"


def in_order(
    variants: Sequence[Variant], runs: Mapping[str, Run]
) -> tuple[tuple[Run, ...], tuple[Variant, ...]]:
    """Runs in the order in which they were asked for, whichever ended first."""
    found = [(runs[variant.id], variant) for variant in variants if variant.id in runs]
    return tuple(run for run, _ in found), tuple(variant for _, variant in found)
