"""The experiments of the papers as lists of trials, a file for each paper."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from shoal.reproduction.experiments import babu, kayem, mstk, oka, tgc
from shoal.reproduction.scale import Scale
from shoal.reproduction.trial import Trial

PAPERS = (tgc, kayem, babu, mstk, oka)


def trials_of(scale: Scale, experiments: Collection[str]) -> Iterator[Trial]:
    """The trials of some experiments, at a scale."""
    for paper in PAPERS:
        for trial in paper.trials(scale):
            if trial.experiment in experiments:
                yield trial
