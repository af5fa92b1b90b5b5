"""The whole way of a steward, with the commands that she types, on three realistic tables.

From the file to `init`, a policy, a release, its dossier, a check, risk, an attack and next month's
records. What was released is counted again here, by code that has nothing of Shoal.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from functools import cache
from pathlib import Path
from typing import Any

import pyreadstat
import pytest
import yaml
from click.testing import CliRunner

from cases.steward_tables import STAFF, SURVEY, VISITS, Row, Rows, Table
from shoal.cli import cli

K, L = 5, 2


class Walk:
    """A folder in which all commands of the walk were run."""

    def __init__(self, table: Table, folder: Path) -> None:
        self.table, self.folder = table, folder
        name, end = table.name, table.ending
        self.original = table.write(folder / f"{name}{end}", 0)
        self.later = table.write(folder / f"later{end}", 1)
        self.run("init", f"{name}{end}", "-o", "proposed.yaml")
        self.proposed = yaml.safe_load((folder / "proposed.yaml").read_text(encoding="utf-8"))
        self.summary = self.json("anonymize", f"{name}{end}", "-p", "proposed.yaml", "-o",
                                 f"first{end}")  # fmt: skip
        self.decide()
        release = ("anonymize", f"{name}{end}", "-p", "policy.yaml", "-o", f"release{end}",
                   "--report", "dossier.html", "--report-external", "public.html")  # fmt: skip
        self.decided = self.json(*release)
        self.checked = self.json("check", f"release{end}", "-p", "policy.yaml", "--original",
                                 f"{name}{end}", "--report", "dossier.html")  # fmt: skip
        self.risk = self.json("risk", f"{name}{end}", "-p", "policy.yaml", "--release",
                              f"release{end}")  # fmt: skip
        self.attacked = self.json("attack", f"release{end}", "--original", f"{name}{end}", "-p",
                                  "policy.yaml")  # fmt: skip
        self.applied = self.json("apply", f"later{end}", "-r", "release.recoding.json", "-o",
                                 f"applied{end}")  # fmt: skip

    def run(self, *words: str) -> str:
        paths = [str(self.folder / word) if "." in word else word for word in words]
        done = CliRunner().invoke(cli, [*paths, "--quiet"], standalone_mode=False)
        assert done.exception is None, (words, done.exception)
        assert not done.return_value, words  # the exit code
        return done.stdout

    def json(self, *words: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.run(*words, "--json"))
        return found

    def decide(self) -> None:
        """The proposal, with what the steward knows better; one level for each column."""
        policy = self.proposed | {
            "columns": self.proposed["columns"] | self.table.decided,
            "algorithm": {"name": "flash"},
            "suppression": 0.1,
            "person": self.table.person,
            "context": {"purpose": "a study", "recipient": "a university"},
        }
        (self.folder / "policy.yaml").write_text(yaml.safe_dump(policy, sort_keys=False))

    def released(self, name: str) -> Rows:
        return self.table.read(self.folder / f"{name}{self.table.ending}")


@pytest.fixture(scope="module", params=[VISITS, SURVEY, STAFF], ids=lambda table: table.name)
def walk(request, tmp_path_factory) -> Walk:
    return Walk(request.param, tmp_path_factory.mktemp(request.param.name))


@cache
def covers(cell: str, value: Any) -> bool:
    """Whether a published cell stands for a value, as anybody would read it."""
    value = f"{value:g}" if isinstance(value, float) and value.is_integer() else value
    if cell in ("*", str(value)):
        return True
    if top := re.fullmatch(r"(\d+)\+", cell):
        return int(value) >= int(top[1])
    if ends := re.fullmatch(r"\[(-?[\d.]+), (-?[\d.]+)([\])])", cell):
        low, high = float(ends[1]), float(ends[2])
        return low <= float(value) < high or (ends[3] == "]" and float(value) == high)
    if quarter := re.fullmatch(r"(\d{4})-Q(\d)", cell):
        year, month = str(value).split("-")[:2]
        return (year, (int(month) + 2) // 3) == (quarter[1], int(quarter[2]))
    if re.fullmatch(r"\d{4}(-\d\d)?", cell):
        return str(value).startswith(f"{cell}-")
    if decade := re.fullmatch(r"(\d{3})0s", cell):
        return str(value).startswith(decade[1])
    if "*" in cell:
        return str(value).startswith(cell.rstrip("*"))
    return value in NODES.get(cell, ())


NODES = {
    node: leaves
    for table in (SURVEY,)
    for spec in table.decided.values()
    if isinstance(spec, dict) and isinstance(spec.get("hierarchy"), dict)
    for node, leaves in spec["hierarchy"].get("tree", {}).items()
}


def groups_of(rows: Rows, table: Table) -> dict[tuple[str, ...], Rows]:
    found = defaultdict(list)
    for row in rows:
        found[tuple(str(row[name]) for name in table.true)].append(row)
    return found


def people_in(cells: tuple[str, ...], original: Rows, table: Table) -> Rows:
    """The records of the original that cells stand for; with one level a column, no others."""

    def fits(row: Row) -> bool:
        return all(
            covers(cell, true(row)) for cell, true in zip(cells, table.true.values(), strict=True)
        )

    return [row for row in original if fits(row)]


def test_the_proposal_notices_what_matters_and_runs_as_it_is(walk):
    columns = walk.proposed["columns"]

    for name, keys in walk.table.noticed.items():
        assert columns[name].items() >= {k: v for k, v in keys.items() if k != "says"}.items()
        assert keys.get("says", "") in columns[name]["reason"]
    assert walk.summary["released"] > 0
    assert all(model["holds"] for model in walk.summary["privacy"])


def test_people_with_several_records_are_noticed(walk):
    repeats = len({row[walk.table.person] for row in walk.original}) < len(walk.original)

    assert ("person" in walk.proposed) == repeats


@pytest.mark.parametrize("name", ["release", "applied"])
def test_the_released_groups_hide_people_when_counted_anew(walk, name):
    table, original = walk.table, walk.original if name == "release" else walk.later
    released = walk.released(name)

    for cells, rows in groups_of(released, table).items():
        people = people_in(cells, original, table)
        assert len({row[table.person] for row in people}) >= K
        assert len({str(row[table.sensitive]) for row in rows}) >= L
        told = Counter(str(row[table.sensitive]) for row in rows)
        assert told == Counter(str(row[table.sensitive]) for row in people)


@pytest.mark.parametrize("name", ["release", "applied"])
def test_every_record_is_released_or_counted_as_suppressed(walk, name):
    summary, original = (
        (walk.decided, walk.original) if name == "release" else (walk.applied, walk.later)
    )

    n_released = len(walk.released(name))
    assert n_released == summary["released"] >= 0.9 * len(original)
    assert n_released + summary["suppressed"] == len(original)


@pytest.mark.parametrize("name", ["first", "release", "applied"])
def test_nothing_that_names_people_is_released(walk, name):
    released = walk.released(name)
    withheld = [c for c, keys in walk.table.noticed.items() if keys.get("role") == "identifier"]

    assert not set(withheld) & set(released[0])
    told = {str(value) for row in released for value in row.values()}
    assert not told & {str(row[column]) for column in withheld for row in walk.original}


def test_the_first_release_has_groups_of_k_rows_too(walk):
    columns = walk.proposed["columns"]
    quasi = [name for name, keys in columns.items() if keys["role"] == "quasi"]
    sizes = Counter(tuple(str(row[name]) for name in quasi) for row in walk.released("first"))

    assert min(sizes.values()) >= K


def test_the_check_agrees_and_the_dossier_is_of_this_file(walk):
    assert walk.checked["holds"]
    assert walk.checked["leaks"] == []
    assert walk.checked["dossier"]["holds"]


def test_the_risk_falls_to_one_in_k(walk):
    before, after = walk.risk["data"], walk.risk["release"]

    assert before["prosecutor"]["highest"] == 1
    assert after["prosecutor"]["highest"] <= 1 / K


def test_an_attack_singles_out_no_one(walk):
    assert walk.attacked["linkage"]["singled_out"] == 0
    assert walk.attacked["linkage"]["unique_in_original"] > 0


def test_the_page_for_recipients_names_no_one_and_the_other_one_says_why(walk):
    page = (walk.folder / "dossier.html").read_text(encoding="utf-8")
    public = (walk.folder / "public.html").read_text(encoding="utf-8")

    assert "a university" in page
    for row in walk.original[:50]:
        assert str(row[walk.table.person]) not in public


@pytest.mark.parametrize("walk", [SURVEY], indirect=True)
def test_a_released_survey_keeps_its_labels(walk):
    _, meta = pyreadstat.read_sav(str(walk.folder / "release.sav"))

    assert meta.column_names_to_labels["trust"] == "Trust in the press, 1 to 10"
    assert "catholic" in meta.variable_value_labels["religion"].values()


@pytest.mark.parametrize(
    ("cell", "inside", "outside"),
    [
        ("*", "x", None), ("[20, 39]", 39, 40), ("[2000, 2500)", 2000.0, 2500.0), ("90+", 95, 89),
        ("0213*", "02139", "02149"), ("2026-Q1", "2026-03-31", "2026-04-01"),
        ("2026-03", "2026-03-05", "2026-04-01"), ("1980s", "1984-01-01", "1990-01-01"),
        ("Upper", "North", "South"), ("female", "female", "male"),
    ],
)  # fmt: skip
def test_the_counting_reads_cells_as_anybody_would(cell, inside, outside):
    assert covers(cell, inside)
    assert outside is None or not covers(cell, outside)
