"""What only a suppressed person had is nowhere in the release, not even in its types."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import shoal

SECRET = "gone"
KEPT = ["a", "b", "a", "b", SECRET]


def release_of(frame):
    return shoal.anonymize(
        frame,
        quasi={"age": shoal.tree(["1", "2"])},
        keep=["kept"],
        privacy=[shoal.KAnonymity(2)],
        unknown="suppress",
        suppression=0.2,
    )


def ages(frame_of):
    return frame_of({"age": ["1", "1", "2", "2", "77"], "kept": KEPT})


def test_a_polars_enum_forgets_it(tmp_path):
    frame = ages(pl.DataFrame).with_columns(pl.col("kept").cast(pl.Enum(["a", "b", SECRET, "z"])))
    release = release_of(frame)

    release.write(tmp_path / "release.parquet")

    assert release.frame.schema["kept"] == pl.Enum(["a", "b", "z"])
    assert SECRET.encode() not in (tmp_path / "release.parquet").read_bytes()


def test_a_pandas_category_forgets_it():
    frame = ages(pd.DataFrame)
    frame["kept"] = pd.Categorical(KEPT, categories=["a", "b", SECRET, "z"])
    frame.attrs["who"] = SECRET

    released = release_of(frame).frame

    assert released["kept"].cat.categories.tolist() == ["a", "b", "z"]
    assert not released.attrs


def test_a_pyarrow_dictionary_forgets_it():
    table = ages(pa.table)
    table = table.set_column(1, "kept", table["kept"].dictionary_encode())
    table = table.replace_schema_metadata({"who": SECRET})

    released = release_of(table).frame

    assert released.schema.metadata is None
    assert released["kept"].chunk(0).dictionary.to_pylist() == ["a", "b"]
    assert released.schema.field("kept").type == table.schema.field("kept").type


@pytest.mark.parametrize("kind", ["csv", "csv.gz", "parquet"])
def test_no_file_holds_it(kind, tmp_path):
    release_of(ages(pl.DataFrame)).write(tmp_path / f"release.{kind}")

    assert SECRET.encode() not in (tmp_path / f"release.{kind}").read_bytes()


@pytest.mark.parametrize(
    "nested",
    [
        lambda c: c.reshape((-1, 1)).arr.to_list(),
        lambda c: c.reshape((-1, 1)),
        lambda c: pl.DataFrame({"f": c}).to_struct(),
    ],
    ids=["list", "array", "struct"],
)
def test_categories_inside_nested_values_forget_it(nested, tmp_path):
    kept = nested(pl.Series(KEPT, dtype=pl.Enum(["a", "b", SECRET])))
    frame = ages(pl.DataFrame).with_columns(kept.alias("kept"))

    release_of(frame).write(tmp_path / "release.parquet")

    assert SECRET.encode() not in (tmp_path / "release.parquet").read_bytes()
