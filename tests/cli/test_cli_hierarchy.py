"""`shoal hierarchy`: level tables with all values of a column, to edit, check and look at."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

LINES = [
    "race;zip;age;born;pay;from",
    *[
        f"{['white', 'black', 'asian', 'other'][i % 4] if i > 2 else f'rare{i}'};"
        f"{2100 + i % 7:05};{20 + i % 40};{1 + i % 12}/{13 + i % 9}/{1950 + i % 30};"
        f"{1000 + i},5;{['DE', 'FR', 'Peru', 'Chad', 'JP', 'Oz'][i % 6]}"
        for i in range(120)
    ],
]


@pytest.fixture
def table(folder) -> Path:
    path = Path("people.csv")
    path.write_text("\n".join(LINES) + "\n")
    return path


def rows(path):
    return [tuple(line.split(";")) for line in Path(path).read_text().splitlines()]


def made(run, table, column, *options):
    assert run("hierarchy", column, table, "-o", "out.csv", *options).code == 0
    return {row[0]: row[1:] for row in rows("out.csv")}


def test_it_is_written_next_to_the_data_for_its_owner_alone(table, run):
    result = run("hierarchy", "race", table)

    assert result.code == 0
    assert stat.S_IMODE(Path("race.csv").stat().st_mode) == 0o600
    assert "hierarchy: race.csv" in result.stdout
    assert "white" not in result.stdout


def test_nothing_is_overwritten_without_force_and_the_data_never(table, run):
    Path("race.csv").write_text("mine")

    assert run("hierarchy", "race", table).code == 2
    assert Path("race.csv").read_text() == "mine"
    assert run("hierarchy", "race", table, "--force").code == 0
    assert Path("race.csv").read_text() != "mine"
    before = table.read_bytes()
    assert run("hierarchy", "race", table, "-o", table, "--force").code == 2
    assert table.read_bytes() == before


def test_rare_texts_come_together(table, run):
    found = made(run, table, "race")

    assert found["white"] == ("white", "*")
    assert found["rare0"] == found["rare2"] == ("Other", "*")
    assert len(found) == 7


@pytest.mark.parametrize(
    ("column", "options", "value", "path"),
    [
        ("age", [], "34", ("[30, 34]", "[30, 39]", "[20, 39]", "[0, 39]", "*")),
        ("age", ["--widths", "10,20"], "34", ("[30, 39]", "[20, 39]", "*")),
        ("age", ["--quantiles", "4"], "20", ("[20, 29]", "[20, 39]", "*")),
        ("pay", ["--quantiles", "2"], "1007,5", ("[1000, 1060)", "*")),
        ("zip", [], "02103", ("0210*", "021**", "02***", "0****", "*")),
        ("race", ["--prefix"], "white", ("whit*", "whi**", "wh***", "w****", "*")),
        ("race", ["--fewest", "40"], "white", ("Other", "*")),
        ("born", [], "1/13/1950", ("1950-01", "1950-Q1", "1950", "1950s", "*")),
        ("born", ["--units", "year,century"], "1/13/1950", ("1950", "1900–1999", "*")),
        ("pay", ["--widths", "50"], "1007,5", ("[1000, 1050)", "*")),
        ("from", ["--library", "countries"], "DE", ("Western Europe", "Europe", "*")),
        ("from", ["--library", "countries"], "Oz", ("Other", "Other", "*")),
    ],
)
def test_values_get_nodes_above_them(table, run, column, options, value, path):
    assert made(run, table, column, *options)[value] == path


def test_the_steward_may_have_groups_already(table, run):
    Path("groups.csv").write_text("DE;EU\nFR;EU\nJP;far\n")

    found = made(run, table, "from", "--grouping", "groups.csv")

    assert (found["DE"], found["JP"], found["Peru"]) == (("EU", "*"), ("far", "*"), ("Other", "*"))


@pytest.mark.parametrize("column", ["race", "zip", "age", "born", "pay", "from"])
def test_what_is_written_is_complete_and_fits_the_policy(table, run, column):
    made(run, table, column)

    assert run("hierarchy", column, table, "--check", "out.csv").code == 0
    roles = dict.fromkeys(LINES[0].split(";"), "drop")
    roles[column] = "{role: quasi, hierarchy: out.csv}"
    columns = "\n".join(f"  {name}: {role}" for name, role in roles.items())
    Path("own.yaml").write_text(
        f"columns:\n{columns}\nprivacy: [{{model: k-anonymity, k: 5}}]\nsuppression: 0.2\n"
    )
    assert run("anonymize", table, "-p", "own.yaml", "-o", "r.csv", "--quiet").code == 0


def test_a_check_counts_what_is_missing_and_shows_it_on_request_only(table, run):
    Path("race.csv").write_text("white;a;*\nblack;a;*\nasian;b;*\nother;b;*\nmartian;c;*\n")

    result = run("hierarchy", "race", table, "--check", "race.csv")
    shown = run("hierarchy", "race", table, "--check", "race.csv", "--show-values")

    assert result.code == shown.code == 1
    assert "3 values of 7 missing (3 of 120 records). 1 leaf without a record." in result.stdout
    assert "rare1" not in result.stdout
    assert "rare1  1" in shown.stdout
    assert Path("race.csv").read_text().startswith("white")


def test_every_level_is_previewed_with_counts_and_nothing_is_written(table, run):
    result = run("hierarchy", "race", table, "--preview")
    shown = run("hierarchy", "race", table, "--preview", "--show-values")

    assert result.stdout.splitlines() == [
        "level 0: 7 nodes, 1 to 30 records each, 3 records in nodes of fewer than 5",
        "level 1: 5 nodes, 3 to 30 records each, 3 records in nodes of fewer than 5",
    ]
    assert "  Other  3" in shown.stdout
    assert not Path("race.csv").exists()


def test_a_policy_says_how_the_column_is_read(table, run):
    columns = "\n".join(f"  {name}: drop" for name in LINES[0].split(";")[1:])
    Path("own.yaml").write_text(
        f"columns:\n  race: quasi\n{columns}\nprivacy: [{{model: k-anonymity, k: 5}}]\n"
        "missing_values: ['', rare0]\n"
    )

    assert len(made(run, table, "race", "-p", "own.yaml")) == 6


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["rase", "people.csv"], "no column 'rase'; did you mean 'race'?"),
        (["race", "people.csv", "--widths", "5", "--prefix"], "two ways to generalise"),
        (["race", "people.csv", "--widths", "5"], "intervals need numbers"),
        (["race", "people.csv", "--quantiles", "4"], "no numbers or dates"),
        (["race", "people.csv", "--library", "country"], "did you mean 'countries'?"),
        (["race", "people.csv", "--check", "none.csv"], "no such file"),
    ],
)
def test_what_cannot_be_done_is_refused(table, run, arguments, message):
    result = run("hierarchy", *arguments)

    assert result.code == 2
    assert message in result.stderr
    assert "rare0" not in result.stderr
    assert not Path("race.csv").exists()


def test_parts_of_equally_many_records_end_at_no_value_of_the_data(folder, run):
    values = [f"{1000 + i * i / 7:.3f}" for i in range(200)]
    Path("pay.csv").write_text("\n".join(["pay", *values]) + "\n")

    nodes = {node for above in made(run, Path("pay.csv"), "pay", "--quantiles", "5").values()
             for node in above[:-1]}  # fmt: skip

    ends = {end for node in nodes for end in node.strip("[]()").split(", ")}
    assert len(nodes) >= 5
    assert not ends & {value.rstrip("0") for value in values[1:]}
    assert all(float(end) % 10 == 0 for end in ends)


def test_where_nothing_belongs_together_no_level_is_made_up(folder, run):
    Path("jobs.csv").write_text("\n".join(["job", *["cook", "nurse", "judge"] * 10]) + "\n")

    result = run("hierarchy", "job", "jobs.csv")

    assert rows("job.csv") == [("cook", "*"), ("judge", "*"), ("nurse", "*")]
    assert "--library NAME" in result.stdout


def test_an_unknown_library_is_named_before_a_file_that_exists(table, run):
    Path("race.csv").write_text("precious")

    result = run("hierarchy", "race", table, "--library", "nosuch")

    assert result.code == 2
    assert "unknown library 'nosuch'" in result.stderr
    assert Path("race.csv").read_text() == "precious"
