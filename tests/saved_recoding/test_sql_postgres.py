"""The same SQL in PostgreSQL. Set SHOAL_POSTGRES to what `psql` shall connect to, and it runs."""

from __future__ import annotations

import os
import subprocess

import polars as pl
import pytest

import shoal
from saved_recoding.full_domain import as_csv, people, policy
from saved_recoding.test_sql import EACH_LEVEL, rows
from shoal.read.source import Source
from shoal.runs.anonymize import anonymize

pytestmark = pytest.mark.skipif("SHOAL_POSTGRES" not in os.environ, reason="no SHOAL_POSTGRES")
TYPES = {
    pl.Int64: "bigint",
    pl.Float64: "double precision",
    pl.String: "text",
    pl.Date: "date",
    pl.Datetime("us"): "timestamp",
}


def psql(script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["psql", os.environ["SHOAL_POSTGRES"], "-qX", "-v", "ON_ERROR_STOP=1", "-f", "-"],
        input=script, capture_output=True, text=True, check=False,
    )  # fmt: skip


def loading(frame: pl.DataFrame, path) -> str:
    """A temporary table with the frame in it."""
    frame.write_csv(path)
    columns = ", ".join(f'"{name}" {TYPES[frame[name].dtype]}' for name in frame.columns)
    return f"CREATE TEMPORARY TABLE data ({columns});\n\\copy data FROM '{path}' CSV HEADER\n"


@pytest.mark.parametrize("csv", [True, False], ids=["csv", "typed"])
@pytest.mark.parametrize("levels", EACH_LEVEL, ids=str)
def test_a_view_gives_the_rows_of_the_release(tmp_path, levels, csv):
    source = as_csv(people()) if csv else Source(people())
    models = [shoal.DistinctLDiversity("disease", 2)]
    release = anonymize(source, policy(levels | {"sex": 1}, k=1, privacy=[*models[:csv]]))
    script = loading(source.frame, tmp_path / "in.csv")
    script += f"CREATE TEMPORARY VIEW released AS {release.recoding.sql()};\n"

    result = psql(
        script + f"\\copy (SELECT * FROM released) TO '{tmp_path / 'out.csv'}' CSV HEADER"
    )

    assert result.stderr == ""
    found = pl.read_csv(tmp_path / "out.csv", infer_schema=False)
    assert rows(found) == rows(release.published.cast(pl.String))


def test_an_unknown_value_ends_the_query(tmp_path):
    release = policy({"job": 1}).anonymize(people())
    strange = people().with_columns(job=pl.lit("xyzzy"))

    result = psql(loading(strange, tmp_path / "in.csv") + release.recoding.sql() + ";")

    assert result.returncode != 0
    assert "200 records have an unknown" in result.stderr
    assert "xyzzy" not in result.stderr
