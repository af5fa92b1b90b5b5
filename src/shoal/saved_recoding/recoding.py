"""The recoding of a full-domain release, as an object and as a file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal import __version__
from shoal.errors import InputError, OutputError
from shoal.hierarchies.flat import Flat
from shoal.policy.policy import Policy
from shoal.saved_recoding.document import Document, document_of, levels_of, policy_of
from shoal.saved_recoding.fixed import Fixed, Nothing
from shoal.saved_recoding.given_levels import GivenLevels
from shoal.types.axis import Axis
from shoal.types.named import name_of, settings_of
from shoal.types.schema import ColumnSpec, Schema
from shoal.write.atomic import write_text

if TYPE_CHECKING:
    from shoal.release.release import Release

FORMAT = "shoal recoding"
VERSION = 1
NOTE = (
    "INTERNAL: this file lists raw values of the data and how each is generalised. Keep it where "
    "the data are kept, and never publish it with the release."
)


@dataclass(frozen=True, repr=False)
class Recoding:
    """The level of every quasi-identifier of a release, and all that later records need.

    It is a policy whose hierarchies are fixed, so that a value gets the same node in whatever
    table it stands, and whose levels are given. `found_by` is the algorithm that chose them,
    `key_check` tells the key of the release's pseudonyms from others. `release_sha256` is of the
    file that was written together with it, if any.

    >>> import polars as pl, shoal
    >>> release = shoal.anonymize(pl.DataFrame({"age": [31, 38]}),
    ...                           quasi={"age": shoal.intervals(10)},
    ...                           privacy=[shoal.KAnonymity(2)], algorithm="flash")
    >>> release.recoding.levels
    {'age': 1}
    >>> release.recoding.apply(pl.DataFrame({"age": [42, 45]})).frame["age"].to_list()
    ['[40, 49]', '[40, 49]']
    """

    policy: Policy
    key_check: str = ""
    found_by: Mapping[str, Any] = field(default_factory=dict, compare=False)
    shoal: str = field(default=__version__, compare=False)
    release_sha256: str = field(default="", compare=False)

    def __repr__(self) -> str:
        """Levels only: the hierarchies list values of the data."""
        return f"<Recoding: {', '.join(f'{name} {level}' for name, level in self.levels.items())}>"

    @classmethod
    def of_release(cls, release: Release) -> Recoding | None:
        """The recoding of a release; None where cells have no common level."""
        levels = release.grouping.levels
        if levels is None:
            return None
        axes = {axis.name: axis for axis in release.axes}
        columns = {
            name: _fixed(spec, axes[name]) if spec.role == "quasi" else spec
            for name, spec in release.schema.columns.items()
        }
        withheld = {
            name: spec for name, spec in release.policy.columns.items() if name not in columns
        }
        algorithm = release.policy.algorithm
        return cls(
            policy=replace(
                release.policy,
                columns=columns | withheld,
                algorithm=GivenLevels(tuple(int(level) for level in levels)),
                lines={},
            ),
            key_check=release.key_check,
            found_by={"name": name_of(algorithm), "options": _plain(settings_of(algorithm))},
        )

    @classmethod
    def load(cls, path: str | Path) -> Recoding:
        """Read a recoding file.

        >>> import polars as pl, shoal
        >>> from tempfile import TemporaryDirectory
        >>> release = shoal.anonymize(pl.DataFrame({"age": [31, 38]}),
        ...                           quasi={"age": shoal.intervals(10)},
        ...                           privacy=[shoal.KAnonymity(2)], algorithm="flash")
        >>> with TemporaryDirectory() as folder:
        ...     release.recoding.write(f"{folder}/recoding.json")
        ...     Recoding.load(f"{folder}/recoding.json")
        <Recoding: age 1>
        """
        document = _read(Path(path))
        found_by = document.pop("found_by", {})
        shoal, key_check = document.pop("shoal", ""), str(document.pop("key_check", ""))
        release_sha256 = str(document.pop("release_sha256", ""))
        for key in ("note", "format", "version"):
            document.pop(key, None)
        try:
            return cls(policy_of(document), key_check, found_by, shoal, release_sha256)
        except InputError as error:
            raise InputError(f"{path}: this recoding cannot be used: {error}") from None

    def write(self, path: str | Path) -> None:
        """Write the recoding as JSON, readable by you alone: it lists raw values of the data.

        >>> import polars as pl, shoal
        >>> from tempfile import TemporaryDirectory
        >>> release = shoal.anonymize(pl.DataFrame({"age": [31, 38]}),
        ...                           quasi={"age": shoal.intervals(10)},
        ...                           privacy=[shoal.KAnonymity(2)], algorithm="flash")
        >>> with TemporaryDirectory() as folder:
        ...     release.recoding.write(f"{folder}/recoding.json")
        ...     Recoding.load(f"{folder}/recoding.json") == release.recoding
        True
        """
        write_text(Path(path), self.text(), is_private=True)

    def text(self) -> str:
        """The JSON, a line for each key and each column."""
        head = {"note": NOTE, "format": FORMAT, "version": VERSION, "shoal": self.shoal}
        try:
            document = document_of(self.policy)
            returned = policy_of(json.loads(json.dumps(document)))
        except (InputError, TypeError, ValueError):
            returned = None
        if returned != self.policy:
            raise OutputError(
                "The recoding cannot be written down: a model or a hierarchy of its policy is a "
                "class of your own, or has options that JSON cannot store. "
                "Use `release.recoding` in the same program instead."
            )
        known = {"key_check": self.key_check, "release_sha256": self.release_sha256}
        known = {key: value for key, value in known.items() if value}
        return _json_lines(head | {"found_by": self.found_by} | known | document)

    @property
    def levels(self) -> dict[str, int]:
        """The level of each quasi-identifier."""
        return dict(zip(Schema(self.policy.columns).quasi, levels_of(self.policy), strict=True))

    def apply(
        self,
        frame: Any,
        *,
        earlier: Any = None,
        key: str | Path | bytes | None = None,
        threads: int | None = None,
    ) -> Release:
        """Recode new records with the levels of the release, and verify them.

        They must keep the policy by themselves or, with `earlier`, an earlier release of this
        recoding, together with that. The result has the new records only. Pseudonyms need a `key`.

        >>> import polars as pl, shoal
        >>> release = shoal.anonymize(pl.DataFrame({"age": [31, 38]}),
        ...                           quasi={"age": shoal.intervals(10)},
        ...                           privacy=[shoal.KAnonymity(2)], algorithm="flash")
        >>> late = pl.DataFrame({"age": [33]})  # alone, but not with those of the release
        >>> release.recoding.apply(late, earlier=release.frame).frame["age"].to_list()
        ['[30, 39]']
        """
        from shoal.read.given import source_of
        from shoal.read.key import key_of
        from shoal.runs.apply import apply

        return apply(
            self,
            source_of(frame),
            earlier=None if earlier is None else source_of(earlier),
            key=None if key is None else key_of(key),
            threads=threads,
        )

    def sql(self, table: str = "data") -> str:
        """The recoding as one SELECT over a table, for DuckDB and PostgreSQL.

        >>> import polars as pl, shoal
        >>> release = shoal.anonymize(pl.DataFrame({"zip": ["13053", "13068"]}),
        ...                           quasi={"zip": shoal.prefix(5)},
        ...                           privacy=[shoal.KAnonymity(2)], algorithm="flash")
        >>> query = release.recoding.sql("people")
        >>> print(next(line.strip() for line in query.splitlines() if "AS cell_1" in line))
        CASE WHEN text_1 IS NULL THEN NULL ELSE substr(value_1, 1, 3) || '**' END AS cell_1,
        """
        from shoal.saved_recoding.sql import sql_of

        return sql_of(self, table)


def is_recoding(path: Path) -> bool:
    """Whether a file is a recoding of Shoal, which may be replaced by a newer one."""
    try:
        _read(path)
    except InputError:
        return False
    return True


def _fixed(spec: ColumnSpec, axis: Axis) -> ColumnSpec:
    """A quasi-identifier with its hierarchy as the release used it."""
    if isinstance(spec.hierarchy, Fixed):  # the release is itself one of a recoding
        return replace(spec, publish=None, bounds=None)
    hierarchy = Nothing() if axis.hierarchy is None else spec.hierarchy or Flat()
    fixed = Fixed(hierarchy, axis.kind, spec.top)
    return replace(spec, hierarchy=fixed, publish=None, bounds=None)


def _plain(options: Mapping[str, Any]) -> Document:
    """Options that JSON can hold; the others are of no use to a reader."""
    kept = bool | int | float | str | None
    return {name: value for name, value in options.items() if isinstance(value, kept)}


def _read(path: Path) -> Document:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(
            f"{path}: there is no such recoding file. `shoal anonymize` writes one next to the "
            "release of a full-domain algorithm."
        ) from None
    except (OSError, ValueError, RecursionError):
        raise InputError(f"{path}: this is not a recoding file of Shoal.") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InputError(f"{path}: this is not a recoding file of Shoal.")
    if document.get("version") != VERSION:
        raise InputError(
            f"{path}: this recoding has a format that Shoal {__version__} does not know. "
            "Use the Shoal that wrote it, or a newer one."
        )
    return document


def _json_lines(document: Mapping[str, Any]) -> str:
    """JSON with one line for each key, and for each column: long lists stay on their line."""

    def dumped(value: Any) -> str:
        return json.dumps(value, ensure_ascii=False)

    lines = []
    for key, value in document.items():
        if key == "columns":
            columns = [f"    {dumped(name)}: {dumped(keys)}" for name, keys in value.items()]
            lines.append(f"  {dumped(key)}: {{\n" + ",\n".join(columns) + "\n  }")
        else:
            lines.append(f"  {dumped(key)}: {dumped(value)}")
    return "{\n" + ",\n".join(lines) + "\n}\n"
