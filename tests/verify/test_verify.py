"""The verifier on tables made by hand, as a recipient would get them."""

import subprocess
import sys
from collections import Counter

import numpy as np
import polars as pl
import pytest

from shoal.privacy.alpha_k import AlphaK
from shoal.privacy.distinct_l_diversity import DistinctLDiversity
from shoal.privacy.k_anonymity import KAnonymity
from shoal.privacy.k_map import KMap
from shoal.read.columns import read_column
from shoal.read.sensitive import sensitive_of
from shoal.types.privacy import Privacy
from shoal.types.schema import ColumnSpec
from shoal.types.verdict import Finding, Leak, Verdict
from shoal.verify.verify import People, verify

FORBIDDEN = ("shoal.kernels", "shoal.encode", "shoal.group", "numba")


def judge(frame, *models, quasi=("age", "city"), **more):
    published, privacy = pl.DataFrame(frame), Privacy(models)
    sensitive = {
        name: sensitive_of(read_column(published[name]), ColumnSpec("sensitive"))
        for name in privacy.columns
    }
    return verify(published, quasi=quasi, sensitive=sensitive, privacy=privacy, **more)


def six_patients():
    """Groups of 3, 2 and 1 records."""
    return {
        "age": ["[20, 30]", "[20, 30]", "[20, 30]", "40", "40", "*"],
        "city": ["Bonn", "Bonn", "Bonn", "{Bonn, Rome}", "{Bonn, Rome}", "Rome"],
        "ill": ["flu", "cold", "flu", "gout", "gout", "flu"],
    }


def test_a_table_whose_smallest_group_has_k_records_holds():
    frame = {name: values[:5] for name, values in six_patients().items()}

    verdict = judge(frame, KAnonymity(2))

    assert verdict
    assert verdict.findings == (Finding("k-anonymity", None, {"k": 2}, achieved=2, holds=True),)


def test_groups_smaller_than_k_fail_and_are_counted():
    verdict = judge(six_patients(), KAnonymity(3))

    assert not verdict.holds
    assert verdict.findings == (
        Finding(
            model="k-anonymity",
            column=None,
            required={"k": 3},
            achieved=1,
            holds=False,
            n_failing_groups=2,
            n_failing_records=3,
            failing_sizes=(1, 2),
        ),
    )


def test_groups_with_too_few_sensitive_values_fail_and_are_counted():
    verdict = judge(six_patients(), DistinctLDiversity("ill", 2))

    assert not verdict.holds
    assert verdict.findings == (
        Finding("distinct-l-diversity", "ill", {"l": 2}, 1, False, 2, 3, failing_sizes=(1, 2)),
    )


def test_one_failing_model_among_several_is_enough_to_fail():
    frame = {name: values[:5] for name, values in six_patients().items()}

    verdict = judge(frame, KAnonymity(2), DistinctLDiversity("ill", 2))

    assert [finding.holds for finding in verdict.findings] == [True, False]
    assert not verdict


def test_the_table_is_described_by_its_groups_and_their_sizes():
    verdict = judge(six_patients(), KAnonymity(1))

    assert verdict.n_records == 6
    assert verdict.n_groups == 3
    assert verdict.group_sizes == {1: 1, 2: 1, 3: 1}


def test_groups_are_found_wherever_their_records_stand():
    verdict = judge({"age": list("abab"), "city": list("xyxy"), "ill": list("1221")},
                    DistinctLDiversity("ill", 2))  # fmt: skip

    assert verdict.n_groups == 2
    assert verdict.holds


def test_missing_cells_are_one_group_and_not_that_of_an_empty_text():
    frame = {"age": [None, None, "", ""], "city": ["a", "a", "a", "a"]}

    verdict = judge(frame, KAnonymity(2))

    assert verdict.holds
    assert verdict.group_sizes == {2: 2}


def test_a_missing_sensitive_value_is_one_value_more():
    frame = {"age": ["1", "1", "2", "2"], "city": ["a"] * 4, "ill": ["flu", None, None, None]}

    verdict = judge(frame, DistinctLDiversity("ill", 2))

    finding = verdict.findings[0]
    assert (finding.achieved, finding.n_failing_groups, finding.n_failing_records) == (1, 1, 2)


def test_cells_are_compared_as_text_and_a_range_is_not_its_ends():
    frame = {"age": ["[1, 2]", "1", "2", "[1,2]"], "city": ["a"] * 4}

    assert judge(frame, KAnonymity(1)).n_groups == 4


def test_columns_that_are_not_quasi_identifiers_do_not_make_groups():
    assert judge(six_patients(), KAnonymity(1), quasi=["city"]).group_sizes == {3: 1, 2: 1, 1: 1}


def test_a_withheld_column_that_is_there_is_a_leak():
    frame = six_patients() | {"name": ["Ann"] * 6}

    verdict = judge(frame, KAnonymity(1), withheld=["name", "note"])

    assert verdict.leaks == (Leak("withheld column", "name", 6),)
    assert all(finding.holds for finding in verdict.findings)
    assert not verdict.holds


def test_a_table_without_records_keeps_k_and_achieves_nothing():
    empty = pl.DataFrame({"age": [], "city": []}, schema={"age": pl.String, "city": pl.String})

    verdict = judge(empty, KAnonymity(5))

    assert verdict.holds
    assert verdict.n_groups == 0
    assert verdict.findings[0].achieved is None


