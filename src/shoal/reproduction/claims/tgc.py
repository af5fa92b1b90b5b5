"""Loukides and Shao 2008: quality against k (C2 to C14)."""

from __future__ import annotations

from collections.abc import Callable

from shoal.reproduction.claims.claim import Claim, Evidence, Part
from shoal.reproduction.claims.seen import Curve, Seen, average, shared
from shoal.reproduction.claims.words import at_every, at_share, compared, least, most

PAPER = "Loukides and Shao 2008"
QUALITY, VALUES, NORMAL = "tgc-quality", "tgc-values", "tgc-normal"
READINGS = {"TGC as printed": "", "Shoal's tgc": "Shoal "}  # only the first counts
ADULT = (
    "Adult, 30,162 records; age, work class, race, sex, native country and income are "
    "quasi-identifiers, marital status and occupation are sensitive; s = 5k, r = 1, delta and "
    "delta' by Algorithm 3."
)
OURS = (
    "The axis of k is lost: 2, 5, 10, 25 and 50.",
    "The bundled hierarchies; the occupation is a number by the order of its leaves.",
    "TGC is a transcription that keeps every rule of the paper, with one cluster where none is "
    "accepted. Shown too: Shoal's tgc, which limits clusters to 2k - 1 records and weighs "
    "joining by size.",
    "Mondrian cuts between children of hierarchies; k-member is seeded seed to seed.",
)
Curves = Callable[[str], Curve]


def _evidence(
    seen: Seen,
    experiment: str,
    measures: tuple[str, ...],
    parts: Callable[[Callable[[str], Curve], str, bool], list[Part]],
) -> Evidence:
    """The parts of a claim for TGC as printed and for Shoal's."""
    found: list[Part] = []
    for reading, start in READINGS.items():

        def curve(name: str, measure: str = measures[0], start: str = start) -> Curve:
            method = f"{start}{name}" if name.startswith("TGC") else name
            return seen.curve(experiment, measure, method)

        found += parts(curve, reading, start == "")
    return Evidence(found, [seen.grid(experiment, measure) for measure in measures])


def c2(seen: Seen) -> Evidence:
    def parts(of: Curves, reading: str, counts: bool) -> list[Part]:
        mean, mondrian = average(of("TGCB")), average(of("Mondrian"))
        near = least({name: of(name) for name in ("K-Members", "TGCU")})
        return [
            compared(f"{reading}: UM of TGCB by that of Mondrian, both means over k, is at most "
                     "0.8", mean / mondrian, lambda x: x <= 0.8, counts),
            at_share(f"{reading}: UM of TGCB is at most 1.1 of the lower of K-Members and TGCU at "
                     "80 % of k", lambda b, low: b <= 1.1 * low, of("TGCB"), near, share=0.8,
                     counts=counts),
        ]  # fmt: skip

    return _evidence(seen, QUALITY, ("UM", "loss"), parts)._replace(
        remark="UM is a mean over groups, in which one huge group counts as one: the loss by "
        "record is shown too."
    )


def c3(seen: Seen) -> Evidence:
    def parts(of: Curves, reading: str, counts: bool) -> list[Part]:
        return [
            at_every(f"{reading}: UM of {name} is above that of TGCB", lambda p, b: p > b,
                     of(name), of("TGCB"), counts=counts)
            for name in ("TGCP", "K-Members-p")
        ]  # fmt: skip

    return _evidence(seen, QUALITY, ("UM",), parts)


def c4(seen: Seen) -> Evidence:
    def parts(of: Curves, reading: str, counts: bool) -> list[Part]:
        return [
            at_every(f"{reading}: DM of {name} is at most 1.5 of Mondrian's",
                     lambda own, m: own <= 1.5 * m, of(name), of("Mondrian"), counts=counts)
            for name in ("TGCU", "TGCB", "TGCP")
        ]  # fmt: skip

    return _evidence(seen, QUALITY, ("DM",), parts)


