"""`shoal apply`, and the recoding file that `shoal anonymize` writes beside a release."""

from __future__ import annotations

import gzip
import json
import os
from dataclasses import dataclass
from pathlib import Path

import duckdb
import polars as pl
import pytest

import shoal
from saved_recoding.full_domain import FixedLevels
from shoal import catalog
from shoal.cli._recoding import recoding_path
from shoal.types.algorithm import Algorithm, Traits

HEADER = "name,age,zip,work,disease,visits"


def line(i: int, age: int) -> str:
    work, disease = ("cook", "nurse")[i % 2], ("gout", "flu", "flu")[i % 3]
    return f"xyzzy{i},{age},0213{i % 3},{work},{disease},{i}"


JANUARY = [line(i, 20 + i % 7) for i in range(24)]
FEBRUARY = [line(i, 21 + i % 5) for i in range(8)]
POLICY = """\
columns:
  name: identifier
  age: {role: quasi, hierarchy: {intervals: [5, 10]}}
  zip: {role: quasi, hierarchy: {prefix: 5}}
  work: {role: quasi, hierarchy: work.csv}
  disease: sensitive
  visits: keep
privacy:
  - {model: k-anonymity, k: 2}
  - {model: distinct-l-diversity, column: disease, l: 2}
algorithm: {name: chosen-levels, levels: 2 2 0}
suppression: 0.25
"""


@dataclass(frozen=True)
class ChosenLevels(Algorithm):
    """A full-domain algorithm that can stand in a policy file."""

    levels: str
    traits = Traits(publishes_nodes=True)

    def group(self, table, privacy, limits):
        levels = tuple(map(int, self.levels.split()))
        return FixedLevels(levels).group(table, privacy, limits)


def text(lines: list[str]) -> str:
    return "\n".join([HEADER, *lines]) + "\n"


@pytest.fixture
def folder(tmp_path, monkeypatch) -> Path:
    """The current folder, with two months of data and a policy."""
    monkeypatch.chdir(tmp_path)
    load = catalog.load
    own = ("algorithm", "chosen-levels")
    monkeypatch.setattr(catalog, "load", lambda *of: ChosenLevels if of == own else load(*of))
    Path("january.csv").write_text(text(JANUARY))
    Path("february.csv").write_text(text(FEBRUARY))
    Path("policy.yaml").write_text(POLICY)
    Path("work.csv").write_text("nurse;care;*\ncook;kitchen;*\n")
    return tmp_path


@pytest.fixture
def january(folder, run):
    """The release of January, with its recoding beside it."""
    result = run("anonymize", "january.csv", "-p", "policy.yaml", "-o", "january-release.csv")
    assert result.code == 0, result.stderr
    return Path("january-release.recoding.json")


@pytest.fixture
def apply(run, january):
    def apply(*arguments: object, data="february.csv", output="out.csv"):
        return run("apply", data, "-r", january, "-o", output, "--quiet", *arguments)

    return apply


def cells(path: object) -> pl.DataFrame:
    return pl.read_csv(path, infer_schema=False)


# What anonymize writes


@pytest.mark.parametrize(
    ("release", "recoding"),
    [
        ("release.csv", "release.recoding.json"),
        ("release.csv.gz", "release.recoding.json"),
        ("RELEASE.CSV", "RELEASE.recoding.json"),
        ("x.parquet", "x.recoding.json"),
        ("a.b.tsv.gz", "a.b.recoding.json"),
    ],
)
def test_the_recoding_is_named_after_the_release(release, recoding):
    assert recoding_path(Path("folder") / release) == Path("folder") / recoding


@pytest.mark.parametrize("ending", ["csv", "csv.gz", "parquet"])
def test_anonymize_writes_the_recoding_beside_the_release_and_says_so(folder, run, ending):
    result = run("anonymize", "january.csv", "-p", "policy.yaml", "-o", f"release.{ending}")

    assert result.code == 0
    assert "release.recoding.json was written too. It is INTERNAL" in result.stdout
    assert shoal.Recoding.load("release.recoding.json").levels == {"age": 2, "zip": 2, "work": 0}