@pytest.mark.parametrize(
    "values",
    [
        [1, 2, 2, None],
        [1.5, 2.5, 2.5, None],
        [True, False, False, None],
        ["a", "b", "b", None],
    ],
)
def test_sensitive_values_of_any_kind_are_counted(values):
    verdict = judge({"age": ["1"] * 4, "city": ["a"] * 4, "s": values}, DistinctLDiversity("s", 3))

    assert verdict.findings[0].achieved == 3
    assert verdict.holds


@pytest.mark.parametrize("l", [1, 2, 3, 4])
@pytest.mark.parametrize("seed", range(5))
def test_findings_on_random_tables_agree_with_plain_counting(seed, l):
    rng = np.random.default_rng(seed)

    def pick(values):
        return [values[i] for i in rng.integers(0, len(values), 40)]

    frame = {
        "age": pick(["1", "2", None]),
        "city": pick(["a", "b", "*"]),
        "s": pick(["x", "y", "z", None]),
    }

    verdict = judge(frame, DistinctLDiversity("s", l), KAnonymity(5))

    groups = {}
    for age, city, value in zip(*frame.values(), strict=True):
        groups.setdefault((age, city), []).append(value)
    poor = [group for group in groups.values() if len(set(group)) < l]
    small = [group for group in groups.values() if len(group) < 5]
    assert verdict.group_sizes == Counter(len(group) for group in groups.values())
    for finding, failing in zip(verdict.findings, (poor, small), strict=True):
        assert finding.n_failing_groups == len(failing)
        assert finding.n_failing_records == sum(len(group) for group in failing)
        assert finding.holds == (not failing)
    assert verdict.findings[0].achieved == min(len(set(group)) for group in groups.values())
    assert verdict.findings[1].achieved == min(len(group) for group in groups.values())


def test_a_verdict_says_in_plain_values_what_it_found():
    frame = six_patients() | {"name": ["Ann"] * 6}

    found = judge(frame, KAnonymity(2), DistinctLDiversity("ill", 1), withheld=["name"]).as_dict()

    assert found == {
        "rows": 6,
        "counted": "records",
        "repeating_identifiers": [],
        "groups": 3,
        "holds": False,
        "privacy": [
            {
                "model": "k-anonymity",
                "column": None,
                "required": {"k": 2},
                "achieved": 1,
                "holds": False,
                "failing": {"groups": 1, "records": 1, "smallest": [1]},
            },
            {
                "model": "distinct-l-diversity",
                "column": "ill",
                "required": {"l": 1},
                "achieved": 1,
                "holds": True,
            },
        ],
        "leaks": [{"kind": "withheld column", "column": "name", "count": 6}],
        "discloses": {
            "cells": 0,
            "known_exactly": 0,
            "range_ends": 0,
            "listed_values": 0,
            "means": 0,
            "columns": [],
        },
        "notes": [],
    }


def test_a_verdict_without_findings_or_leaks_holds():
    assert Verdict(n_records=0, n_groups=0, group_sizes={}, findings=())


def test_verifying_loads_nothing_that_grouping_is_made_of():
    code = (
        "import sys, shoal.verify.verify, shoal.verify.order\n"
        f"print([m for m in sys.modules if m.startswith({FORBIDDEN!r})])"
    )

    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert run.stdout.strip() == "[]"


def test_rows_that_stand_for_several_records_count_as_many():
    frame = {"age": ["1", "1", "2"], "city": ["a"] * 3, "ill": ["flu", "cold", "flu"]}

    verdict = judge(frame, KAnonymity(3), counts=np.array([2, 1, 4]))
    assert (verdict.group_sizes, verdict.n_records, verdict.holds) == ({3: 1, 4: 1}, 7, True)

    verdict = judge(frame, AlphaK("ill", 0.5, 3), counts=np.array([2, 1, 4]))
    assert (verdict.group_sizes, verdict.n_records) == ({3: 1, 4: 1}, 7)
    assert verdict.findings[0].n_failing_records == 7

    verdict = judge(frame, AlphaK("ill", 0.7, 3), counts=np.array([2, 1, 4]))
    assert verdict.findings[0].failing_sizes == (4,)  # of the other group two thirds are flu


def test_people_are_matched_by_cells_and_the_missing_by_the_text_for_it():
    people = read_column(pl.Series("age", [1, 2, 2, 9, None]))
    known = {"p": People({"age": people}, {"age": ColumnSpec("quasi")}, missing_values=("?",))}
    frame = {"age": ["[1, 2]", "[1, 2]", "?"]}

    (finding,) = judge(frame, KMap(2, "p"), quasi=["age"], populations=known).findings

    assert (finding.achieved, finding.failing_sizes) == (1, (1,))
    (finding,) = judge({"age": ["[1, 2]"]}, KMap(3, "p"), quasi=["age"], populations=known).findings
    assert (finding.achieved, finding.holds) == (3, True)


def test_a_finding_lists_the_sizes_of_the_ten_smallest_failing_groups():
    ages = [str(age) for age in range(12) for _ in range(12 - age)]

    verdict = judge({"age": ages, "city": ["a"] * len(ages)}, KAnonymity(13))

    assert verdict.findings[0].failing_sizes == tuple(range(1, 11))
    assert verdict.findings[0].n_failing_groups == 12


def test_without_quasi_identifiers_all_records_look_alike():
    verdict = judge(six_patients(), KAnonymity(7), quasi=())

    assert verdict.group_sizes == {6: 1}
    assert (verdict.findings[0].holds, verdict.findings[0].achieved) == (False, 6)
