"""What there is to say about special uniques: for the table, its columns and every record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from shoal.errors import BadOption, nearest
from shoal.risks.special_uniques import Scale
from shoal.types.arrays import FloatArray, Int32Array
from shoal.types.column import RawColumn
from shoal.types.showable import Showable

if TYPE_CHECKING:
    from rich.console import Console


@dataclass(frozen=True, eq=False, repr=False)
class Suda(Showable):
    """Special uniques of a table. Figures only, but for `values`, which names them.

    `scores` and `dis` have a figure for each record, in the order of the table: the score, and the
    probability that a match with the record is right. `n_by_size` says how many records are made
    unique by so few columns, and by no fewer of these. `contributions`: the share of all scores
    that comes from combinations with a column; several columns share a combination, so they add up
    to more than 1.

    >>> import polars as pl, shoal
    >>> people = pl.DataFrame({"age": [31, 31, 52], "sex": ["f", "m", "f"]})
    >>> policy = shoal.Policy.of_roles(quasi=["age", "sex"], privacy=[shoal.KAnonymity(2)])
    >>> found = shoal.suda(people, policy)
    >>> found, found.scores.tolist(), found.n_by_size
    (<Suda: 3 of 3 records are special uniques>, [1.0, 1.0, 1.0], {1: 2, 2: 1})
    """

    names: tuple[str, ...]
    size: int
    scale: Scale
    share: float
    scores: FloatArray
    dis: FloatArray
    n_by_size: Mapping[int, int]
    contributions: Mapping[str, float]
    n_in_pairs: int
    _columns: Mapping[str, RawColumn]
    _of_columns: FloatArray  # of each row that stands for equal records
    _row_of_record: Int32Array
    high: float = 0.1  # of DIS: a match is right more often than once in ten

    def __repr__(self) -> str:
        return f"<Suda: {self.n_special:,} of {len(self.scores):,} records are special uniques>"

    def print_to(self, console: Console) -> None:
        from shoal.report.suda import print_suda

        print_suda(self, console)

    @property
    def n_special(self) -> int:
        """Records that some combination of up to `size` columns makes unique."""
        return int(np.count_nonzero(self.scores))

    @property
    def n_high(self) -> int:
        return int(np.count_nonzero(self.dis > self.high))

    def values(self, column: str) -> dict[str, float]:
        """The share of each value in what its column contributes, the largest first.

        It names values of the table: look at it on your own screen, and do not pass it on.

        >>> import polars as pl, shoal
        >>> people = pl.DataFrame({"age": [31, 31, 52], "sex": ["f", "m", "f"]})
        >>> policy = shoal.Policy.of_roles(quasi=["age", "sex"], privacy=[shoal.KAnonymity(2)])
        >>> shoal.suda(people, policy).values("sex")
        {'f': 0.5, 'm': 0.5}
        """
        if column not in self.names:
            raise BadOption(f"There is no quasi-identifier {column!r}{nearest(column, self.names)}")
        read = self._columns[column]
        weights = self._of_columns[self._row_of_record, self.names.index(column)]
        by_value = np.bincount(read.codes + 1, weights, minlength=len(read.labels) + 1)[1:]
        total = float(by_value.sum()) or 1.0
        shares = dict(zip(read.labels, (by_value / total).tolist(), strict=True))
        return dict(sorted(shares.items(), key=lambda item: -item[1]))

    def as_dict(self) -> dict[str, Any]:
        """As `shoal suda --json` prints it."""
        return {
            "quasi": list(self.names),
            "size": self.size,
            "scale": self.scale,
            "share": self.share,
            "rows": len(self.scores),
            "special_uniques": self.n_special,
            "by_size": {str(size): n for size, n in self.n_by_size.items()},
            "in_pairs": self.n_in_pairs,
            "highest_score": float(self.scores.max(initial=0.0)),
            "highest_dis": float(self.dis.max(initial=0.0)),
            "dis_above": {"bound": self.high, "rows": self.n_high},
            "contributions": dict(self.contributions),
        }