def test_json_names_the_recoding(folder, run):
    result = run("anonymize", "january.csv", "-p", "policy.yaml", "-o", "release.csv", "--json")

    assert json.loads(result.stdout)["recoding"] == "release.recoding.json"
    assert json.loads(result.stdout)["levels"] == {"age": 2, "zip": 2, "work": 0}


def test_a_local_recoding_leaves_no_file(folder, run):
    result = run("anonymize", "january.csv", "-p", "policy.yaml", "-o", "release.csv",
                 "--algorithm", "mondrian", "--json")  # fmt: skip

    assert result.code == 0
    assert "recoding" not in json.loads(result.stdout)
    assert not Path("release.recoding.json").exists()


def test_a_local_recoding_says_that_the_old_file_does_not_belong_to_it(january, run):
    before = january.read_text()

    result = run("anonymize", "january.csv", "-p", "policy.yaml", "-o", "january-release.csv",
                 "--algorithm", "mondrian")  # fmt: skip

    assert "belongs to an earlier release" in result.stdout
    assert january.read_text() == before


def test_a_file_that_is_no_recoding_is_not_overwritten_unless_forced(folder, run):
    Path("release.recoding.json").write_text("precious")
    arguments = ("anonymize", "january.csv", "-p", "policy.yaml", "-o", "release.csv")

    refused = run(*arguments)

    assert refused.code == 2
    assert "release.recoding.json exists" in refused.stderr
    assert Path("release.recoding.json").read_text() == "precious"
    assert not Path("release.csv").exists()
    assert run(*arguments, "--force").code == 0
    assert shoal.Recoding.load("release.recoding.json")


def test_a_recoding_is_replaced_by_a_newer_one(january, run):
    before = january.read_text()

    result = run("anonymize", "january.csv", "-p", "policy.yaml", "-o", "january-release.csv",
                 "--k", 3)  # fmt: skip

    assert result.code == 0
    assert january.read_text() != before


@pytest.mark.parametrize("force", [[], ["--force"]])
def test_an_input_is_never_overwritten_by_the_recoding(folder, run, force):
    Path("policy.yaml").rename("release.recoding.json")

    result = run("anonymize", "january.csv", "-p", "release.recoding.json", "-o", "release.csv",
                 *force)  # fmt: skip

    assert result.code == 2
    assert "is the policy" in result.stderr
    assert Path("release.recoding.json").read_text() == POLICY


def test_the_report_and_the_recoding_cannot_be_one_file(folder, run):
    result = run("anonymize", "january.csv", "-p", "policy.yaml", "-o", "release.csv",
                 "--report", "release.recoding.json")  # fmt: skip

    assert result.code == 2
    assert "is the report" in result.stderr


def test_a_recoding_that_cannot_be_written_down_does_not_cost_the_release(folder, run, monkeypatch):
    from shoal.errors import OutputError
    from shoal.saved_recoding.recoding import Recoding

    def refuse(self):
        raise OutputError("The recoding cannot be written down: ...")

    monkeypatch.setattr(Recoding, "text", refuse)

    result = run("anonymize", "january.csv", "-p", "policy.yaml", "-o", "release.csv")

    assert result.code == 0
    assert "cannot be written down" in result.stdout
    again = run("anonymize", "january.csv", "-p", "policy.yaml", "-o", "release.csv", "--json")
    assert "cannot be written down" in json.loads(again.stdout)["notes"][-1]
    assert Path("release.csv").exists()
    assert not Path("release.recoding.json").exists()


# What apply does


def test_the_same_file_gives_the_same_release(apply):
    result = apply(data="january.csv")

    assert result.code == 0, result.stderr
    assert Path("out.csv").read_bytes() == Path("january-release.csv").read_bytes()


def test_new_records_have_the_levels_of_the_release(apply):
    result = apply()

    assert result.code == 0
    assert "It contains the new records only." in result.stdout
    found = cells("out.csv")
    assert set(found["age"]) == {"[20, 29]"}
    assert set(found["zip"]) == {"021**"}
    assert found.columns == HEADER.split(",")[1:]