def c5(seen: Seen) -> Evidence:
    def parts(of: Curves, reading: str, counts: bool) -> list[Part]:
        others = least({name: of(name) for name in ("Mondrian", "K-Members")})
        return [at_every(f"{reading}: the error of TGCU is below those of Mondrian and K-Members",
                         lambda u, low: u < low, of("TGCU"), others, counts=counts)]  # fmt: skip

    return _evidence(seen, QUALITY, ("ARE1",), parts)


def c6(seen: Seen) -> Evidence:
    members = seen.curve(QUALITY, "ARE1", "K-Members")
    mondrian = seen.curve(QUALITY, "ARE1", "Mondrian")
    ks = shared(members, mondrian)
    parts = [
        Part(f"the error of K-Members is {word} that of Mondrian at the {which} k",
             None if not ks else (members[k].mean < mondrian[k].mean) == (word == "below"),
             "not measured" if not ks else
             f"{members[k].mean:.3g} and {mondrian[k].mean:.3g} at k = {k:g}")
        for which, word, k in (("smallest", "below", ks[0] if ks else 0),
                               ("largest", "above", ks[-1] if ks else 0))
    ]  # fmt: skip
    return Evidence(parts, [seen.grid(QUALITY, "ARE1", ["Mondrian", "K-Members"])])


def c7(seen: Seen) -> Evidence:
    def parts(of: Curves, reading: str, counts: bool) -> list[Part]:
        return [at_share(f"{reading}: the errors of TGCB and TGCU differ by at most 10 % of the "
                         "latter at 80 % of k", lambda b, u: abs(b - u) <= 0.1 * u, of("TGCB"),
                         of("TGCU"), share=0.8, counts=counts)]  # fmt: skip

    return _evidence(seen, QUALITY, ("ARE1",), parts)


def c8(seen: Seen) -> Evidence:
    def parts(of: Curves, reading: str, counts: bool) -> list[Part]:
        names = ("Mondrian", "K-Members", "TGCU", "TGCB", "TGCP")
        curves = {name: of(name) for name in names}
        ks = shared(*curves.values())
        found = []
        for which, ranks, k in (("smallest", (1, 2, 3), ks[0] if ks else None),
                                ("largest", (4, 5), ks[-1] if ks else None)):  # fmt: skip
            says = f"{reading}: TGCP is number {ranks[0]} to {ranks[-1]} of five at the {which} k"
            if k is None:
                found.append(Part(says, None, "not measured", counts))
                continue
            in_order = sorted(names, key=lambda name, k=k: curves[name][k].mean)  # type: ignore[misc]
            place = in_order.index("TGCP") + 1
            found.append(Part(says, place in ranks, f"number {place} at k = {k:g}", counts))
        return found

    return _evidence(seen, QUALITY, ("ARE1",), parts)


def c9(seen: Seen) -> Evidence:
    def parts(of: Curves, reading: str, counts: bool) -> list[Part]:
        own = most({name: of(name) for name in ("TGCU", "TGCB", "TGCP")})
        others = least({name: of(name) for name in ("Mondrian", "K-Members")})
        return [at_every(f"{reading}: the highest error of the three TGC is below the lower of "
                         "Mondrian and K-Members", lambda high, low: high < low, own, others,
                         counts=counts)]  # fmt: skip

    return _evidence(seen, QUALITY, ("ARE2",), parts)


def c10(seen: Seen) -> Evidence:
    def parts(of: Curves, reading: str, counts: bool) -> list[Part]:
        found = [
            at_every(f"{reading}: protection of {name} is above that of TGCB", lambda x, b: x > b,
                     of(name), of("TGCB"), counts=counts)
            for name in ("TGCU", "K-Members", "Mondrian")
        ]  # fmt: skip
        return [*found, at_every(f"{reading}: protection of TGCB is at least that of TGCP",
                                 lambda b, p: b >= p, of("TGCB"), of("TGCP"),
                                 counts=counts)]  # fmt: skip

    return _evidence(seen, QUALITY, ("protection",), parts)


