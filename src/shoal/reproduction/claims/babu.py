"""Babu et al. 2013: Improved Greedy against Datafly and Samarati (C27 to C34)."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from shoal.reproduction.claims.claim import Claim, Evidence, Part
from shoal.reproduction.claims.seen import Curve, Grid, Seen, shared
from shoal.reproduction.claims.words import at_every, at_share, compared
from shoal.reproduction.experiments.babu import LIMITS, TABLES

PAPER = "Babu et al. 2013"
K, COLUMNS, CENSUS = "babu-k", "babu-columns", "babu-census"
IG, DATAFLY, SAMARATI = "Improved Greedy", "Datafly", "Samarati"
SETUP = (
    "Adult, 32,561 records, eight quasi-identifiers with hierarchies of heights 3, 2, 2, 2, 2, 1, "
    "1 and 3; CUPS, 96,367 records, five quasi-identifiers."
)
ASSUMES = (
    "The axis of k is lost: 2, 5, 10, 20, 50 and 100.",
    "The limit of suppression is not stated: none and 1 %, both count.",
    "Hierarchies are not published, only their heights. Two sets of these heights, both count: "
    "`adult-babu` and `adult-babu-other`, in which the position is the relationship, not the work "
    "class.",
    "A missing value is a leaf under the root. Weights are 1. Samarati takes the node of its level "
    "with the least iloss.",
    "The CUPS file cannot be had any more; what is said about it is not judged. Census-Income, "
    "199,523 records and five columns, is shown instead, without a verdict.",
)
CHECKS = "Judged by nodes that are checked; Shoal's own processor seconds are shown too."
LATTICES = [(h, r) for h in (1, 2, 3, 4) for r in range(2, 11)]


class Reading(NamedTuple):
    """One set of hierarchies with one limit of suppression."""

    name: str
    table: str
    limit: float

    def curve(self, seen: Seen, measure: str, method: str) -> Curve:
        return seen.curve(K, measure, method, table=self.table, value=self.limit)


def readings(seen: Seen, experiment: str = K) -> Iterator[Reading]:
    for table in seen.tables(experiment):
        for limit in LIMITS:
            start = max((name for name in TABLES if table.startswith(name)), key=len)
            yield Reading(f"{start}, {limit:.0%} suppression", table, limit)


def _evidence(seen: Seen, parts: list[Part], *measures: str, remark: str = "") -> Evidence:
    grids: list[Grid] = [
        seen.grid(K, measure, table=reading.table, value=reading.limit)
        for measure in measures
        for reading in readings(seen)
    ]
    census = [seen.grid(CENSUS, measure) for measure in measures]
    shown = [*grids, *(grid for grid in census if grid.curves)]
    return Evidence(parts or [Part("measured at all", None, "not measured")], shown, remark)


def c27(seen: Seen) -> Evidence:
    parts: list[Part] = []
    for reading in readings(seen):
        checks = {m: reading.curve(seen, "checks", m) for m in (DATAFLY, IG, SAMARATI)}
        spent = {m: reading.curve(seen, "group_seconds", m) for m in (IG, SAMARATI)}
        parts += [
            at_every(f"{reading.name}: Datafly checks at most as many nodes as Improved Greedy, "
                     "and Samarati more", lambda d, g, s: d <= g < s, *checks.values()),
            at_every(f"{reading.name}: Improved Greedy checks at most 129 nodes",
                     lambda g: g <= 129, checks[IG]),
            at_every(f"{reading.name}: Samarati checks at least 3 times as many nodes as Improved "
                     "Greedy", lambda s, g: s >= 3 * g, checks[SAMARATI], checks[IG]),
            at_every(f"{reading.name}: Samarati takes 3 times the seconds of Improved Greedy",
                     lambda s, g: s >= 3 * g, spent[SAMARATI], spent[IG], counts=False),
        ]  # fmt: skip
    return _evidence(seen, parts, "checks", "group_seconds")


def c28(seen: Seen) -> Evidence:
    parts: list[Part] = []
    for reading in readings(seen):
        loss = {m: reading.curve(seen, "iloss", m) for m in (DATAFLY, IG, SAMARATI)}
        parts += [
            at_share(f"{reading.name}: iloss of Improved Greedy is at most 1.15 of Samarati's at "
                     "80 % of k", lambda g, s: g <= 1.15 * s, loss[IG], loss[SAMARATI], share=0.8),
            at_share(f"{reading.name}: iloss of Datafly is above that of Improved Greedy at 80 % "
                     "of k", lambda d, g: d > g, loss[DATAFLY], loss[IG], share=0.8),
            _grows(f"{reading.name}: the gap of Datafly and Improved Greedy is larger at the "
                   "largest k than at the smallest", loss[DATAFLY], loss[IG]),
        ]  # fmt: skip
    return _evidence(seen, parts, "iloss")


def _grows(says: str, one: Curve, other: Curve) -> Part:
    ks = shared(one, other)
    if len(ks) < 2:
        return Part(says, None, "not measured")
    first, last = (one[k].mean - other[k].mean for k in (ks[0], ks[-1]))
    return Part(says, last > first, f"{first:,.0f} and {last:,.0f}")


def c29(seen: Seen) -> Evidence:
    parts: list[Part] = []
    for reading in readings(seen):
        level = {m: reading.curve(seen, "level", m) for m in (DATAFLY, IG, SAMARATI)}
        parts += [
            at_share(f"{reading.name}: Improved Greedy is at most one level above Samarati at 80 % "
                     "of k", lambda g, s: g - s <= 1, level[IG], level[SAMARATI], share=0.8),
            at_every(f"{reading.name}: Datafly is never below Improved Greedy",
                     lambda d, g: d >= g, level[DATAFLY], level[IG]),
            at_share(f"{reading.name}: Datafly is above Improved Greedy at half of k",
                     lambda d, g: d > g, level[DATAFLY], level[IG], share=0.5),
        ]  # fmt: skip
    return _evidence(seen, parts, "level")


def c30(seen: Seen) -> Evidence:
    return Evidence([], [grid for m in ("level", "iloss", "checks")
                         if (grid := seen.grid(CENSUS, m)).curves])  # fmt: skip


def c31(seen: Seen) -> Evidence:
    parts: list[Part] = []
    for reading in readings(seen):
        found = [_loss_by_level(seen, reading, method) for method in (IG, SAMARATI)]
        says = f"{reading.name}: mean over k of iloss by level is at most Samarati's"
        is_known = not any(math.isnan(x) for x in found)
        parts.append(Part(says, found[0] <= found[1] if is_known else None,
                          f"{found[0]:,.0f} and {found[1]:,.0f}"))  # fmt: skip
    return _evidence(
        seen, parts, "iloss", "level",
        remark="The paper also says that Samarati takes the node with the least loss of its level: "
        "at the same level nothing can lose less.",
    )  # fmt: skip


def _loss_by_level(seen: Seen, reading: Reading, method: str) -> float:
    loss, level = (reading.curve(seen, measure, method) for measure in ("iloss", "level"))
    shares = [loss[k].mean / level[k].mean for k in shared(loss, level) if level[k].mean > 0]
    return float(np.mean(shares)) if shares else math.nan


def c32(seen: Seen) -> Evidence:
    parts: list[Part] = []
    grids: list[Grid] = []
    for limit, experiment in zip(LIMITS, (COLUMNS, f"{COLUMNS}-suppressing"), strict=True):
        for start in TABLES:
            checks = {m: _by_columns(seen, experiment, start, "checks", m)
                      for m in (DATAFLY, IG, SAMARATI)}  # fmt: skip
            name = f"{start}, {limit:.0%} suppression"
            samarati = checks[SAMARATI]
            logs = [math.log(max(found.mean, 1.0)) for found in samarati.values()]
            rate = float(np.polyfit(list(samarati), logs, 1)[0]) if len(logs) > 1 else math.nan
            parts += [
                compared(f"{name}: the logarithm of Samarati's checks grows by at least 0.5 with "
                         "each column", rate, lambda x: x >= 0.5),
                _within(f"{name}: Improved Greedy checks at most 1 + columns x heights", start,
                        checks[IG], is_greedy=True),
            ]  # fmt: skip
            grids.append(Grid(experiment, _table_of(seen, experiment, start), "checks", "columns",
                              {m: c for m, c in checks.items() if c}, {}))  # fmt: skip
            spent = {m: _by_columns(seen, experiment, start, "group_seconds", m) for m in checks}
            grids.append(Grid(experiment, _table_of(seen, experiment, start), "group_seconds",
                              "columns", {m: c for m, c in spent.items() if c}, {}))  # fmt: skip
    return Evidence(parts, grids)


def _table_of(seen: Seen, experiment: str, start: str) -> str:
    """The names of tables with three to eight columns differ in their ends alone."""
    found = [name for name in seen.tables(experiment) if _is_of(name, start)]
    return found[0].rpartition("-")[0] if found else start


def _is_of(table: str, start: str) -> bool:
    return table.startswith(start) and table.startswith("adult-babu-other") == (
        start == "adult-babu-other"
    )


def _by_columns(seen: Seen, experiment: str, start: str, measure: str, method: str) -> Curve:
    """Every number of columns is a table of its own."""
    found: Curve = {}
    for table in seen.tables(experiment):
        if _is_of(table, start):
            found |= seen.curve(experiment, measure, method, table=table, k=10)
    return dict(sorted(found.items()))


def _within(says: str, start: str, checks: Curve, *, is_greedy: bool) -> Part:
    """Checks by their bound: 1 + r h for Improved Greedy, 1 + h for Datafly."""
    if not checks:
        return Part(says, None, "not measured")
    heights = [spec.height for spec in TABLES[start].quasi.values()]
    bounds = {r: 1 + (r if is_greedy else 1) * sum(heights[: int(r)]) for r in checks}
    worst = max(checks, key=lambda r: checks[r].mean / bounds[r])
    found = f"{checks[worst].mean:,.0f} of {bounds[worst]:,.0f} with {worst:g} columns"
    return Part(says, all(checks[r].mean <= bounds[r] for r in checks), found)


def c33(seen: Seen) -> Evidence:
    parts: list[Part] = []
    for experiment in (COLUMNS, f"{COLUMNS}-suppressing"):
        for start in TABLES:
            for method in (IG, DATAFLY):
                curve = _by_columns(seen, experiment, start, "checks", method)
                bound = "1 + columns x heights" if method == IG else "1 + heights"
                parts.append(_within(f"{start}, {experiment}: {method} checks at most {bound}",
                                     start, curve, is_greedy=method == IG))  # fmt: skip
    return Evidence(parts, c32(seen).grids[::2])


def c34(seen: Seen) -> Evidence:
    """No run: the sizes of levels are coefficients of a product of polynomials."""
    failing = [(h, r) for h, r in LATTICES if not _is_bounded(h, r)]
    found = f"for {len(LATTICES) - len(failing)} of {len(LATTICES)} pairs of h and r"
    says = "the middle level has (h+1)^r / (hr+1) to (h+1)^r nodes, and is the largest"
    return Evidence([Part(says, not failing, found)], [])


def _is_bounded(h: int, r: int) -> bool:
    levels = np.array([1], dtype=object)
    for _ in range(r):
        levels = np.convolve(levels, np.ones(h + 1, dtype=object))
    middle, whole = int(levels[h * r // 2]), (h + 1) ** r
    return bool(whole <= middle * (h * r + 1) and middle <= whole and middle == max(levels))


def _claim(id_: str, where: str, says: str, passes: str, judge: Callable[[Seen], Evidence],
           experiments: tuple[str, ...], plots: tuple[str, ...], assumes: tuple[str, ...] = (),
           why_not: str = "") -> Claim:  # fmt: skip
    return Claim(id_, PAPER, where, says, SETUP, passes, judge, experiments, (*ASSUMES, *assumes),
                 plots, beside=(CENSUS,), why_not=why_not)  # fmt: skip


CLAIMS = (
    _claim(
        "C27",
        "Figures 4 and 5",
        "Datafly is fastest, Improved Greedy nearly as fast, Samarati much slower.",
        "node checks: Datafly<=IG<Samarati at every k; IG checks <= 129 (Adult) "
        "/ 91 (CUPS); time(Samarati) >= 3*time(IG) on Adult",
        c27,
        (K,),
        ("babu-checks", "babu-seconds"),
        (CHECKS,),
    ),
    _claim(
        "C28",
        "Figures 6 and 7",
        "Improved Greedy loses about as much as Samarati, Datafly much more, above all at large k.",
        "iloss(IG) <= 1.15*iloss(Samarati) and iloss(Datafly) > "
        "iloss(IG) at >=80% of k; gap grows with k",
        c28,
        (K,),
        ("babu-iloss",),
    ),
    _claim(
        "C29",
        "Figure 8",
        "The levels of Improved Greedy are about those of Samarati, Datafly's markedly higher.",
        "level(IG)-level(Samarati) <= 1 at >=80% of k; level(Datafly) >= "
        "level(IG) always and > at >=50%",
        c29,
        (K,),
        ("babu-level",),
    ),
    _claim(
        "C30",
        "Figure 9",
        "On CUPS, Improved Greedy is slightly above Samarati and Datafly markedly above.",
        "0 <= level(IG)-level(Samarati) <= 2; level(Datafly)>level(IG) at >=50% of k",
        c30,
        (),
        ("census-level",),
        (),
        "The CUPS file cannot be had any more. What is shown is Census-Income, without a verdict.",
    ),
    _claim(
        "C31",
        "Section 5",
        "At a given level, the node of Improved Greedy loses less than Samarati's.",
        "mean over k of iloss(IG)/level(IG) <= mean iloss(Samarati)/level(Samarati)",
        c31,
        (K,),
        ("babu-iloss", "babu-level"),
        ("Values of k where a method stays at level 0 are left out.",),
    ),
    _claim(
        "C32",
        "Figure 10",
        "With more columns, Samarati's time grows exponentially; the greedy methods stay low.",
        "log(checks Samarati) linear in r with slope >= .5 nat per QI; checks IG <= 1+r*h_max",
        c32,
        (COLUMNS, f"{COLUMNS}-suppressing"),
        ("babu-columns-checks",),
        ("k = 10; columns in the order of the paper's list.", CHECKS),
    ),
    _claim(
        "C33",
        "Theorem 2",
        "Improved Greedy checks O(r² h) nodes, Datafly O(r h).",
        "counters: IG <= 1+r*h_max, Datafly <= 1+h_max",
        c33,
        (COLUMNS, f"{COLUMNS}-suppressing"),
        ("babu-columns-checks",),
        (CHECKS,),
    ),
    Claim(
        "C34",
        PAPER,
        "Theorem 1, Lemma 2",
        "The middle level of a lattice of r columns of height "
        "h has between (h+1)^r / (hr+1) and (h+1)^r nodes.",
        "No data: sizes of levels are computed.",
        "see BABU-CENTRAL-*: middle level size between (h+1)^r/(hr+1) and (h+1)^r",
        c34,
        (),
        ("Heights of 1 to 4, two to ten columns.",),
    ),
)
