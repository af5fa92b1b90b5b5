"""The facts of a release that reports are made of: column names and counts, never a cell."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import PurePath
from typing import TYPE_CHECKING, Any

from shoal import catalog
from shoal.errors import PolicyError, counted
from shoal.report import words
from shoal.report.columns import column_facts, role_facts
from shoal.report.neighbours import neighbour_facts
from shoal.report.sizes import size_facts
from shoal.types.disclosed import disclosed_facts
from shoal.types.minimum import MinimumFound
from shoal.types.privacy import Privacy
from shoal.types.unit import RECORD, Unit
from shoal.types.verdict import Finding

if TYPE_CHECKING:
    from shoal.release.release import Release

Facts = dict[str, Any]
SEARCH_FACTS = ("nodes", "checks", "pruned", "rolled_up", "optimal", "certified")


def summarise(release: Release, *, output: str | None = None) -> Facts:
    """Everything a report says, as plain data.

    Of `output`, the released file, only the name is included: reports are passed on, and the
    folders of the writer are private.
    """
    verdict, run = release.verdict, release.summary()
    return {
        "headline": words.headline(verdict),
        "standing": words.standing(verdict),
        "cost": words.cost(
            release.measures.get("loss"),
            [(entry["column"], entry["loss"]) for entry in _worst_first(release)],
        ),
        "unit": asdict(verdict.unit),
        "output": PurePath(output).name if output else None,
        "records": _record_facts(release),
        "people": {"read": run["people_read"], "released": run["people"]}
        if "people" in run
        else None,
        "unique": run["unique"],
        "groups": verdict.n_groups,
        "privacy": [finding_facts(finding, verdict.unit) for finding in verdict.findings],
        "discloses": disclosed_facts(verdict.discloses),
        "columns": column_facts(release),
        "roles": role_facts(release),
        "loss": release.measures.get("loss"),
        "loss_by_column": _worst_first(release),
        "bound": _bound_facts(release),
        "measures": [
            {"name": name, "value": value, "meaning": _meaning("metric", name)}
            for name, value in release.measures.items()
        ],
        "utility": [_use_facts(one) for one in release.utility],
        "tried": _tried_facts(run),
        "sizes": size_facts(verdict.group_sizes, k=Privacy(release.policy.privacy).k),
        "run": _run_facts(run),
        "levels": _level_facts(release),
        "neighbours": neighbour_facts(release),
        "notes": _notes(release, run),
    }


def finding_facts(finding: Finding, unit: Unit = RECORD) -> Facts:
    """What a model requires and what was achieved, in numbers and in words."""
    return {
        "model": finding.model,
        "column": finding.column,
        "parameters": words.parameters(finding),
        "requires": finding.demand,
        "achieved": finding.found,
        "failing": None if finding.holds else words.failing(finding, unit),
        "holds": finding.holds,
    }


def _use_facts(found: MinimumFound) -> Facts:
    """What the policy asks to measure, in numbers and in words."""
    one = found.measured
    limits = [f"{key.replace('-', ' ')} {v:g}" for key, v in found.minimum.required.items()]
    return {
        **found.as_dict(),
        "requires": ", ".join(limits),
        "behind": words.behind(one.details),
        "meaning": _meaning("metric", one.measure),
    }


def _tried_facts(run: Facts) -> Facts | None:
    """Which algorithms auto tried, and what each lost; the best is first."""
    if "tried" not in run:
        return None
    found = sorted(run["tried"], key=lambda one: one["algorithm"] != run["chosen"])
    return {"by": run["chosen_by"], "found": found, "not_tried": run["not_tried"]}


def _record_facts(release: Release) -> dict[str, int]:
    n_read, n_released = release.n_read, release.n_released
    return {
        "read": n_read,
        "released": n_released,
        "suppressed": n_read - n_released,
        "may_be_suppressed": release.policy.suppression_limit(n_read),
    }


def _worst_first(release: Release) -> list[Facts]:
    by_loss = sorted(release.loss_by_column.items(), key=lambda entry: -entry[1])
    return [{"column": column, "loss": loss} for column, loss in by_loss]


def _bound_facts(release: Release) -> Facts | None:
    """The least loss that is possible, if it was computed, in numbers and in words."""
    if release.bound is None:
        return None
    loss = release.measures.get("loss")
    says = words.bound(release.bound, loss)
    if release.grouping.trace.get("certified"):
        says += words.CERTIFIED
    return {**release.bound.as_dict(loss), "says": says}


def _level_facts(release: Release) -> list[Facts]:
    """The level of each column and how many there are, where the whole column has one."""
    levels = release.grouping.levels or ()
    return [
        {"column": axis.name, "level": level, "height": axis.hierarchy.height}
        for axis, level in zip(release.axes, levels, strict=False)
        if axis.hierarchy is not None
    ]


def _run_facts(run: Facts) -> Facts:
    details: Facts = {key: run[key] for key in SEARCH_FACTS if key in run}
    return {
        "algorithm": run["algorithm"],
        "meaning": _meaning("algorithm", run["algorithm"]),
        "options": dict(run["options"]),
        "seed": run["seed"],
        "shoal": run["shoal"],
        "seconds": dict(run["seconds"]),
        "peak_memory_mb": run["peak_memory_mb"],
        **details,
    }


def _meaning(part: catalog.Part, name: str) -> str:
    try:
        return catalog.summary(part, name)
    except PolicyError:  # a class of the user
        return ""


def _notes(release: Release, run: Facts) -> list[str]:
    notes = list(dict.fromkeys(release.notes + release.verdict.notes))
    if release.policy.order == "input":
        notes.append(
            "The release keeps the order of the input. Anyone who has seen the input, or knows "
            "how it is sorted, can tell records apart by position. Remove `order` from the policy "
            "to avoid this."
        )
    if run["stopped"]:
        why, longer = run["stopped"], "a longer search"
        if why == "work":
            why = f"not proven optimal; stopped after {counted(run['checks'], 'check')}"
            longer += " (raise `checks`)"
        notes.append(
            f"The search ended early ({why}). This is the best result it had found. "
            f"It is verified, but {longer} might lose less detail."
        )
    return notes
