"""Files whose first line is a record, not the names of columns."""

from __future__ import annotations

import pytest

from shoal.errors import InputError
from shoal.read.files import read_file

PATIENTS = "47,01043,C50.9,m\n52,01044,I10,f\n31,01043,I10,f\n60,01044,C50.9,m\n"


def read(tmp_path, text: str):
    path = tmp_path / "table.csv"
    path.write_text(text)
    return read_file(path)


@pytest.mark.parametrize(
    "text",
    [
        PATIENTS,
        "1980-02-01,m\n1975-03-04,f\n",
        "02/29/1980,m\n03/04/1975,f\n",
        "ann@example.org,London\nbob@example.org,Paris\n",
        "m,London,nurse\nf,London,cook\nm,Paris,nurse\nf,Paris,cook\n",
        "Smith,47\nMiller,52\n",
        '"1,5";x\n"2,5";y\n',
        "m\nf\nm\n",
    ],
)
def test_a_first_line_that_is_a_record_is_refused_and_not_shown(tmp_path, text):
    with pytest.raises(InputError, match="the first line looks like a record") as caught:
        read(tmp_path, text)

    cells = text.splitlines()[0].replace(";", ",").replace('"', "").split(",")
    message = str(caught.value).replace(str(tmp_path), "").replace("`2020` to `year 2020`", "")
    assert not any(cell in message for cell in cells if len(cell) > 1)


@pytest.mark.parametrize(
    "text",
    [
        "age,sex\n47,m\n52,f\n",
        "country,2019,2020,2021\nNorway,1,2,3\nPeru,4,5,6\n",
        "id,1,2\n7,1,2\n8,2,1\n",
        "id,5\nA7,x\nA8,y\n",  # a number over values of another kind
        "age,NA,K\n47,140,4\n52,138,5\n",
        "sex,group,control\nm,control,x\nf,case,y\n",
        "age,47\n47,x\n52,y\n",
        "name\nAnn\nBob\n",
        "a,b\n,\n,\n",
    ],
)
def test_a_first_line_of_names_is_read_as_before(tmp_path, text):
    assert read(tmp_path, text).frame.columns == text.splitlines()[0].split(",")


def test_a_header_that_comes_again_is_refused_with_its_record(tmp_path):
    with pytest.raises(InputError, match="record 2 repeats the header"):
        read(tmp_path, "age,sex\n31,m\nage,sex\n52,f\n")


def test_a_missing_name_of_an_index_is_named_as_the_reason(tmp_path):
    with pytest.raises(InputError, match="an index column without a name, name it"):
        read(tmp_path, "age,sex\n1,31,m\n2,52,f\n")
