"""Pseudonyms on the command line: a key or a mapping, and neither of them ever shown or lost."""

from __future__ import annotations

import json
import stat
from pathlib import Path

import polars as pl
import pytest

SECRET = "correct horse battery staple, and more"
POLICY = """\
columns: {patient: pseudonym, age: quasi, drug: keep}
privacy: [{model: k-anonymity, k: 2}]
"""
TABLE = "patient;age;drug\n" + "".join(
    f"secret-{i // 2};{20 + i // 4};d{i % 3}\n" for i in range(24)
)


@pytest.fixture
def visits(folder, monkeypatch):
    monkeypatch.delenv("SHOAL_KEY", raising=False)
    Path("visits.csv").write_text(TABLE)
    Path("policy.yaml").write_text(POLICY)
    Path("my.key").write_text(SECRET)
    Path("my.key").chmod(0o600)


@pytest.fixture
def anonymize(visits, run):
    def anonymize(*options: object):
        result = run("anonymize", "visits.csv", "-p", "policy.yaml", "-o", "out.csv", *options)
        assert SECRET not in result.stdout + result.stderr
        assert "secret-" not in result.stdout + result.stderr
        return result

    return anonymize


def released() -> list[str]:
    return pl.read_csv("out.csv", separator=";")["patient"].to_list()


def test_a_key_file_and_the_environment_give_the_same_release(anonymize, monkeypatch):
    assert anonymize("--key-file", "my.key").code == 0
    by_file = Path("out.csv").read_bytes()
    monkeypatch.setenv("SHOAL_KEY", SECRET)

    assert anonymize().code == 0

    assert Path("out.csv").read_bytes() == by_file
    assert b"secret" not in by_file
    assert len(set(released())) == 12


def test_the_key_file_wins_over_the_environment(anonymize, monkeypatch):
    anonymize("--key-file", "my.key")
    before = released()
    monkeypatch.setenv("SHOAL_KEY", SECRET[::-1])

    anonymize("--key-file", "my.key")

    assert released() == before


def test_a_mapping_is_written_for_its_owner_alone(anonymize):
    result = anonymize("--mapping", "who.csv")

    of = dict(pl.read_csv("who.csv").iter_rows())
    assert result.code == 0
    assert stat.S_IMODE(Path("who.csv").stat().st_mode) == 0o600
    assert of.keys() == {f"secret-{i}" for i in range(12)}
    assert set(released()) == set(of.values())
    assert "who.csv was written too. It is INTERNAL" in result.stdout


def test_a_mapping_is_random_even_if_the_environment_has_a_key(anonymize, monkeypatch):
    monkeypatch.setenv("SHOAL_KEY", SECRET)
    anonymize()
    keyed = set(released())

    anonymize("--mapping", "who.csv")

    assert not keyed & set(released())


def test_json_says_where_the_mapping_is(anonymize):
    assert json.loads(anonymize("--mapping", "who.csv", "--json").stdout)["mapping"] == "who.csv"
    assert "mapping" not in json.loads(anonymize("--key-file", "my.key", "--json").stdout)


def test_an_earlier_mapping_stays_unless_it_may_be_overwritten(anonymize):
    Path("who.csv").write_text("old")

    refused = anonymize("--mapping", "who.csv")

    assert refused.code == 2
    assert "--force" in refused.stderr
    assert Path("who.csv").read_text() == "old"
    assert not Path("out.csv").exists()
    assert anonymize("--mapping", "who.csv", "--force").code == 0
    assert "secret-1" in Path("who.csv").read_text()


