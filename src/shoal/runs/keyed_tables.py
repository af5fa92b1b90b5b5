"""Tables of the same people, with whose row each one is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from shoal.errors import InputError, counted
from shoal.policy.tables import TablesPolicy
from shoal.read.columns import read_column
from shoal.read.source import Source
from shoal.recode.recode import forget_categories
from shoal.types.arrays import MISSING, BoolArray, Int64Array
from shoal.types.unit import PERSON
from shoal.write.frames import only_rows

NOBODY = -1  # a row whose key is that of no person


@dataclass(frozen=True, eq=False, repr=False)
class KeyedTables:
    """Sources whose rows all point to somebody, and the number of that person for each row.

    `n_read` counts the rows that came, those included that point to people who do not exist.
    """

    sources: Mapping[str, Source]
    person: Mapping[str, Int64Array]
    n_people: int
    n_read: Mapping[str, int]
    notes: tuple[str, ...] = ()

    @classmethod
    def of_sources(cls, sources: Mapping[str, Source], policy: TablesPolicy) -> KeyedTables:
        """Find the person of every row; refuse or leave out rows that have none."""
        people = policy.people
        for name, source in sources.items():
            policy.schema_for(name, source.frame.columns)
        keys = {
            name: read_column(
                source.frame[policy.tables[name].key], missing_values=policy.missing_values
            )
            for name, source in sources.items()
        }
        _refuse_unclear_people(people, keys[people].codes, len(keys[people].labels))
        identifiers = keys[people].labels
        kept, person, notes = {}, {}, []
        for name, source in sources.items():
            found = np.append(_places(keys[name].labels, identifiers), NOBODY)[keys[name].codes]
            is_known = found != NOBODY
            notes += _orphans(name, is_known, policy)
            kept[name], person[name] = _only(source, is_known), found[is_known]
        n_read = {name: source.n_records for name, source in sources.items()}
        return cls(kept, person, len(identifiers), n_read, tuple(notes))

    def with_source(self, name: str, source: Source) -> KeyedTables:
        """The same with other cells in the rows of a table."""
        return replace(self, sources={**self.sources, name: source})

    def of_people(self, is_left: BoolArray) -> KeyedTables:
        """The same without the rows of the people who are not left."""
        is_kept = {name: is_left[person] for name, person in self.person.items()}
        return replace(
            self,
            sources={name: _only(source, is_kept[name]) for name, source in self.sources.items()},
            person={name: person[is_kept[name]] for name, person in self.person.items()},
        )


def _places(texts: Sequence[str], known: Sequence[str]) -> Int64Array:
    """The place of each text among those that are known."""
    of_known = pl.DataFrame({"text": pl.Series(known, dtype=pl.String)}).with_row_index("place")
    asked = pl.DataFrame({"text": pl.Series(texts, dtype=pl.String)})
    found = asked.join(of_known, on="text", how="left", maintain_order="left")["place"]
    return found.cast(pl.Int64).fill_null(NOBODY).to_numpy()


def _refuse_unclear_people(name: str, codes: np.ndarray, n_people: int) -> None:
    """Refuse a table of people in which somebody is missing, or stands twice."""
    n_missing = int(np.count_nonzero(codes == MISSING))
    if n_missing:
        raise InputError(
            f"The table {name!r} does not say who {counted(n_missing, 'row')} "
            f"{'is' if n_missing == 1 else 'are'} of: the key is missing. Fill it in, or leave the "
            "rows out."
        )
    if len(codes) > n_people:
        n_repeated = int(np.count_nonzero(np.bincount(codes) > 1))
        raise InputError(
            f"The table {name!r} must have one row for each person, but "
            f"{PERSON.counted(n_repeated)} have several. Keep one of them, or make it a table of "
            "events with a `key`."
        )


def _orphans(name: str, is_known: BoolArray, policy: TablesPolicy) -> list[str]:
    """Refuse, or tell of, rows of events that point to people who do not exist."""
    n_orphans = int(np.count_nonzero(~is_known))
    if not n_orphans:
        return []
    have = "has a key that is" if n_orphans == 1 else "have keys that are"
    what = f"{counted(n_orphans, 'row')} of the table {name!r} {have} not in {policy.people!r}"
    if policy.settings.get("unknown", "error") == "error":
        raise InputError(
            f"{what}. Add these people, remove the rows, or set `unknown: suppress` in the policy "
            "to leave the rows out."
        )
    return [f"{what} and {'was' if n_orphans == 1 else 'were'} left out (`unknown: suppress`)."]


def _only(source: Source, is_kept: BoolArray) -> Source:
    """Some rows of a table, without the categories that only the others had."""
    if is_kept.all():
        return source
    rows = source.frame.filter(pl.Series(is_kept))
    columns = {name: forget_categories(rows[name], source.frame[name]) for name in rows.columns}
    native = None if source.native is None else only_rows(source.native, is_kept)
    return replace(source, frame=pl.DataFrame(columns), native=native)
