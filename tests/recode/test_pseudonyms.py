"""Pseudonyms: keyed ones are HMAC-SHA-256, random ones come with a mapping."""

from __future__ import annotations

import re

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from naive.hmac import base32, hmac_sha256
from shoal.errors import InputError
from shoal.read.columns import read_column
from shoal.recode import pseudonyms
from shoal.recode.pseudonyms import drawn, key_check, keyed, pseudonyms_of

KEY = bytes(range(32))
RFC_4231 = [  # key, data, HMAC-SHA-256: test cases 1, 2, 3, 6 and 7
    (b"\x0b" * 20, b"Hi There", "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"),
    (
        b"Jefe",
        b"what do ya want for nothing?",
        "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
    ),
    (
        b"\xaa" * 20,
        b"\xdd" * 50,
        "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe",
    ),
    (
        b"\xaa" * 131,
        b"Test Using Larger Than Block-Size Key - Hash Key First",
        "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54",
    ),
    (
        b"\xaa" * 131,
        b"This is a test using a larger than block-size key and a larger than block-size data. "
        b"The key needs to be hashed before being used by the HMAC algorithm.",
        "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2",
    ),
]


def column(values, **how):
    return read_column(pl.Series("id", values), **how)


@pytest.mark.parametrize(("key", "data", "expected"), RFC_4231)
def test_the_twin_computes_what_rfc_4231_lists(key, data, expected):
    assert hmac_sha256(key, data).hex() == expected


@pytest.mark.parametrize(("key", "data", "expected"), [c for c in RFC_4231 if c[1].isascii()])
def test_without_its_tag_a_pseudonym_begins_as_rfc_4231_lists(monkeypatch, key, data, expected):
    monkeypatch.setattr(pseudonyms, "TAG", b"")

    (found,) = keyed([data.decode()], key)

    assert found == base32(bytes.fromhex(expected)[:16])


@given(st.lists(st.text(), max_size=5), st.binary(min_size=32, max_size=200))
def test_a_pseudonym_is_the_hmac_of_tag_and_text_in_base_32(texts, key):
    expected = [
        base32(hmac_sha256(key, b"shoal pseudonym 1\x00" + text.encode())[:16]) for text in texts
    ]

    assert keyed(texts, key).to_list() == expected


def test_pseudonyms_of_an_earlier_shoal_stay_what_they_were():
    """Later releases must link to earlier ones, so these may never change."""
    assert keyed(["7", "Ann", "Zoë"], KEY).to_list() == [
        "kggwjogxe7t3k76yq2tux4eudy",
        "qgkq7fypxahg3cbsnnqpgyrlfm",
        "cpwvrtyuludbotyg3rkjbw5jmu",
    ]


@pytest.mark.parametrize(
    "values",
    [
        ["7", "12", "7"],
        pl.Series([7, 12, 7], dtype=pl.Int8),
        [7.0, 12.0, 7.0],
        pl.Series(["7", "12", "7"], dtype=pl.Categorical),
    ],
)
def test_the_same_identifier_has_the_same_pseudonym_however_it_is_stored(values):
    found = pseudonyms_of(column(values), KEY).of_record.to_list()

    assert found == keyed(["7", "12", "7"], KEY).to_list()


def test_text_of_a_csv_file_is_taken_letter_by_letter():
    assert keyed(["007", "7", " 7", "7.0"], KEY).n_unique() == 4
    assert pseudonyms_of(column(["007", "7"]), KEY).of_record.n_unique() == 2


def test_records_without_an_identifier_have_random_pseudonyms_of_their_own():
    values = column(["a", None, "", "?", "a", None], missing_values=["?"])

    first, again = (pseudonyms_of(values, KEY).of_record.to_list() for _ in range(2))

    of_a = keyed(["a"], KEY)[0]
    of_missing = keyed(["", "?", "None"], KEY).to_list()
    assert first[0] == first[4] == again[0] == of_a
    assert len({*first, *again}) == 1 + 4 + 4  # that of `a`, and one each time for each record
    assert not set(first) & set(of_missing)


def test_another_key_gives_other_pseudonyms():
    other = keyed(["a", "b"], KEY[::-1]).to_list()

    assert not set(other) & set(keyed(["a", "b"], KEY))


def test_random_pseudonyms_come_with_a_mapping_and_keyed_ones_do_not():
    values = column(["b", "a", None, "b"])

    found, again = pseudonyms_of(values, None), pseudonyms_of(values, None)

    assert found.mapping.columns == ["identifier", "pseudonym"]
    of = dict(found.mapping.iter_rows())
    records = found.of_record.to_list()
    assert of.keys() == {"a", "b"}
    assert records[:2] + records[3:] == [of["b"], of["a"], of["b"]]
    assert records[2] not in of.values()
    assert not set(records) & set(again.of_record)
    assert pseudonyms_of(values, KEY).mapping is None


def test_every_pseudonym_has_26_letters_and_digits():
    texts = [*drawn(200), *keyed([str(i) for i in range(200)], KEY)]

    assert all(re.fullmatch(r"[a-z2-7]{26}", text) for text in texts)
    assert len(set(texts)) == 400


def test_a_collision_is_counted_and_refused(monkeypatch):
    monkeypatch.setattr(pseudonyms.hmac, "digest", lambda *_: b"the same for all" * 2)

    with pytest.raises(InputError, match=r"^2 pseudonyms would stand for more than one person"):
        pseudonyms_of(column(["secret 1", "secret 2", "secret 3"]), KEY)


def test_a_column_without_any_identifier_is_all_random():
    found = pseudonyms_of(column([None, None]), KEY).of_record

    assert found.n_unique() == 2
    assert found.name == "id"


def test_a_key_is_told_from_another_by_sixteen_digits_of_another_hmac():
    expected = hmac_sha256(KEY, b"shoal key check 1\x00").hex()[:16]

    assert key_check(KEY) == expected
    assert key_check(bytes(32)) != expected
