"""A word about numbers with a decimal comma."""

import polars as pl
import pytest

import shoal

K2 = [shoal.KAnonymity(2)]


@pytest.mark.parametrize("role", ["quasi", "sensitive"])
def test_numbers_with_a_decimal_comma_are_noted(role):
    frame = pl.DataFrame({"pay": ["3366,79", "1.204,50", "-7,1", "n/a"], "age": [1, 1, 2, 2]})
    columns = {"quasi": ["age"], role: ["age", "pay"] if role == "quasi" else ["pay"]}

    release = shoal.anonymize(frame, privacy=K2, **columns)

    assert any("'pay': 3 values look like numbers" in note for note in release.notes)


def test_other_text_with_commas_is_not():
    frame = pl.DataFrame({"name": ["Doe, Ann", "1,2,3", "a,1", "9"], "age": [1, 1, 2, 2]})

    release = shoal.anonymize(frame, quasi=["age", "name"], privacy=K2)

    assert not any("decimal comma" in note for note in release.notes)
