"""Writes the hospital's file of the tutorial: visits of people who do not exist.

python make_visits.py visits.csv            # the first half of a year
python make_visits.py july.csv --july       # later visits, also of people seen before

It is as messy as such files are: dates as in the US, a laboratory that writes decimal commas, three
ways to write that a value is missing, a free text, several visits of most patients.
"""

from __future__ import annotations

import csv
import random
import sys
from datetime import date, timedelta
from pathlib import Path

N_PATIENTS = 1_500
FIRST = ("Ada", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gia", "Hal", "Ivy", "Jon", "Kim", "Leo")
LAST = ("Abel", "Brook", "Chan", "Diaz", "Egan", "Ford", "Gray", "Hill", "Iyer", "Jones", "Khan")
# Diagnoses (ICD-10), and how often they come.
DIAGNOSES = {
    "I10": 14, "E11.9": 11, "J45.909": 8, "E78.5": 8, "M54.50": 7, "F41.1": 6, "N39.0": 6,
    "J18.9": 5, "K21.9": 5, "F32.9": 5, "I48.91": 4, "S72.001A": 3, "O80": 3, "C50.919": 2,
    "B20": 2, "E11.65": 2, "I50.9": 2,
}  # fmt: skip
AREAS = {"02139": 9, "02138": 7, "02141": 5, "02140": 4, "02142": 3, "02445": 4, "02446": 4,
         "02131": 3, "01810": 1, "01845": 1}  # fmt: skip
HEADER = [
    "MRN",
    "Name",
    "BirthDate",
    "Sex",
    "ZIP",
    "AdmitDate",
    "PrimaryDx",
    "HbA1c",
    "Nights",
    "Note",
]


def patients(rng: random.Random) -> list[list[str]]:
    """Number, name, date of birth, sex and ZIP code of everybody."""
    found = []
    for number in range(N_PATIENTS):
        born = date(1931, 1, 1) + timedelta(days=rng.randrange(85 * 365))
        name = f"{rng.choice(FIRST)} {rng.choice(LAST)}"
        (zip_code,) = rng.choices(list(AREAS), list(AREAS.values()))
        sex = (
            rng.choice(["F", "F", "F", "M", "M", "M", "U"])
            if number % 40 == 0
            else "FM"[number % 2]
        )
        found.append([f"M{700000 + number * 7}", name, us(born), sex, zip_code])
    return found


def visits(
    people: list[list[str]], rng: random.Random, first: date, n_days: int
) -> list[list[str]]:
    """From one visit to four of most patients, in the order of the days."""
    found = []
    for person in people:
        for _ in range(rng.choice([0, 1, 1, 1, 2, 2, 3, 4])):
            day = first + timedelta(days=rng.randrange(n_days))
            (diagnosis,) = rng.choices(list(DIAGNOSES), list(DIAGNOSES.values()))
            found.append((day, [*person, us(day), diagnosis, hba1c(diagnosis, rng),
                                str(min(30, int(rng.expovariate(0.4)))), note(rng)]))  # fmt: skip
    return [visit for _, visit in sorted(found, key=lambda pair: pair[0])]


def us(day: date) -> str:
    return f"{day:%m/%d/%Y}"


def hba1c(diagnosis: str, rng: random.Random) -> str:
    """The laboratory writes a comma; where nothing was measured, three words stand for it."""
    if not diagnosis.startswith("E11") and rng.random() < 0.6:
        return rng.choice(["", "", "", "N/A", "N/A", "unknown" if rng.random() < 0.1 else ""])
    middle = 7.9 if diagnosis.startswith("E11") else 5.4
    return f"{max(4.0, rng.gauss(middle, 0.8)):.1f}".replace(".", ",")


def note(rng: random.Random) -> str:
    texts = [
        "",
        "",
        "seen with daughter",
        "asks for a call back",
        "allergic; see chart",
        "no show before",
    ]
    return rng.choice(texts)


def main() -> None:
    rng = random.Random(2026)
    people = patients(rng)
    if "--july" in sys.argv:
        rng = random.Random(7)
        rows = visits(people, rng, date(2026, 7, 1), 31)
    else:
        rows = visits(people, rng, date(2026, 1, 1), 181)
    with Path(sys.argv[1]).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, delimiter=";")
        writer.writerow(HEADER)
        writer.writerows(rows)


if __name__ == "__main__":
    main()
