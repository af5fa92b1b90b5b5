"""The policy: what each column is, which privacy is wanted, and how to get it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol, Unpack, overload, runtime_checkable

from shoal.errors import KeyPath, PolicyError, nearest
from shoal.policy.fields import file_of_policy
from shoal.policy.fitting import check_column_of, schema_for, schema_of_release
from shoal.policy.keys import (
    algorithm_of,
    column_in_role,
    column_of,
    mapping_of,
    models_of,
    models_with_k,
    notation_in_table,
    settings_of,
)
from shoal.policy.lines import locating, with_line
from shoal.policy.minimums import refuse_minimums
from shoal.policy.person import person_of
from shoal.policy.population import check_weights
from shoal.types.context import Context
from shoal.types.frames import File, FrameT, Given, InPolars
from shoal.types.hierarchy_spec import HierarchySpec
from shoal.types.minimum import Minimum
from shoal.types.model import PrivacyModel
from shoal.types.population import Population
from shoal.types.privacy import Privacy
from shoal.types.schema import ColumnSpec, Missing, Order, Schema, Unknown

if TYPE_CHECKING:
    import polars as pl

    from shoal.read.severities import Graded
    from shoal.release.release import Release
    from shoal.types.algorithm import Algorithm
    from shoal.types.run_keywords import Run
    from shoal.types.verdict import Verdict
    from shoal.types.watch import Watch

DEFAULT_ALGORITHM = "mondrian"
Columns = Sequence[str] | Mapping[str, HierarchySpec | None]
Sensitive = Sequence[str] | Mapping[str, "HierarchySpec | Graded | None"]


@runtime_checkable
class Proposed(Protocol):
    """What `shoal.propose` gives, or anything else that has a policy to propose."""

    def policy(self) -> Policy: ...


@dataclass(frozen=True)
class Policy:
    """Everything that decides a release, except the data.

    >>> policy = Policy.of_roles(quasi=["age"], keep=["visits"], privacy=[{"model": "k-anonymity",
    ...                                                                   "k": 5}])
    >>> policy.privacy
    (KAnonymity(k=5),)
    """

    columns: Mapping[str, ColumnSpec]
    privacy: tuple[PrivacyModel, ...]
    algorithm: Algorithm
    suppression: float = 0.0
    missing: Missing = "category"
    missing_values: tuple[str, ...] = ("",)
    unknown: Unknown = "error"
    order: Order = "published"
    decimal: str = ""  # how the numbers of the table are written, where not with a point
    thousands: str = ""
    seed: int = 0
    person: tuple[str, ...] = ()  # columns that say whose record it is; without them, rows count
    population: Population | None = None  # whom the table is a sample of
    utility: tuple[Minimum, ...] = ()  # what is measured of a release, and must be reached
    context: Context = field(default_factory=Context)  # why and to whom; it decides nothing
    lines: Mapping[KeyPath, int] = field(default_factory=dict, repr=False, compare=False)

    def __post_init__(self) -> None:
        if not 0 <= self.suppression <= 1:
            raise PolicyError("must be a share between 0 and 1, such as 0.01", ("suppression",))
        if not any(spec.role == "quasi" for spec in self.columns.values()):
            raise PolicyError(
                "no column is a quasi-identifier. Give the role quasi to every column that "
                "someone could look a person up with, such as age or postcode",
                ("columns",),
            )
        if not self.privacy:
            raise PolicyError(
                "no privacy model is given; add for example {model: k-anonymity, k: 5}",
                ("privacy",),
            )
        for i, model in enumerate(self.privacy):
            check_column_of(model, self.columns, ("privacy", i, "column"))
        refuse_minimums(self.utility, self.columns)
        object.__setattr__(self, "person", person_of(self.columns, self.person))
        check_weights(self.columns, self.population)
        object.__setattr__(self, "columns", self._told_of_table())

    @classmethod
    def load(cls, path: File) -> Policy:
        """Read a policy file. Paths in it are relative to it.

        >>> from tempfile import TemporaryDirectory
        >>> rules = "{columns: {age: quasi}, privacy: [{model: k-anonymity, k: 5}]}"
        >>> with TemporaryDirectory() as folder:
        ...     path = Path(folder, "policy.yaml")
        ...     _ = path.write_text(rules)
        ...     Policy.load(path).privacy
        (KAnonymity(k=5),)
        """
        from shoal.policy.file import read_policy_file

        content, lines = read_policy_file(Path(path))
        with locating(lines):
            return replace(cls.of_mapping(content, folder=Path(path).parent), lines=lines)

    @classmethod
    def of(cls, policy: Policy | Proposed | Mapping[str, Any] | File) -> Policy:
        """A policy as it is, from a proposal, from a policy file, or from the keys of one.

        >>> rules = {"columns": {"age": "quasi"}, "privacy": [{"model": "k-anonymity", "k": 5}]}
        >>> policy = Policy.of(rules)
        >>> Policy.of(policy) is policy
        True
        """
        if isinstance(policy, Policy):
            return policy
        if isinstance(policy, Proposed):
            return policy.policy()
        if isinstance(policy, Mapping):
            return cls.of_mapping(policy)
        return cls.load(file_of_policy(policy))

    @classmethod
    def of_mapping(cls, content: Mapping[str, Any], *, folder: Path | None = None) -> Policy:
        """From the keys of a policy file.

        >>> rules = {"columns": {"age": "quasi"}, "privacy": [{"model": "k-anonymity", "k": 5}]}
        >>> Policy.of_mapping(rules).privacy
        (KAnonymity(k=5),)
        """
        known = [f.name for f in fields(cls) if f.name != "lines"]
        if "tables" in content:
            raise PolicyError(
                "this policy is of several tables, which `shoal anonymize` and `shoal check` take, "
                "and in Python `shoal.anonymize_tables` and `shoal.check_tables`; here one table "
                "with `columns` is needed",
                ("tables",),
            )
        for key in content:
            if key.replace("-", "_") not in known:
                raise PolicyError(
                    f"{key!r} is unknown{nearest(key, known)} Keys are {', '.join(known)}.", (key,)
                )
            if key != key.replace("-", "_") in content:
                raise PolicyError(f"duplicate key {key!r}, once with an underscore", (key,))
        given = {key.replace("-", "_"): value for key, value in content.items()}
        columns = mapping_of(given.pop("columns", None), ("columns",))
        return cls(
            columns={
                name: column_of(value, ("columns", name), folder or Path())
                for name, value in columns.items()
            },
            privacy=models_of(given.pop("privacy", None), folder),
            algorithm=algorithm_of(given.pop("algorithm", DEFAULT_ALGORITHM)),
            **settings_of(given, folder),
        )

    @classmethod
    def of_roles(
        cls,
        *,
        quasi: Columns,
        identifiers: Sequence[str] = (),
        pseudonyms: Sequence[str] = (),
        sensitive: Sensitive = (),
        keep: Sequence[str] = (),
        drop: Sequence[str] = (),
        weight: str | None = None,
        privacy: Sequence[PrivacyModel | Mapping[str, Any]],
        algorithm: str | Mapping[str, Any] | Algorithm = DEFAULT_ALGORITHM,
        **settings: Any,
    ) -> Policy:
        """From lists of columns by role; quasi and sensitive ones may map to hierarchies.

        Sensitive ones may also map to `shoal.severity(...)`. The column of survey weights,
        `weight`, counts and is not released.

        >>> import shoal
        >>> policy = Policy.of_roles(identifiers=["name"], quasi={"age": shoal.intervals(5, 10)},
        ...                          privacy=[shoal.KAnonymity(5)], algorithm="ola")
        >>> {name: spec.role for name, spec in policy.columns.items()}
        {'name': 'identifier', 'age': 'quasi'}
        """
        columns: dict[str, ColumnSpec] = {}
        by_role = {"identifier": identifiers, "pseudonym": pseudonyms, "quasi": quasi,
                   "sensitive": sensitive, "keep": keep, "drop": drop,
                   "weight": () if weight is None else [weight]}  # fmt: skip
        for role, names in by_role.items():
            if isinstance(names, str) or not isinstance(names, Iterable):
                raise PolicyError(f"columns of the role {role} must be a list of names")
            for name in names:
                if name in columns:
                    raise PolicyError(f"column {name!r} has two roles", ("columns",))
                hierarchy = names[name] if isinstance(names, Mapping) else None
                columns[name] = column_in_role(role, hierarchy, ("columns", name))
        return cls(
            columns=columns,
            privacy=models_of(privacy),
            algorithm=algorithm_of(algorithm),
            **settings_of(settings),
        )

    def keys(self, folder: str | Path = "") -> dict[str, Any]:
        """The policy as plain data: what `of_mapping` takes, with files relative to a folder.

        >>> policy = Policy.of_roles(quasi=["age"], privacy=[{"model": "k-anonymity", "k": 5}])
        >>> policy.keys()["privacy"], Policy.of_mapping(policy.keys()) == policy
        ([{'model': 'k-anonymity', 'k': 5}], True)
        """
        from shoal.policy.written import keys_of

        return keys_of(self, Path(folder))

    def text(self, folder: str | Path = "") -> str:
        """The text of a policy file in a folder.

        >>> policy = Policy.of_roles(quasi=["age"], privacy=[{"model": "k-anonymity", "k": 5}])
        >>> print(policy.text())
        columns:
          age: quasi
        privacy:
          - {model: k-anonymity, k: 5}
        algorithm: {name: mondrian}
        <BLANKLINE>
        """
        from shoal.policy.written import text_of

        return text_of(self, Path(folder))

    def write(self, path: str | Path) -> None:
        """Write a policy file, whole or not at all. Files are named relative to it.

        >>> from tempfile import TemporaryDirectory
        >>> policy = Policy.of_roles(quasi=["age"], privacy=[{"model": "k-anonymity", "k": 5}])
        >>> with TemporaryDirectory() as folder:
        ...     policy.write(f"{folder}/policy.yaml")
        ...     Policy.load(f"{folder}/policy.yaml") == policy
        True
        """
        from shoal.write.atomic import write_text

        write_text(Path(path), self.text(Path(path).parent.resolve()))

    @overload
    def anonymize(self, frame: InPolars, **run: Unpack[Run]) -> Release[pl.DataFrame]: ...
    @overload
    def anonymize(self, frame: FrameT, **run: Unpack[Run]) -> Release[FrameT]: ...
    def anonymize(
        self,
        frame: Any,
        *,
        key: File | bytes | None = None,
        threads: int | None = None,
        watch: Watch | None = None,
        progress: bool | None = None,
        earlier: Any = (),
        registry: File | None = None,
    ) -> Release:
        """Anonymize a polars, pandas or pyarrow table, or that of a file, and verify the result.

        A `key` makes pseudonyms: the name of its file, or the key itself as bytes. A `watch`
        receives the progress, and can cancel the run from another thread; `progress` says whether
        a line on stderr shows it, by default only at a prompt. `earlier` releases of
        the same table, frames or names of files, must keep the policy together with this one. A
        `registry`, the name of a file, remembers the release, so that a later one is noticed.

        >>> import polars as pl
        >>> policy = Policy.of_roles(quasi=["age"], privacy=[{"model": "k-anonymity", "k": 2}])
        >>> policy.anonymize(pl.DataFrame({"age": [31, 38]})).frame["age"].to_list()
        ['[31, 38]', '[31, 38]']
        """
        from shoal.api.anonymize import anonymize_by

        return anonymize_by(
            self,
            frame,
            key=key,
            threads=threads,
            watch=watch,
            progress=progress,
            earlier=earlier,
            registry=registry,
        )

    def check(
        self,
        frame: Given,
        original: Given | None = None,
        *,
        earlier: Given | Sequence[Given] = (),
        watch: Watch | None = None,
    ) -> Verdict:
        """Verify a released table, perhaps together with the original and `earlier` releases.

        >>> import polars as pl
        >>> policy = Policy.of_roles(quasi=["age"], privacy=[{"model": "k-anonymity", "k": 2}])
        >>> policy.check(pl.DataFrame({"age": ["[31, 38]", "[31, 38]"]})).holds
        True
        """
        from shoal.api.check import check

        return check(frame, self, original, earlier=earlier, watch=watch)

    def schema_for(self, names: Sequence[str]) -> Schema:
        """The columns in the order of the data; every one of them needs a role, and no more."""
        with self.locating():
            return schema_for(self.columns, names)

    def schema_of_release(self, names: Sequence[str]) -> Schema:
        """The columns of a released table; withheld ones may be absent, and should be."""
        with self.locating():
            return schema_of_release(self.columns, names)

    def locating(self) -> AbstractContextManager[None]:
        """Errors about this policy that are raised inside get the line of their key."""
        return locating(self.lines)

    @property
    def files(self) -> tuple[Path, ...]:
        """The files of hierarchies, severities, populations and queries that this policy names."""
        found = (
            part.file
            for spec in self.columns.values()
            for part in (spec.hierarchy, spec.severity)
            if part is not None
        )
        populations = [Path(file) for file in Privacy(self.privacy).populations]
        if self.population is not None and self.population.file is not None:
            populations.append(Path(self.population.file))
        queries = (minimum.metric.file for minimum in self.utility)
        return (*(path for path in (*found, *queries) if path is not None), *populations)

    def located(self, message: str, path: KeyPath) -> PolicyError:
        return with_line(PolicyError(message, path), self.lines)

    def with_k(self, k: int) -> Policy:
        """The same with another k in every model that has one, or with k-anonymity added.

        >>> policy = Policy.of_roles(quasi=["age"], privacy=[{"model": "k-anonymity", "k": 5}])
        >>> policy.with_k(10).privacy
        (KAnonymity(k=10),)
        """
        return replace(self, privacy=models_with_k(self.privacy, k))

    def with_algorithm(self, name: str) -> Policy:
        """The same with another algorithm and its default options.

        >>> policy = Policy.of_roles(quasi=["age"], privacy=[{"model": "k-anonymity", "k": 5}])
        >>> policy.with_algorithm("ola").keys()["algorithm"]
        {'name': 'ola'}
        """
        return replace(self, algorithm=algorithm_of(name))

    @property
    def missing_text(self) -> str | None:
        """The text for a missing value in a csv file; None if the cell is empty."""
        return self.missing_values[0] or None

    def suppression_limit(self, n_records: int) -> int:
        """How many records may be suppressed: the share, rounded down."""
        return math.floor(self.suppression * n_records + 1e-9)

    def _told_of_table(self) -> Mapping[str, ColumnSpec]:
        """The columns, told what holds for all of them: notation, and unknown values."""
        notation = notation_in_table(self.decimal, self.thousands)
        told = {}
        for name, spec in self.columns.items():
            hierarchy = spec.hierarchy
            if self.unknown == "other" and hierarchy is not None:
                hierarchy = hierarchy.with_other()
            is_told = spec.of_table == notation and hierarchy is spec.hierarchy
            told[name] = spec if is_told else replace(spec, of_table=notation, hierarchy=hierarchy)
        return told
