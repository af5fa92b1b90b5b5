"""Whole runs on dates as people write them: what is published is ISO, ages, or a highest value."""

from __future__ import annotations

import duckdb
import polars as pl
import pytest

import shoal
from shoal.errors import InputError, PolicyError
from shoal.read.source import Source
from shoal.runs.anonymize import anonymize
from shoal.runs.attack import attack_release
from shoal.runs.check import check
from shoal.runs.risk import risk_of
from shoal.saved_recoding.recoding import Recoding

BORN = ["03/29/1993", "03/02/1993", "7/4/1930", "07/09/1931", "11/30/1993", "11/01/1993"]


def policy(born="quasi", **settings):
    keys = {"columns": {"born": born}, "privacy": [{"model": "k-anonymity", "k": 2}], **settings}
    return shoal.Policy.of_mapping(keys)


def csv(texts):
    return Source(pl.DataFrame({"born": texts}), is_text=True)


def cells(release):
    return set(release.published["born"].to_list())


def test_american_dates_are_published_as_iso_ranges():
    release = anonymize(csv(BORN[:4]), policy())

    assert cells(release) == {"[1930-07-04, 1931-07-09]", "[1993-03-02, 1993-03-29]"}
    assert check(Source(release.published), policy(), original=csv(BORN[:4])).holds


def test_a_hierarchy_of_dates_takes_them_too():
    release = anonymize(csv(BORN), policy({"role": "quasi", "hierarchy": {"date": ["month"]}}))

    assert cells(release) == {"1993-03", "1993-11", "*"}


def test_dates_that_may_be_two_days_are_refused_with_the_line_of_the_policy():
    with pytest.raises(PolicyError, match=r"columns.born: the dates .* may be DD/MM/YYYY or"):
        anonymize(csv(["3/5/2021", "4/6/2021"]), policy())


def test_ages_are_published_in_place_of_dates_of_birth():
    said = {"role": "quasi", "age_on": "2026-01-01", "top": 90, "hierarchy": {"intervals": [5, 20]}}
    release = anonymize(csv(BORN), policy(said))

    assert cells(release) == {"32", "90+"}  # 94 and 95 are one value
    assert check(Source(release.published), policy(said), original=csv(BORN)).holds
    assert attack_release(Source(release.published), csv(BORN), policy(said)).linkage.n_people == 6


def test_bins_end_below_the_highest_value():
    ages = ["81", "84", "89", "90", "99", "120"]
    said = {"role": "quasi", "top": 90, "hierarchy": {"intervals": [5, 20]}}
    release = anonymize(csv(ages), policy(said, algorithm={"name": "flash"}))
    wide = anonymize(csv(["81", "88", "92", "95"]), policy({"role": "quasi", "top": 90}))

    assert cells(release) == {"[80, 89]", "90+"}
    assert cells(wide) == {"[81, 88]", "90+"}


def test_a_range_may_end_at_the_highest_value():
    release = anonymize(csv(["85", "93"]), policy({"role": "quasi", "top": 90}))

    assert cells(release) == {"[85, 90+]"}
    assert check(Source(release.published), policy({"role": "quasi", "top": 90})).holds
    found = risk_of(
        csv(["85", "93"]), policy({"role": "quasi", "top": 90}),
        population=csv(["85", "86", "90", "101", "70"]), release=Source(release.published),
    )  # fmt: skip
    assert found.data.journalist.highest == 1  # one other person of 85
    assert found.release.journalist.highest == 0.25


def test_later_records_are_read_in_the_format_that_the_first_ones_showed():
    said = {"role": "quasi", "hierarchy": {"date": ["month", "decade"]}}
    release = anonymize(csv(BORN), policy(said, algorithm={"name": "flash"}))
    recoding = release.recoding
    later = pl.DataFrame({"born": ["3/2/1993", "3/4/1993"]})  # which no longer show it

    assert recoding.policy.columns["born"].format == "MM/DD/YYYY"
    assert recoding.apply(later).frame["born"].to_list() == ["1990s", "1990s"]
    with duckdb.connect() as connection:
        connection.register("data", later.to_arrow())
        assert connection.sql(recoding.sql()).pl()["born"].to_list() == ["1990s", "1990s"]


def test_names_of_months_may_come_first_also_in_sql():
    said = {"role": "quasi", "hierarchy": {"date": ["month", "year"]}}
    texts = ["Mar 29 1993", "March 2, 1993", "Jul. 4 1930", "Jul-09-1930", "Nov/30/1930"]
    rules = policy(said, algorithm={"name": "flash"})

    recoding = anonymize(csv([*texts, "Sept 3, 1993"]), rules).recoding

    with duckdb.connect() as connection:
        later = connection.register("data", pl.DataFrame({"born": texts}).to_arrow())
        found = later.sql(recoding.sql()).pl()["born"].to_list()
    assert sorted(found) == ["1930", "1930", "1930", "1993", "1993"]


def test_later_ages_and_highest_values_are_those_of_the_release(tmp_path):
    said = {"role": "quasi", "age_on": "2026-01-01", "top": 90, "hierarchy": {"intervals": [5, 20]}}
    rules = policy(said, algorithm={"name": "flash"})
    release = anonymize(csv([*BORN, "3/1/1992", "3/1/1992", "3/1/1995"]), rules)
    release.recoding.write(tmp_path / "recoding.json")
    recoding = Recoding.load(tmp_path / "recoding.json")
    later = pl.DataFrame({"born": ["3/2/1910", "3/4/1932", "3/4/1994", "3/4/1995"]})

    assert set(recoding.apply(later).frame["born"]) == {"90+", "[30, 34]"}
    with pytest.raises(InputError, match="read by its `age_on`, which cannot be written as SQL"):
        recoding.sql()


def test_a_population_may_be_written_as_the_data_are(tmp_path):
    (tmp_path / "people.csv").write_text("born\n" + "\n".join([*BORN, "3/1/1993"]))
    rules = policy(privacy=[{"model": "k-map", "k": 2, "population": str(tmp_path / "people.csv")}])

    assert anonymize(csv(BORN), rules).verdict.holds


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"format": "%m/%d/%Y"}, "must be one of YYYY-MM-DD"),
        ({"age_on": "01/01/2026"}, "must be a day, written as in 2026-01-01"),
        ({"top": 90, "publish": "mean"}, "none in a mean or median"),
        ({"top": 90, "bounds": "grid"}, "no place on a grid"),
        ({"top": 90, "hierarchy": {"prefix": 2}}, "without a hierarchy, or with intervals"),
    ],
)
def test_what_does_not_fit_is_refused(said, message):
    with pytest.raises(PolicyError, match=message):
        policy({"role": "quasi", **said})


def test_a_policy_with_these_keys_is_written_and_read_back():
    said = {"role": "quasi", "format": "mm/dd/yyyy", "age_on": "2026-01-01", "top": 90}
    rules = policy(said)

    assert rules.columns["born"].format == "MM/DD/YYYY"
    assert shoal.Policy.of_mapping(rules.keys()) == rules
