"""A few tries of every case of `make faults`, and what its page says."""

from __future__ import annotations

import pytest

import faults
from fault_bench import Ended, Outcome, problem_of
from tiers import only_thorough

CASES = [
    "kill",
    "full-disk",
    "targets",
    "signals-in-stages",
    "signals-at-random",
    "memory-limit",
    "damaged-kernels",
    "first-runs",
    "changing-file",
    "eaters",
]


def test_every_case_is_listed_here():
    assert list(faults.CASES) == CASES


# `make faults` has these too: seconds until a signal is answered, and memory of a whole machine,
# are figures and not tests.
FIGURES = ("signals-in-stages", "signals-at-random", "memory-limit", "eaters", "first-runs")


@only_thorough
@pytest.mark.parametrize("name", [name for name in CASES if name not in FIGURES])
def test_nothing_is_lost(tmp_path, name):
    outcome = faults.try_case(name, tmp_path, times=1)

    assert sum(outcome.ended.values()) == 1
    assert outcome.wrong == []


def test_the_page_says_what_went_wrong_and_keeps_what_was_not_tried_again():
    one, other, again = (Outcome() for _ in range(3))
    one.note("half", "the release is half written")
    other.note("refused")
    again.note("whole")

    page = faults.page_of({"kill": one, "eaters": other})
    later = faults.page_of({"kill": again}, page)

    assert "| 1 | half: 1 | 1, see below |" in page
    assert "2 tries: 1 went wrong" in page
    assert "- kill: half: the release is half written" in page
    assert "| 1 | whole: 1 | nothing |" in later
    assert "| 1 | refused: 1 | nothing |" in later
    assert "2 tries: 0 went wrong" in later


def test_a_crash_is_not_a_refusal():
    assert problem_of(Ended(2, "shoal: too large", 0), "too large") is None
    assert problem_of(Ended(-6, "memory allocation failed", 0), "too large")
    assert problem_of(Ended(2, "internal error, too large", 0), "too large")
    assert problem_of(Ended(2, "shoal: no", 0), "too large")
