"""The policy for several tables of the same people: one of people, and tables of events."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from shoal.errors import InputError, KeyPath, PolicyError, nearest
from shoal.policy.fields import file_of_policy
from shoal.policy.fitting import schema_for, schema_of_release
from shoal.policy.keys import algorithm_of, mapping_of, models_of, models_with_k
from shoal.policy.keys import settings_of as checked
from shoal.policy.lines import locating, with_line
from shoal.policy.policy import DEFAULT_ALGORITHM, Policy
from shoal.policy.table_spec import TableSpec, tables_of
from shoal.types.frames import File
from shoal.types.model import PrivacyModel
from shoal.types.schema import ColumnSpec, Schema

if TYPE_CHECKING:
    from shoal.types.algorithm import Algorithm

Linking = Literal["pseudonym", "identifier"]


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
        for name in (self.people, *self.events):
            self._check_key(name, self.tables[name])
        for i, model in enumerate(self.privacy):
            if model.about.column is not None:
                self._place(model.about.column, ("privacy", i, "column"))
        with self.locating():  # what any policy is refused for
            if self.links == "pseudonym" or not any(map(self._has_quasi, self.tables)):
                self.joined()
            for name in self.tables if self.links == "identifier" else ():
                self.alone(name)

    @classmethod
    def load(cls, path: File) -> TablesPolicy:
        """Read a policy file that has `tables`. Paths in it are relative to it."""
        from shoal.policy.file import read_policy_file

        content, lines = read_policy_file(Path(path))
        with locating(lines):
            return replace(cls.of_mapping(content, folder=Path(path).parent), lines=lines)

    @classmethod
    def of(cls, policy: TablesPolicy | Mapping[str, Any] | File) -> TablesPolicy:
        """A policy as it is, from a policy file, or from the keys of one."""
        if isinstance(policy, TablesPolicy):
            return policy
        if isinstance(policy, Mapping):
            return cls.of_mapping(policy)
        return cls.load(file_of_policy(policy))

    @classmethod
    def of_mapping(cls, content: Mapping[str, Any], *, folder: Path | None = None) -> TablesPolicy:
        """From the keys of a policy file."""
        given = {key.replace("-", "_"): value for key, value in content.items()}
        if "columns" in given:
            raise PolicyError("give `columns` under each of the `tables`", ("columns",))
        not_here = ("columns", "lines", "population")
        known = ["tables", *(f.name for f in fields(Policy) if f.name not in not_here)]
        for key in given:
            if key not in known:
                raise PolicyError(
                    f"{key!r} is unknown{nearest(key, known)} Keys are {', '.join(known)}.", (key,)
                )
        person = checked({"person": given.pop("person", None)})["person"]
        named = mapping_of(given.pop("tables", None), ("tables",))
        return cls(
            tables=tables_of(named, person, folder or Path()),
            privacy=models_of(given.pop("privacy", None), folder),
            algorithm=algorithm_of(given.pop("algorithm", DEFAULT_ALGORITHM)),
            settings=_of_each(checked(given)),
        )

    @property
    def people(self) -> str:
        """The name of the table that has a row for each person."""
        return next(name for name, table in self.tables.items() if table.is_people)

    @property
    def key(self) -> str:
        """The column of the table of people that says who it is."""
        return self.tables[self.people].key

    @property
    def events(self) -> tuple[str, ...]:
        return tuple(name for name, table in self.tables.items() if not table.is_people)

    @property
    def links(self) -> Linking:
        """What becomes of keys: pseudonyms, which link the tables, or nothing."""
        table = self.tables[self.people]
        return "pseudonym" if table.columns[table.key].role == "pseudonym" else "identifier"

    @property
    def missing_values(self) -> tuple[str, ...]:
        """Texts that mean that a value is missing."""
        found: tuple[str, ...] = self.settings.get("missing_values", ("",))
        return found

    @property
    def files(self) -> dict[str, Path]:
        """The file of each table."""
        for name, table in self.tables.items():
            if table.file is None:
                raise with_line(
                    PolicyError(
                        "'file' is needed: the name of the table's file, relative to the policy",
                        ("tables", name),
                    ),
                    self.lines,
                )
        return {name: table.file for name, table in self.tables.items() if table.file is not None}

    @property
    def other_files(self) -> tuple[Path, ...]:
        """The files of hierarchies, severities and populations that this policy names."""
        rules = [self.joined()] if self.links == "pseudonym" else map(self.alone, self.tables)
        return tuple(dict.fromkeys(file for own in rules if own is not None for file in own.files))

    def with_k(self, k: int) -> TablesPolicy:
        """The same with another k in every model that has one, or with k-anonymity added."""
        return replace(self, privacy=models_with_k(self.privacy, k))

    def with_algorithm(self, name: str) -> TablesPolicy:
        """The same with another algorithm and its default options."""
        return replace(self, algorithm=algorithm_of(name))

    def with_seed(self, seed: int) -> TablesPolicy:
        return replace(self, settings={**self.settings, "seed": seed})

    def refuse_other_tables(self, names: Iterable[str]) -> None:
        """Refuse tables that are not those of this policy."""
        given = list(names)
        for name in self.tables:
            if name not in given:
                raise InputError(
                    f"The table {name!r} of the policy is missing{nearest(name, given)}"
                )
        for name in given:
            if name not in self.tables:
                near = nearest(name, self.tables)
                raise InputError(f"The policy does not know the table {name!r}{near}")

    def schema_for(self, name: str, columns: Sequence[str]) -> Schema:
        """The columns of a table in its order; every one of them needs a role, and no more."""
        where, what = ("tables", name, "columns"), f"the table {name!r}"
        with self.locating():
            return schema_for(self.tables[name].columns, columns, path=where, table=what)

    def schema_of_release(self, name: str, columns: Sequence[str]) -> Schema:
        """The columns of a released table; withheld ones may be absent, and should be."""
        where, what = ("tables", name, "columns"), f"the table {name!r}"
        with self.locating():
            return schema_of_release(self.tables[name].columns, columns, path=where, table=what)

    @contextmanager
    def locating(self, table: str | None = None) -> Iterator[None]:
        """Errors inside about the joined policy, or that of a table, name keys of this one."""
        try:
            yield
        except PolicyError as error:
            found = PolicyError(error.message, self._own_path(error.path, table))
            raise with_line(found, self.lines) from None

    def joined_name(self, table: str, column: str) -> str:
        """What a column is called where all tables are one: columns of events after their table."""
        return column if self.tables[table].is_people else f"{table}.{column}"

    def joined(self) -> Policy:
        """The policy of all tables as one, a row for each person and event.

        It has the key, what can be looked up and what must not be learned; other columns are not in
        it.
        """
        columns = {
            self.joined_name(name, column): spec
            for name in (self.people, *self.events)
            for column, spec in self.tables[name].columns.items()
            if spec.role in ("quasi", "sensitive") or (name, column) == (self.people, self.key)
        }
        models = tuple(
            replace(model, column=self.joined_name(*self._place(model.about.column)))
            if model.about.column is not None
            else model
            for model in self.privacy
        )
        return self._policy(columns, models, self.key)

    def alone(self, name: str) -> Policy | None:
        """The policy of one table by itself; None if nothing in it can be looked up."""
        table, models = self.tables[name], self.models_of(name)
        if not self._has_quasi(name):
            return None
        if not models:
            raise PolicyError(
                f"no model is about the table {name!r}, which has quasi-identifiers; add for "
                "example {model: k-anonymity, k: 5}",
                ("privacy",),
            )
        with self.locating(name):
            return self._policy(table.columns, models, table.key)

    def models_of(self, name: str) -> tuple[PrivacyModel, ...]:
        """The models about the columns of a table, or about none."""
        found = []
        for model in self.privacy:
            if model.about.column is None:
                found.append(model)
                continue
            table, column = self._place(model.about.column)
            if table == name:
                found.append(replace(model, column=column))
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

    def _has_quasi(self, name: str) -> bool:
        return bool(Schema(self.tables[name].columns).quasi)

    def _own_path(self, path: KeyPath, table: str | None) -> KeyPath:
        """Where this policy has what the joined one, or that of a table, has under `columns`."""
        if path[:1] != ("columns",):
            return path
        if table is not None:
            return ("tables", table, *path)
        for name, spec in self.tables.items():
            for column in spec.columns:
                if path[1:2] == (self.joined_name(name, column),):
                    return ("tables", name, "columns", column, *path[2:])
        return ("tables",)

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
        names = [".".join(place) for place in found or known]
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
        of_events = {f"{event}.{c}" for event in self.events for c in self.tables[event].columns}
        for column, spec in table.columns.items():
            if spec.role == "weight":
                raise PolicyError(
                    "weights are for a policy of one table. Give the column the role keep or drop",
                    ("tables", name, "columns", column),
                )
            if spec.role == "pseudonym" and column != table.key:
                raise PolicyError(
                    f"only the key {table.key!r}, which says whose row it is, can be a pseudonym. "
                    "Give this column the role identifier, which withholds it",
                    ("tables", name, "columns", column),
                )
            if table.is_people and column in of_events:
                raise PolicyError(
                    "the column is called like one of another table. Rename it",
                    ("tables", name, "columns", column),
                )


def is_of_tables(path: Path) -> bool:
    """Whether a policy file has `tables`; most do not have the word, and are not parsed for it."""
    from shoal.policy.file import read_policy_file

    with suppress(OSError):  # which the reader below puts into words
        if b"tables" not in path.read_bytes():
            return False
    return "tables" in read_policy_file(path).content


def _of_each(settings: dict[str, Any]) -> dict[str, Any]:
    """Settings that hold for each table by itself."""
    if settings.get("utility"):
        raise PolicyError(
            "`utility` is measured of one table. Remove it, or give the tables policies of their "
            "own",
            ("utility",),
        )
    return settings
