"""`shoal reproduce`: the experiments of five papers, measured, judged, and written as a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

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
from shoal.reproduction.trial import Session, Trial, sessions
from shoal.runs.compare import Limits, Plan, Trials
from shoal.runs.stages import Stages
from shoal.types.watch import Watch
from shoal.write.atomic import write_text

TIMEOUT = 1200.0  # seconds for a trial
PAGE = "reproduction.md"
PICTURES = Path("figures") / "reproduction"
FIGURES = "figures.csv"
FETCHED = ".fetched"


class Progress(Protocol):
    """Who hears how far the trials are."""

    def began(self, session: Session, n_left: int) -> None: ...

    def ended(self, trial: Trial, run: Run) -> None: ...

    def skipped(self, session: Session, why: str) -> None: ...


@dataclass
class Reproduction:
    """What was asked for: claims, and at which scale."""

    folder: Path
    claims: tuple[Claim, ...]
    scale: Scale
    notes: list[str] = field(default_factory=list)

    @classmethod
    def of(cls, folder: Path, *, is_quick: bool = False, only: Sequence[str] = ()) -> Reproduction:
        fetched = folder / PICTURES / FETCHED
        return cls(folder, chosen(only), (quick if is_quick else full)(fetched))

    @property
    def trials(self) -> list[Trial]:
        wanted = {name for claim in self.claims for name in claim.experiments}
        return list(trials_of(self.scale, wanted))

    def figures(self) -> Figures:
        return Figures(self.folder / PICTURES / FIGURES)


def chosen(only: Sequence[str]) -> tuple[Claim, ...]:
    """The claims of some names, in their order; all if none is named."""
    known = {claim.id: claim for claim in CLAIMS}
    for name in only:
        if name not in known:
            raise BadOption(f"{name} is no claim{nearest(name, known)} They are C1 to C44.")
    return tuple(claim for claim in CLAIMS if not only or claim.id in only)


def measure(
    asked: Reproduction, progress: Progress, *, processes: int | None = None, watch: Watch | None = None
) -> None:
    """Run all trials that have no figures yet; each is noted as soon as it ends."""
    figures, limits = asked.figures(), Limits(TIMEOUT, None, processes)
    left = [trial for trial in asked.trials if trial.id not in figures.known]
    n_left = len(left)
    for session in sessions(left):
        progress.began(session, n_left)
        try:
            _run(session, figures, limits, progress, watch)
        except InputError as error:
            asked.notes.append(f"{session.table.name}: {error}")
            progress.skipped(session, str(error))
        n_left -= len(session.trials)


def _run(
    session: Session, figures: Figures, limits: Limits, progress: Progress, watch: Watch | None
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
    stages = Stages(watch=watch)

    def ended(run: Run) -> None:
        for trial in by_variant[run.id]:
            figures.add(trial.rows(run))
            progress.ended(trial, run)

    with Trials(source_of(session.table.frame()), plan, limits=limits, stages=stages) as trials:
        trials.run(variants, _Listener(ended))


@dataclass
class _Listener:
    hears: Callable[[Run], None]

    def began(self, variant: Variant) -> None:
        """Nobody asks which run has begun."""

    def ended(self, run: Run) -> None:
        self.hears(run)


def judge(asked: Reproduction) -> list[Judged]:
    """The verdict on each claim, from the figures of its own trials alone."""
    frame = asked.figures().frame([trial.id for trial in asked.trials])
    return [claim.judged(frame) for claim in asked.claims]


def write(asked: Reproduction) -> Path:
    """The page and its pictures, from the figures; gives where the page is."""
    figures = asked.figures()
    frame = figures.frame([trial.id for trial in asked.trials])
    pictures = plots_of(frame)
    inside = asked.folder / PICTURES
    for name, figure in pictures.items():
        write_text(inside / f"{name}.svg", figure.svg)
    path = asked.folder / PAGE
    where = PICTURES.as_posix()
    write_text(path, page_of(judge(asked), frame, pictures, asked.scale, asked.notes, where))
    write_sorted(figures.frame(), figures.path)
    return path
