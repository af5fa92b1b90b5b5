"""The bundled Adult table, its hierarchies and its policy."""

import subprocess
import sys
from importlib.resources import files

import polars as pl
import pytest

import shoal
from shoal.datasets import DEMO_COLUMNS, NUMBERS, adult, copy_adult

HIERARCHIES = (
    "education",
    "marital-status",
    "native-country",
    "occupation",
    "race",
    "relationship",
    "sex",
    "workclass",
)
FOLDER = files("shoal.datasets") / "adult"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("adult")
    copy_adult(folder)
    return folder


def test_all_records_are_there():
    assert adult().shape == (32_561, 15)


def test_missing_values_are_null():
    missing = {name: n for name, n in adult().null_count().row(0, named=True).items() if n}

    assert missing == {"workclass": 1836, "occupation": 1843, "native-country": 583}


def test_the_complete_records_have_no_missing_value():
    complete = adult(complete=True)

    assert complete.height == 30_162
    assert sum(complete.null_count().row(0)) == 0


def test_numbers_are_integers_and_the_rest_is_text():
    types = adult().schema

    assert all(types[name] == (pl.Int64 if name in NUMBERS else pl.String) for name in types)


def test_the_first_record_is_that_of_the_source():
    assert adult().row(0) == (
        39, "State-gov", 77516, "Bachelors", 13, "Never-married", "Adm-clerical",
        "Not-in-family", "White", "Male", 2174, 0, 40, "United-States", "<=50K",
    )  # fmt: skip


def test_text_has_no_spaces_around_it_and_no_question_marks():
    texts = adult().select(pl.col(pl.String))

    assert texts.width == 9
    for column in texts.iter_columns():
        values = column.drop_nulls().unique()
        assert (values == values.str.strip_chars()).all()
        assert "?" not in values


def test_the_file_is_small_enough_for_a_wheel():
    assert len((FOLDER / "adult.csv.gz").read_bytes()) < 700_000


def test_there_is_a_hierarchy_for_each_column_of_text_but_the_sensitive_one(folder):
    names = sorted(path.stem for path in (folder / "hierarchies").iterdir())

    assert names == sorted(HIERARCHIES)


@pytest.mark.parametrize("column", HIERARCHIES)
def test_the_values_of_a_column_are_the_leaves_of_its_hierarchy(column, folder):
    paths = shoal.levels(folder / "hierarchies" / f"{column}.csv").paths

    assert {path[0] for path in paths} == set(adult()[column].drop_nulls())


@pytest.mark.parametrize("column", HIERARCHIES)
def test_a_level_table_is_written_out_up_to_the_root(column):
    lines = (FOLDER / "hierarchies" / f"{column}.csv").read_text(encoding="utf-8").splitlines()

    assert len({line.count(";") for line in lines}) == 1
    assert all(line.endswith(";*") for line in lines)


def test_the_leaves_of_education_are_in_order_of_attainment(folder):
    steps = adult().select("education", "education-num").unique().sort("education-num")

    paths = shoal.levels(folder / "hierarchies" / "education.csv").paths

    assert [path[0] for path in paths] == steps["education"].to_list()


def test_the_copied_table_has_the_columns_of_the_policy(folder):
    frame = pl.read_csv(folder / "adult.csv")

    assert frame.shape == (30_162, 9)
    assert frame.columns == list(DEMO_COLUMNS)
    assert frame.equals(adult(complete=True).select(DEMO_COLUMNS))


def test_the_copied_policy_runs_and_its_verdict_holds(folder):
    policy = shoal.Policy.load(folder / "policy.yaml")

    release = policy.anonymize(pl.read_csv(folder / "adult.csv"))

    assert release.verdict.holds
    assert release.frame.height == 30_162
    groups = release.frame.group_by(DEMO_COLUMNS[:-1])
    sizes = groups.agg(pl.len(), salaries=pl.col("salary-class").n_unique())
    assert sizes["len"].min() >= 5
    assert sizes["salaries"].min() == 2


def test_the_loss_is_what_the_comments_of_the_policy_say(folder):
    policy = shoal.Policy.load(folder / "policy.yaml")
    frame = pl.read_csv(folder / "adult.csv")
    without_diversity = shoal.Policy(policy.columns, policy.privacy[:1], policy.algorithm)

    losses = [rules.anonymize(frame).measures["loss"] for rules in (policy, without_diversity)]

    assert losses == pytest.approx([0.13, 0.06], abs=0.005)


def test_copying_again_replaces_the_files(tmp_path):
    copy_adult(tmp_path)
    (tmp_path / "policy.yaml").write_text("changed", encoding="utf-8")

    copy_adult(tmp_path)

    assert (tmp_path / "policy.yaml").read_bytes() == (FOLDER / "policy.yaml").read_bytes()


def test_importing_the_datasets_does_not_import_polars():
    code = "import sys, shoal.datasets; sys.exit('polars' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
