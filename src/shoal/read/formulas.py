"""Cells that a spreadsheet would take for formulas."""

from __future__ import annotations

import polars as pl

from shoal.errors import counted

BEGINNINGS = "=, +, - or @"
FORMULA = r"^[=+\-@].*[\p{L}\p{N}]"  # a lone dash often stands for a missing value


def warn_of_formulas(released: pl.DataFrame) -> tuple[str, ...]:
    """A note on cells that begin like a formula, and are not numbers: how many, and where.

    >>> warn_of_formulas(pl.DataFrame({"note": ["=1+2", "-5", "-"]}))[0].partition(":")[0]
    "1 cell of column 'note' begins with =, +, - or @"
    """
    suspected = released.select(pl.col(pl.String))
    suspected = suspected.select(column.name for column in _that_may_begin_so(suspected))
    found = [(column.name, n) for column in suspected if (n := _n_formulas(column))]
    if not found:
        return ()
    where = " and ".join(f"{counted(n, 'cell')} of column {name!r}" for name, n in found)
    begin = "begins" if found[0][1] == 1 and len(found) == 1 else "begin"
    return (
        f"{where} {begin} with {BEGINNINGS}: a spreadsheet that opens the file may run such cells "
        "as formulas. Cells are released as they are; tell recipients to import them as text.",
    )


def _that_may_begin_so(released: pl.DataFrame) -> list[pl.Series]:
    """Columns worth a closer look: comparing texts is much faster than matching patterns."""
    cell = pl.all()
    is_likely = ((cell >= "+") & (cell < ".")) | ((cell >= "=") & (cell < "A"))
    likely = released.select(is_likely.any()).row(0) if released.width else ()
    return [column for column, is_so in zip(released, likely, strict=True) if is_so]


def _n_formulas(column: pl.Series) -> int:
    cells = column.filter(column.str.contains(FORMULA))
    numbers = cells.str.replace(",", ".", literal=True).cast(pl.Float64, strict=False)
    return int(numbers.is_null().sum())
