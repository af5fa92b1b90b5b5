"""Findings in words."""

from __future__ import annotations

import pytest

from shoal import catalog
from shoal.report import words
from shoal.types.privacy import Finding, Verdict


def finding(model: str, achieved: float | None = 2, **required: object) -> Finding:
    return Finding(model, "illness", required, achieved, True)


def test_k_of_two_has_one_other():
    assert words.requires(finding("k-anonymity", k=2)).endswith("at least 1 other.")


def test_k_of_one_requires_nothing():
    assert words.requires(finding("k-anonymity", k=1)).startswith("Nothing")


@pytest.mark.parametrize("model", catalog.names("model"))
def test_every_model_is_told_in_a_sentence_without_backticks(model):
    told = words.requires(finding(model, k=3, l=3))

    assert told
    assert "`" not in told


def test_a_model_that_reports_do_not_know_speaks_for_itself(monkeypatch):
    monkeypatch.setattr(catalog, "summary", lambda *_: "At most `t` in `column`, by `distance`.")

    told = words.requires(finding("t-closeness", t=0.25, distance="equal"))

    assert told == "At most 0.25 in 'illness', by equal."


def test_a_model_of_the_users_own_is_told_by_its_settings():
    assert words.requires(finding("own-model", t=0.25)) == "t = 0.25"
    assert words.achieved(finding("own-model", 0.125)) == "The worst group reaches 0.125."


def test_settings_that_hold_values_of_the_data_are_not_told():
    assert words.parameters(finding("own-model", t=1, severity={"Flu": 2})) == "t = 1"


def test_nothing_released_achieves_nothing():
    assert words.achieved(finding("k-anonymity", None, k=5)) == "No record was released."


def test_a_single_other_is_not_plural():
    assert words.headline(Verdict(2, 1, {2: 1}, ())).endswith("at least 1 other")


@pytest.mark.parametrize(
    ("value", "text"),
    [(float("nan"), "not defined"), (float("inf"), "unbounded"), (0.5, "0.5"), ("loss", "loss")],
)
def test_figures_are_readable(value, text):
    assert words.number(value) == text
