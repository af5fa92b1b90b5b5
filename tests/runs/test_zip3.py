"""ZIP codes that are released as three digits, and as 000 where few people live."""

import polars as pl
import pytest

import shoal
from shoal.errors import InputError, PolicyError
from shoal.read.zip_codes import three_digits
from shoal.types.zip3 import SMALL_AREAS

ZIPS = ["13053", "13068", "02139-4307", "10001", "60601", "94103", "73301", "03601", "82101"]
SAID = {"role": "quasi", "hierarchy": {"library": "us-zip"}, "zip3": "census"}


def people(n_times=6):
    return pl.DataFrame({"zip": ZIPS * n_times, "sex": ["f", "m", "f"] * (3 * n_times)})


def rules(zip_=SAID, **more):
    return shoal.Policy.of_mapping(
        {
            "columns": {"zip": zip_, "sex": "quasi"},
            "privacy": [{"model": "k-anonymity", "k": 2}],
            **more,
        }
    )


def parts_of(frame):
    return frame["zip"].str.extract_all("[0-9]+").explode().drop_nulls().to_list()


@pytest.mark.parametrize("algorithm", ["mondrian", "k-member", "flash"])
def test_no_cell_tells_more_than_three_digits_or_a_small_area(algorithm):
    release = rules(algorithm={"name": algorithm}).anonymize(people())

    told = parts_of(release.frame)
    assert told
    assert all(len(part) == 3 and part not in SMALL_AREAS for part in told)
    assert rules().check(release.frame, original=people()).holds


def test_sets_of_a_column_without_a_hierarchy_tell_no_more():
    release = rules({"role": "quasi", "zip3": "census"}).anonymize(people())

    assert {len(part) for part in parts_of(release.frame)} == {3}


@pytest.mark.parametrize("cell", ["13053", "1305*", "036**", "{130, 821}", "[13053, 13068]"])
def test_a_release_that_tells_more_fails_its_check(cell):
    release = people().with_columns(zip=pl.lit(cell), sex=pl.lit("*"))

    verdict = rules().check(release)

    assert not verdict.holds
    assert [(leak.kind, leak.count) for leak in verdict.leaks] == [("detailed ZIP code", 54)]


def test_further_areas_are_zero_too():
    release = rules(SAID | {"zip3": ["733"]}).anonymize(people())

    assert "733" not in parts_of(release.frame)
    assert "733" in parts_of(rules().anonymize(people()).frame)


def test_codes_as_numbers_and_as_spreadsheets_leave_them_are_read():
    numbers = pl.Series("zip", [13053, 2139, 501, None])
    assert three_digits(numbers, (), ()).to_list() == ["130", "021", "005", None]
    assert three_digits(pl.Series(["601", "130"]), (), ()).to_list() == ["601", "130"]
    assert three_digits(pl.Series(["13053.0", " 13053 "]), (), ()).to_list() == ["130", "130"]


def test_what_is_no_zip_code_is_counted_and_refused():
    frame = people().with_columns(zip=pl.lit("W1A 1AA"))

    with pytest.raises(
        InputError, match=r"54 records have values that are not ZIP codes"
    ) as caught:
        rules().anonymize(frame)
    assert "W1A" not in str(caught.value)


def test_later_records_are_recoded_to_three_digits():
    recoding = rules(algorithm={"name": "flash"}).anonymize(people()).recoding

    later = recoding.apply(pl.DataFrame({"zip": ["13099", "03699"] * 40, "sex": ["f", "m"] * 40}))
    assert all(len(part) == 3 for part in parts_of(later.frame))
    with pytest.raises(InputError, match="read by its `zip3`, which cannot be written as SQL"):
        recoding.sql("duckdb")


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"zip3": "yes"}, "must be `census`, or a list"),
        ({"zip3": ["1305"]}, "must be `census`, or a list"),
        ({"zip3": "census", "top": 90}, "ZIP codes have no `top`"),
        ({"zip3": "census", "publish": "range"}, "published as nodes or sets"),
    ],
)
def test_mistakes_are_named(said, message):
    with pytest.raises(PolicyError, match=message):
        rules({"role": "quasi", **said})


def test_a_policy_with_it_is_written_and_read_alike(tmp_path):
    for zip3 in ("census", ["055", "192"]):
        policy = rules(SAID | {"zip3": zip3})
        policy.write(tmp_path / "policy.yaml")
        assert shoal.Policy.load(tmp_path / "policy.yaml").columns == policy.columns
