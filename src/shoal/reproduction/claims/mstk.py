"""Venkata Ramana and Valli Kumari: MSTK against Incognito (C35 to C39)."""

from __future__ import annotations

import math

from shoal.reproduction.claims.claim import Claim, Evidence, Part
from shoal.reproduction.claims.seen import Seen, shared, slope
from shoal.reproduction.claims.words import at_every, compared

PAPER = "Venkata Ramana and Valli Kumari"
K, N = "mstk-k", "mstk-n"
MSTK, ANY, INCOGNITO, COUNTED = "MSTK", "MSTK, merging with any", "Incognito", "MSTK, counted"
SETUP = (
    "Adult, 30,162 records; age, work class, sex, education, race and occupation with hierarchies "
    "of heights 4, 3, 1, 4, 2 and 2; k = 3, 6, ... 21."
)
ASSUMES = (
    "Hierarchies are not published, only their heights: the bundled ones, some levels left out; "
    "ages by 5, 10 and 20 years.",
    "Of all nodes that Incognito finds, the one with the least loss.",
    "The printed code of MSTK loses records. Shoal's mstk makes it keep them: classes of k are "
    "accepted, thresholds are computed for each subtree, small classes are merged until none is "
    "left. Merging with any class is shown too.",
)
COUNTING = (
    "Judged by counted work: pairs of records that Prim's algorithm compares, and records that "
    "Incognito counts, which are its checks times all records. Shoal's own processor seconds are "
    "shown too: its mstk finds the tree without comparing all pairs."
)


def _lower(seen: Seen, measure: str, words: str, share: float = 1.0) -> list[Part]:
    other = seen.curve(K, measure, INCOGNITO)
    return [
        at_every(f"{method}: {words}", lambda own, inc: own < share * inc
                 or (share < 1 and own <= share * inc), seen.curve(K, measure, method), other,
                 counts=method == MSTK)
        for method in (MSTK, ANY)
    ]  # fmt: skip


def c35(seen: Seen) -> Evidence:
    parts = _lower(seen, "iloss", "loss is at most 0.9 of Incognito's", 0.9)
    return Evidence(parts, [seen.grid(K, "iloss", [MSTK, ANY, INCOGNITO])],
                    "iloss is the total over all records; divided by the records it is the paper's "
                    "IL.")  # fmt: skip


def c36(seen: Seen) -> Evidence:
    parts = _lower(seen, "DM", "discernibility is below Incognito's")
    return Evidence(parts, [seen.grid(K, "DM", [MSTK, ANY, INCOGNITO])])


def c37(seen: Seen) -> Evidence:
    parts = _lower(seen, "CAVG", "CAVG is below Incognito's")
    for method in (MSTK, ANY):
        own, other = seen.curve(K, "CAVG", method), seen.curve(K, "CAVG", INCOGNITO)
        ks = shared(own, other)
        times = other[ks[0]].mean / own[ks[0]].mean if ks else math.nan
        parts += [
            compared(f"{method}: Incognito's CAVG at k = 3 is at least 5 times as large", times,
                     lambda x: x >= 5, method == MSTK),
            at_every(f"{method}: CAVG is at most 3", lambda x: x <= 3, own, counts=method == MSTK),
        ]  # fmt: skip
    return Evidence(parts, [seen.grid(K, "CAVG", [MSTK, ANY, INCOGNITO])])


def c38(seen: Seen) -> Evidence:
    counted = seen.curve(K, "evaluations", COUNTED)
    pairs = next(iter(counted.values())).mean if counted else math.nan
    n = (1 + math.sqrt(1 + 8 * pairs)) / 2 if counted else math.nan  # pairs = n (n - 1) / 2
    checks = seen.curve(K, "checks", INCOGNITO)
    seconds = [seen.curve(K, "group_seconds", method) for method in (MSTK, INCOGNITO)]
    says = "MSTK compares more pairs than Incognito counts records"
    parts = [
        at_every(says, lambda c: pairs > c * n, checks) if counted
        else Part(says, None, "not measured"),
        at_every("Shoal's seconds: mstk takes longer than incognito", lambda m, i: m > i, *seconds,
                 counts=False),
    ]  # fmt: skip
    grids = [seen.grid(K, "checks", [INCOGNITO]), seen.grid(K, "evaluations", [COUNTED]),
             seen.grid(K, "group_seconds", [MSTK, ANY, INCOGNITO])]  # fmt: skip
    return Evidence(parts, grids, "The pairs do not depend on k.")


def c39(seen: Seen) -> Evidence:
    pairs = seen.curve(N, "evaluations", COUNTED, k=3)
    spent = seen.curve(N, "group_seconds", COUNTED, k=3)
    own = seen.curve(N, "group_seconds", MSTK, k=3)

    def is_square(x: float) -> bool:
        return 1.7 <= x <= 2.3

    parts = [
        compared("pairs grow by a power of n of 1.7 to 2.3", slope(pairs), is_square),
        compared("seconds of the counted method: the same", slope(spent), is_square, False),
        compared("seconds of Shoal's mstk: the same", slope(own), is_square, False),
    ]
    return Evidence(parts, [seen.grid(N, m, k=3) for m in ("evaluations", "group_seconds")])


CLAIMS = (
    Claim(
        "C35",
        PAPER,
        "Figure 6(a)",
        "MSTK loses far less than Incognito for all k.",
        SETUP,
        "IL_T(MSTK) <= .9*IL_T(Incognito) for each of the 7 k",
        c35,
        (K,),
        ASSUMES,
        ("mstk-iloss",),
    ),
    Claim(
        "C36",
        PAPER,
        "Figure 6(b)",
        "MSTK has a lower discernibility in all experiments.",
        SETUP,
        "DM strictly lower for each k",
        c36,
        (K,),
        ASSUMES,
        ("mstk-dm",),
    ),
    Claim(
        "C37",
        PAPER,
        "Figure 6(c)",
        "MSTK has a lower CAVG; Incognito's is very high at small k, MSTK's low at any.",
        SETUP,
        "CAVG(MSTK)<CAVG(Incognito) for each k; "
        "CAVG(Incognito,k=3) >= 5*CAVG(MSTK,k=3); CAVG(MSTK) <= 3 for each k",
        c37,
        (K,),
        ASSUMES,
        ("mstk-cavg",),
    ),
    Claim(
        "C38",
        PAPER,
        "Section 8",
        "MSTK is slower than Incognito.",
        SETUP,
        "t(MSTK)>t(Incognito) for each k",
        c38,
        (K,),
        (*ASSUMES, COUNTING),
        ("mstk-seconds",),
    ),
    Claim(
        "C39",
        PAPER,
        "Section 6",
        "The whole method costs O(n²).",
        SETUP,
        "log-log slope of time in n between 1.7 and 2.3",
        c39,
        (N,),
        (*ASSUMES, COUNTING),
        (),
    ),
)
