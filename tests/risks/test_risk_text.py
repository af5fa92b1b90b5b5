"""What is printed about the risk of a table."""

from __future__ import annotations

import polars as pl
import pytest
from rich.cells import cell_len
from rich.console import Console

import shoal
from shoal.report.risk import print_risk

LONG = "a column with a name that is much longer than any line of a terminal has place for " * 2


def printed(risk, width=80, **options):
    console = Console(width=width, force_terminal=False)
    with console.capture() as capture:
        print_risk(risk, console, **options)
    return capture.get()


def risk_of(column="zip", **settings):
    people = pl.DataFrame(
        {
            "age": [20 + i % 9 for i in range(40)],
            column: [i % 4 for i in range(40)],
            "sex": [1] * 40,
        }
    )
    policy = shoal.Policy.of_roles(quasi=people.columns, privacy=[shoal.KAnonymity(2)])
    return shoal.risk(people, policy, **{k: v(people) for k, v in settings.items()})


BESIDE = {
    "alone": {},
    "release": {"release": lambda people: people[:30]},
    "everything": {"release": lambda people: people[:30], "population": lambda people: people},
}


@pytest.mark.parametrize("width", [50, 80, 200])
@pytest.mark.parametrize("beside", BESIDE)
@pytest.mark.parametrize("column", ["zip", LONG])
def test_the_text_fits_the_terminal(width, beside, column):
    text = printed(risk_of(column, **BESIDE[beside]), width)

    assert max(cell_len(line) for line in text.splitlines()) <= min(width, 80)


def words_of(text):
    return [" ".join(line.split()) for line in text.splitlines()]


def test_every_attacker_has_its_figures():
    lines = words_of(printed(risk_of(**BESIDE["everything"])))

    assert lines[0].startswith("32 of 40 records (80.0%) are unique")
    assert "Prosecutor: knows that the person is in the table" in lines
    assert "Journalist: knows only that the person is one of 40 people" in lines
    assert "highest risk 100% 100%" in lines
    assert "Records 40 30" in lines


def test_without_a_population_the_journalist_has_bounds():
    lines = words_of(printed(risk_of()))

    assert "highest risk, at most 100%" in lines
    assert any("No population was given" in line for line in lines)


def test_combinations_and_columns_are_named_with_their_figures():
    lines = words_of(printed(risk_of(), top=1))

    at = lines.index("The most identifying combinations")
    assert lines[at + 1] == "known unique average risk"
    assert lines[at + 2].startswith("age + zip 32 (80.0%)")
    assert lines[at + 3] == "and 6 more combinations; --json lists all"
    assert any(line.startswith("age ") and line.endswith("none") for line in lines)
    assert any(line.startswith("sex 0% 32 (80.0%)") for line in lines)


def test_column_names_are_no_markup_and_no_commands_to_the_terminal():
    assert "[red]a?[2Jb" in printed(risk_of("[red]a\x1b[2Jb"))
