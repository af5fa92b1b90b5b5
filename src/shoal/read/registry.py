"""Which tables were released before: a file of one line for each release, with hashes only."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import polars as pl

from shoal.errors import InputError
from shoal.read.columns import can_be_read
from shoal.types.text_counts import TextCounts

REGISTRY = "releases.jsonl"


class Entry(NamedTuple):
    """One release: when, of which table, and what was written. Hashes are None where unknown."""

    time: str
    data_sha256: str | None
    data_values: str
    file: str | None
    release_sha256: str | None
    release_values: str
    policy_sha256: str
    models: tuple[str, ...]
    shoal: str

    def text(self) -> str:
        """As a line of the file."""
        return json.dumps(self._asdict(), ensure_ascii=False)

    def is_of_table(self, other: Entry) -> bool:
        """Whether both are releases of one table: the same file, or the same values."""
        is_file = self.data_sha256 is not None and self.data_sha256 == other.data_sha256
        return is_file or self.data_values == other.data_values


class Registry(NamedTuple):
    entries: tuple[Entry, ...] = ()
    n_damaged: int = 0  # lines that cannot be read


def read_registry(path: Path) -> Registry:
    """Read what was released before. A file that is not there says: nothing."""
    try:
        lines = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return Registry()
    except OSError as error:
        why = error.strerror or "input/output error"
        raise InputError(f"{path}: cannot be read ({why}).") from None
    found = [_entry_of(line) for line in lines if line.strip()]
    entries = tuple(entry for entry in found if entry is not None)
    return Registry(entries, len(found) - len(entries))


def _entry_of(line: bytes) -> Entry | None:
    try:
        content = json.loads(line)
    except (ValueError, RecursionError):
        return None
    if not isinstance(content, Mapping) or content.keys() != set(Entry._fields):
        return None
    fields: dict[str, Any] = dict(content)
    models = fields.pop("models")
    may_be_none = {"data_sha256", "file", "release_sha256"}
    for name, value in fields.items():
        if not isinstance(value, str) and not (value is None and name in may_be_none):
            return None
    if not isinstance(models, list) or not all(isinstance(model, str) for model in models):
        return None
    return Entry(**fields, models=tuple(models))


def values_sha256(frame: pl.DataFrame, known: Mapping[str, TextCounts] | None = None) -> str:
    """SHA-256 of the values of every column and how often each occurs, whatever their order.

    It stays the same when rows are sorted anew, or the table is saved in another format. Of some
    columns it may be `known` how often each value occurs.

    >>> first = pl.DataFrame({"age": [31, 38, 31], "sex": ["f", "m", "f"]})
    >>> values_sha256(first) == values_sha256(first.select("sex", "age").sort("age"))
    True
    """
    digest = hashlib.sha256()
    for name in sorted(frame.columns):
        digest.update(f"{len(name)}:{name}".encode())
        counted = (known or {}).get(name) or _counted(frame[name])
        for part in (str(frame.height).encode(),) if counted is None else _in_bytes(counted):
            digest.update(part)
    return digest.hexdigest()


def rows_sha256(frame: pl.DataFrame) -> str:
    """SHA-256 of all rows in their order, and of the names and types of the columns.

    >>> first = pl.DataFrame({"age": [31, 38]})
    >>> rows_sha256(first) == rows_sha256(first.sort("age", descending=True))
    False
    """
    digest = hashlib.sha256(repr([(name, str(t)) for name, t in frame.schema.items()]).encode())
    for column in frame.iter_columns():
        if not can_be_read(column):
            digest.update(str(len(column)).encode())
            continue
        texts = column.cast(pl.String)
        lengths = texts.str.len_bytes().cast(pl.Int64).fill_null(-1)
        digest.update(lengths.to_numpy().tobytes())
        digest.update("".join(texts.drop_nulls()).encode())
    return digest.hexdigest()


def _counted(column: pl.Series) -> TextCounts | None:
    """Different values and their counts; of lists and the like there are none."""
    if not can_be_read(column):
        return None
    counts = column.alias("values").cast(pl.String).value_counts()
    return TextCounts(counts["values"], counts["count"].cast(pl.Int64).to_numpy())


def _in_bytes(text_counts: TextCounts) -> tuple[bytes, ...]:
    texts, counts = text_counts
    counted = pl.DataFrame({"values": texts.alias("values"), "count": counts})
    if texts.is_duplicated().any():  # what is missing may be written like a value
        counted = counted.group_by("values").agg(pl.col("count").sum())
    counted = counted.sort("values", nulls_last=True)
    values = counted["values"].drop_nulls()
    lengths = values.str.len_bytes().to_numpy().tobytes()
    return "".join(values).encode(), lengths, counted["count"].cast(pl.UInt32).to_numpy().tobytes()
