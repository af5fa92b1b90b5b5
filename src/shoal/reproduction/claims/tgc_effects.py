"""Loukides and Shao 2008: samples, and the effect of s, r and the weights (C1, C15 to C17, C20)."""

from __future__ import annotations

import math

from shoal.reproduction.claims.claim import Claim, Evidence, Part
from shoal.reproduction.claims.seen import Curve, Grid, Seen, pearson, shared, spearman
from shoal.reproduction.claims.tgc import NORMALS, OURS, PAPER
from shoal.reproduction.claims.words import compared

R = (0.1, 0.25, 0.5, 0.75, 1.0)


def c1(seen: Seen) -> Evidence:
    parts: list[Part] = []
    for measure in ("UM", "protection"):
        whole, sample = (
            seen.curve("tgc-delta", measure, name, k=5) for name in ("all records", "sample")
        )
        at = shared(whole, sample)
        one, other = [whole[x].mean for x in at], [sample[x].mean for x in at]
        gaps = [abs(b - a) / a for a, b in zip(one, other, strict=True)]
        gap = sum(gaps) / len(gaps) if gaps else math.nan
        parts += [
            compared(f"{measure}: the correlation of both curves is at least 0.9",
                     pearson(one, other), lambda x: x >= 0.9),
            compared(f"{measure}: their mean relative gap is at most 15 %", gap,
                     lambda x: x <= 0.15),
        ]  # fmt: skip
    return Evidence(parts, [seen.grid("tgc-delta", m, k=5) for m in ("UM", "protection")])


def c15(seen: Seen) -> Evidence:
    parts: list[Part] = []
    grids: list[Grid] = []
    for table in seen.tables("tgc-s"):
        kind = "normal data" if table.startswith("normal") else "Adult"
        for method in ("TGCB", "TGCB, delta' off", "Shoal TGCB"):
            for measure in ("UM", "protection"):
                curve = seen.curve("tgc-s", measure, method, table=table, k=5)
                says = f"{kind}, {method}: {measure} at s = 25 is within 5 % of all larger s"
                parts.append(_flat(says, curve, method == "TGCB"))
            curve = seen.curve("tgc-s", "UM", method, table=table, k=5)
            parts.append(_falls(f"{kind}, {method}: UM at s = 5 is above that at s = 25", curve,
                                method == "TGCB"))  # fmt: skip
        grids += [seen.grid("tgc-s", m, table=table, k=5) for m in ("UM", "protection")]
    return Evidence(
        parts or [Part("measured at all", None, "not measured")], grids,
        "Where delta' forbids the first cut, s changes nothing: `delta' off` shows the effect of "
        "s alone.",
    )  # fmt: skip


def _flat(says: str, curve: Curve, counts: bool) -> Part:
    larger = [x for x in curve if x > 25]
    if 25 not in curve or not larger:
        return Part(says, None, "not measured", counts)
    worst = max(abs(curve[25].mean - curve[x].mean) / curve[x].mean for x in larger)
    return Part(says, worst <= 0.05, f"{worst:.1%} apart at most", counts)


def _falls(says: str, curve: Curve, counts: bool) -> Part:
    if 5 not in curve or 25 not in curve:
        return Part(says, None, "not measured", counts)
    first, later = curve[5].mean, curve[25].mean
    return Part(says, first > later, f"{first:.4g} and {later:.4g}", counts)


def c16(seen: Seen) -> Evidence:
    parts: list[Part] = []
    for method in ("TGCB", "Shoal TGCB"):
        counts = method == "TGCB"
        utility = seen.curve("tgc-r", "UM", method, k=5)
        own = {r: c[r] for r in R
               if r in (c := seen.curve("tgc-r", _protection(r), method, k=5))}  # fmt: skip
        fixed = seen.curve("tgc-r", "protection", method, k=5)
        parts += [
            compared(f"{method}: rank correlation of r and UM is at most -0.8", spearman(utility),
                     lambda x: x <= -0.8, counts),
            compared(f"{method}: rank correlation of r and protection, measured with the same r, "
                     "is at least 0.8", spearman(own), lambda x: x >= 0.8, counts),
            compared(f"{method}: the same with protection always measured with r = 1",
                     spearman(fixed), lambda x: x >= 0.8, False),
        ]  # fmt: skip
    names = ["UM", "protection", *(_protection(r) for r in R[:-1])]
    return Evidence(
        parts, [seen.grid("tgc-r", name, k=5) for name in names],
        "Protection counts pairs within r of each other, so it rises with r by definition; "
        "measured with a fixed r it shows whether clusters differ.",
    )  # fmt: skip


