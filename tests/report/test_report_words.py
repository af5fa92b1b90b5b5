"""Findings in words."""

from __future__ import annotations

import pytest

from shoal.report import words
from shoal.types.verdict import Finding, Verdict


def finding(model: str, achieved: float | None = 2, **required: object) -> Finding:
    return Finding(model, "illness", required, achieved, True)


def test_settings_that_hold_values_of_the_data_are_not_told():
    assert words.parameters(finding("own-model", t=1, severity={"Flu": 2})) == "t = 1"


def test_a_single_other_is_not_plural():
    assert words.headline(Verdict(2, 1, {2: 1}, ())).endswith("at least 1 other")


@pytest.mark.parametrize(
    ("value", "text"),
    [(float("nan"), "not defined"), (float("inf"), "unbounded"), (0.5, "0.5"), ("loss", "loss")],
)
def test_figures_are_readable(value, text):
    assert words.number(value) == text
