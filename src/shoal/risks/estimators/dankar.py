"""Dankar's rule: which estimate to take, by the sampling fraction."""

from __future__ import annotations

from dataclasses import replace

from shoal.risks.estimators.class_sizes import Answer, ClassSizes, Estimate
from shoal.risks.estimators.pitman import pitman
from shoal.risks.estimators.snb import snb
from shoal.risks.estimators.zayatz import zayatz

LARGEST_OF_PITMAN = 0.1  # sampling fraction


def dankar(sizes: ClassSizes) -> Answer:
    """Pitman up to a tenth of the population, Zayatz where it fails; above, the smaller of SNB
    and Zayatz (Dankar et al., 2012).
    """
    if sizes.fraction <= LARGEST_OF_PITMAN:
        answers = [pitman(sizes)]
        if not isinstance(answers[0], Estimate):
            answers.append(zayatz(sizes))
    else:
        answers = [snb(sizes), zayatz(sizes)]
    found = [answer for answer in answers if isinstance(answer, Estimate)]
    if not found:
        return replace(answers[-1], method="dankar")
    best = min(found, key=lambda estimate: estimate.n_uniques)
    return replace(best, method=f"dankar ({best.method})")
