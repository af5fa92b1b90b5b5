"""Releases as Excel workbooks, with xlsxwriter."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import polars as pl

from shoal.errors import OutputError
from shoal.write.exact import exact_or_text

MOST_ROWS = 1_048_575  # below the header; a sheet has no more
ANY_DAY = datetime(2000, 1, 1)  # the same release has the same bytes at any time


def write_spreadsheet(frame: pl.DataFrame, draft: Path, target: Path) -> None:
    """One sheet. Texts stay texts, whatever they begin with: none is a formula or a link."""
    try:
        import xlsxwriter
    except ModuleNotFoundError:
        raise OutputError(
            f"{target}: writing Excel files needs xlsxwriter. Install shoal[excel], or write csv."
        ) from None
    if frame.height > MOST_ROWS:
        raise OutputError(
            f"{target}: a sheet of Excel has at most {MOST_ROWS:,} rows below the header, and the "
            f"release has {frame.height:,}. Write csv or parquet."
        )
    options = {
        "strings_to_formulas": False,
        "strings_to_urls": False,
        "strings_to_numbers": False,
    }
    workbook = xlsxwriter.Workbook(str(draft), options)
    workbook.set_properties({"created": ANY_DAY})
    exact_or_text(frame).write_excel(workbook, "release", autofilter=False)
    workbook.close()
