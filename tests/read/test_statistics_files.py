"""Tables of SPSS and Stata: what their codes mean comes with them, and goes with a release."""

from __future__ import annotations

import datetime as dt

import polars as pl
import pyreadstat
import pytest

import shoal
from shoal.errors import InputError, OutputError
from shoal.read.files import read_file
from shoal.write.files import write_file

SEX, OFTEN, SCALE = {1: "male", 2: "female"}, {1: "never", 2: "rarely", 3: "often"}, {0: "no"}
SURVEY = pl.DataFrame(
    {
        "age": [31, 38, 52, 55],
        "sex": [2, 1, 1, 2],
        "smokes": [3, 1, 1, None],
        "trust": [0, 7, 10, 3],
        "asked": [dt.date(2020, 1, day) for day in (1, 2, 3, 4)],
        "name": ["Ann", "Bob", "Cem", "Dee"],
    }
)


@pytest.fixture(params=[".sav", ".zsav", ".dta"])
def survey(tmp_path, request):
    path = tmp_path / f"survey{request.param}"
    write = pyreadstat.write_dta if request.param == ".dta" else pyreadstat.write_sav
    how = {"compress": True} if request.param == ".zsav" else {}
    labels = {"sex": SEX, "smokes": OFTEN, "trust": SCALE}
    write(SURVEY, str(path), column_labels={"age": "Age in years"}, variable_value_labels=labels,
          **how)  # fmt: skip
    return path


def test_codes_are_read_as_what_they_mean_in_their_order(survey):
    source = read_file(survey.rename(survey.with_suffix(".dat")))  # known by its content

    assert source.frame["sex"].to_list() == ["female", "male", "male", "female"]
    assert source.frame["smokes"].dtype == pl.Enum(["never", "rarely", "often"])
    assert source.frame["trust"].to_list() == [0, 7, 10, 3]  # few of its codes have a meaning
    assert source.frame["age"].dtype == pl.Int64
    assert source.frame["asked"].equals(SURVEY["asked"])
    assert source.labels.columns == {"age": "Age in years"}


def test_a_release_has_the_codes_and_labels_of_what_it_kept(survey, tmp_path):
    source = read_file(survey)
    policy = shoal.Policy.of_roles(
        identifiers=["name"], quasi=["age", "sex"], sensitive=["smokes"], keep=["trust"],
        drop=["asked"], privacy=[shoal.KAnonymity(4)],
    )  # fmt: skip
    release = policy.anonymize(source.frame)
    target = tmp_path / f"release{survey.suffix}"

    write_file(release.records(), target, labels=source.labels)

    read = pyreadstat.read_dta if survey.suffix == ".dta" else pyreadstat.read_sav
    written, notes = read(str(target), output_format="polars")
    assert sorted(written["smokes"].drop_nulls().to_list()) == [1, 1, 3]
    # Nobody of the release answered "rarely"; "sex" is generalised to texts.
    assert notes.variable_value_labels == {"smokes": {1: "never", 3: "often"}, "trust": {0: "no"}}
    assert notes.column_names_to_labels["age"] == "Age in years"
    assert shoal.check(read_file(target).frame, policy).holds


def test_a_release_does_not_tell_when_it_was_written(survey, tmp_path):
    path = tmp_path / f"release{survey.suffix}"

    write_file(pl.DataFrame({"age": ["[31, 52]"]}), path)

    assert b"01 Jan 0000:00:00" in path.read_bytes()[:300]  # where the day and the time stand


def test_a_damaged_file_is_refused(survey):
    survey.write_bytes(survey.read_bytes()[:200])

    with pytest.raises(InputError, match="damaged or incomplete"):
        read_file(survey)


def test_a_name_that_the_program_does_not_allow_is_refused_and_the_old_file_stays(tmp_path):
    target = tmp_path / "release.dta"
    target.write_text("old")

    with pytest.raises(OutputError, match="does not allow the name or the type"):
        write_file(pl.DataFrame({"age of the person": [1]}), target)

    assert target.read_text() == "old"
