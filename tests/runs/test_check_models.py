"""What a reader with fresh eyes found in models, populations and recodings; each stays mended."""

import datetime as dt

import polars as pl
import pytest

import shoal
from shoal.errors import CannotSatisfy, InputError
from shoal.policy.policy import Policy
from shoal.read.files import read_file
from shoal.runs.anonymize import anonymize
from shoal.runs.apply import apply
from shoal.runs.check import check

CODES = ["J10", "J11", "K20", "K21", "L30"]
DAYS = ["2020-01-01", "2020-03-01", "2020-06-01", "2020-12-01", "2021-01-01"]


def days(*numbers):
    return [dt.date(2020, 1, 1) + dt.timedelta(days=number) for number in numbers]


@pytest.mark.parametrize(
    ("earlier", "later"),
    [(days(0, 300, 600, 1000), days(300, 301)), ([0.0, 0.3, 0.6, 1.0], [1e-7, 0.01])],
)
def test_dates_and_small_numbers_are_measured_in_a_union_with_an_earlier_release(earlier, later):
    rules = Policy.of_mapping(
        {
            "columns": {"q": "quasi", "s": "sensitive"},
            "algorithm": "flash",
            "privacy": [{"model": "s-diversity", "column": "s", "max": 0.6, "r": 0.1}],
        }
    )
    release = rules.anonymize(pl.DataFrame({"q": ["a"] * 4, "s": earlier}))

    with pytest.raises(CannotSatisfy, match="s-diversity"):
        release.recoding.apply(pl.DataFrame({"q": ["b"] * 2, "s": later}), earlier=release.frame)


def test_missing_cells_match_missing_people_however_a_file_writes_them(tmp_path):
    (tmp_path / "people.csv").write_text("a\n" + "?\n" * 4 + "1\n" * 10)
    (tmp_path / "release.csv").write_text("a\n" + "?\n" * 3 + "1\n" * 3)
    presence = {"model": "delta-presence", "min": 0, "max": 0.5, "population": "people.csv"}
    rules = Policy.of_mapping(
        {"columns": {"a": "quasi"}, "missing_values": ["?"], "privacy": [presence]},
        folder=tmp_path,
    )

    verdict = check(read_file(tmp_path / "release.csv"), rules)

    assert not verdict.holds
    assert verdict.findings[0].achieved == 0.75


@pytest.mark.parametrize(
    ("hierarchy", "values", "limit"),
    [
        ({"prefix": 3}, CODES, 0.555),
        ({"prefix": 3}, CODES, 0.6),
        (None, ["0", "1e16", "2e16", "3e16", "4e16"], 0.6),
        (None, DAYS, 0.6),
        (None, DAYS, 0.65),
    ],
)
def test_what_is_verified_with_suppression_passes_the_check_of_its_file(
    hierarchy, values, limit, tmp_path
):
    sensitive = {"role": "sensitive"} | ({"hierarchy": hierarchy} if hierarchy else {})
    rules = Policy.of_mapping(
        {
            "columns": {"q": "quasi", "s": sensitive},
            "privacy": [
                {"model": "k-anonymity", "k": 4},
                {"model": "s-diversity", "column": "s", "max": limit},
            ],
            "suppression": 0.2,
            "algorithm": "flash",
        }
    )
    frame = pl.DataFrame({"q": list("aaaab"), "s": values})
    frame.write_csv(tmp_path / "data.csv")

    release = anonymize(read_file(tmp_path / "data.csv"), rules)
    release.write(tmp_path / "release.csv")

    assert check(read_file(tmp_path / "release.csv"), rules).holds


@pytest.mark.parametrize("algorithm", ["tgc", "k-member-p"])
def test_numbers_beyond_all_measure_are_words(algorithm):
    frame = pl.DataFrame({"q": [0, 1, 2, 3], "s": ["1", "2", "9" * 400, "1"]})

    release = shoal.anonymize(
        frame, quasi=["q"], sensitive=["s"], privacy=[shoal.KAnonymity(2)], algorithm=algorithm
    )

    assert release.verdict.holds


