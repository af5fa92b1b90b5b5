"""Tables in spreadsheets: Excel and OpenDocument, with fastexcel."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any

import polars as pl

from shoal.errors import InputError, counted
from shoal.read.header import refuse_data_as_header, refuse_repeated_names
from shoal.read.limits import of_usual_ratio, pieces
from shoal.read.memory import refuse_large
from shoal.read.opened import Opened
from shoal.read.steady import steady
from shoal.read.whole import narrowed


def read_spreadsheet(opened: Opened) -> pl.DataFrame:
    """The one sheet of a workbook that has cells. Columns of numbers and dates have types."""
    path = opened.path
    _refuse_large_parts(opened)
    with steady(path):
        sheet = _Sheet.only_one(opened)
        texts, typed = sheet.texts(), sheet.typed()
    header = ["" if name is None else name.strip() for name in texts.row(0)]
    texts = texts.slice(1)
    _refuse_gaps(path, header)
    refuse_repeated_names(path, header)
    if texts.shape != typed.shape:
        raise _unreadable(path)
    texts.columns = typed.columns = header
    _refuse_blank_rows(path, texts)
    refuse_data_as_header(path, texts)
    # A column of dates with a word among them would lose the word, so that it stays text.
    columns = [
        typed[name] if typed[name].null_count() == texts[name].null_count() else texts[name]
        for name in header
    ]
    return narrowed(pl.DataFrame(columns))


class _Sheet:
    """A sheet, by its place in the workbook."""

    def __init__(self, path: Path, book: Any, place: int) -> None:
        self.path, self._book, self._place = path, book, place

    @classmethod
    def only_one(cls, opened: Opened) -> _Sheet:
        try:
            import fastexcel
        except ModuleNotFoundError:
            raise InputError(
                f"{opened.path} is a spreadsheet, which needs fastexcel to be read. Install "
                "shoal[excel], or save the table as csv."
            ) from None
        try:
            book = fastexcel.read_excel(str(opened.path) if opened.piped is None else opened.piped)
            sheets = [cls(opened.path, book, place) for place in range(len(book.sheet_names))]
        except Exception:  # its text may show a cell
            raise _unreadable(opened.path) from None
        with_cells = [sheet for sheet in sheets if sheet.texts(1).height]
        if not with_cells:
            raise InputError(f"{opened.path}: the workbook is empty.")
        if len(with_cells) > 1:
            raise InputError(
                f"{opened.path} has {len(with_cells)} sheets with cells, hidden ones included. "
                "Save the sheet with the table as a file of its own."
            )
        return with_cells[0]

    def texts(self, n_rows: int | None = None) -> pl.DataFrame:
        """All cells as text, the header among them."""
        return self._loaded(header_row=None, n_rows=n_rows, dtypes="string")

    def typed(self) -> pl.DataFrame:
        return self._loaded(header_row=0, schema_sample_rows=None)

    def _loaded(self, **how: Any) -> pl.DataFrame:
        try:
            frame: pl.DataFrame = self._book.load_sheet(self._place, **how).to_polars()
        except Exception:
            raise _unreadable(self.path) from None
        return frame


def _unreadable(path: Path) -> InputError:
    return InputError(
        f"{path}: cannot be read as a spreadsheet. It may be damaged, incomplete or protected by a "
        "password. Save the table as csv."
    )


def _refuse_large_parts(opened: Opened) -> None:
    """Refuse a workbook whose parts are larger than those of tables, while they are counted."""
    refuse_large(opened.path, n_bytes=opened.n_bytes)
    file = opened.file
    if not zipfile.is_zipfile(file):
        return  # of Excel before 2007, which is not compressed
    n_bytes = 0
    try:
        with zipfile.ZipFile(file) as archive:
            for part in archive.infolist():
                with archive.open(part) as content:
                    counted_pieces = of_usual_ratio(
                        opened.path, pieces(content), part.compress_size
                    )
                    for piece in counted_pieces:
                        n_bytes += len(piece)
                        refuse_large(opened.path, n_bytes=n_bytes)
    except (OSError, zipfile.BadZipFile, RuntimeError, NotImplementedError, EOFError, ValueError):
        raise _unreadable(opened.path) from None


def _refuse_gaps(path: Path, header: list[str]) -> None:
    if "" in header:
        raise InputError(
            f"{path}: column {header.index('') + 1} of {len(header)} has no name. The first row "
            "must name every column. Remove a title above it, or an index column without a name."
        )


def _refuse_blank_rows(path: Path, texts: pl.DataFrame) -> None:
    blank = texts.select(pl.all_horizontal(pl.all().is_null()).alias("blank")).to_series()
    n_blank = int(blank.sum())
    if n_blank:
        first = int(blank.arg_true()[0])
        raise InputError(
            f"{path}: {counted(n_blank, 'row')} below the header "
            f"{'is' if n_blank == 1 else 'are'} blank, the first is number {first + 1}. Remove "
            f"{'it' if n_blank == 1 else 'them'}, and what stands below the table."
        )