def test_json_is_the_summary(apply):
    result = apply("--json")

    summary = json.loads(result.stdout)
    assert (summary["rows"], summary["released"], summary["output"]) == (8, 8, "out.csv")
    assert summary["levels"] == {"age": 2, "zip": 2, "work": 0}
    assert summary["algorithm"] == "given-levels"


def test_csv_gz_and_parquet_give_the_same_cells(apply):
    apply(output="plain.csv")
    Path("february.csv.gz").write_bytes(gzip.compress(Path("february.csv").read_bytes()))
    cells("february.csv").with_columns(
        pl.col("age").cast(pl.Int64), pl.col("visits").cast(pl.Int64)
    ).write_parquet("february.parquet")

    assert apply(data="february.csv.gz", output="out.csv.gz").code == 0
    assert apply(data="february.parquet", output="out.parquet").code == 0

    plain = cells("plain.csv")
    assert cells("out.csv.gz").equals(plain)
    quasi = ["age", "zip", "work"]
    assert pl.read_parquet("out.parquet").select(quasi).equals(plain.select(quasi))


def test_the_delimiter_of_the_new_data_is_kept(apply):
    Path("february.csv").write_text(text(FEBRUARY).replace(",", ";"))

    apply()

    assert Path("out.csv").read_text().startswith("age;zip;work;")


def test_withheld_columns_may_be_absent(apply):
    cells("february.csv").drop("name").write_csv("february.csv")

    assert apply().code == 0


def test_groups_that_fail_are_suppressed_within_the_limit(apply):
    Path("february.csv").write_text(text([*FEBRUARY, "xyzzy,77,02139,nurse,flu,1"]))

    result = apply("--json")

    assert json.loads(result.stdout)["suppressed"] == 1
    assert "[70, 79]" not in cells("out.csv")["age"]


def test_more_than_the_limit_is_refused_and_nothing_written(apply):
    lines = [f"xyzzy{i},{30 + 10 * i},02139,nurse,flu,1" for i in range(4)]
    Path("february.csv").write_text(text([*FEBRUARY, *lines]))

    result = apply()

    assert result.code == 1
    assert "4 groups with 4 records fail" in result.stderr
    assert "--release" in result.stderr
    assert not Path("out.csv").exists()


def test_with_the_earlier_release_fewer_records_are_enough(apply):
    Path("february.csv").write_text(text(FEBRUARY[:1]))

    alone, together = apply(), apply("--release", "january-release.csv")

    assert alone.code == 1
    assert together.code == 0, together.stderr
    assert cells("out.csv").height == 1
    assert "verified together with 24 records" in " ".join(together.stdout.split())


def test_an_earlier_release_that_does_not_hold_is_refused(apply):
    lines = Path("january-release.csv").read_text().splitlines()
    lines[1] = lines[1].replace("[20, 29]", "[80, 89]")
    Path("tampered.csv").write_text("\n".join(lines) + "\n")

    result = apply("--release", "tampered.csv")

    assert result.code == 1
    assert "by itself" in result.stderr
    assert not Path("out.csv").exists()


def test_an_unknown_value_is_an_error_that_does_not_show_it(apply):
    Path("february.csv").write_text(text([*FEBRUARY, "xyzzy,22,02139,xyzzy,flu,1"]))

    result = apply()

    assert result.code == 2
    assert "Column 'work': 1 value (1 record) is missing" in result.stderr
    assert not Path("out.csv").exists()


def test_what_is_there_stays_when_the_new_data_is_refused(apply):
    Path("out.csv").write_text("before")
    Path("february.csv").write_text(text([*FEBRUARY, "xyzzy,22,02139,xyzzy,flu,1"]))

    apply()

    assert Path("out.csv").read_text() == "before"


def test_nothing_is_written_that_was_not_verified(apply, monkeypatch):
    """Even if the search is wrong, `verify` sees it."""
    from shoal.runs import apply as module

    monkeypatch.setattr(
        module.NewRecords, "kept_groups", lambda self, grouping, *of: grouping.low[:, 0] >= 0
    )
    Path("february.csv").write_text(text([*FEBRUARY, "xyzzy,77,02139,nurse,flu,1"]))

    alone, together = apply(), apply("--release", "january-release.csv")

    for result in (alone, together):
        assert result.code == 1
        assert "Nothing was released" in result.stderr
    assert not Path("out.csv").exists()


