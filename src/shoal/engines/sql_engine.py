"""A run in a database, written once; what differs between databases is in their own files."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import polars as pl

from shoal.engines import sql
from shoal.engines.engine import Counted, Kind, Placed
from shoal.engines.sql import Packing, listed, literal, quote
from shoal.errors import InputError
from shoal.read.memory import available, needed, shown
from shoal.types.arrays import SUPPRESSED, Int64Array
from shoal.types.text_counts import TextCounts


class SqlEngine(ABC):
    """What a database does for a run, in the SQL that all of them speak."""

    is_text = False
    delimiter = ","
    _folded: tuple[str, ...] = ()

    @property
    @abstractmethod
    def columns(self) -> Mapping[str, str]: ...

    @property
    @abstractmethod
    def staged_columns(self) -> Mapping[str, str]: ...

    @property
    @abstractmethod
    def _table(self) -> str:
        """The table, as SQL writes it."""

    @property
    @abstractmethod
    def _staged(self) -> str:
        """What was built, as SQL writes it; the table itself where nothing is."""

    @abstractmethod
    def kind(self, name: str) -> Kind: ...

    @abstractmethod
    def publish(self) -> None: ...

    @abstractmethod
    def _run(self, statement: str) -> None:
        """Do something. Errors say what went wrong, and show no value."""

    @abstractmethod
    def _rows(self, query: str) -> Iterator[Sequence[tuple[object, ...]]]:
        """The rows of a query as Python values, some at a time."""

    @abstractmethod
    def _fetch(self, query: str, columns: Mapping[str, str]) -> pl.DataFrame:
        """The rows of a query: columns of these types, then perhaps whole numbers.

        What the columns of the frame are called does not matter.
        """

    @abstractmethod
    def _upload(self, name: str, frame: pl.DataFrame) -> None:
        """A temporary table with the columns of a frame: whole numbers and texts."""

    @abstractmethod
    def _comparable(self, name: str, column: str) -> str:
        """A column, as SQL writes it, in a form that is compared and sorted as polars does it."""

    @abstractmethod
    def _released(self, name: str, column: str) -> str:
        """A column that is released as it is, in a type that tells nothing of other records."""

    @abstractmethod
    def _repeated(self, count: str) -> str:
        """What to select so that a row comes as often as a number says."""

    @abstractmethod
    def _build(self, query: str, columns: Sequence[str]) -> None:
        """Put the rows of a query, in their order, where the release is built."""

    @abstractmethod
    def _look_at(self, name: str) -> None:
        """Let the database look at a temporary table, where it does not by itself."""

    def fold(self, names: Sequence[str]) -> Counted:
        self._folded = tuple(names)
        self._create(sql.FOLD, sql.fold_of(self._table, self._values(names)))
        _refuse_many(self._number(f"select count(*) from {sql.FOLD}"), len(names))
        values = listed([f"v{i}" for i in range(len(names))])
        return self._counted(f"select {values}, n from {sql.FOLD} order by id", names)

    def n_different(self, names: Sequence[str]) -> int:
        columns = listed([self._comparable(name, quote(name)) for name in names])
        return self._number(
            f"select count(*) from (select distinct {columns} from {self._table} t) d"
        )

    def n_present(self, name: str, missing: Sequence[str]) -> tuple[int, int]:
        column, conditions = quote(name), [f"{quote(name)} is not null"]
        if self.kind(name) == "text":
            texts = listed([literal(text) for text in sorted({"", *missing})])
            conditions.append(f"cast({column} as varchar) not in ({texts})")
        if self.kind(name) == "float":
            conditions.append(f"{column} <> 'NaN'")
        value = self._comparable(name, column)
        where = " and ".join(conditions)
        query = f"select count(distinct {value}), count(*) from {self._table} t where {where}"
        n_values, n_records = next(self._rows(query))[0]
        return int(str(n_values)), int(str(n_records))

    def first_ranks(self, names: Sequence[str], most: int) -> dict[str, Int64Array]:
        values = listed([f"{v} as v{i}" for i, v in enumerate(self._values(names))])
        ranks = listed(
            [
                f"case when v{i} is null then -1 else dense_rank() over (order by v{i}) end"
                for i in range(len(names))
            ]
        )
        first = f"select {values} from {self._table} t limit {most}"
        found = self._fetch(f"select {ranks} from ({first}) f", {})
        return {
            name: found.to_series(i).to_numpy().astype(np.int64) for i, name in enumerate(names)
        }

    def different(self, names: Sequence[str], most: int) -> Counted:
        counted = _counting(names, self._table)
        order = listed([f"{i + 1} nulls first" for i in range(len(names))])
        return self._counted(f"{counted} order by {order} limit {most}", names)

    def beginning_with(self, name: str, signs: str) -> Iterator[TextCounts]:
        column = quote(name)
        beginnings = listed([literal(sign) for sign in signs])
        query = (
            f"select {column}, count(*) from {self._staged} t "
            f"where substr({column}, 1, 1) in ({beginnings}) group by 1"
        )
        for rows in self._rows(query):
            texts = pl.Series([row[0] for row in rows], dtype=pl.String)
            yield TextCounts(texts, np.array([row[1] for row in rows], dtype=np.int64))

    def stage(
        self,
        placed: Placed,
        cells: pl.DataFrame,
        *,
        released: Sequence[str],
        unchanged: Sequence[str],
    ) -> None:
        of_group = {name: f"c{i}" for i, name in enumerate(cells.columns)}
        numbers = pl.Series("grp", np.arange(cells.height), dtype=pl.Int64)
        renamed = [cells[name].alias(place) for name, place in of_group.items()]
        self._upload(sql.GROUPS, pl.DataFrame([numbers, *renamed]))
        places = {name: f"u.u{i}" for i, name in enumerate(unchanged)}
        columns = [
            f"g.{of_group[name]}" if name in of_group else self._released(name, places[name])
            for name in released
        ]
        order = listed(["u.grp", *(self._ascending(name, places[name]) for name in unchanged)])
        if set(unchanged) <= set(self._folded):  # then the counted rows have all that is released
            query = self._of_counted_rows(placed, columns, released, unchanged, order)
            self._build(query, released)
            return
        named = [f"{c} as {quote(name)}" for c, name in zip(columns, released, strict=True)]
        rows = self._of_records(placed, unchanged)
        query = f"select {listed(named)} from ({rows}) u {_JOINED} order by {order}"
        self._build(query, released)

    def count_staged(self, names: Sequence[str]) -> Counted:
        types = self.staged_columns
        query = _counting(names, self._staged)
        return _split(self._fetch(query, {name: types[name] for name in names}), names)

    def _of_counted_rows(
        self,
        placed: Placed,
        columns: Sequence[str],
        released: Sequence[str],
        unchanged: Sequence[str],
        order: str,
    ) -> str:
        """The release from counted rows alone: the table is not looked at again."""
        row, group, n = placed.shares
        self._upload(sql.SHARES, pl.DataFrame({"id": row, "grp": group, "n": n}))
        kept = "".join(f", f.v{self._folded.index(c)} as u{i}" for i, c in enumerate(unchanged))
        rows = f"select s.grp, s.n{kept} from {sql.SHARES} s join {sql.FOLD} f on f.id = s.id"
        places = [f"r{i}" for i in range(len(released))]
        selected = listed([f"{c} as {r}" for c, r in zip(columns, places, strict=True)])
        in_order = f"select {selected}, u.n as n from ({rows}) u {_JOINED} order by {order}"
        again = f"select {listed(places)}, {self._repeated('n')} as again from ({in_order}) o"
        named = [f"{r} as {quote(name)}" for r, name in zip(places, released, strict=True)]
        return f"select {listed(named)} from ({again}) a"

    def _of_records(self, placed: Placed, unchanged: Sequence[str]) -> str:
        """Every record with its group, found by the key of its row, and what stays as it is."""
        packing = self._pack()
        self._tell_where(placed, packing)
        columns = self._values(self._folded)
        kept = "".join(f", t.{quote(name)} as u{i}" for i, name in enumerate(unchanged))
        whole = sql.placed_whole(self._table, columns, packing, kept)
        if not len(placed.parts.line):
            return whole
        line, first, last, group = placed.parts
        parts = {"line": line, "first": first, "last": last, "grp": group}
        self._upload(sql.PARTS, pl.DataFrame(parts))
        order = listed([self._ascending(name, f"t.{quote(name)}") for name in unchanged])
        names = "".join(f", x.u{i}" for i in range(len(unchanged)))
        divided = sql.placed_in_parts(
            self._table, columns, packing, kept, names, f" order by {order}"
        )
        return f"{whole} union all {divided}"

    def _pack(self) -> Packing:
        """Number the values of each folded column, and give the counted rows their keys."""
        n_values = []
        for i in range(len(self._folded)):
            values = f"select distinct v{i} as v from {sql.FOLD} where v{i} is not null"
            numbered = f"select v, row_number() over (order by v) as code from ({values}) d"
            self._create(sql.map_name(i), numbered)
            n_values.append(self._number(f"select count(*) from {sql.map_name(i)}"))
        packing = Packing.of(n_values)
        pairs = zip(packing.expressions(), packing.names, strict=True)
        keys = listed([f"{key} as {name}" for key, name in pairs])
        rows = sql.looked_up(sql.FOLD, [f"t.v{i}" for i in range(len(self._folded))])
        self._create(sql.KEYS, f"select t.id, {keys} from {rows}")
        return packing

    def _tell_where(self, placed: Placed, packing: Packing) -> None:
        """A table of the rows that are released, by their keys, with the group or line of each."""
        is_placed = (placed.group != SUPPRESSED) | (placed.line != SUPPRESSED)
        rows = np.flatnonzero(is_placed)
        told = {"id": rows, "grp": placed.group[rows], "line": placed.line[rows]}
        self._upload(sql.PLACED, pl.DataFrame(told))
        keys = listed([f"k.{name}" for name in packing.names])
        joined = f"{sql.KEYS} k join {sql.PLACED} p on p.id = k.id"
        self._create(sql.WHERE, f"select {keys}, p.grp, p.line from {joined}")

    def _values(self, names: Sequence[str]) -> list[str]:
        """Columns of the table, as t, so that equal texts are equal letter by letter."""
        return [self._comparable(name, f"t.{quote(name)}") for name in names]

    def _ascending(self, name: str, column: str) -> str:
        return f"{self._comparable(name, column)} nulls first"

    def _types(self, names: Sequence[str]) -> dict[str, str]:
        return {name: self.columns[name] for name in names}

    def _counted(self, query: str, names: Sequence[str]) -> Counted:
        return _split(self._fetch(query, self._types(names)), names)

    def _create(self, name: str, query: str) -> None:
        self._run(f"create temporary table {name} as {query}")
        self._look_at(name)

    def _number(self, query: str) -> int:
        return int(str(next(self._rows(query))[0][0]))


_JOINED = f"join {sql.GROUPS} g on g.grp = u.grp"


def _refuse_many(n_rows: int, n_columns: int) -> None:
    """Refuse so many different rows that the search has no memory for them."""
    need, have = needed(0, n_rows, n_columns), available()
    if have is not None and need > have.n_bytes:
        raise InputError(
            f"The table has {n_rows:,} different rows of quasi-identifiers and sensitive values. "
            f"The search needs about {shown(need)} for them, and {shown(have.n_bytes)} are "
            f"available ({have.limit}).\nMake columns coarser before, give the role keep or drop "
            "to some, or use a machine with more memory."
        )


def _counting(names: Sequence[str], table: str) -> str:
    columns = "".join(f"{quote(name)}, " for name in names)
    places = listed([str(i + 1) for i in range(len(names))])
    return f"select {columns}count(*) from {table} t" + (f" group by {places}" if names else "")


def _split(frame: pl.DataFrame, names: Sequence[str]) -> Counted:
    """A frame whose last column has the counts, as columns with their names, and the counts."""
    values = [frame.to_series(i).alias(name) for i, name in enumerate(names)]
    counts = frame.to_series(len(names)).to_numpy().astype(np.int64)
    return Counted(pl.DataFrame(values), counts)
