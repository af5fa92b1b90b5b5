"""The estimators that need class sizes only, by name."""

from __future__ import annotations

from collections.abc import Callable

from shoal.risks.estimators.class_sizes import Answer, ClassSizes
from shoal.risks.estimators.dankar import dankar
from shoal.risks.estimators.pitman import pitman
from shoal.risks.estimators.snb import snb
from shoal.risks.estimators.zayatz import zayatz

BY_SIZES: dict[str, Callable[[ClassSizes], Answer]] = {
    "pitman": pitman,
    "zayatz": zayatz,
    "snb": snb,
    "dankar": dankar,
}