def c11(seen: Seen) -> Evidence:
    def parts(of: Curves, reading: str, counts: bool) -> list[Part]:
        return [at_every(f"{reading}: protection of TGCP and K-Members-p differ by at most 10 % of "
                         "the latter", lambda p, m: abs(p - m) <= 0.1 * m, of("TGCP"),
                         of("K-Members-p"), counts=counts)]  # fmt: skip

    return _evidence(seen, QUALITY, ("protection",), parts)


def c12(seen: Seen) -> Evidence:
    found = []
    for reading, start in READINGS.items():
        low = (f"{start}TGCB", f"{start}TGCP", "K-Members-p")
        high = ("Mondrian", "K-Members", f"{start}TGCU")
        for measure, words, test in (
            ("c", "mean c of TGCB, TGCP and K-Members-p is below that of the others", True),
            ("l", "mean l of these is at most that of the others", False),
        ):
            sides = [_mean_of(seen, measure, names) for names in (low, high)]
            says = f"{reading}: {words}"
            if None in sides:
                found.append(Part(says, None, "not measured", start == ""))
                continue
            one, other = (side for side in sides if side is not None)
            holds = one < other if test else one <= other
            found.append(Part(says, holds, f"{one:.3g} and {other:.3g}", start == ""))
    grids = [seen.grid(VALUES, measure) for measure in ("c", "l", "alone")]
    return Evidence(
        found, grids,
        "c leaves out groups with one value alone, whose share is `alone`. With r = 1 and no "
        "hierarchy, different values are what lowers S-diversity, so l rises with protection.",
    )  # fmt: skip


def _mean_of(seen: Seen, measure: str, names: tuple[str, ...]) -> float | None:
    figures = [average(seen.curve(VALUES, measure, name)) for name in names]
    return None if any(x != x for x in figures) else sum(figures) / len(figures)


def c13(seen: Seen) -> Evidence:
    def parts(of: Curves, reading: str, counts: bool) -> list[Part]:
        return [
            at_share(f"{reading}: UM of {name} is at most {bound:g} of K-Members' at 80 % of k",
                     lambda own, m, bound=bound: own <= bound * m, of(name), of("K-Members"),
                     share=0.8, counts=counts)
            for name, bound in (("TGCU", 1.1), ("TGCB", 1.25))
        ]  # fmt: skip

    return _evidence(seen, NORMAL, ("UM", "loss"), parts)


def c14(seen: Seen) -> Evidence:
    def parts(of: Curves, reading: str, counts: bool) -> list[Part]:
        protecting = most({name: of(name) for name in ("TGCP", "K-Members-p")})
        others = least({name: of(name) for name in ("Mondrian", "K-Members", "TGCU")})
        return [
            at_every(f"{reading}: protection of TGCB is at most 1.1 of the higher of TGCP and "
                     "K-Members-p", lambda b, p: b <= 1.1 * p, of("TGCB"), protecting,
                     counts=counts),
            at_every(f"{reading}: ... and below 0.95 of the lowest of the other three",
                     lambda b, low: b < 0.95 * low, of("TGCB"), others, counts=counts),
        ]  # fmt: skip

    return _evidence(seen, NORMAL, ("protection",), parts)


QUERIES = (
    "A range covers the same share of each of its columns, so that all together cover the "
    "selectivity; queries that no record answers to are drawn again.",
)
NORMALS = (
    "Four of the five columns are quasi-identifiers, the last is sensitive: the paper does not "
    "say which.",
)


def _quality(id_: str, where: str, says: str, passes: str, judge: Callable[[Seen], Evidence],
             plots: tuple[str, ...], assumes: tuple[str, ...] = ()) -> Claim:  # fmt: skip
    return Claim(
        id_, PAPER, where, says, ADULT, passes, judge, (QUALITY,), (*OURS, *assumes), plots
    )