def test_without_key_and_mapping_both_ways_are_named(anonymize):
    result = anonymize()

    assert result.code == 2
    assert "shoal key FILE" in result.stderr
    assert "--key-file FILE" in result.stderr
    assert "SHOAL_KEY" in result.stderr
    assert "--mapping FILE" in result.stderr
    assert not Path("out.csv").exists()


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (("--key-file", "my.key", "--mapping", "who.csv"), "exclude each other"),
        (("--key-file", "none.key"), "none.key: there is no such key file"),
        (("--key-file", "policy.yaml"), "policy.yaml is the key"),
        (("--mapping", "policy.yaml", "--force"), "policy.yaml is the policy"),
        (("--mapping", "out.csv"), "out.csv is the release"),
        (("--mapping", "page.html", "--report", "page.html"), "page.html is the report"),
        (("--key-file", "my.key", "--report", "my.key", "--force"), "my.key is the key"),
    ],
)
def test_files_in_the_wrong_place_are_refused(anonymize, options, words):
    result = anonymize(*options)

    assert result.code == 2
    assert words in result.stderr
    assert Path("policy.yaml").read_text() == POLICY
    assert Path("my.key").read_text() == SECRET
    assert not Path("out.csv").exists()


@pytest.mark.parametrize("option", ["--key-file", "--mapping"])
def test_a_policy_without_a_pseudonym_has_no_use_for_a_key(anonymize, option):
    Path("policy.yaml").write_text(POLICY.replace("pseudonym", "identifier"))

    result = anonymize(option, "my.key")

    assert result.code == 2
    assert f"{option} is for a column with the role pseudonym" in result.stderr


def test_the_environment_is_not_read_where_no_pseudonym_is(anonymize, monkeypatch):
    Path("policy.yaml").write_text(POLICY.replace("pseudonym", "identifier"))
    monkeypatch.setenv("SHOAL_KEY", "short")

    assert anonymize().code == 0


def test_a_key_that_others_may_read_is_used_with_a_warning(anonymize):
    Path("my.key").chmod(0o644)

    result = anonymize("--key-file", "my.key")

    assert result.code == 0
    assert "chmod 600" in result.stderr
    assert "chmod 600" in " ".join(result.stdout.split())


def test_a_short_key_is_refused_with_the_command_that_makes_one(anonymize, monkeypatch):
    monkeypatch.setenv("SHOAL_KEY", SECRET[:10])

    result = anonymize()

    assert result.code == 2
    assert "The key in SHOAL_KEY has 10 bytes" in result.stderr
    assert "shoal key FILE" in result.stderr
    assert SECRET[:10] not in result.stderr


def test_a_new_key_can_be_used_at_once(anonymize, run):
    run("key", "new.key")

    assert anonymize("--key-file", "new.key").code == 0
    assert run("check", "out.csv", "-p", "policy.yaml", "--original", "visits.csv").code == 0


@pytest.fixture
def recoding(visits):
    """A policy whose release can be repeated."""
    hierarchy = "age: {role: quasi, hierarchy: {intervals: [2]}}"
    text = POLICY.replace("age: quasi", hierarchy) + "algorithm: {name: flash}\n"
    Path("policy.yaml").write_text(text)


def test_apply_takes_the_key_of_the_release(recoding, anonymize, run, monkeypatch):
    anonymize("--key-file", "my.key")
    again = ("apply", "visits.csv", "-r", "out.recoding.json", "-o", "later.csv")

    refused, done = run(*again), run(*again, "--key-file", "my.key")
    later = Path("later.csv").read_bytes()
    monkeypatch.setenv("SHOAL_KEY", SECRET)
    by_environment = run(*again)

    assert (refused.code, done.code, by_environment.code) == (2, 0, 0)
    assert "--key-file" in refused.stderr
    assert "--mapping" not in refused.stderr
    assert later == Path("out.csv").read_bytes() == Path("later.csv").read_bytes()


def test_apply_does_not_overwrite_its_key(recoding, anonymize, run):
    anonymize("--key-file", "my.key")
    Path("my.key").rename("key.csv")

    result = run(
        *("apply", "visits.csv", "-r", "out.recoding.json", "-o", "key.csv"),
        *("--key-file", "key.csv"),
    )

    assert result.code == 2
    assert "key.csv is the key" in result.stderr
    assert Path("key.csv").read_text() == SECRET
