"""The claims C1 to C44, a file for each paper."""

from __future__ import annotations

from shoal.reproduction.claims import babu, kayem, mstk, oka, tgc, tgc_cost, tgc_effects

PAPERS = (tgc, tgc_effects, tgc_cost, kayem, babu, mstk, oka)
CLAIMS = tuple(
    sorted((claim for paper in PAPERS for claim in paper.CLAIMS), key=lambda one: int(one.id[1:]))
)
