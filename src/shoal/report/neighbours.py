"""The neighbours of the chosen levels, in words: which column forces generalisation, and why."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from shoal.errors import counted

if TYPE_CHECKING:
    from shoal.release.release import Release
    from shoal.types.neighbour import Neighbour


def neighbour_facts(release: Release) -> dict[str, Any] | None:
    """The nodes one level below and above in each column; None if they were not asked for."""
    if not release.neighbours:
        return None
    limit = release.policy.suppression_limit(release.n_read)
    return {
        "metric": release.policy.algorithm.traits.metric,
        "limit": counted(limit, "record") if limit else "no record",
        "entries": [
            {
                "column": neighbour.column,
                "chosen": neighbour.chosen_level,
                "level": neighbour.level,
                "cost": neighbour.cost,
                "holds": neighbour.holds,
                "says": says(neighbour),
            }
            for neighbour in release.neighbours
        ],
    }


def says(neighbour: Neighbour) -> str:
    """What would happen there."""
    if neighbour.holds:
        left_out = counted(neighbour.n_failing, "record") if neighbour.n_failing else "none"
        return f"would hold, {left_out} suppressed"
    why = "; ".join(
        f"{counted(failure.n_groups, 'group')} with {counted(failure.n_records, 'record')} "
        f"{'fails' if failure.n_groups == 1 else 'fail'} {failure.model}"
        for failure in neighbour.failures
    )
    return f"fails: {why}"
