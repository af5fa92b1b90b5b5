"""Records that come after a release with pseudonyms: the same key, the same people."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.errors import InputError, NotPrivate
from shoal.recode.pseudonyms import key_check, keyed

KEY, OTHER = bytes(range(32)), bytes(range(1, 33))


def visits(first: int, last: int, *, older: int = 0) -> pl.DataFrame:
    """Two visits of each of some patients; four patients of each age."""
    patients = [i // 2 for i in range(2 * first, 2 * last)]
    ages = [20 + 10 * (i // 4) + older for i in patients]
    return pl.DataFrame({"patient": patients, "age": ages, "visit": [0, 1] * (last - first)})


@pytest.fixture(scope="module")
def january():
    return shoal.anonymize(
        visits(0, 20),
        pseudonyms=["patient"],
        quasi={"age": shoal.intervals(10)},
        keep=["visit"],
        privacy=[shoal.KAnonymity(3)],
        algorithm="flash",
        key=KEY,
    )


def test_later_records_have_the_pseudonyms_of_the_release(january):
    later = january.recoding.apply(visits(4, 12), key=KEY)

    assert set(later.frame["patient"]) == set(keyed(list(map(str, range(4, 12))), KEY))
    assert set(later.frame["patient"]) < set(january.frame["patient"])
    assert later.verdict.holds


def test_later_records_without_a_key_are_refused(january):
    with pytest.raises(InputError, match="need the key of the release"):
        january.recoding.apply(visits(4, 12))


def test_another_key_is_noted_and_cannot_join_the_release(january):
    alone = january.recoding.apply(visits(4, 12), key=OTHER)

    assert any("another key" in note for note in alone.notes)
    assert not set(alone.frame["patient"]) & set(january.frame["patient"])
    with pytest.raises(InputError, match="the same person would count as two"):
        january.recoding.apply(visits(4, 12), key=OTHER, earlier=january.frame)


def test_new_people_join_groups_of_the_release(january):
    late = pl.DataFrame({"patient": [100], "age": [20], "visit": [0]})

    later = january.recoding.apply(late, key=KEY, earlier=january.frame)

    assert later.frame["patient"].to_list() == keyed(["100"], KEY).to_list()


def test_a_person_who_moved_to_another_group_is_refused_by_count(january):
    with pytest.raises(NotPrivate, match=r"^8 people would be in another group") as refused:
        january.recoding.apply(visits(4, 12, older=10), key=KEY, earlier=january.frame)

    assert refused.value.exit_code == 1


def test_the_recoding_file_knows_the_key_without_telling_it(january, tmp_path):
    january.recoding.write(tmp_path / "recoding.json")

    loaded = shoal.Recoding.load(tmp_path / "recoding.json")

    assert loaded == january.recoding
    assert loaded.key_check == key_check(KEY) != key_check(OTHER)
    text = (tmp_path / "recoding.json").read_text()
    assert KEY.hex() not in text
    assert "key_check" not in shoal.Recoding(january.recoding.policy).text()


def test_a_query_cannot_make_pseudonyms(january):
    with pytest.raises(InputError, match=r"'patient'.*would contain the key.*shoal apply"):
        january.recoding.sql()
