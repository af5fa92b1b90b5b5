"""The tables of the papers: rows, columns and heights as they print them."""

import pytest

from shoal.reproduction.tables import (
    BABU,
    BABU_OTHER,
    KAYEM,
    MSTK,
    OKA,
    adult_table,
    babu_table,
    drawn_table,
    first_rows,
    kayem_table,
    normal_table,
    oka_with_outliers,
    severities,
)


@pytest.mark.parametrize("roles", [BABU, BABU_OTHER], ids=["babu", "other"])
def test_hierarchies_of_babu_have_the_heights_that_the_paper_prints(roles):
    assert [spec.height for spec in roles.quasi.values()] == [3, 2, 2, 2, 2, 1, 1, 3]


def test_hierarchies_of_mstk_have_the_heights_that_the_paper_prints():
    assert [spec.height for spec in MSTK.quasi.values()] == [4, 3, 1, 4, 2, 2]


def test_tables_have_as_many_records_as_the_papers_say(tmp_path):
    assert adult_table("mstk", MSTK).frame().height == 30_162
    assert babu_table("adult-babu", BABU).frame().height == 32_561
    assert first_rows(5000).frame().height == 5000
    assert normal_table().frame().shape == (8000, 5)
    assert kayem_table(50_000, tmp_path).frame().height == 50_000


def test_the_first_rows_are_those_of_the_file():
    assert first_rows(3).frame()["age"].to_list() == [39, 50, 38]


def test_a_table_is_the_same_each_time():
    assert drawn_table(50, 1).frame().equals(drawn_table(50, 1).frame())
    assert not drawn_table(50, 1).frame().equals(drawn_table(50, 2).frame())
    assert normal_table(20).frame().equals(normal_table(20).frame())


def test_another_column_to_sort_by_first_stands_first_in_the_table():
    table = adult_table("oka", OKA.first("race"), 10)

    assert table.frame().columns[0] == "race"
    assert sorted(table.frame().columns) == sorted(OKA.columns)


def test_severities_go_from_1_to_10():
    values = severities("occupation").severities.of_value.values()

    assert (min(values), max(values)) == (1, 10)


@pytest.mark.parametrize("beyond", [True, False])
def test_one_per_cent_of_outliers_is_added(beyond):
    frame = oka_with_outliers(500, beyond).frame()
    plain = adult_table("oka", OKA, 500).frame()

    assert frame[:500].equals(plain)
    assert frame.height == 505
    is_wider = frame["age"].max() > plain["age"].max()
    assert is_wider == beyond
    assert set(frame["race"]) == set(plain["race"])


def test_random_records_have_values_of_the_table(tmp_path):
    frame = kayem_table(65_222, tmp_path).frame()

    assert frame.columns == KAYEM.columns
    assert frame.null_count().sum_horizontal().item() == 0
