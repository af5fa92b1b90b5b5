"""Minimums of use: a release that keeps its privacy but misses one is refused, with advice."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from shoal.errors import CannotSatisfy
from shoal.release.release import Release
from shoal.runs.finish import finish
from shoal.runs.prepare import Prepared
from shoal.runs.search import search
from shoal.runs.trials import Change, more_suppression, other_algorithms, smaller_k
from shoal.types.measurement import Measurement
from shoal.types.minimum import Minimum, MinimumFound

MOST_TRIALS = 6  # of what would reach a minimum


def with_minimums(release: Release, prepared: Prepared) -> Release:
    """The release with what the policy asks to measure. Raises `CannotSatisfy` if it misses any."""
    minimums = release.policy.utility
    if not minimums:
        return release
    with prepared.stages("measure"):
        found = measured(release, minimums)
        missed = [one for one in found if not one.holds]
        if missed:
            advice = advice_on(prepared, [one.minimum for one in missed])
            raise CannotSatisfy.too_little_use(
                [
                    f"{one.minimum.words()}, and is {one.measured.value:.4g} in the release"
                    for one in missed
                ],
                advice,
            )
    return replace(release, utility=found)


def measured(release: Release, minimums: Sequence[Minimum]) -> tuple[MinimumFound, ...]:
    found = []
    for minimum in minimums:
        value = Measurement.of(minimum.metric, release.outcome)
        found.append(MinimumFound(minimum, value))
    return tuple(found)


def advice_on(prepared: Prepared, missed: Sequence[Minimum]) -> list[str]:
    """What would reach what was missed, by trying: one change of each kind, if it does."""
    advice, n_tried = [], 0
    for changes in (
        other_algorithms(prepared),
        more_suppression(prepared.policy),
        smaller_k(prepared.policy),
    ):
        for change in changes:
            if n_tried == MOST_TRIALS:
                break
            n_tried += 1
            values = _reached(prepared, change, missed)
            if values is not None:
                advice.append(f"`{change.line}` reaches it: {values}.")
                break
    if not advice:
        advice.append(
            f"None of {n_tried} changes that were tried reaches it (other algorithms, more "
            "suppression, a smaller k). Ask for less, make fewer columns quasi-identifiers, or run "
            "`shoal explain`."
        )
    return advice


def _reached(prepared: Prepared, change: Change, missed: Sequence[Minimum]) -> str | None:
    """What is measured after a change, in words; None where it does not reach all of it."""
    try:
        trial = prepared.under(change.policy)
        found = measured(finish(trial, search(trial)), missed)
    except CannotSatisfy:
        return None
    if not all(one.holds for one in found):
        return None
    return ", ".join(f"{one.measured.measure} {one.measured.value:.4g}" for one in found)