def test_too_few_records_left_after_suppression_are_refused_by_every_algorithm():
    frame = pl.DataFrame({"q": [4.0, 4.0, None], "s": ["x", "y", "x"]})

    for algorithm in shoal.catalog.names("algorithm"):
        with pytest.raises(CannotSatisfy, match="at least 3 records"):
            shoal.anonymize(
                frame, quasi=["q"], sensitive=["s"], privacy=[shoal.KAnonymity(3)],
                algorithm=algorithm, missing="suppress", suppression=0.5,
            )  # fmt: skip


@pytest.mark.parametrize("value", ["2000/01/09", "09.01.2000", "1.0", "1.50", "1e3"])
def test_new_records_match_a_population_that_writes_values_like_them(value, tmp_path):
    other = value.replace("9", "8").replace("1", "2", 1)
    (tmp_path / "data.csv").write_text(f"q\n{value}\n{other}\n")
    (tmp_path / "people.csv").write_text("q\n" + f"{value}\n{other}\n" * 2)
    people = {"model": "k-map", "k": 2, "population": "people.csv"}
    rules = Policy.of_mapping(
        {"columns": {"q": "quasi"}, "algorithm": "flash", "privacy": [people]}, folder=tmp_path
    )
    release = anonymize(read_file(tmp_path / "data.csv"), rules)

    assert apply(release.recoding, read_file(tmp_path / "data.csv")).verdict.holds


def test_an_order_of_categories_is_kept_beside_a_population(tmp_path):
    pl.DataFrame({"q": list("abc") * 4}).write_csv(tmp_path / "people.csv")
    letters = pl.Series(list("abc") * 2, dtype=pl.Enum(["c", "b", "a"]))

    release = shoal.anonymize(
        pl.DataFrame({"q": letters}),
        quasi=["q"],
        privacy=[shoal.KAnonymity(6), shoal.KMap(2, str(tmp_path / "people.csv"))],
    )

    assert release.verdict.findings[1].achieved == 12


def test_columns_named_like_patterns_and_limits_beyond_all_are_checked():
    frame = pl.DataFrame({"^q.*$": ["a", "b"], "s": ["x", "y"]})
    entropy = [{"model": "entropy-l-diversity", "column": "s", "l": 1e300}]
    rules = shoal.Policy.of_roles(quasi=["^q.*$"], sensitive=["s"], privacy=entropy)

    assert not shoal.check(frame, rules).holds


def test_nested_cells_are_refused_by_a_check():
    rules = shoal.Policy.of_roles(quasi=["q"], privacy=[shoal.KAnonymity(2)])

    with pytest.raises(InputError, match="'q' of the release contains List"):
        shoal.check(pl.DataFrame({"q": [[1], [2]]}), rules)


def test_numbers_of_csv_and_parquet_are_the_same_to_a_check_with_the_original(tmp_path):
    frame = pl.DataFrame({"q": [1, 1, 2, 2], "s": [1.0, 2.0, 2.5, 2.0]})
    frame.write_parquet(tmp_path / "data.parquet")
    rules = shoal.Policy.of_roles(
        quasi=["q"],
        sensitive={"s": shoal.severity({"1": 1, "2": 2, "2.5": 3})},
        privacy=[shoal.KAnonymity(2), shoal.SeverityCloseness("s", 1)],
    )
    rules.anonymize(frame).write(tmp_path / "release.csv")

    verdict = check(
        read_file(tmp_path / "release.csv"), rules, original=read_file(tmp_path / "data.parquet")
    )

    assert verdict.findings[1].holds


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (["01.02.1990", "unknown", "unknown"], "but 1 value is not a date"),
        (["01.02.1990", "1990-02-01", ""], "in several formats"),
        (["30.02.1990", "01.02.1990", ""], "days that do not exist"),
        (["a", "b", "a"], "contains no dates"),
    ],
)
def test_a_column_that_is_not_all_dates_says_how_much_of_it_is_not(values, said, tmp_path):
    pl.DataFrame({"born": values}).write_csv(tmp_path / "data.csv")
    rules = shoal.Policy.of_roles(
        quasi={"born": shoal.dates("year")}, privacy=[shoal.KAnonymity(2)]
    )

    with pytest.raises(shoal.ShoalError, match=said):
        anonymize(read_file(tmp_path / "data.csv"), rules)
