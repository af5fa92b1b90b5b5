"""A frame in every form in which it can be passed on, as bytes, uncompressed."""

from __future__ import annotations

import contextlib
import io
import pickle
from collections.abc import Callable, Iterator
from functools import partial

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet


def forms_of(frame) -> dict[str, bytes]:
    """The bytes of each form that the frame has; nested columns have no csv, and so on."""
    if isinstance(frame, pl.DataFrame):
        made = dict(_forms_of_polars(frame))
    elif isinstance(frame, pd.DataFrame):
        made = dict(_forms_of_pandas(frame))
    else:
        made = dict(_forms_of_pyarrow(frame))
    return {"pickle": pickle.dumps(frame), **made}


def holds(content: bytes, secret: str | int) -> bool:
    """Whether bytes hold a text in any usual encoding, or a number of eight bytes."""
    if isinstance(secret, int):
        return secret.to_bytes(8, "little") in content
    return any(secret.encode(code) in content for code in ("utf-8", "utf-16-le", "utf-32-le"))


def _forms_of_polars(frame: pl.DataFrame) -> Iterator[tuple[str, bytes]]:
    newest, oldest = pl.CompatLevel.newest(), pl.CompatLevel.oldest()
    for name, level in {"newest": newest, "oldest": oldest}.items():
        yield f"ipc {name}", _written(partial(frame.write_ipc, compat_level=level))
        yield f"stream {name}", _written(partial(frame.write_ipc_stream, compat_level=level))
    yield "binary", frame.serialize()
    yield from _where_there_is_one(
        {
            "buffers newest": lambda: buffers_of(frame.to_arrow(compat_level=newest)),
            "buffers oldest": lambda: buffers_of(frame.to_arrow(compat_level=oldest)),
            "arrow stream": lambda: buffers_of(pa.table(frame)),
            "parquet": lambda: _written(partial(frame.write_parquet, compression="uncompressed")),
            "csv": lambda: _written(frame.write_csv),
        }
    )


def _forms_of_pandas(frame: pd.DataFrame) -> Iterator[tuple[str, bytes]]:
    yield "csv", frame.to_csv().encode()
    yield "notes", repr((frame.attrs, frame.index.names, frame.columns.names)).encode()
    try:
        table = pa.Table.from_pandas(frame)
    except (pa.ArrowException, TypeError):  # which has no such type, of mixed objects say
        return
    yield from _forms_of_pyarrow(table)


def _forms_of_pyarrow(table: pa.Table) -> Iterator[tuple[str, bytes]]:
    def write_ipc(file: io.BytesIO) -> None:
        with pa.ipc.new_file(file, table.schema) as writer:
            writer.write_table(table)

    yield "buffers", buffers_of(table)
    yield from _where_there_is_one(
        {
            "ipc": lambda: _written(write_ipc),
            "feather": lambda: _written(
                lambda file: pa.feather.write_feather(table, file, compression="uncompressed")
            ),
            "parquet": lambda: _written(
                lambda file: pa.parquet.write_table(table, file, compression="none")
            ),
        }
    )


def _where_there_is_one(forms: dict[str, Callable[[], bytes]]) -> Iterator[tuple[str, bytes]]:
    """Leaves out forms that have no such type."""
    for name, form in forms.items():
        with contextlib.suppress(pl.exceptions.PolarsError, pa.ArrowException):
            yield name, form()


def buffers_of(table: pa.Table) -> bytes:
    """The memory of every column, dictionaries and items included, and what the schema notes."""
    chunks = [chunk for column in table.columns for chunk in column.chunks]
    return b"\0".join([repr(table.schema).encode(), *(b for c in chunks for b in _buffers(c))])


def _buffers(array: pa.Array) -> Iterator[bytes]:
    if isinstance(array, pa.ExtensionArray):
        yield from _buffers(array.storage)
        return
    yield from (b"-" if buffer is None else buffer.to_pybytes() for buffer in array.buffers())
    if pa.types.is_dictionary(array.type):
        yield from _buffers(array.dictionary)
    elif pa.types.is_struct(array.type):
        for i in range(array.type.num_fields):
            yield from _buffers(array.field(i))
    elif pa.types.is_map(array.type):
        yield from _buffers(array.keys)
        yield from _buffers(array.items)
    elif pa.types.is_nested(array.type) and not pa.types.is_union(array.type):
        yield from _buffers(array.values)


def _written(write) -> bytes:
    file = io.BytesIO()
    write(file)
    return file.getvalue()