@pytest.mark.parametrize("output", ["february.csv", "january-release.csv", "link.csv"])
def test_an_input_is_never_overwritten(apply, output):
    os.link("february.csv", "link.csv")
    before = Path(output).read_bytes()

    result = apply("--release", "january-release.csv", "--force", output=output)

    assert result.code == 2
    assert Path(output).read_bytes() == before


def test_a_file_that_is_no_recoding_is_refused(folder, run):
    result = run("apply", "february.csv", "-r", "policy.yaml", "-o", "out.csv")

    assert result.code == 2
    assert "not a recoding file of Shoal" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["-r", "r.json"], "Give NEWDATA and -o"),
        (["february.csv", "-r", "r.json"], "NEWDATA needs -o"),
        (["-r", "r.json", "--sql", "v.sql", "-o", "out.csv"], "need NEWDATA"),
        (["february.csv", "-o", "out.csv"], "Missing option"),
    ],
)
def test_half_a_command_is_refused(folder, run, arguments, message):
    result = run("apply", *arguments)

    assert result.code == 2
    assert message in result.stderr


BAD_NEWS = {
    "column missing": lambda frame: frame.drop("work"),
    "column unknown": lambda frame: frame.with_columns(more=pl.lit("xyzzy")),
    "unknown": lambda frame: frame.with_columns(work=pl.lit("xyzzy")),
    "no number": lambda frame: frame.with_columns(age=pl.lit("xyzzy")),
    "too few": lambda frame: frame.with_columns(zip=pl.col("visits") + pl.col("name")),
    "one record": lambda frame: frame[:1],
}


@pytest.mark.parametrize("name", BAD_NEWS)
@pytest.mark.parametrize("earlier", [[], ["--release", "january-release.csv"]], ids=["", "release"])
def test_no_message_shows_a_cell(apply, name, earlier):
    BAD_NEWS[name](cells("february.csv")).write_csv("february.csv")

    result = apply(*earlier)

    assert result.code in (1, 2) or (name == "one record" and earlier)
    assert "xyzzy" not in result.stdout + result.stderr


# SQL


def test_sql_alone_needs_no_data(january, run):
    result = run("apply", "-r", january, "--sql", "view.sql", "--table", "people")

    assert result.code == 0
    assert "INTERNAL" in result.stdout
    assert 'FROM "people"' in Path("view.sql").read_text()


def test_sql_gives_the_rows_of_the_release(january, run):
    run("apply", "-r", january, "--sql", "view.sql")

    with duckdb.connect() as connection:
        connection.sql("CREATE TABLE data AS FROM read_csv('january.csv', all_varchar = true)")
        found = connection.sql(Path("view.sql").read_text()).pl()

    assert sorted(found.rows()) == sorted(cells("january-release.csv").rows())


def test_sql_beside_new_data(apply):
    result = apply("--sql", "view.sql", "--json")

    facts = json.loads(result.stdout)
    assert (facts["output"], facts["sql"]) == ("out.csv", "view.sql")
    assert facts["enforced"] == ["k-anonymity", "distinct-l-diversity"]
    assert facts["not_enforced"] == []
    assert Path("out.csv").exists()


def test_sql_is_not_written_when_the_new_data_is_refused(apply):
    Path("february.csv").write_text(text(FEBRUARY[:1]))

    assert apply("--sql", "view.sql").code == 1
    assert not Path("view.sql").exists()


def test_a_file_that_is_no_sql_of_ours_is_not_overwritten_unless_forced(january, run):
    Path("view.sql").write_text("precious")

    refused = run("apply", "-r", january, "--sql", "view.sql")

    assert refused.code == 2
    assert Path("view.sql").read_text() == "precious"
    assert run("apply", "-r", january, "--sql", "view.sql", "--force").code == 0
    assert run("apply", "-r", january, "--sql", "view.sql").code == 0  # ours may be replaced


def test_sql_never_overwrites_the_recoding(january, run):
    before = january.read_text()

    result = run("apply", "-r", january, "--sql", january, "--force")

    assert result.code == 2
    assert january.read_text() == before
