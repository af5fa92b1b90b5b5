"""A recoding as one SELECT that DuckDB and PostgreSQL both run, fit for a view."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from shoal.errors import InputError
from shoal.saved_recoding.fixed import Fixed
from shoal.saved_recoding.sql_columns import Steps, named, refuse_beyond_sql, steps_of
from shoal.types.hierarchy import ROOT
from shoal.types.model import PrivacyModel
from shoal.types.named import name_of, settings_of
from shoal.types.schema import Schema
from shoal.types.sql_cell import literal

if TYPE_CHECKING:
    from shoal.saved_recoding.recoding import Recoding

MARKER = "-- shoal recoding as SQL"
ENFORCED = ("k-anonymity", "distinct-l-diversity")


class Models(NamedTuple):
    """The models of a policy that the query enforces, and those that it does not."""

    enforced: tuple[PrivacyModel, ...]
    others: tuple[PrivacyModel, ...]


def models_of(recoding: Recoding) -> Models:
    models = recoding.policy.privacy
    return Models(
        tuple(model for model in models if name_of(model) in ENFORCED),
        tuple(model for model in models if name_of(model) not in ENFORCED),
    )


def sql_of(recoding: Recoding, table: str = "data") -> str:
    """The query: the rows that a release of this table has, groups that fail left out."""
    _refuse_pseudonym(recoding)
    query = Query(recoding)
    steps = ",\n".join(query.steps(table))
    return "\n".join([*_head(recoding, table), f"WITH\n{steps}", *query.result()]) + "\n"


def _refuse_pseudonym(recoding: Recoding) -> None:
    pseudonym = Schema(recoding.policy.columns).pseudonym
    if pseudonym is not None:
        raise InputError(
            f"Column {pseudonym!r} has the role pseudonym, and a query that makes pseudonyms would "
            "contain the key. Recode the records with `shoal apply`, or release them without the "
            "column."
        )


def is_sql(path: Path) -> bool:
    """Whether a file is SQL of Shoal, which may be replaced by a newer one."""
    try:
        with path.open("rb") as file:
            return file.readline().strip() == MARKER.encode()
    except OSError:
        return False


class Query:
    """The parts of the query. Columns have numbers inside it, for any name may be taken."""

    def __init__(self, recoding: Recoding) -> None:
        self.policy = recoding.policy
        schema = Schema(self.policy.columns)
        self.released = schema.released
        self.sensitive = schema.sensitive
        self.others = schema.names("sensitive", "keep")
        self.quasi = schema.quasi
        self.is_root: list[bool] = []
        self.columns: list[Steps] = []
        for number, (name, level) in enumerate(recoding.levels.items(), 1):
            spec = self.policy.columns[name]
            hierarchy = spec.hierarchy
            assert isinstance(hierarchy, Fixed)
            refuse_beyond_sql(name, spec, hierarchy.kind)
            self.columns.append(steps_of(name, hierarchy, level, number, spec))
            self.is_root.append(level == hierarchy.height)

    def steps(self, table: str) -> Iterator[str]:
        """One table expression after the other."""
        yield _step("texts", [*self._texts(), *self._kept()], _place(table))
        yield from self._lists()
        written = [f"{column.written} AS written_{number}" for number, column in self._numbered()]
        yield _step("written", ["shoal_texts.*", *written], "shoal_texts")
        values = [f"{column.value} AS value_{number}" for number, column in self._numbered()]
        known = [f"known_{n}.leaf AS is_known_{n}" for n, _ in self._listed_sensitive()]
        joined = " ".join(["shoal_written", *self._joins()])
        yield _step("values", ["shoal_written.*", *values, *known], joined)
        yield _step("cells", ["shoal_values.*", *self._cells(), *self._flags()], "shoal_values")
        yield from self._usable()
        yield from self._counts()

    def _lists(self) -> Iterator[str]:
        for number, column in self._numbered():
            if column.pairs is not None:
                yield _listed(f"listed_{number} (leaf, cell)", column.pairs)
        for number, leaves in self._listed_sensitive():
            yield _listed(f"known_{number} (leaf)", [(leaf,) for leaf in leaves])

    def _counts(self) -> Iterator[str]:
        """Records of each group, and its different values: the highest of their ranks."""
        cells = ", ".join(f"cell_{number}" for number, _ in self._numbered())
        ranks = [
            f"DENSE_RANK() OVER (PARTITION BY {cells} ORDER BY value_of_{number} NULLS FIRST) "
            f"AS rank_{number}"
            for number in self._diverse()
        ]
        yield _step("ranked", ["shoal_usable.*", *ranks], "shoal_usable")
        counts = [f"COUNT(*) OVER (PARTITION BY {cells}) AS n_records"]
        counts += [
            f"MAX(rank_{number}) OVER (PARTITION BY {cells}) AS n_values_{number}"
            for number in self._diverse()
        ]
        yield _step("counted", ["shoal_ranked.*", *counts], "shoal_ranked")

    def result(self) -> Iterator[str]:
        """The released columns of the groups that hold."""
        number_of = {name: f"cell_{i}" for i, name in enumerate(self.quasi, 1)}
        number_of |= {name: f"other_{i}" for i, name in enumerate(self.others, 1)}
        yield "SELECT"
        yield ",\n".join(f"  {number_of[name]} AS {named(name)}" for name in self.released)
        yield "FROM shoal_counted"
        yield "WHERE " + " AND ".join(self._demands())
        if self.policy.order == "published":  # nothing is left of the table's own order
            yield "ORDER BY " + ", ".join([*(number_of[n] for n in self.quasi + self.others)])

    def _numbered(self) -> Iterator[tuple[int, Steps]]:
        return enumerate(self.columns, 1)

    def _texts(self) -> Iterator[str]:
        """Each value as text, NULL where it is missing."""
        missing = ", ".join(map(literal, dict.fromkeys(("", *self.policy.missing_values))))
        for number, name in enumerate(self.quasi, 1):
            hierarchy = self.policy.columns[name].hierarchy
            is_number = isinstance(hierarchy, Fixed) and hierarchy.kind in ("integer", "number")
            nan = ", 'nan', 'NaN'" if is_number else ""
            yield f"{_present(name, missing + nan)} AS text_{number}"
        for number in sorted({*self._diverse(), *dict(self._listed_sensitive())}):
            yield f"{_present(self.others[number - 1], missing)} AS value_of_{number}"

    def _kept(self) -> Iterator[str]:
        for number, name in enumerate(self.others, 1):
            yield f"{named(name)} AS other_{number}"

    def _listed_sensitive(self) -> Iterator[tuple[int, tuple[str, ...]]]:
        """Sensitive columns whose values must be leaves of a list."""
        for name in self.sensitive:
            hierarchy = self.policy.columns[name].hierarchy
            if hierarchy is None or hierarchy.names_others:
                continue
            if hierarchy.listed is not None:
                yield self.others.index(name) + 1, hierarchy.listed.leaves

    def _joins(self) -> Iterator[str]:
        for number, column in self._numbered():
            if column.pairs is not None:
                yield f"\n  LEFT JOIN listed_{number} ON written_{number} = listed_{number}.leaf"
        for number, _ in self._listed_sensitive():
            yield f"\n  LEFT JOIN known_{number} ON value_of_{number} = known_{number}.leaf"

    def _cells(self) -> Iterator[str]:
        for number, column in self._numbered():
            missing = literal(ROOT) if self.is_root[number - 1] else "NULL"
            yield (
                f"CASE WHEN text_{number} IS NULL THEN {missing} ELSE {column.cell} END "
                f"AS cell_{number}"
            )

    def _flags(self) -> Iterator[str]:
        unknown = [
            f"text_{number} IS NOT NULL AND value_{number} IS NULL"
            for number, _ in self._numbered()
        ]
        unknown += [
            f"value_of_{number} IS NOT NULL AND is_known_{number} IS NULL"
            for number, _ in self._listed_sensitive()
        ]
        missing = [f"text_{number} IS NULL" for number, _ in self._numbered()]
        yield f"CASE WHEN {' OR '.join(unknown)} THEN 1 ELSE 0 END AS is_unknown"
        yield f"CASE WHEN {' OR '.join(missing)} THEN 1 ELSE 0 END AS is_missing"

    def _usable(self) -> Iterator[str]:
        """Without records that the policy suppresses; with one that it refuses, the query fails."""
        refused = []
        if self.policy.unknown == "error":
            refused.append("is_unknown = 1")
        if self.policy.missing == "error":
            refused.append("is_missing = 1")
        kept = ["is_unknown = 0"]
        if self.policy.missing != "category":
            kept.append("is_missing = 0")
        place = "shoal_cells"
        if refused:
            bad = f"shoal_cells WHERE {' OR '.join(refused)}"
            yield _step("refused", ["COUNT(*) AS n_refused"], bad)
            place = "shoal_cells CROSS JOIN shoal_refused"
            # The engines share no function that fails; casting this text to a number does.
            message = "'shoal: ' || n_refused || ' records have an unknown or missing value'"
            kept = [
                f"CASE WHEN n_refused = 0 THEN 1 ELSE CAST({message} AS INTEGER) END = 1",
                *kept,
            ]
        yield _step("usable", ["shoal_cells.*"], f"{place}\n  WHERE {' AND '.join(kept)}")

    def _diverse(self) -> list[int]:
        """The numbers of the columns that diversity is asked of."""
        columns = {
            model.about.column
            for model in self.policy.privacy
            if name_of(model) == "distinct-l-diversity"
        }
        return [i for i, name in enumerate(self.others, 1) if name in columns]

    def _demands(self) -> list[str]:
        demands = []
        for model in self.policy.privacy:
            if name_of(model) == "k-anonymity":
                demands.append(f"n_records >= {model.about.k}")
            elif name_of(model) == "distinct-l-diversity":
                number = self.others.index(str(model.about.column)) + 1
                demands.append(f"n_values_{number} >= {settings_of(model)['l']}")
        return demands or ["n_records >= 1"]


def _place(table: str) -> str:
    """A table, perhaps in a schema: clinic.patients."""
    parts = table.split(".")
    if not all(parts):
        raise InputError(
            "The name of the table must be given, such as patients or clinic.patients."
        )
    return ".".join(named(part) for part in parts)


def _step(name: str, columns: Sequence[str], place: str) -> str:
    return f"shoal_{name} AS (\n  SELECT\n    " + ",\n    ".join(columns) + f"\n  FROM {place}\n)"


def _listed(name: str, rows: Sequence[tuple[str, ...]]) -> str:
    lines = ",\n    ".join(f"({', '.join(map(literal, row))})" for row in rows)
    return f"{name} AS (\n  VALUES\n    {lines}\n)"


def _present(name: str, missing: str) -> str:
    text = f"CAST({named(name)} AS VARCHAR)"
    return f"CASE WHEN {text} NOT IN ({missing}) THEN {text} END"


def _head(recoding: Recoding, table: str) -> Iterator[str]:
    """What the reader of the query must know."""
    models, policy = models_of(recoding), recoding.policy
    yield MARKER
    yield f"-- Written by Shoal {recoding.shoal}, for DuckDB and PostgreSQL."
    yield "-- INTERNAL: this query lists raw values. Keep it where the data are kept."
    yield f"-- Over {_in_comment(table)}: every quasi-identifier at the level of the release."
    yield f"-- Enforced here: {_listing(models.enforced)}."
    yield "-- Groups that fail are left out. The policy allows to leave out a share of"
    yield f"-- {policy.suppression:g} of all records; the query does not look at that: count."
    if models.others:
        yield f"-- NOT enforced here: {_listing(models.others)}."
        yield "-- Run `shoal check` on the result before you share it."
    does = {"suppress": "their records are left out.", "other": "they are one value, Other."}
    yield f"-- Values unknown to the recoding: {does.get(policy.unknown, 'the query fails.')}"


def _listing(models: Sequence[PrivacyModel]) -> str:
    return "; ".join(_described(model) for model in models) or "nothing"


def _described(model: PrivacyModel) -> str:
    options = {k: v for k, v in settings_of(model).items() if isinstance(v, int | float | str)}
    shown = ", ".join(f"{name} {_in_comment(value)}" for name, value in options.items())
    return f"{name_of(model)} ({shown})"


def _in_comment(value: object) -> str:
    """On one line, whatever a column is called."""
    return json.dumps(value)
