"""Findings and numbers as short sentences, for readers who know the data but not the field."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from shoal.errors import counted
from shoal.read.called import person_rank
from shoal.types.bound import Bound
from shoal.types.unit import PERSON, RECORD, Unit
from shoal.types.verdict import Finding, Leak, Verdict

Standing = Literal["holds", "rows", "fails"]

ALL_BUT_EMPTY = 0.99  # of a column's detail is lost
MOST_LOSS = 0.5  # of all detail; beyond, a release has to say so first
MOST_NAMED = 5  # columns
STAGES = {
    "read": "reading the table",
    "propose": "profiling the columns",
    "compile": "loading the kernels",
    "encode": "encoding the columns",
    "group": "grouping the records",
    "bound": "computing the least possible loss",
    "recode": "recoding the cells",
    "verify": "verifying every cell",
    "write": "writing the file",
    "population": "counting the population",
    "risk": "counting unique records",
    "attack": "looking up people",
    "compare": "comparing with the original",
    "measure": "measuring",
    "runs": "trying policies",
}


def headline(verdict: Verdict) -> str:
    """The verdict in one sentence.

    >>> headline(Verdict(20, 2, {8: 1, 12: 1}, ()))
    'Verified: every record looks like at least 7 others'
    >>> headline(Verdict(20, 1, {5: 1}, (), n_people=5))
    'Verified: every person looks like at least 4 other people'
    """
    if not verdict.holds:
        return f"Not verified: {_what_is_wrong(verdict)}"
    if verdict.is_of_rows_only:
        return f"Rows, not people, were counted: {_why_rows(verdict)}"
    smallest = min(verdict.group_sizes, default=0)
    if smallest == 0:
        return "Verified: no record was released"
    if smallest == 1:
        return "Verified: the release satisfies every model of its policy"
    unit = verdict.unit
    return f"Verified: every {unit.one} looks like at least {unit.others(smallest - 1)}"


def standing(verdict: Verdict) -> Standing:
    """How good the news is; only what is verified of people, as far as known, gets a tick."""
    if not verdict.holds:
        return "fails"
    return "rows" if verdict.is_of_rows_only else "holds"


def records_of_people(n_records: int, n_people: int | None) -> str:
    """Records and, where it is known, how many people they are of.

    >>> records_of_people(1500, 300), records_of_people(1, None)
    ('1,500 records of 300 people', '1 record')
    """
    records = counted(n_records, "record")
    return records if n_people is None else f"{records} of {PERSON.counted(n_people)}"


def leak(found: Leak) -> str:
    """What should not be in a release, and what to do about it.

    >>> leak(Leak("rare value", "age", 1))
    "Column 'age': 1 record has a value that is not generalised and too rare."
    """
    records = counted(found.count, "record")
    match found.kind:
        case "withheld column":
            return f"Column {found.column!r} has the role identifier or drop. Remove it."
        case "index" if found.column is not None:
            return f"Column {found.column!r} numbers the rows and has no role. Remove it."
        case "index":
            return "The frame has an index, which may link rows to the original. Drop it."
        case "rare value":
            values = "has a value that is" if found.count == 1 else "have values that are"
            return f"Column {found.column!r}: {records} {values} not generalised and too rare."
        case "rare value in a set":
            lists = "lists" if found.count == 1 else "list"
            return f"Column {found.column!r}: cells of {records} {lists} a value that is too rare."
        case "detailed ZIP code":
            tells = "tells" if found.count == 1 else "tell"
            return (
                f"Column {found.column!r}: cells of {records} {tells} more than three digits of a "
                "ZIP code, or a small area."
            )
        case "identifier":
            return f"Column {found.column!r}: {records} still with an identifier of the original."
        case "person in several groups":
            return (
                f"Column {found.column!r} links rows of different groups, for "
                f"{PERSON.counted(found.count)}. Their groups together could single them out."
            )
        case "key without a person":
            point = "points" if found.count == 1 else "point"
            return (
                f"Column {found.column!r}: {records} {point} to people who are not in the table of "
                "people. Remove them."
            )
        case "order of the original":
            return "The rows are in the order of the original, which links them to it. Sort them."
    where = "" if found.column is None else f" {found.column!r}"
    return f"{found.kind}{where}, in {records}"


def failing(finding: Finding, unit: Unit = RECORD) -> str:
    """How much of a release fails a model; `unit` is what sizes count."""
    groups = counted(finding.n_failing_groups, "group")
    verb = "fails" if finding.n_failing_groups == 1 else "fail"
    sentence = f"{groups} with {unit.counted(finding.n_failing_records)} {verb}."
    if not finding.failing_sizes:
        return sentence
    if finding.n_failing_groups == 1:
        return sentence
    sizes = ", ".join(f"{size:,}" for size in finding.failing_sizes)
    more = ", ..." if finding.n_failing_groups > len(finding.failing_sizes) else ""
    return f"{sentence} Group sizes, smallest first: {sizes}{more}."


def parameters(finding: Finding) -> str:
    """The settings of a model: `k = 5`."""
    return settings(finding.required)


def settings(options: Mapping[str, object]) -> str:
    """Options as `name = value`. Only plain ones, never a table of the data's values.

    >>> settings({"strict": True, "seconds": 10})
    'strict = yes, seconds = 10'
    """
    return ", ".join(f"{name} = {number(value)}" for name, value in _plain(options).items())


def cost(loss: float | None, by_column: Sequence[tuple[str, float]]) -> str | None:
    """What to say first of a release that is private because little is left; else nothing.

    `by_column`: the loss of each column, worst first.

    >>> print(cost(0.75, [("zip", 1.0), ("age", 0.5)]))
    Little is left: 75.0% of the detail is gone. 1 of 2 columns is all but empty: 'zip'. Drop the
    quasi-identifiers that recipients do not need, those that lost most first: each costs detail in
    all others. Or give them a hierarchy or a coarser one, lower k, or suppress a few records.
    >>> cost(0.2, [("age", 0.2)]) is None
    True
    """
    empty = [name for name, lost in by_column if lost >= ALL_BUT_EMPTY]
    if not empty and (loss is None or loss <= MOST_LOSS):
        return None
    said = [f"Little is left: {share(loss)} of the detail is gone."] if loss is not None else []
    if loss is not None and loss <= MOST_LOSS:
        said = [f"{share(loss)} of the detail is gone."]
    if empty:
        are = "is" if len(empty) == 1 else "are"
        said.append(
            f"{len(empty):,} of {counted(len(by_column), 'column')} {are} all but empty: "
            f"{_first_few(empty)}."
        )
    else:
        said.append(f"Most is lost in {_first_few([name for name, _ in by_column])}.")
    said.append(
        "Drop the quasi-identifiers that recipients do not need, those that lost most first: each "
        "costs detail in all others. Or give them a hierarchy or a coarser one, lower k, or "
        "suppress a few records."
    )
    return " ".join(said)


def _first_few(names: Sequence[str]) -> str:
    shown = ", ".join(repr(name) for name in names[:MOST_NAMED])
    more = len(names) - MOST_NAMED
    return f"{shown} and {more:,} more" if more > 0 else shown


CERTIFIED = "; certified: no single move lowers it"


def bound(found: Bound, loss: float | None) -> str:
    """How far a loss is at most from the least that is possible; percentages are rounded up.

    >>> bound(Bound(0.02), 0.0238)
    'at most 19% above the least possible, a loss of 0.02 or more'
    >>> bound(Bound(0.02), 0.02)
    'the least possible'
    >>> print(bound(Bound(0.02, is_of_policy=False), 0.03))
    at most 50% above the least possible for the size of groups alone, a loss of 0.02 or more; what
    models demand besides may cost more
    """
    gap = None if loss is None else found.gap(loss)
    if gap is None:
        return f"not known. {found.reason or 'No bound above 0 was found.'}"
    above = math.ceil(100 * (gap - 1) - 1e-6)
    whose = "the least possible" + ("" if found.is_of_policy else " for the size of groups alone")
    rest = "" if found.is_of_policy else "; what models demand besides may cost more"
    if above <= 0:
        return f"{whose}{rest}"
    return f"at most {above}% above {whose}, a loss of {number(found.value)} or more{rest}"


def share(part: float, whole: float = 1.0) -> str:
    """A percentage; 0% means none and 100% means all, never a rounded share.

    >>> share(1, 3), share(1, 30_000), share(0, 10), share(29_999, 30_000)
    ('33.3%', 'under 0.1%', '0%', 'over 99.9%')
    """
    percent = 100 * part / whole if whole else 0.0
    if 0 < percent < 0.1:
        return "under 0.1%"
    if 99.9 < percent < 100:
        return "over 99.9%"
    return f"{percent:.0f}%" if percent in (0, 100) else f"{percent:.1f}%"


def number(value: object) -> str:
    """A figure with as many digits as a reader needs.

    >>> number(0.236786), number(65562.91), number(2220990), number(True)
    ('0.2368', '65,563', '2,220,990', 'yes')
    """
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if not isinstance(value, float):
        return str(value)
    if not math.isfinite(value):
        return "not defined" if math.isnan(value) else "unbounded"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def behind(details: Mapping[str, Any]) -> str:
    """What stands behind the value of a measure.

    >>> behind({"worst": "job", "mean": 0.1, "interval": [0.2, 0.4]})
    'worst job, mean 0.1, interval 0.2 to 0.4'
    """
    said = {
        key: value
        for key, value in details.items()
        if not isinstance(value, Mapping) or "columns" in value
    }
    return ", ".join(f"{key.replace('_', ' ')} {detail(value)}" for key, value in said.items())


def detail(value: Any) -> str:
    if isinstance(value, Mapping):  # two columns, before and after
        pair = " and ".join(value["columns"])
        return f"{pair} ({detail(value['before'])} before, {detail(value['after'])} after)"
    if isinstance(value, list | tuple):
        are_numbers = all(isinstance(item, int | float) for item in value)
        return " to ".join(map(detail, value)) if are_numbers else ", ".join(map(str, value))
    return number(value) if isinstance(value, int | float) else str(value)


def tried(facts: Mapping[str, Any]) -> str:
    """Which algorithms were tried, and what each lost.

    >>> tried({"by": "loss", "found": [{"algorithm": "sweep", "cost": 0.1},
    ...                                {"algorithm": "oka", "cost": None}], "not_tried": ["mstk"]})
    'sweep (chosen) loss 0.1, oka cannot keep the policy; not tried: mstk'
    """
    costs = [
        "cannot keep the policy" if one["cost"] is None else f"{facts['by']} {number(one['cost'])}"
        for one in facts["found"]
    ]
    names = [one["algorithm"] for one in facts["found"]]
    names[0] += " (chosen)"
    said = ", ".join(f"{name} {cost}" for name, cost in zip(names, costs, strict=True))
    left_out = f"; not tried: {', '.join(facts['not_tried'])}" if facts["not_tried"] else ""
    return said + left_out


def span(low: int, high: int | None) -> str:
    """From the smallest to the largest of some sizes.

    >>> span(5, 9), span(1, 1), span(640, None)
    ('5 to 9', '1', '640 or more')
    """
    if high is None:
        return f"{low:,} or more"
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"


def search(run: Mapping[str, int]) -> str:
    """How much of a lattice was looked at.

    >>> search({"nodes": 12960, "checks": 481, "pruned": 12479})
    '481 of 12,960 nodes evaluated, 12,479 pruned'
    """
    evaluated = f"{run['checks']:,} of {counted(run['nodes'], 'node')} evaluated"
    return evaluated + (f", {run['pruned']:,} pruned" if run["pruned"] else "")


def seconds(value: float) -> str:
    return "under 0.01 s" if value < 0.01 else f"{value:,.2f} s"


def _what_is_wrong(verdict: Verdict) -> str:
    n_failing = sum(not finding.holds for finding in verdict.findings)
    wrong = []
    if n_failing:
        wrong.append(f"{n_failing} of {counted(len(verdict.findings), 'model')} not satisfied")
    if verdict.leaks:
        wrong.append(f"{counted(len(verdict.leaks), 'leak')} found")
    return ", ".join(wrong)


def _why_rows(verdict: Verdict) -> str:
    """Why they may not be people, and what to do about it."""
    if verdict.person:
        return (
            "the release does not say whose records they are. `shoal anonymize` counts people "
            "before it writes a release."
        )
    first, *others = verdict.repeating
    found = f"column {first.column!r} repeats ({first.counts})"
    if others:
        columns = ", ".join(f"{one.column!r} ({one.counts})" for one in verdict.repeating)
        found = f"columns {columns} repeat"
    likely = [one.column for one in verdict.repeating if person_rank(one.column) is not None]
    if not likely:  # a street or a household, which people share
        return (
            f"{found}. Add `person` to the policy, with the column or the columns together that "
            "tell people apart. If each row is another person, that is any column that numbers "
            "the rows."
        )
    name = likely[0] if likely[0].isprintable() else repr(likely[0])
    if len(likely) == 1:
        return f"{found}. Add `person: {name}` to the policy."
    return f"{found}. Add `person` to the policy, with the column that tells people apart."


def _plain(options: Mapping[str, object]) -> dict[str, object]:
    return {k: v for k, v in options.items() if isinstance(v, bool | int | float | str)}


def discloses(facts: Mapping[str, Any]) -> str:
    """What cells tell besides what they cover; empty if it is nothing.

    >>> discloses({"range_ends": 4, "listed_values": 0, "means": 0, "known_exactly": 2, "cells": 9})
    '4 range ends that somebody has; 2 of 9 generalised cells known exactly by group size'
    """
    parts = ((facts["range_ends"], "range end"), (facts["listed_values"], "listed value"))
    found = [counted(n, name) for n, name in parts if n]
    sentences = [f"{' and '.join(found)} that somebody has"] if found else []
    if facts["means"]:
        sentences.append(f"{counted(facts['means'], 'mean')}")
    if facts["known_exactly"]:
        sentences.append(
            f"{facts['known_exactly']:,} of {counted(facts['cells'], 'generalised cell')} known "
            "exactly by group size"
        )
    return "; ".join(sentences)
