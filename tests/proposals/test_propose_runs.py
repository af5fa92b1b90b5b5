"""A proposed policy runs unchanged on the table it was made from, whatever the table."""

from __future__ import annotations

import csv
import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shoal.policy.policy import Policy
from shoal.proposals.policy_text import policy_text
from shoal.proposals.propose import propose
from shoal.read.files import read_file
from shoal.read.source import Source
from shoal.release.release import Release
from shoal.runs.anonymize import anonymize
from tiers import examples

NAMES = ["a", "id", "full name", "salary", "diagnosis", "zip", "age", "dob", "note", "x: #", "yes",
         "two\nlines", "hiv"]  # fmt: skip
VALUES = [
    st.text(st.characters(codec="utf-8", exclude_characters="\r\0"), max_size=90),
    st.sampled_from(["a", "b", "*", "{a, b}"]),
    st.integers(-(10**17), 10**17).map(str),
    st.integers(0, 120).map(str),
    st.floats(-1e300, 1e300).map(repr),
    st.sampled_from(["true", "false"]),
    st.dates(datetime.date(1, 1, 1)).map(str),
    st.datetimes().map(str),
    st.sampled_from(["02139", "02142", "13053"]),
    st.sampled_from(["0000-01-01", "2020-02-29", "9999-12-31"]),
]
MISSING = st.sampled_from(["", "?", "NA", "-", "null", " "])


@st.composite
def tables(draw) -> dict[str, list[str]]:
    n = draw(st.sampled_from([1, 2, 4, 12, 30]))
    names = draw(st.lists(st.sampled_from(NAMES), min_size=1, max_size=4, unique=True))

    def column() -> list[str]:
        values = draw(st.sampled_from(VALUES))
        if draw(st.booleans()):
            values = values | draw(st.sampled_from([MISSING, st.just("")]))
        return draw(st.lists(values, min_size=n, max_size=n))

    return {name: column() for name in names}


def release_of(source: Source, folder: Path) -> Release:
    """Anonymized by the policy that is proposed for it, by way of the file."""
    path = folder / "policy.yaml"
    path.write_text(policy_text(propose(source), data_name="table.csv"), encoding="utf-8")
    return anonymize(source, Policy.load(path), threads=1)


@settings(examples(thorough=150), suppress_health_check=list(HealthCheck))
@given(tables())
def test_the_proposal_for_any_csv_file_runs_and_holds(columns):
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.csv"
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file, quoting=csv.QUOTE_ALL)
            writer.writerow(columns)
            writer.writerows(zip(*columns.values(), strict=True))

        release = release_of(read_file(path, delimiter=","), Path(folder))

    assert release.verdict.holds


@pytest.mark.parametrize("n", [1, 2, 60])
def test_the_proposal_for_typed_columns_runs_and_holds(n, tmp_path):
    day = datetime.datetime(2020, 1, 1)
    frame = pl.DataFrame(
        {
            "flag": [i % 2 == 0 for i in range(n)],
            "when": [day + datetime.timedelta(hours=i) for i in range(n)],
            "day": [(day + datetime.timedelta(i)).date() for i in range(n)],
            "hour": [datetime.time(i % 24) for i in range(n)],
            "tags": [[i] for i in range(n)],
            "income": [None if i % 3 else i / 2 for i in range(n)],
            "kind": pl.Series([f"k{i % 4}" for i in range(n)], dtype=pl.Categorical),
            "nothing": pl.Series([None] * n, dtype=pl.Null),
            "huge": pl.Series([2**63 + i % 5 for i in range(n)], dtype=pl.UInt64),
        }
    )

    release = release_of(Source(frame), tmp_path)

    assert release.verdict.holds
    assert "tags" not in release.published.columns


def test_the_hospital_table_is_released_without_names_and_notes(hospital, tmp_path):
    release = release_of(Source(pl.DataFrame(hospital), is_text=True), tmp_path)

    assert release.verdict.holds
    assert release.published.columns == ["dob", "zip", "sex", "diagnosis", "visits"]
    for finding, least in zip(release.verdict.findings, (5, 2), strict=True):
        assert finding.achieved >= least