def _protection(r: float) -> str:
    return "protection" if r == 1 else f"protection, r = {r:g}"


def c17(seen: Seen) -> Evidence:
    parts: list[Part] = []
    for method in ("TGC", "Shoal TGC"):
        for measure, sign in (("UM", -1), ("protection", 1)):
            curve = seen.curve("tgc-weights", measure, method, k=10)
            bound = "at most -0.8" if sign < 0 else "at least 0.8"
            parts.append(compared(
                f"{method}: rank correlation of the weight of utility and {measure} is {bound}",
                spearman(curve), lambda x, sign=sign: sign * x >= 0.8,  # type: ignore[misc]
                method == "TGC"))  # fmt: skip
    return Evidence(parts, [seen.grid("tgc-weights", m, k=10) for m in ("UM", "protection")])


def c20(seen: Seen) -> Evidence:
    parts: list[Part] = []
    grids: list[Grid] = []
    for k in (5, 10):
        scores = [
            {x: found.mean for x, found in seen.curve("tgc-grid", m, "given", k=k).items()}
            for m in ("UM", "protection")
        ]
        chosen = [seen.curve("tgc-grid", m, "chosen", k=k) for m in ("UM", "protection")]
        totals = {x: scores[0][x] + scores[1][x] for x in scores[0] if x in scores[1]}
        score = sum(c[0.0].mean for c in chosen) if all(0.0 in c for c in chosen) else math.nan
        best = min(totals.values(), default=math.nan)
        at = f", which delta = {min(totals, key=totals.__getitem__):g} gives" if totals else ""
        parts.append(compared(f"k = {k}: utility + protection with the chosen delta by the best of "
                              f"the grid{at} is at most 1.05", score / best,
                              lambda x: x <= 1.05))  # fmt: skip
        grids += [seen.grid("tgc-grid", m, ["chosen"], k=k) for m in ("UM", "protection", "delta")]
    return Evidence(parts, grids)


CLAIMS = (
    Claim(
        "C1",
        PAPER,
        "Figure 5",
        "Utility and protection as functions of delta look alike on a "
        "2.5 % sample and on all records.",
        "Adult, k = 5, both weights 0.5, r = 1.",
        "Pearson rho >= .9 for each curve AND mean relative gap <= 15%",
        c1,
        ("tgc-delta",),
        (
            "15 values of delta from 1/16 to 15/16; no pre-partitioning on either side.",
            "Each seed has a sample of its own, drawn with replacement; numbers have the width of "
            "the sample.",
            *OURS[1:3],
        ),
        ("tgc-delta-um", "tgc-delta-protection"),
    ),
    Claim(
        "C15",
        PAPER,
        "Figures 15 and 16",
        "Larger subspaces improve both qualities up to s = 5k; beyond, nothing changes.",
        "TGCB, k = 5, on Adult and on normal data.",
        "utility and protection at s=25 within 5% of the values at every larger s, and "
        "utility(s=5) > utility(s=25)",
        c15,
        ("tgc-s",),
        (*OURS[1:], *NORMALS),
        ("adult-s-um", "adult-s-protection", "normal-s-um", "normal-s-protection"),
    ),
    Claim(
        "C16",
        PAPER,
        "Figure 17",
        "A larger r trades protection for utility.",
        "TGCB, k = 5, normal data, r of 0.1, 0.25, 0.5, 0.75 and 1.",
        "Spearman(r,utility)<=-.8 and Spearman(r,protection)>=.8",
        c16,
        ("tgc-r",),
        NORMALS,
        ("normal-r-um", "normal-r-protection"),
    ),
    Claim(
        "C17",
        PAPER,
        "Figure 18",
        "The weights steer the trade-off.",
        "Normal data, k = 10, weights of utility from 0 to 1 by tenths.",
        "Spearman(w_u,utility)<=-.8 and Spearman(w_u,protection)>=.8",
        c17,
        ("tgc-weights",),
        NORMALS,
        ("normal-weights-um", "normal-weights-protection"),
    ),
    Claim(
        "C20",
        PAPER,
        "Section 3.3",
        "A sample of 2.5 % and five iterations give thresholds that are good for all records.",
        "TGCB on Adult.",
        "(utility+protection) on full data with the chosen delta <= 1.05 * best over a 64-point "
        "delta grid",
        c20,
        ("tgc-grid",),
        ("10,000 records of Adult, k = 5 and 10, delta' by Algorithm 3 in all runs.", *OURS[1:3]),
        (),
    ),
)
