"""What the calls of Python take: frames, queries, files, policies; and what they refuse."""

from __future__ import annotations

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from polars.testing import assert_frame_equal

import shoal
from shoal.errors import BadOption, InputError, PolicyError

RULES = {
    "columns": {"name": "identifier", "age": "quasi", "illness": "sensitive"},
    "privacy": [{"model": "k-anonymity", "k": 2}],
}


def people():
    return pl.DataFrame(
        {
            "name": ["Ann", "Bob", "Cem", "Dee"],
            "age": [31, 38, 52, 55],
            "illness": ["flu", "gout", "flu", "cold"],
        }
    )


@pytest.fixture
def policy(tmp_path):
    path = tmp_path / "policy.yaml"
    shoal.Policy.of(RULES).write(path)
    return path


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "people.csv"
    people().write_csv(path)
    return path


def test_a_policy_may_be_a_path_an_object_or_keys(policy):
    releases = [
        shoal.anonymize(people(), policy=given)
        for given in (policy, str(policy), shoal.Policy.load(policy), RULES)
    ]

    for release in releases[1:]:
        assert_frame_equal(release.frame, releases[0].frame)


def test_a_table_may_be_a_file_or_a_query(policy, file):
    expected = shoal.anonymize(people(), policy=policy).frame

    for given in (file, str(file), people().lazy(), pl.scan_csv(file)):
        release = shoal.anonymize(given, policy=policy)
        assert isinstance(release.frame, pl.DataFrame)
        assert_frame_equal(release.frame, expected)


@pytest.mark.parametrize("kind", [pd.DataFrame, pa.Table, pl.DataFrame])
def test_the_kind_that_goes_in_comes_out(policy, kind):
    frame = {pd.DataFrame: people().to_pandas, pa.Table: people().to_arrow}.get(kind, people)()

    assert isinstance(shoal.anonymize(frame, policy=policy).frame, kind)


def test_check_risk_and_attack_take_files_and_queries(policy, file, tmp_path):
    release = shoal.anonymize(file, policy=policy)
    released = tmp_path / "release.csv"
    release.write(released)

    assert shoal.check(released, policy, original=file).holds
    assert shoal.check(release.frame.lazy(), str(policy), original=people()).holds
    assert shoal.risk(file, policy, release=released).release.n_unique == 0
    found = shoal.attack(released, original=str(file), policy=policy)
    assert found.n_original == 4


def test_check_with_the_original_finds_what_the_release_alone_does_not_show():
    rules = RULES | {"order": "input"}
    release = shoal.anonymize(people(), policy=rules)

    assert shoal.check(release.frame, rules).leaks == ()
    found = shoal.check(release.frame, rules, original=people()).leaks
    assert [leak.kind for leak in found] == ["order of the original"]


def test_a_query_that_fails_says_so_without_a_cell():
    query = people().lazy().with_columns(pl.col("name").cast(pl.Int64))

    with pytest.raises(InputError, match="LazyFrame cannot be collected") as caught:
        shoal.anonymize(query, policy=RULES)

    assert "Ann" not in str(caught.value)


def test_what_a_policy_says_is_not_said_twice(policy):
    with pytest.raises(PolicyError, match="keep, seed were given besides `policy`"):
        shoal.anonymize(people(), policy=policy, keep=["illness"], seed=7)
    with pytest.raises(PolicyError, match="sensitve was given"):
        shoal.anonymize(people(), policy=policy, sensitve=["illness"])


def test_a_proposal_is_taken_as_its_policy(file):
    proposal = shoal.propose(file)

    release = shoal.anonymize(file, policy=proposal)

    assert release.frame.equals(shoal.anonymize(file, policy=proposal.policy()).frame)
    assert shoal.check(release.frame, proposal).holds


def test_a_file_may_be_proposed_for_and_the_policy_runs(file, tmp_path):
    proposal = shoal.propose(file)
    path = tmp_path / "proposed.yaml"
    proposal.write(path)

    assert [s.role for s in proposal.suggestions] == ["identifier", "quasi", "sensitive"]
    assert all(s.reason for s in proposal.suggestions)
    assert shoal.Policy.load(path) == proposal.policy()
    assert shoal.anonymize(file, policy=proposal.policy()).verdict.holds
    assert "age" in str(proposal)
    assert repr(proposal) == "<Proposal: 3 columns, 4 records, k = 4>"


WRONG = {
    "frame": 42,
    "policy": 42,
    "quasi": 7,
    "privacy": 5,
    "identifiers": 3,
    "sensitive": 3.5,
    "keep": "name",
    "algorithm": 3,
    "suppression": "much",
    "missing": "whatever",
    "missing_values": 5,
    "unknown": None,
    "order": 5,
    "seed": "x",
    "person": 5,
    "key": 5,
    "threads": "two",
    "watch": 5,
    "earlier": 5,
    "registry": 5,
    "progress": "loud",
    "sensitve": ["illness"],
}


@pytest.mark.parametrize("name", WRONG)
def test_whatever_is_wrong_it_is_a_shoal_error(name):
    given = {"frame": people(), "quasi": ["age"], "privacy": [shoal.KAnonymity(2)],
             "identifiers": ["name"], "sensitive": ["illness"]}  # fmt: skip
    given = {"frame": people()} if name == "policy" else given
    given[name] = WRONG[name]

    with pytest.raises(shoal.ShoalError):
        shoal.anonymize(given.pop("frame"), **given)


@pytest.mark.parametrize(
    "build",
    [
        lambda: shoal.KAnonymity(0),
        lambda: shoal.KAnonymity("5"),
        lambda: shoal.TCloseness("illness", t=2),
        lambda: shoal.TCloseness("illness", t=0.2, distance="far"),
        lambda: shoal.PSensitive("illness", p=3, k=2),
        lambda: shoal.Flash(seconds=0),
        lambda: shoal.Flash(metric="cavg"),
        lambda: shoal.Oka(passes=0),
        lambda: shoal.Tgc(r=2),
        lambda: shoal.ReidentificationRisk(),
    ],
)
def test_an_option_that_makes_no_sense_is_a_shoal_error_and_a_value_error(build):
    with pytest.raises(BadOption) as caught:
        build()

    assert isinstance(caught.value, ValueError)
    assert isinstance(caught.value, shoal.ShoalError)


@pytest.mark.parametrize(
    "build",
    [
        lambda: shoal.intervals(0),
        lambda: shoal.intervals("5"),
        lambda: shoal.intervals(),
        lambda: shoal.prefix(0),
        lambda: shoal.prefix("x"),
        lambda: shoal.dates("fortnight"),
        lambda: shoal.levels(5),
        lambda: shoal.tree(5),
        lambda: shoal.severity(5),
        lambda: shoal.Policy.load("there is none.yaml"),
        lambda: shoal.Policy.of(5),
        lambda: shoal.TablesPolicy.of(5),
        lambda: shoal.check(5, RULES),
        lambda: shoal.propose(5),
        lambda: shoal.risk(people(), RULES, threshold="high"),
        lambda: shoal.attack(people(), original=people(), policy=RULES, sample="all"),
        lambda: shoal.Policy.of(RULES).with_k(0),
        lambda: shoal.Policy.of(RULES).with_algorithm(5),
    ],
)
def test_other_calls_raise_shoal_errors_too(build):
    with pytest.raises(shoal.ShoalError):
        build()
