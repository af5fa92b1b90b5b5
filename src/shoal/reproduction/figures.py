"""What was measured: a csv file with a row for each trial and measure, added to as it comes."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import NamedTuple

import polars as pl

from shoal.errors import InputError, OutputError
from shoal.write.atomic import write_text


class Row(NamedTuple):
    """A figure of a trial."""

    trial: str
    experiment: str
    table: str
    method: str
    k: int
    varied: str
    value: float
    seed: int
    measure: str
    figure: float


SCHEMA = {
    "trial": pl.String, "experiment": pl.String, "table": pl.String, "method": pl.String,
    "k": pl.Int64, "varied": pl.String, "value": pl.Float64, "seed": pl.Int64,
    "measure": pl.String, "figure": pl.Float64,
}  # fmt: skip


class Figures:
    """The file, and what is in it. A trial is written in one piece, or not at all."""

    def __init__(self, path: Path) -> None:
        self.path = path
        if not path.exists():
            path.parent.mkdir(parents=True, exist_ok=True)
            self._write(",".join(Row._fields) + "\n")
        self._drop_cut_off()
        self.known = set(self.frame()["trial"].unique())

    def add(self, rows: Sequence[Row]) -> None:
        if not rows or rows[0].trial in self.known:
            return
        text = io.StringIO()
        csv.writer(text, lineterminator="\n").writerows(
            (*row[:-1], f"{row.figure:.8g}") for row in rows
        )
        self._write(text.getvalue())
        self.known.add(rows[0].trial)

    def frame(self, trials: Collection[str] | None = None) -> pl.DataFrame:
        """All figures, or those of some trials."""
        found = read_figures(self.path)
        return found if trials is None else found.filter(pl.col("trial").is_in(list(trials)))

    def _drop_cut_off(self) -> None:
        """What a run was killed in the middle of: all rows of the last trial."""
        text = self.path.read_text(encoding="utf-8")
        if not text.endswith("\n"):
            lines = text.split("\n")
            last = lines[-1].partition(",")[0] or lines[-2].partition(",")[0]
            kept = [line for line in lines[:-1] if not line.startswith(f"{last},")]
            write_text(self.path, "\n".join(kept) + "\n")

    def _write(self, text: str) -> None:
        try:
            with self.path.open("a", encoding="utf-8") as file:
                file.write(text)
        except OSError as error:
            raise OutputError(f"{self.path}: cannot be written ({error.strerror}).") from None


def read_figures(path: Path) -> pl.DataFrame:
    try:
        return pl.read_csv(path, schema=SCHEMA).with_columns(pl.col("varied").fill_null(""))
    except (OSError, pl.exceptions.PolarsError):
        raise InputError(
            f"{path} is not a table of figures. Remove it, or choose another folder."
        ) from None


def write_sorted(frame: pl.DataFrame, path: Path) -> None:
    """All figures in one order, whichever trial ended first."""
    order = ["experiment", "table", "method", "k", "varied", "value", "seed", "trial", "measure"]
    write_text(path, frame.sort(order).write_csv())