CLAIMS = (
    _quality(
        "C2",
        "Figure 6",
        "TGCB keeps clearly more utility than Mondrian, and nearly as much as K-Members and TGCU.",
        "UM(TGCB) <= .8*UM(Mondrian) on average over k, and <= "
        "1.10*min(UM(K-Members),UM(TGCU)) at >=80% of k",
        c2,
        ("tgc-um",),
    ),
    _quality(
        "C3",
        "Figure 6",
        "TGCP and K-Members-p keep little utility.",
        "both UM > UM(TGCB) for every k",
        c3,
        ("tgc-um",),
    ),
    _quality(
        "C4",
        "Figure 7",
        "All three TGC keep discernibility low, although groups may have any size.",
        "DM(x) <= 1.5*DM(Mondrian) for x in U,B,P and every k",
        c4,
        ("tgc-dm",),
    ),
    _quality(
        "C5",
        "Figure 8",
        "For counts of three columns, TGCU has a lower error than Mondrian and K-Members.",
        "ARE(TGCU) < min(ARE(Mondrian),ARE(K-Members)) for every k",
        c5,
        ("tgc-are1",),
        QUERIES,
    ),
    _quality(
        "C6",
        "Figure 8",
        "K-Members is good for small k, Mondrian for large k.",
        "ARE(K-Members)<ARE(Mondrian) at smallest k and the sign flips at largest k",
        c6,
        ("tgc-are1",),
        QUERIES,
    ),
    _quality(
        "C7",
        "Figure 8",
        "TGCB is about as good as TGCU for counts of three columns.",
        "/ARE(TGCB)-ARE(TGCU)/ <= 10% of ARE(TGCU) at >=80% of k",
        c7,
        ("tgc-are1",),
        QUERIES,
    ),
    _quality(
        "C8",
        "Figure 8",
        "TGCP is good for small k only.",
        "rank of TGCP among 5 methods is <=3 at smallest k and 4-5 at largest k",
        c8,
        ("tgc-are1",),
        QUERIES,
    ),
    _quality(
        "C9",
        "Figure 9",
        "For counts of five columns all three TGC beat Mondrian and K-Members.",
        "max ARE(TGC*) < min(ARE(Mondrian),ARE(K-Members)) for every k",
        c9,
        ("tgc-are2",),
        QUERIES,
    ),
    _quality(
        "C10",
        "Figure 10",
        "Who optimises utility alone protects worse.",
        "protection(TGCU), (K-Members), (Mondrian) each > protection(TGCB) >= "
        "protection(TGCP) for every k",
        c10,
        ("tgc-protection",),
    ),
    _quality(
        "C11",
        "Figure 10",
        "TGCP protects about as well as K-Members-p.",
        "/difference/ <= 10% for every k",
        c11,
        ("tgc-protection",),
    ),
    Claim(
        "C12",
        PAPER,
        "Figures 11 and 12",
        "TGCB, TGCP and K-Members-p make groups with few "
        "sensitive values of which none is frequent; groups of the others have more values.",
        "The first 5,000 records of Adult; the occupation is the only sensitive column, without "
        "a hierarchy.",
        "mean c(TGCB,TGCP,KMp) < mean c(others) AND mean l(TGCB,TGCP,KMp) <= mean l(others)",
        c12,
        (VALUES,),
        (*OURS, "Means over all k and methods."),
        ("tgc-c", "tgc-l"),
    ),
    Claim(
        "C13",
        PAPER,
        "Figure 13",
        "On normal data, TGCU keeps about as much utility as K-Members, and TGCB comes near.",
        "8,000 records of five standard normal columns.",
        "UM(TGCU) <= 1.10*UM(K-Members); UM(TGCB) <= 1.25*UM(K-Members) for >=80% of k",
        c13,
        (NORMAL,),
        (*OURS, *NORMALS),
        ("normal-um",),
    ),
    Claim(
        "C14",
        PAPER,
        "Figure 14",
        "On normal data Mondrian, K-Members and TGCU protect badly; "
        "TGCB is near TGCP and K-Members-p.",
        "8,000 records of five standard normal columns.",
        "protection(TGCB) <= 1.10*max(protection(TGCP),protection(KMp)) and < .95*min(protection "
        "of the other three)",
        c14,
        (NORMAL,),
        (*OURS, *NORMALS),
        ("normal-protection",),
    ),
)
