"""Three tables as stewards have them, made of people who do not exist, and how each is decided."""

from __future__ import annotations

import csv
import random
import runpy
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import fastexcel
import pandas as pd
import pyreadstat
import xlsxwriter

Row = Mapping[str, Any]
Rows = list[dict[str, Any]]
REGIONS = ["North", "Coast", "Lakes", "Hills", "Plain", "City", "Harbour", "South"]
DEGREES = ["none", "school", "apprenticeship", "bachelor", "master or more"]


@dataclass(frozen=True)
class Table:
    """A table, what `shoal init` must notice, what its steward decides, how others read it.

    Of a column that `init` must notice, `says` is a part of the reason that it gives. `true` gives
    the values of a record as a person knows them, by quasi-identifier.
    """

    name: str
    ending: str
    write: Callable[[Path, int], Rows]
    read: Callable[[Path], Rows]
    noticed: Mapping[str, Mapping[str, Any]]
    decided: Mapping[str, Any]
    person: str
    sensitive: str
    true: Mapping[str, Callable[[Row], Any]]


# A hospital's visits: csv, dates as in the US, ICD-10 codes, several visits of a person


def write_visits(path: Path, part: int) -> Rows:
    made = runpy.run_path(str(Path(__file__).parents[2] / "docs" / "make_visits.py"))
    people = made["patients"](random.Random(1))
    first = date(2026, 1, 1) if part == 0 else date(2026, 7, 1)
    rows = made["visits"](people, random.Random(part), first, 180)
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerows([made["HEADER"], *rows])
    return [dict(zip(made["HEADER"], row, strict=True)) for row in rows]


def read_csv(path: Path) -> Rows:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter=";"))


def age_in_2026(row: Row) -> int:
    """On the first day of the year: who was born in a year is one younger, but for that day."""
    month, day, year = map(int, row["BirthDate"].split("/"))
    return 2026 - year - ((month, day) > (1, 1))


def day_of_admission(row: Row) -> str:
    month, day, year = row["AdmitDate"].split("/")
    return f"{year}-{month}-{day}"


VISITS = Table(
    "visits",
    ".csv",
    write_visits,
    read_csv,
    {
        "MRN": {"role": "identifier"},
        "BirthDate": {"role": "quasi", "format": "MM/DD/YYYY"},
        "AdmitDate": {"role": "quasi", "format": "MM/DD/YYYY"},
        "PrimaryDx": {"role": "sensitive"},
        "HbA1c": {"decimal": ","},
        "Note": {"role": "drop"},
    },
    {
        "BirthDate": {"role": "quasi", "format": "MM/DD/YYYY", "age_on": "2026-01-01", "top": 90,
                      "hierarchy": {"intervals": [10, 30]}},
        "Sex": {"role": "quasi", "hierarchy": "flat"},
        "ZIP": {"role": "quasi", "hierarchy": {"prefix": 5}},
        "AdmitDate": {"role": "quasi", "format": "MM/DD/YYYY",
                      "hierarchy": {"date": ["month", "quarter", "year", "decade"]}},
        "HbA1c": "drop",
        "Nights": "keep",
    },
    "MRN",
    "PrimaryDx",
    {
        "BirthDate": age_in_2026,
        "Sex": lambda row: row["Sex"],
        "ZIP": lambda row: row["ZIP"],
        "AdmitDate": day_of_admission,
    },
)  # fmt: skip


# A survey from SPSS: codes with labels


def write_survey(path: Path, part: int) -> Rows:
    rng = random.Random(10 + part)
    rows = [
        {
            "respondent_id": f"R{part}{i:05}",
            "age": rng.randrange(18, 80),
            "sex": rng.randrange(1, 3),
            "region": rng.randrange(1, 9),
            "degree": rng.choices(range(1, 6), [1, 4, 5, 3, 2])[0],
            "religion": rng.choices(range(1, 6), [5, 4, 2, 1, 3])[0],
            "trust": rng.randrange(1, 11),
        }
        for i in range(900)
    ]
    labels = {
        "sex": {1: "female", 2: "male"},
        "region": dict(enumerate(REGIONS, 1)),
        "degree": dict(enumerate(DEGREES, 1)),
        "religion": dict(enumerate(["none", "catholic", "protestant", "jewish", "muslim"], 1)),
    }
    columns = {"age": "Age in years", "trust": "Trust in the press, 1 to 10"}
    pyreadstat.write_sav(
        pd.DataFrame(rows), str(path), variable_value_labels=labels, column_labels=columns
    )
    for row in rows:
        row |= {name: of[row[name]] for name, of in labels.items()}
    return rows


