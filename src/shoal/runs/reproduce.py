"""`shoal reproduce`: the experiments of five papers, measured, judged, and written as a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import polars as pl

from shoal.comparison.run import Run
from shoal.comparison.variants import Asked, Variant
from shoal.errors import BadOption, InputError, nearest
from shoal.read.given import source_of
from shoal.reproduction.claims import CLAIMS
from shoal.reproduction.claims.claim import Claim, Judged
from shoal.reproduction.experiments import trials_of
from shoal.reproduction.figures import Figures, write_sorted
from shoal.reproduction.page import page_of
from shoal.reproduction.plots import plots_of
from shoal.reproduction.scale import Scale, full, quick
from shoal.reproduction.trial import STAND_IN, Session, Trial, sessions
from shoal.runs.compare import Limits, Plan, Trials
from shoal.runs.processes import RunListener
from shoal.runs.stages import Stages
from shoal.types.watch import Watch
from shoal.write.atomic import write_text

TIMEOUT = 1200.0  # seconds for a trial
PAGE = "reproduction.md"
PICTURES = Path("figures") / "reproduction"
FIGURES = "figures.csv"
FETCHED = ".fetched"


@dataclass
class Reproduction:
    """What was asked for: claims, and at which scale; others may stand in for what is not run."""

    folder: Path
    claims: tuple[Claim, ...]
    scale: Scale
    instead: tuple[Scale, ...] = ()
    notes: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, folder: Path, *, is_quick: bool = False, only: Sequence[str] = ()) -> Reproduction:
        fetched = folder / PICTURES / FETCHED
        small, papers = quick(fetched), full(fetched)
        return cls(folder, chosen(only), small) if is_quick else cls(
            folder, chosen(only), papers, (small,)
        )  # fmt: skip

    @property
    def trials(self) -> list[Trial]:
        return self.trials_at(self.scale)

    def trials_at(self, scale: Scale) -> list[Trial]:
        wanted = {name for one in self.claims for name in (*one.experiments, *one.beside)}
        return list(trials_of(scale, wanted))

    def figures(self) -> Figures:
        return Figures(self.folder / PICTURES / FIGURES)


class Measured(NamedTuple):
    """The figures of every experiment, each at the first scale at which it is complete."""

    frame: pl.DataFrame
    scales: Mapping[str, Scale]  # by experiment

    def scales_of(self, claim: Claim, usual: Scale) -> tuple[Scale, ...]:
        names = claim.experiments or claim.beside
        return tuple(dict.fromkeys(self.scales.get(name, usual) for name in names)) or (usual,)


def measured(asked: Reproduction) -> Measured:
    figures = asked.figures()
    frame, scales = figures.frame(), {}
    chosen_trials: list[str] = []
    for scale in (asked.scale, *asked.instead):
        for experiment, trials in _by_experiment(asked.trials_at(scale)).items():
            is_complete = all(trial in figures.known for trial in trials)
            if experiment not in scales and (
                is_complete or (scale is asked.scale and not asked.instead)
            ):
                scales[experiment] = scale
                chosen_trials += trials
    listed = pl.DataFrame({"trial": chosen_trials}, schema={"trial": pl.String})
    order = listed.unique(maintain_order=True)
    return Measured(order.join(frame, on="trial", maintain_order="left"), scales)


def _by_experiment(trials: Sequence[Trial]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for trial in trials:
        found.setdefault(trial.experiment, []).append(trial.id)
    return found


def chosen(only: Sequence[str]) -> tuple[Claim, ...]:
    """The claims of some names, in their order; all if none is named."""
    known = {claim.id: claim for claim in CLAIMS}
    for name in only:
        if name not in known:
            raise BadOption(f"There is no claim {name!r}{nearest(name, known)} They are C1 to C44.")
    return tuple(claim for claim in CLAIMS if not only or claim.id in only)


def left(asked: Reproduction) -> list[Trial]:
    """The trials that have no figures yet."""
    known = asked.figures().known
    return [trial for trial in asked.trials if trial.id not in known]


def measure(
    asked: Reproduction,
    trials: Sequence[Trial],
    *,
    processes: int | None = None,
    listener: RunListener | None = None,
    watch: Watch | None = None,
) -> None:
    """Run trials; each is noted as soon as it ends. Tables that cannot be had are left out."""
    figures, limits = asked.figures(), Limits(TIMEOUT, None, processes)
    stages = Stages(watch=watch)
    for session in sessions(trials):
        try:
            _run(session, figures, limits, stages, listener)
        except InputError as error:
            asked.notes.append(f"{session.table.name}. {error}")


def _run(
    session: Session, figures: Figures, limits: Limits, stages: Stages, listener: RunListener | None
) -> None:
    by_variant: dict[str, list[Trial]] = {}
    for trial in session.trials:
        by_variant.setdefault(trial.variant.id, []).append(trial)
    variants = tuple(trials[0].variant for trials in by_variant.values())
    algorithms = tuple(dict.fromkeys(variant.policy.algorithm for variant in variants))
    plan = Plan(
        session.trials[0].policy, Asked(algorithms=algorithms), variants, session.measures,
        is_chosen=True,
    )  # fmt: skip
    hears = Hears(figures, by_variant, listener)
    with Trials(source_of(session.table.frame()), plan, limits=limits, stages=stages) as trials:
        trials.run(variants, hears)


class Hears(NamedTuple):
    """Notes what ends, and passes it on."""

    figures: Figures
    trials: Mapping[str, Sequence[Trial]]  # by the policy that they have in common
    others: RunListener | None

    def began(self, variant: Variant) -> None:
        if self.others is not None:
            self.others.began(variant)

    def ended(self, run: Run) -> None:
        for trial in self.trials[run.id]:
            self.figures.add(trial.rows(run))
            if self.others is not None:
                self.others.ended(run)


def warn_of_stand_ins(frame: pl.DataFrame) -> Iterator[str]:
    if (frame["measure"] == STAND_IN).any():
        yield (
            "Adult with 45,222 records, which could not be fetched. The tables of Kayem and Meinel "
            "are made of as many drawn from the 30,162 that are bundled."
        )


def write(asked: Reproduction) -> list[Judged]:
    """Judge every claim, and write the page and its pictures; gives the verdicts."""
    found = measured(asked)
    judged = [claim.judged(found.frame) for claim in asked.claims]
    scales = {claim.id: found.scales_of(claim, asked.scale) for claim in asked.claims}
    used = {name for claim in asked.claims for name in claim.plots}
    pictures = {name: one for name, one in plots_of(found.frame).items() if name in used}
    inside = asked.folder / PICTURES
    for name, figure in pictures.items():
        write_text(inside / f"{name}.svg", figure.svg)
    notes = [*asked.notes, *warn_of_stand_ins(found.frame)]
    text = page_of(judged, scales, pictures, notes, PICTURES.as_posix())
    write_text(asked.folder / PAGE, text)
    figures = asked.figures()
    write_sorted(figures.frame(), figures.path)
    return judged
