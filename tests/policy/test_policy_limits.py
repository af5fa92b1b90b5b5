"""Policies that would eat memory are refused before anything large is built."""

from __future__ import annotations

from pathlib import Path

import pytest

import shoal
from shoal.errors import InputError, PolicyError
from shoal.policy import file
from shoal.policy.file import parse_policy

BOMB = "a: &a [x, x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{chr(ord(name) - 1)}'] * 10)}]\n" for name in "bcdefghij"
)


def test_aliases_that_repeat_each_other_are_refused_early(monkeypatch):
    monkeypatch.setattr(file, "MOST_VALUES", 5_000)

    with pytest.raises(PolicyError, match="line 1: up to here there are more than 5,000 values"):
        parse_policy(BOMB)


def test_an_alias_used_a_few_times_is_fine():
    text = "columns: &all {age: quasi}\nothers: [*all, *all]\n"

    assert parse_policy(text).content["others"] == [{"age": "quasi"}] * 2


@pytest.mark.parametrize("brackets", ["{a: ", "[", "- ", "? "])
def test_deep_nesting_is_refused_with_its_line(brackets):
    with pytest.raises(PolicyError, match=r"line \d+: keys go too deep here"):
        parse_policy("columns: 1\nprivacy:\n  " + brackets * 3_000)


def test_too_many_values_are_refused_while_they_are_read(monkeypatch):
    monkeypatch.setattr(file, "MOST_VALUES", 100)

    with pytest.raises(PolicyError, match=r"line 3: up to here .* into files of their own"):
        parse_policy("columns:\n  a: quasi\n  b: [" + "x, " * 200 + "x]\n")


def test_an_endless_policy_file_is_refused():
    with pytest.raises(InputError, match="/dev/zero has more than 16,000,000 bytes"):
        shoal.Policy.load(Path("/dev/zero"))