def read_sav(path: Path) -> Rows:
    """With the labels in place of codes."""
    frame, _ = pyreadstat.read_sav(str(path), apply_value_formats=True)
    return [{str(k): v for k, v in row.items()} for row in frame.astype(object).to_dict("records")]


SURVEY = Table(
    "survey",
    ".sav",
    write_survey,
    read_sav,
    {
        "respondent_id": {"role": "identifier"},
        "age": {"role": "quasi"},
        "sex": {"role": "quasi"},
        "religion": {"role": "sensitive"},
    },
    {
        "age": {"role": "quasi", "hierarchy": {"intervals": [5, 10, 20]}},
        "sex": {"role": "quasi", "hierarchy": "flat"},
        "region": {"role": "quasi", "hierarchy": {"tree": {"Upper": REGIONS[:4],
                                                           "Lower": REGIONS[4:]}}},
        "degree": {"role": "quasi", "hierarchy": {"tree": {"lower": DEGREES[:3],
                                                           "higher": DEGREES[3:]}}},
        "trust": "keep",
    },
    "respondent_id",
    "religion",
    {name: (lambda row, name=name: row[name]) for name in ("age", "sex", "region", "degree")},
)  # fmt: skip


# A company's staff in Excel: decimal commas, thousands with points, days as Excel has them


def write_staff(path: Path, part: int) -> Rows:
    rng = random.Random(20 + part)
    rows = [
        {
            "personnel number": 40_000 + part * 5_000 + i,
            "name": f"{rng.choice('ABCDEFGH')}. {rng.choice(['Berg', 'Lind', 'Holm', 'Dahl'])} {i}",
            "born": date(1958, 1, 1) + timedelta(days=rng.randrange(46 * 365)),
            "department": rng.choice(["sales", "plant", "plant", "office", "research"]),
            "salary": german(rng.randrange(210_000, 690_000) / 100),
            "religion": rng.choice(["none", "none", "catholic", "protestant", "muslim"]),
            "days ill": rng.randrange(0, 31),
        }
        for i in range(800)
    ]
    book = xlsxwriter.Workbook(path)
    sheet, day = book.add_worksheet("staff"), book.add_format({"num_format": "dd.mm.yyyy"})
    sheet.write_row(0, 0, list(rows[0]))
    for number, row in enumerate(rows, 1):
        for place, value in enumerate(row.values()):
            if isinstance(value, date):
                sheet.write_datetime(number, place, value, day)
            elif isinstance(value, int):
                sheet.write_number(number, place, value)
            else:
                sheet.write_string(number, place, value)
    book.close()
    return rows


def german(amount: float) -> str:
    """1234.5 -> 1.234,50"""
    return f"{amount:,.2f}".translate(str.maketrans(",.", ".,"))


def amount_of(row: Row) -> float:
    return float(row["salary"].replace(".", "").replace(",", "."))


def read_xlsx(path: Path) -> Rows:
    return fastexcel.read_excel(path).load_sheet(0, dtypes="string").to_polars().to_dicts()


STAFF = Table(
    "staff",
    ".xlsx",
    write_staff,
    read_xlsx,
    {
        "personnel number": {"role": "identifier"},
        "name": {"role": "identifier"},
        "born": {"role": "quasi"},
        "religion": {"role": "sensitive"},
        "salary": {
            "role": "quasi",
            "bounds": "grid",
            "says": "a decimal comma and points between thousands",
        },
    },
    {
        "born": {"role": "quasi", "hierarchy": {"date": ["year", "decade", "century"]}},
        "department": {"role": "quasi", "hierarchy": "flat"},
        "salary": {"role": "quasi", "decimal": ",", "thousands": ".",
                   "hierarchy": {"intervals": [500, 1000, 2000, 4000]}},
        "days ill": "keep",
    },
    "personnel number",
    "religion",
    {
        "born": lambda row: row["born"].isoformat(),
        "department": lambda row: row["department"],
        "salary": amount_of,
    },
)  # fmt: skip
