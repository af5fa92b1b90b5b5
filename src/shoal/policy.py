"""The policy: what each column is, which privacy is wanted, and how to get it."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal import catalog
from shoal.errors import HierarchyError, PolicyError, nearest
from shoal.options import build, convert, number, one_of
from shoal.types.column import PUBLISH, ROLES
from shoal.types.schema import ColumnSpec, HierarchySpec, Missing, Order, Schema, Unknown

if TYPE_CHECKING:
    from shoal.release import Release
    from shoal.types.limits import Algorithm
    from shoal.types.privacy import PrivacyModel, Verdict

KeyPath = tuple[str | int, ...]
DEFAULT_ALGORITHM = "mondrian"
Columns = Sequence[str] | Mapping[str, HierarchySpec | None]


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
    seed: int = 0
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
            self._check_column_of(model, ("privacy", i, "column"))

    @classmethod
    def load(cls, path: str | Path) -> Policy:
        """Read a policy file. Paths in it are relative to it."""
        from shoal.read.policy_file import read_policy_file

        path = Path(path)
        content, lines = read_policy_file(path)
        try:
            return replace(cls.of_mapping(content, folder=path.parent), lines=lines)
        except PolicyError as error:
            raise _with_line(error, lines) from None

    @classmethod
    def of_mapping(cls, content: Mapping[str, Any], *, folder: Path | None = None) -> Policy:
        """From the keys of a policy file."""
        known = [f.name for f in fields(cls) if f.name != "lines"]
        for key in content:
            if key.replace("-", "_") not in known:
                raise PolicyError(
                    f"{key!r} is unknown{nearest(key, known)} Keys are {', '.join(known)}.", (key,)
                )
        given = {key.replace("-", "_"): value for key, value in content.items()}
        columns = _mapping(given.get("columns"), ("columns",))
        return cls(
            columns={
                name: _column(value, ("columns", name), folder or Path())
                for name, value in columns.items()
            },
            privacy=_models(given.get("privacy")),
            algorithm=_algorithm(given.get("algorithm", DEFAULT_ALGORITHM)),
            suppression=number(given.get("suppression", 0), ("suppression",)),
            missing=convert(given.get("missing", "category"), Missing, ("missing",)),
            missing_values=_texts(given.get("missing_values", [""]), ("missing_values",)),
            unknown=convert(given.get("unknown", "error"), Unknown, ("unknown",)),
            order=convert(given.get("order", "published"), Order, ("order",)),
            seed=convert(given.get("seed", 0), int, ("seed",)),
        )

    @classmethod
    def of_roles(
        cls,
        *,
        quasi: Columns,
        identifiers: Sequence[str] = (),
        sensitive: Columns = (),
        keep: Sequence[str] = (),
        drop: Sequence[str] = (),
        privacy: Sequence[PrivacyModel | Mapping[str, Any]],
        algorithm: str | Mapping[str, Any] | Algorithm = DEFAULT_ALGORITHM,
        **settings: Any,
    ) -> Policy:
        """From lists of columns by role; quasi and sensitive ones may map to hierarchies."""
        columns: dict[str, ColumnSpec] = {}
        by_role = {"identifier": identifiers, "quasi": quasi, "sensitive": sensitive,
                   "keep": keep, "drop": drop}  # fmt: skip
        for role, names in by_role.items():
            if isinstance(names, str):
                raise PolicyError(f"columns of the role {role} must be a list of names")
            for name in names:
                if name in columns:
                    raise PolicyError(f"column {name!r} has two roles", ("columns",))
                hierarchy = names[name] if isinstance(names, Mapping) else None
                columns[name] = ColumnSpec(one_of(role, ROLES, ()), hierarchy)
        if "missing_values" in settings:
            settings["missing_values"] = _texts(settings["missing_values"], ("missing_values",))
        models = tuple(
            _model(model, ("privacy", i)) if isinstance(model, Mapping) else model
            for i, model in enumerate(_listed(privacy))
        )
        built = _algorithm(algorithm) if isinstance(algorithm, str | Mapping) else algorithm
        return cls(columns=columns, privacy=models, algorithm=built, **settings)

    def anonymize(self, frame: Any, *, threads: int | None = None) -> Release:
        """Anonymize a polars, pandas or pyarrow table, and verify the result."""
        from shoal.pipeline import anonymize_frame

        return anonymize_frame(frame, self, threads=threads)

    def check(self, frame: Any) -> Verdict:
        """Verify a released table."""
        from shoal.pipeline import check_frame

        return check_frame(frame, self)

    def schema_for(self, names: Sequence[str]) -> Schema:
        """The columns in the order of the data; every one of them needs a role, and no more."""
        for name in names:
            if name not in self.columns:
                near = nearest(name, [known for known in self.columns if known not in names])
                raise self.located(
                    f"column {name!r} of the data has no role{near} Give it one of "
                    f"{', '.join(ROLES)}",
                    ("columns",),
                )
        for name in self.columns:
            if name not in names:
                raise self.located(
                    f"column {name!r} is not in the data{nearest(name, names)}", ("columns", name)
                )
        return Schema(self.columns).in_order_of(list(names))

    def schema_of_release(self, names: Sequence[str]) -> Schema:
        """The columns of a released table; withheld ones may be absent, and should be."""
        released = Schema(self.columns).released
        for name in released:
            if name not in names:
                raise self.located(
                    f"column {name!r} is not in the release{nearest(name, names)}",
                    ("columns", name),
                )
        for name in names:
            if name not in self.columns:
                near = nearest(name, self.columns)
                raise self.located(
                    f"the release has a column {name!r} without a role{near}", ("columns",)
                )
        return Schema(self.columns).in_order_of([name for name in names if name in released])

    def located(self, message: str, path: KeyPath) -> PolicyError:
        return _with_line(PolicyError(message, path), self.lines)

    def with_k(self, k: int) -> Policy:
        """The same with another k in every model that has one, or with k-anonymity added."""
        path: KeyPath = ("k",)
        if not any(hasattr(model, "k") for model in self.privacy):
            return replace(
                self, privacy=(*self.privacy, _model({"model": "k-anonymity", "k": k}, path))
            )
        try:
            privacy = tuple(
                replace(model, k=k) if hasattr(model, "k") else model  # type: ignore[type-var]
                for model in self.privacy
            )
        except ValueError as error:
            raise PolicyError(str(error), path) from None
        return replace(self, privacy=privacy)

    def with_algorithm(self, name: str) -> Policy:
        return replace(self, algorithm=_algorithm(name))

    @property
    def missing_text(self) -> str | None:
        """What stands for a missing value in a csv file; None: nothing at all."""
        return self.missing_values[0] or None

    def suppression_limit(self, n_records: int) -> int:
        """How many records may be suppressed: the share, rounded down."""
        return math.floor(self.suppression * n_records + 1e-9)

    def _check_column_of(self, model: PrivacyModel, path: KeyPath) -> None:
        name = getattr(model, "column", None)
        if name is None:
            return
        sensitive = Schema(self.columns).sensitive
        if name not in sensitive:
            why = "is not sensitive" if name in self.columns else "is no column"
            raise PolicyError(
                f"{name!r} {why}{nearest(name, sensitive)} "
                "A model about values needs a column with the role sensitive.",
                path,
            )


def _column(value: Any, path: KeyPath, folder: Path) -> ColumnSpec:
    if isinstance(value, str):
        return ColumnSpec(one_of(value, ROLES, path))
    keys = _mapping(value, path)
    known = ("role", "hierarchy", "weight", "publish")
    for key in keys:
        if key not in known:
            raise PolicyError(
                f"{key!r} is unknown{nearest(key, known)} A column takes {', '.join(known)}.",
                (*path, key),
            )
    if "role" not in keys:
        raise PolicyError(f"'role' is needed: one of {', '.join(ROLES)}", path)
    weight = number(keys.get("weight", 1), (*path, "weight"))
    if not 0 < weight < math.inf:
        raise PolicyError("must be a number above 0", (*path, "weight"))
    publish = keys.get("publish")
    return ColumnSpec(
        role=one_of(keys["role"], ROLES, (*path, "role")),
        hierarchy=_hierarchy(keys.get("hierarchy"), (*path, "hierarchy"), folder),
        weight=weight,
        publish=None if publish is None else one_of(publish, PUBLISH, (*path, "publish")),
    )


def _hierarchy(value: Any, path: KeyPath, folder: Path) -> HierarchySpec | None:
    from shoal.read import hierarchies as h

    if value is None:
        return None
    if value == "flat":
        return h.flat()
    if isinstance(value, str):
        return h.levels(folder / value)
    keys = _mapping(value, path)
    if len(keys) != 1:
        raise PolicyError("give one of intervals, prefix, date, tree, or a file", path)
    ((kind, of),) = keys.items()
    try:
        match kind:
            case "intervals":
                return h.intervals(*(number(width, (*path, kind)) for width in _listed(of)))
            case "prefix":
                return h.prefix(convert(of, int, (*path, kind)))
            case "date" | "dates":
                return h.dates(*_listed(of))
            case "tree":
                return h.tree(of)
    except HierarchyError as error:
        raise PolicyError(str(error), path) from None
    known = ("intervals", "prefix", "date", "tree")
    raise PolicyError(
        f"{kind!r} is no hierarchy{nearest(kind, known)} Try {', '.join(known)}.", path
    )


def _models(value: Any) -> tuple[PrivacyModel, ...]:
    models = [value] if isinstance(value, Mapping) else _listed(value or [])
    return tuple(_model(model, ("privacy", i)) for i, model in enumerate(models))


def _model(value: Any, path: KeyPath) -> Any:
    keys = dict(_mapping(value, path))
    if "model" not in keys:
        raise PolicyError("'model' is needed, for example {model: k-anonymity, k: 5}", path)
    return _build_named("model", keys.pop("model"), keys, (*path, "model"))


def _algorithm(value: Any) -> Any:
    if isinstance(value, str):
        return _build_named("algorithm", value, {}, ("algorithm",))
    keys = dict(_mapping(value, ("algorithm",)))
    if "name" not in keys:
        raise PolicyError("'name' is needed, for example {name: mondrian}", ("algorithm",))
    return _build_named("algorithm", keys.pop("name"), keys, ("algorithm", "name"))


def _build_named(part: catalog.Part, name: Any, options: dict[str, Any], path: KeyPath) -> Any:
    if not isinstance(name, str):
        raise PolicyError("must be a name", path)
    try:
        cls = catalog.load(part, name)
    except PolicyError as error:
        raise PolicyError(error.message, path) from None
    return build(cls, options, path[:-1] if len(path) > 1 else path)


def _mapping(value: Any, path: KeyPath) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise PolicyError("this must be keys with values", path)
    return value


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else [value]


def _texts(value: Any, path: KeyPath) -> tuple[str, ...]:
    texts = tuple("" if text is None else text for text in _listed(value))
    if not texts or not all(isinstance(text, str) for text in texts):
        raise PolicyError('must be a list of texts, such as ["", "?"]', path)
    return texts


def _with_line(error: PolicyError, lines: Mapping[KeyPath, int]) -> PolicyError:
    """The same error with the line of its key, or of the nearest key above it."""
    if error.line is not None:
        return error
    path = error.path
    while path not in lines and path:
        path = path[:-1]
    return PolicyError(error.message, error.path, lines.get(path))
