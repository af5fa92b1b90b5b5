"""Average size of a group (ARX's AECS)."""

from __future__ import annotations

from dataclasses import dataclass

from shoal.types.metric import Metric
from shoal.types.outcome import Judged


@dataclass(frozen=True)
class ClassSize(Metric[Judged]):
    """Average group size; all suppressed records together count as one group.

    >>> import polars as pl, shoal
    >>> release = shoal.anonymize(pl.DataFrame({"age": [21, 27, 44, 52, 53]}),
    ...                           quasi={"age": shoal.intervals(20, 40)},
    ...                           privacy=[shoal.KAnonymity(2)],
    ...                           algorithm=shoal.Flash(metric="class-size"))
    >>> release.frame["age"].to_list()
    ['[20, 39]', '[20, 39]', '[40, 59]', '[40, 59]', '[40, 59]']
    >>> release.summary()["cost"]  # 5 records in 2 groups
    2.5
    """

    bound = "groups"

    def measure(self, judged: Judged) -> float:
        return judged.n_records / (len(judged.sizes) + (judged.n_suppressed > 0))
