"""What a fresh pair of eyes found in recodings, and must not come back."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.errors import ShoalError

POSTCODES = shoal.levels(
    [("01067", "Dresden"), ("80331", "Munich"), ("80333", "Munich"), ("1067", "Oslo")]
)


def recoding_of(frame: pl.DataFrame, quasi) -> shoal.Recoding:
    release = shoal.anonymize(frame, quasi=quasi, privacy=[shoal.KAnonymity(2)], algorithm="flash")
    assert release.recoding is not None
    return release.recoding


def test_numbers_are_refused_where_leaves_have_leading_zeros():
    recoding = recoding_of(pl.DataFrame({"plz": ["01067", "80331"] * 2}), {"plz": POSTCODES})

    with pytest.raises(ShoalError, match="may have lost its zeros"):
        recoding.apply(pl.DataFrame({"plz": [1067, 80331] * 2}))


@pytest.mark.parametrize("text", ["007", " 7", "7_0", "７", "7\n", "1e400"])
def test_a_text_that_is_no_number_as_people_write_it_is_no_leaf(text):
    ages = shoal.levels([("7", "young"), ("70", "old")])
    recoding = recoding_of(pl.DataFrame({"age": [7, 70] * 2}), {"age": ages})

    with pytest.raises(ShoalError, match="missing from the hierarchy"):
        recoding.apply(pl.DataFrame({"age": ["7", "7", text, text]}))


def test_a_column_named_like_a_pattern_can_be_recoded():
    frame = pl.DataFrame({"^a.*$": ["1", "1", "2", "2"], "*": ["x", "x", "y", "y"]})

    released = recoding_of(frame, list(frame.columns)).apply(frame)

    assert released.frame.rows() == frame.rows()
