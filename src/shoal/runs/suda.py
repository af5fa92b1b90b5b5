"""`shoal suda`: special uniques of a table."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, get_args

import numpy as np

from shoal.encode.fold import fold_equal_rows
from shoal.errors import BadOption, nearest
from shoal.policy.policy import Policy
from shoal.read.given import source_of
from shoal.read.source import Source
from shoal.risks.rows import Rows, fold, with_missing
from shoal.risks.special_uniques import Found, Scale, dis_scores, refuse_many, special_uniques
from shoal.risks.suda import Suda
from shoal.runs.inputs import read_columns, refuse_threads, with_formats
from shoal.runs.risk import people_in
from shoal.runs.stages import Stages
from shoal.types.arrays import FloatArray
from shoal.types.column import RawColumn
from shoal.types.frames import File, Given
from shoal.types.watch import Watch

SIZE = 3  # columns
SHARE = 0.1  # of the population
SCALES: tuple[str, ...] = get_args(Scale)


def suda(
    frame: Given,
    policy: Policy | Mapping[str, Any] | File,
    *,
    size: int = SIZE,
    scale: Scale = "factorial",
    share: float = SHARE,
    threads: int | None = None,
    watch: Watch | None = None,
) -> Suda:
    """Which records few columns make unique (special uniques), and how rare that makes them.

    All combinations of up to `size` quasi-identifiers of a polars, pandas or pyarrow table, or that
    of a file, are looked at. `share` is the part of the population that the table is thought to be.

    >>> import polars as pl
    >>> from shoal.privacy.k_anonymity import KAnonymity
    >>> people = pl.DataFrame({"age": [31, 31, 52], "sex": ["f", "m", "f"]})
    >>> policy = Policy.of_roles(quasi=["age", "sex"], privacy=[KAnonymity(2)])
    >>> suda(people, policy).contributions
    {'age': 0.6666666666666666, 'sex': 0.6666666666666666}
    """
    return suda_of(
        source_of(frame),
        Policy.of(policy),
        size=size,
        scale=scale,
        share=share,
        threads=threads,
        stages=Stages(watch=watch),
    )


def suda_of(
    source: Source,
    policy: Policy,
    *,
    size: int = SIZE,
    scale: Scale = "factorial",
    share: float = SHARE,
    threads: int | None = None,
    stages: Stages | None = None,
) -> Suda:
    """The same for a table as it was read; `stages` hears how far it is."""
    stages = stages or Stages()
    refuse_settings(size, scale, share, threads)
    quasi = policy.schema_for(source.frame.columns).quasi
    refuse_many(len(quasi), min(size, len(quasi)))
    with stages("encode"), policy.locating():
        policy, _ = with_formats(source, policy, policy.schema_for(source.frame.columns))
        columns = read_columns(source, policy, quasi)
        rows = fold(list(columns.values()), people_in(source, policy))
        if rows.owners is not None:
            raise BadOption(
                "Special uniques are counted for tables with one record for each person. In this "
                "one, people have several that differ in quasi-identifiers. Keep one of each, or "
                "use `shoal risk`, which counts people"
            )
    with stages("risk"):
        found = special_uniques(
            rows,
            [codes == n - 1 for codes, n in zip(rows.columns, rows.n_codes, strict=True)],
            largest=size,
            scale=scale,
            threads=threads or os.cpu_count() or 1,
            watch=stages.watch,
        )
    return _figures(columns, rows, found, size=min(size, len(quasi)), scale=scale, share=share)


def _figures(
    columns: Mapping[str, RawColumn],
    rows: Rows,
    found: Found,
    *,
    size: int,
    scale: Scale,
    share: float,
) -> Suda:
    """What was found of rows, for every record."""
    codes = [with_missing(column) for column in columns.values()]
    row_of_record, _ = fold_equal_rows(codes, rows.n_codes)
    n_in_pairs = 2 * int(np.count_nonzero(rows.weights == 2))
    dis = dis_scores(found.scores, n_in_pairs, len(columns), share)
    total = float(found.scores.sum()) or 1.0
    of_columns = _of_all(rows, found, found.of_columns)
    return Suda(
        names=tuple(columns),
        size=size,
        scale=scale,
        share=share,
        scores=_of_all(rows, found, found.scores)[row_of_record],
        dis=_of_all(rows, found, dis)[row_of_record],
        n_by_size=found.n_by_size,
        contributions=dict(
            zip(columns, (found.of_columns.sum(axis=0) / total).tolist(), strict=True)
        ),
        n_in_pairs=n_in_pairs,
        _columns=columns,
        _of_columns=of_columns,
        _row_of_record=row_of_record,
    )


def _of_all(rows: Rows, found: Found, figures: FloatArray) -> FloatArray:
    """Figures of unique rows as those of all rows, 0 for the others."""
    spread = np.zeros((len(rows.weights), *figures.shape[1:]))
    spread[found.rows] = figures
    return spread


def refuse_settings(size: int, scale: str, share: float, threads: int | None = None) -> None:
    if not isinstance(size, int) or isinstance(size, bool) or size < 1:
        raise BadOption("size must be a whole number of columns, at least 1")
    if scale not in SCALES:
        raise BadOption(f"scale must be one of {', '.join(SCALES)}{nearest(str(scale), SCALES)}")
    if not isinstance(share, int | float) or not 0 < share < 1:
        raise BadOption(
            "share must be above 0 and below 1, such as 0.1: the part of the population that the "
            "table is thought to be"
        )
    refuse_threads(threads)
