"""Cells that a spreadsheet would take for formulas."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from shoal.errors import counted
from shoal.types.arrays import Int64Array
from shoal.types.text_counts import TextCounts

SIGNS = "=+-@"
BEGINNINGS = "=, +, - or @"
FORMULA = r"^[=+\-@].*[\p{L}\p{N}]"  # a lone dash often stands for a missing value


def warn_of_formulas(
    released: pl.DataFrame, known: Mapping[str, TextCounts] | None = None
) -> tuple[str, ...]:
    """A note on cells that begin like a formula, and are not numbers: how many, and where.

    Of some columns it may be `known` how often each cell occurs.

    >>> warn_of_formulas(pl.DataFrame({"note": ["=1+2", "-5", "-"]}))[0].partition(":")[0]
    "1 cell of column 'note' begins with =, +, - or @"
    """
    found = {}
    for column in released.select(pl.col(pl.String)):
        counted_texts = (known or {}).get(column.name)
        texts, counts = (column.alias("cells"), None) if counted_texts is None else counted_texts
        found[column.name] = n_formulas(texts, counts)
    return note_on_formulas(found)


def note_on_formulas(found: Mapping[str, int]) -> tuple[str, ...]:
    """The note, by how many such cells each column has."""
    found = {name: n for name, n in found.items() if n}
    if not found:
        return ()
    where = " and ".join(f"{counted(n, 'cell')} of column {name!r}" for name, n in found.items())
    begin = "begins" if list(found.values()) == [1] else "begin"
    return (
        f"{where} {begin} with {BEGINNINGS}: a spreadsheet that opens the file may run such cells "
        "as formulas. Cells are released as they are; tell recipients to import them as text.",
    )


def n_formulas(texts: pl.Series, counts: Int64Array | None = None) -> int:
    """How many cells begin like a formula; `counts` say how often each text occurs."""
    return _n_formulas(texts, counts) if _may_begin_so(texts) else 0


def _may_begin_so(texts: pl.Series) -> bool:
    """Whether a closer look is worth it: comparing texts is much faster than matching patterns."""
    texts = texts.filter(texts < "A")  # few, most of the time
    return bool(((texts >= "+") & (texts < ".") | (texts >= "=")).any())


def _n_formulas(texts: pl.Series, counts: Int64Array | None) -> int:
    begins_so = texts.str.contains(FORMULA).fill_null(False)
    numbers = texts.str.replace(",", ".", literal=True).cast(pl.Float64, strict=False)
    is_formula = (begins_so & numbers.is_null()).to_numpy()
    return int(is_formula.sum() if counts is None else counts[is_formula].sum())
