"""Where DuckDB puts a release: a table that is renamed at the end, or a file."""

from __future__ import annotations

import contextlib
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Protocol

from shoal.engines.sql import literal, quote
from shoal.errors import OutputError
from shoal.write.atomic import FileSet

OURS = "Release of Shoal"  # begins the comment on a table, by which it is known later
CSV = (".csv", ".tsv", ".txt")
Run = Callable[[str], None]


class Target(Protocol):
    """A release is built next to the old one, looked at, and then takes its place."""

    def build(self, run: Run, query: str, columns: Sequence[str]) -> None: ...

    @property
    def staged(self) -> str:
        """What was built, as SQL writes it."""

    def publish(self, run: Run) -> None: ...

    def close(self) -> None:
        """Leave nothing behind of what was not published."""


class TableTarget:
    """A table. All of it happens in one transaction, so that nothing is left if it is not ended."""

    def __init__(self, database: str, schema: str, table: str) -> None:
        self._place = f"{database}.{quote(schema)}"
        self._table = table
        self._staging = f"shoal_staging_{secrets.token_hex(8)}"

    @property
    def staged(self) -> str:
        return f"{self._place}.{quote(self._staging)}"

    def build(self, run: Run, query: str, columns: Sequence[str]) -> None:
        run(f"create table {self.staged} as {query}")

    def publish(self, run: Run) -> None:
        released = f"{self._place}.{quote(self._table)}"
        run(f"drop table if exists {released}")
        run(f"alter table {self.staged} rename to {quote(self._table)}")
        run(f"comment on table {released} is {literal(OURS)}")
        run("commit")

    def close(self) -> None:
        """The transaction ends with the connection."""


class FileTarget:
    """A csv or parquet file, written as a draft that takes its place at the end."""

    def __init__(self, path: Path, inputs: Sequence[Path], *, delimiter: str) -> None:
        self._path, self._delimiter = path, delimiter
        self._files = contextlib.ExitStack()
        self._set = self._files.enter_context(FileSet(inputs))
        self._draft: Path | None = None
        self._columns: Sequence[str] = ()

    @property
    def is_parquet(self) -> bool:
        return self._path.suffix.lower() in (".parquet", ".pq")

    @property
    def staged(self) -> str:
        assert self._draft is not None
        if self.is_parquet:
            return f"read_parquet({file_literal(self._draft)})"
        return csv_reader(
            self._draft, self._columns, self._delimiter, is_gzip=self._path.suffix == ".gz"
        )

    def build(self, run: Run, query: str, columns: Sequence[str]) -> None:
        with self._set.writing(self._path) as draft:
            self._draft, self._columns = draft, columns
            how = "format parquet" if self.is_parquet else self._csv_options()
            run(f"copy ({query}) to {literal(str(draft))} ({how}, use_tmp_file false)")

    def _csv_options(self) -> str:
        packed = "gzip" if self._path.suffix == ".gz" else "none"
        return (
            f"format csv, header true, delimiter {literal(self._delimiter)}, compression {packed}"
        )

    def publish(self, run: Run) -> None:
        run("rollback")  # of temporary tables; the draft is written
        self._files.close()

    def close(self) -> None:
        unfinished = OutputError("The release was not published.")
        with contextlib.suppress(OutputError):
            self._files.__exit__(OutputError, unfinished, None)


def file_literal(path: Path) -> str:
    """The name of a file, in which no character stands for others.

    >>> file_literal(Path("a*.csv"))
    "'a[*].csv'"
    """
    import glob

    return literal(glob.escape(str(path)))


def csv_reader(path: Path, columns: Sequence[str], delimiter: str, *, is_gzip: bool) -> str:
    """A csv file as a table of texts, as SQL writes it; a line with too many or few is an error."""
    types = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in columns)
    packed = "gzip" if is_gzip else "none"
    return (
        f"read_csv({file_literal(path)}, columns = {{{types}}}, delim = {literal(delimiter)}, "
        "quote = '\"', escape = '\"', header = true, auto_detect = false, strict_mode = true, "
        "null_padding = false, nullstr = '', allow_quoted_nulls = false, "
        f"max_line_size = 16000000, compression = {literal(packed)})"
    )
