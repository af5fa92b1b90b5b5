"""Every command of the tutorial runs, and prints what the page shows."""

from __future__ import annotations

import csv
from collections import defaultdict

import pytest

import tutorial


@pytest.fixture(scope="module")
def walked(tmp_path_factory):
    """The folder after the whole page, and its commands."""
    folder = tmp_path_factory.mktemp("tutorial")
    text = tutorial.PAGE.read_text(encoding="utf-8")
    return folder, list(tutorial.commands(text, folder))


def test_every_command_prints_what_the_page_shows(walked):
    _, commands = walked

    assert [command.line.split()[1] for command in commands if command.line[:5] == "shoal"] == [
        "init", "anonymize", "check", "check", "risk", "attack", "anonymize", "apply",
    ]  # fmt: skip
    wrong = [c.line for c in commands if not tutorial.agrees(c.shown, c.printed)]
    assert wrong == []  # else run `make tutorial`, and read what changed


def test_a_line_that_differs_is_noticed_and_lines_left_out_are_not():
    assert tutorial.agrees("one\n...\nfour\n", "one\ntwo\nthree\nfour\n")
    assert not tutorial.agrees("one\n...\nfour\n", "one\ntwo\nthree\nfive\n")
    assert not tutorial.agrees("", "one\n")


@pytest.mark.parametrize(
    ("name", "quasi"),
    [
        ("release.csv", ["BirthDate", "Sex", "ZIP", "AdmitDate"]),
        ("half-year.csv", ["BirthDate", "Sex", "ZIP"]),
        ("july-release.csv", ["BirthDate", "Sex", "ZIP"]),
    ],
)
def test_the_released_groups_are_as_large_and_varied_as_the_policy_asks(walked, name, quasi):
    folder, _ = walked
    groups = defaultdict(list)
    with (folder / name).open(newline="", encoding="utf-8") as file:
        for row in csv.DictReader(file, delimiter=";"):
            groups[tuple(row[column] for column in quasi)].append(row["PrimaryDx"])

    assert min(map(len, groups.values())) >= 5
    assert min(len(set(diagnoses)) for diagnoses in groups.values()) >= 3
