"""The policy for several tables of the same people: one of people, and tables of events."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from shoal.errors import KeyPath, PolicyError, nearest
from shoal.policy.keys import algorithm_of, column_of, mapping_of, models_of
from shoal.policy.keys import settings_of as checked
from shoal.policy.policy import DEFAULT_ALGORITHM, Policy, with_line
from shoal.types.model import PrivacyModel
from shoal.types.named import settings_of
from shoal.types.schema import ColumnSpec, Schema

if TYPE_CHECKING:
    from shoal.types.algorithm import Algorithm

KEYS = ("file", "key", "columns")
Linking = Literal["pseudonym", "identifier"]


@dataclass(frozen=True)
class TableSpec:
    """One of the tables: its columns, and which of them says whose row it is."""

    columns: Mapping[str, ColumnSpec]
    key: str
    is_people: bool = False  # it has one row for each person
    file: Path | None = field(default=None, compare=False)


@dataclass(frozen=True)
class TablesPolicy:
    """Everything that decides the release of several tables, except the data.

    One table has a row for each person. The others are of events, such as visits, each of which
    points to a person by its key. `settings` are those of any policy.

    >>> policy = TablesPolicy.of_mapping({
    ...     "tables": {"patients": {"columns": {"mrn": "pseudonym", "age": "quasi"}},
    ...                "visits": {"key": {"mrn": "patients"},
    ...                           "columns": {"mrn": "pseudonym", "illness": "sensitive"}}},
    ...     "person": "mrn", "privacy": [{"model": "k-anonymity", "k": 5}]})
    >>> policy.people, policy.events, policy.links
    ('patients', ('visits',), 'pseudonym')
    """

    tables: Mapping[str, TableSpec]
    privacy: tuple[PrivacyModel, ...]
    algorithm: Algorithm
    settings: Mapping[str, Any] = field(default_factory=dict)
    lines: Mapping[KeyPath, int] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        for name, table in self.tables.items():
            self._check_key(name, table)
        for i, model in enumerate(self.privacy):
            if model.about.column is not None:
                self._place(model.about.column, ("privacy", i, "column"))

    @classmethod
    def load(cls, path: str | Path) -> TablesPolicy:
        """Read a policy file that has `tables`. Paths in it are relative to it."""
        from shoal.policy.file import read_policy_file

        path = Path(path)
        content, lines = read_policy_file(path)
        try:
            return replace(cls.of_mapping(content, folder=path.parent), lines=lines)
        except PolicyError as error:
            raise with_line(error, lines) from None

    @classmethod
    def of(cls, policy: TablesPolicy | Mapping[str, Any] | str | Path) -> TablesPolicy:
        """A policy as it is, from a policy file, or from the keys of one."""
        if isinstance(policy, TablesPolicy):
            return policy
        return cls.of_mapping(policy) if isinstance(policy, Mapping) else cls.load(policy)

    @classmethod
    def of_mapping(cls, content: Mapping[str, Any], *, folder: Path | None = None) -> TablesPolicy:
        """From the keys of a policy file."""
        given = {key.replace("-", "_"): value for key, value in content.items()}
        if "columns" in given:
            raise PolicyError("give `columns` under each of the `tables`", ("columns",))
        known = ["tables", *(f.name for f in fields(Policy) if f.name not in ("columns", "lines"))]
        for key in given:
            if key not in known:
                raise PolicyError(
                    f"{key!r} is unknown{nearest(key, known)} Keys are {', '.join(known)}.", (key,)
                )
        person = checked({"person": given.pop("person", None)})["person"]
        named = mapping_of(given.pop("tables", None), ("tables",))
        return cls(
            tables=_tables(named, person, folder or Path()),
            privacy=models_of(given.pop("privacy", None), folder),
            algorithm=algorithm_of(given.pop("algorithm", DEFAULT_ALGORITHM)),
            settings=checked(given),
        )

    @property
    def people(self) -> str:
        """The name of the table that has a row for each person."""
        return next(name for name, table in self.tables.items() if table.is_people)

    @property
    def events(self) -> tuple[str, ...]:
        return tuple(name for name, table in self.tables.items() if not table.is_people)

    @property
    def links(self) -> Linking:
        """What becomes of keys: pseudonyms, which link the tables, or nothing."""
        table = self.tables[self.people]
        return "pseudonym" if table.columns[table.key].role == "pseudonym" else "identifier"

    @property
    def files(self) -> dict[str, Path]:
        """The file of each table."""
        for name, table in self.tables.items():
            if table.file is None:
                raise PolicyError(
                    "'file' is needed: the name of the table's file, relative to the policy",
                    ("tables", name),
                )
        return {name: table.file for name, table in self.tables.items() if table.file is not None}

    def joined_name(self, table: str, column: str) -> str:
        """What a column is called where all tables are one: columns of events after their table."""
        return column if self.tables[table].is_people else f"{table}.{column}"

    def joined(self) -> Policy:
        """The policy of all tables as one, a row for each person and event.

        It has what can be looked up and what must not be learned; other columns of events are not
        in it.
        """
        people = self.tables[self.people]
        columns = {**people.columns} | {
            self.joined_name(name, column): spec
            for name in self.events
            for column, spec in self.tables[name].columns.items()
            if spec.role in ("quasi", "sensitive")
        }
        models = tuple(
            _about(model, self.joined_name(*self._place(model.about.column)))
            if model.about.column is not None
            else model
            for model in self.privacy
        )
        return self._policy(columns, models, people.key)

    def alone(self, name: str) -> Policy | None:
        """The policy of one table by itself; None if nothing in it can be looked up."""
        table = self.tables[name]
        if not Schema(table.columns).quasi:
            return None
        return self._policy(table.columns, self.models_of(name), table.key)

    def models_of(self, name: str) -> tuple[PrivacyModel, ...]:
        """The models about the columns of a table, or about none."""
        found = []
        for model in self.privacy:
            if model.about.column is None:
                found.append(model)
                continue
            table, column = self._place(model.about.column)
            if table == name:
                found.append(_about(model, column))
        return tuple(found)

    def _policy(
        self, columns: Mapping[str, ColumnSpec], models: tuple[PrivacyModel, ...], key: str
    ) -> Policy:
        return Policy(
            columns=columns,
            privacy=models,
            algorithm=self.algorithm,
            person=(key,),
            **self.settings,
        )

    def _place(self, column: str, path: KeyPath = ("privacy",)) -> tuple[str, str]:
        """The table and the name of a column that a model is about: `visits.illness`."""
        known = [
            (name, own)
            for name, table in self.tables.items()
            for own, spec in table.columns.items()
            if spec.role == "sensitive"
        ]
        found = [place for place in known if column in (place[1], ".".join(place))]
        if len(found) == 1:
            return found[0]
        names = [".".join(place) for place in known]
        if found:
            raise PolicyError(
                f"{column!r} is a column of several tables; write for example {names[0]!r}", path
            )
        raise PolicyError(
            f"{column!r} is not a sensitive column of any table{nearest(column, names)}", path
        )

    def _check_key(self, name: str, table: TableSpec) -> None:
        """Refuse keys that are not columns, or do not become the same in all tables."""
        if table.key not in table.columns:
            where: KeyPath = ("person",) if table.is_people else ("tables", name, "key")
            raise PolicyError(
                f"{table.key!r} is not a column of the table {name!r}"
                f"{nearest(table.key, table.columns)}",
                where,
            )
        role = table.columns[table.key].role
        if role not in ("pseudonym", "identifier"):
            raise PolicyError(
                f"the column says whose row it is, so its role must be pseudonym or identifier, "
                f"not {role}",
                ("tables", name, "columns", table.key),
            )
        if role != self.links:
            raise PolicyError(
                f"the key has the role {role} here and {self.links} in {self.people!r}. Give both "
                "the same: as pseudonyms they link the tables, as identifiers they are withheld",
                ("tables", name, "columns", table.key),
            )


def _tables(
    named: Mapping[str, Any], person: tuple[str, ...], folder: Path
) -> dict[str, TableSpec]:
    if len(person) != 1:
        raise PolicyError(
            "`person` is needed with `tables`: the key column of the table of people",
            ("person",),
        )
    keys = {name: mapping_of(value, ("tables", name)) for name, value in named.items()}
    people = [name for name, of_table in keys.items() if "key" not in of_table]
    if len(people) != 1:
        raise PolicyError(
            "one table must be of people, with a row for each, and have no `key`; all others have "
            f"a `key` that points to it. Here {len(people)} have none",
            ("tables",),
        )
    return {
        name: _table(name, of_table, people[0], person[0], folder)
        for name, of_table in keys.items()
    }


def _table(name: str, keys: Mapping[str, Any], people: str, person: str, folder: Path) -> TableSpec:
    path: KeyPath = ("tables", name)
    if not name or set(name) & set("/\\."):
        raise PolicyError("a table's name becomes that of a file: use letters and digits", path)
    for key in keys:
        if key not in KEYS:
            raise PolicyError(
                f"{key!r} is unknown{nearest(key, KEYS)} A table takes {', '.join(KEYS)}.",
                (*path, key),
            )
    columns = mapping_of(keys.get("columns"), (*path, "columns"))
    return TableSpec(
        columns={
            column: column_of(value, (*path, "columns", column), folder)
            for column, value in columns.items()
        },
        key=person if name == people else _key(keys["key"], people, (*path, "key")),
        is_people=name == people,
        file=None if keys.get("file") is None else folder / str(keys["file"]),
    )


def _key(value: Any, people: str, path: KeyPath) -> str:
    """From `{column: table}`: the column that says whose row it is."""
    keys = mapping_of(value, path)
    if len(keys) != 1:
        raise PolicyError(f"give one column and the table it points to: {{mrn: {people}}}", path)
    ((column, table),) = keys.items()
    if table != people:
        raise PolicyError(
            f"must point to {people!r}, the table of people: {{{column}: {people}}}", path
        )
    return str(column)


def _about(model: PrivacyModel, column: str) -> PrivacyModel:
    """The same model about a column of another name."""
    options = settings_of(model)
    name = next(option for option, value in options.items() if value == model.about.column)
    return replace(model, **{name.replace("-", "_"): column})


def is_of_tables(path: Path) -> bool:
    """Whether a policy file has `tables`."""
    from shoal.policy.file import read_policy_file

    return "tables" in read_policy_file(path).content
