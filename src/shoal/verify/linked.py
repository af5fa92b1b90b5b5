"""What rows tell that a pseudonym links, seen as a recipient would see it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import polars as pl

from shoal.errors import counted
from shoal.read.columns import read_column
from shoal.read.source import Source
from shoal.types.unit import PERSON
from shoal.types.verdict import Leak

OURS = r"^[a-z2-7]{26}$"  # how a pseudonym of Shoal looks


@dataclass(frozen=True)
class LinkedRows:
    """How many rows the people of a release have, and who stands out by that.

    Someone stands out if fewer than k people of the same group have as many rows.
    """

    n_people: int
    most: int  # rows of one person
    n_standing_out: int  # people
    n_in_several_groups: int  # people
    k: int

    def as_dict(self) -> dict[str, Any]:
        return {"most": self.most, "standing_out": self.n_standing_out, "k": self.k}

    def leaks(self, pseudonym: str) -> Iterator[Leak]:
        if self.n_in_several_groups:
            yield Leak("person in several groups", pseudonym, self.n_in_several_groups)

    def notes(self, pseudonym: str) -> Iterator[str]:
        if self.n_standing_out:
            stand = "stands" if self.n_standing_out == 1 else "stand"
            yield (
                f"Column {pseudonym!r} shows which rows belong to the same person, and so how many "
                f"each has (at most {self.most:,}). {PERSON.counted(self.n_standing_out)} {stand} "
                f"out by it: fewer than {self.k:,} people of the same group have as many rows. "
                "Who knows that number finds them; limit the rows of a person to prevent it."
            )


def rows_linked(release: Source, pseudonym: str, quasi: Sequence[str], k: int) -> LinkedRows:
    """Count the rows of each person, group by group."""
    cells = [release.frame[name].alias(f"cell {i}") for i, name in enumerate(quasi)]
    counts = pl.repeat(1, release.frame.height, dtype=pl.Int64, eager=True)
    if release.counts is not None:
        counts = pl.Series(release.counts)
    rows = pl.DataFrame(
        [*cells, _texts(release.frame[pseudonym]).alias("person"), counts.alias("records")]
    ).filter(pl.col("person").is_not_null())
    by_group = [cell.name for cell in cells]
    people = rows.group_by([*by_group, "person"]).agg(pl.col("records").sum())
    alike = people.group_by([*by_group, "records"]).len()["len"]
    n_people = people["person"].n_unique()
    of_person = people.group_by("person").agg(pl.len(), pl.col("records").sum())
    return LinkedRows(
        n_people=n_people,
        most=int(of_person["records"].max() or 0),  # type: ignore[arg-type]
        n_standing_out=int(alike.filter(alike < k).sum()),
        n_in_several_groups=int((of_person["len"] > 1).sum()),
        k=k,
    )


def identifier_leaks(release: Source, original: Source, pseudonym: str) -> Iterator[Leak]:
    """Cells of a pseudonym that are identifiers of the original: they were not replaced."""
    before, after = _texts(original.frame[pseudonym]), _texts(release.frame[pseudonym])
    n_records = int(after.is_in(before.drop_nulls().unique().implode()).sum())
    if n_records:
        yield Leak("identifier", pseudonym, n_records)


def note_on_others(release: Source, pseudonym: str) -> Iterator[str]:
    """Notes on cells that Shoal did not make: empty ones, and what may be identifiers."""
    cells = _texts(release.frame[pseudonym])
    n_empty = cells.null_count()
    if n_empty:
        yield (
            f"Column {pseudonym!r} is empty in {counted(n_empty, 'row')}, which Shoal never leaves "
            "so. Each was counted as a person of its own: groups may have fewer people than that."
        )
    if not cells.drop_nulls().str.contains(OURS).all():
        yield (
            f"Column {pseudonym!r} has cells that do not look like pseudonyms of Shoal. Make sure "
            "that they are not the identifiers themselves: `--original` compares them."
        )


def _texts(column: pl.Series) -> pl.Series:
    """Identifiers as text, numbers written as a pseudonym takes them."""
    if column.dtype in (pl.String, pl.Categorical, pl.Enum):
        texts = column.alias("texts").cast(pl.String)
        return texts.set((texts == "").fill_null(False), None)
    read = read_column(column)
    return pl.Series([*read.labels, None], dtype=pl.String).gather(
        read.codes % (len(read.labels) + 1)
    )
