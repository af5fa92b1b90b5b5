"""The stages together, where they must agree on what a value is."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.errors import CannotSatisfy, UnknownValues
from shoal.read.source import Source
from shoal.runs.anonymize import anonymize
from shoal.types.algorithm import Algorithm
from shoal.types.grouping import Grouping
from shoal.types.model import PrivacyModel

K2 = [shoal.KAnonymity(2)]


def policy(**columns: object) -> shoal.Policy:
    return shoal.Policy.of_mapping(
        {"columns": columns, "privacy": [{"model": "k-anonymity", "k": 2}]}
    )


def test_sensitive_codes_that_look_like_one_number_stay_two_values():
    tree = {"tree": {"A": ["1.1"], "B": ["1.10"]}}
    rules = shoal.Policy.of_mapping(
        {
            "columns": {"q": "quasi", "s": {"role": "sensitive", "hierarchy": tree}},
            "privacy": [{"model": "distinct-l-diversity", "column": "s", "l": 2}],
        }
    )
    table = Source(pl.DataFrame({"q": ["1", "1"], "s": ["1.1", "1.10"]}), is_text=True)

    assert anonymize(table, rules).verdict.findings[0].achieved == 2


def test_a_sensitive_value_that_is_no_leaf_is_refused_or_suppressed():
    sensitive = {"s": shoal.tree({"A": ["x"]})}
    table = pl.DataFrame({"q": [1, 1, 1], "s": ["x", "x", "nope"]})

    with pytest.raises(UnknownValues, match="'s'"):
        shoal.anonymize(table, quasi=["q"], sensitive=sensitive, privacy=K2)
    release = shoal.anonymize(
        table, quasi=["q"], sensitive=sensitive, privacy=K2, unknown="suppress", suppression=0.4
    )

    assert release.frame["s"].to_list() == ["x", "x"]


def test_a_suppressed_record_costs_the_whole_domain_where_ranges_are_published():
    column = {"role": "quasi", "hierarchy": {"tree": {"A": ["10", "20"]}}, "publish": "range"}
    rules = shoal.Policy.of_mapping(
        {
            "columns": {"a": column},
            "privacy": [{"model": "k-anonymity", "k": 2}],
            "unknown": "suppress",
            "suppression": 0.2,
        }
    )

    release = rules.anonymize(pl.DataFrame({"a": [10, 20, 10, 20, 100]}))

    assert release.measures["loss"] == pytest.approx(1 / 5)


def test_the_mean_of_equal_values_is_rounded_like_any_other():
    pay = [1.5, 1.5, 2.6, 2.6, 1000000.25, 1000000.25]
    column = {"role": "quasi", "publish": "mean", "bounds": {"grid": 0.5}}

    release = policy(pay=column).anonymize(pl.DataFrame({"pay": pay}))

    assert sorted(release.frame["pay"]) == ["1.5", "1.5", *["1000000.5"] * 2, "2.5", "2.5"]


def test_a_column_is_cut_however_narrow_it_is_beside_a_constant_one():
    table = pl.DataFrame({"a": [7] * 4, "b": [10**17] * 2 + [10**17 + 1] * 2})

    assert policy(a="quasi", b="quasi").anonymize(table).verdict.n_groups == 2


@dataclass(frozen=True)
class AtMost(PrivacyModel):
    """No group has more than `most` records: a union of groups may fail where they held."""

    most: int
    survives_merging = False
    is_local = True
    survives_growth = False
    smallest = 1

    def holds(self, stats):
        return stats.sizes <= self.most

    def achieved(self, stats):
        return int(stats.sizes.max())

    def demand(self, unit=None):
        return f"At most {self.most} records."

    def found(self, achieved, unit=None):
        return f"The largest group has {achieved}."


@dataclass(frozen=True)
class Halves(Algorithm):
    """Every row in two groups, whose cells are then the same."""

    def group(self, table, privacy, limits):
        rows = np.repeat(np.arange(table.n_rows, dtype=np.int32), 2)
        counts = np.stack([table.weights // 2, table.weights - table.weights // 2], axis=1).ravel()
        labels = np.arange(len(rows), dtype=np.int32)
        return Grouping(rows, counts, labels, table.codes[rows], table.codes[rows])


def test_a_model_that_does_not_survive_merging_is_asked_again_after_it():
    table = pl.DataFrame({"a": [1, 1, 1, 1, 2, 2]})
    rules = shoal.Policy.of_roles(
        quasi=["a"], privacy=[AtMost(2)], algorithm=Halves(), suppression=0.7
    )

    assert rules.anonymize(table).frame["a"].to_list() == ["2", "2"]
    with pytest.raises(CannotSatisfy, match="at-most"):
        replace(rules, suppression=0.5).anonymize(table)


def test_nothing_is_released_where_every_record_is_suppressed():
    table = pl.DataFrame({"a": ["3", "4"]})

    with pytest.raises(CannotSatisfy, match="nothing to release"):
        shoal.anonymize(
            table, quasi={"a": shoal.tree(["1"])}, privacy=K2, unknown="suppress", suppression=1.0
        )


def test_the_summary_says_how_many_records_stood_alone_before_and_after():
    table = pl.DataFrame({"age": [1, 1, 2, 3, 3, 9], "ill": list("abcabc")})
    kept = {"quasi": ["age"], "sensitive": ["ill"], "privacy": [shoal.KAnonymity(2)]}

    release = shoal.anonymize(table, **kept)
    with_gaps = table.with_columns(age=pl.Series([1, 1, 2, 3, 3, None]))
    left_out = shoal.anonymize(with_gaps, missing="suppress", suppression=0.5, **kept)

    assert release.summary()["unique"] == {"before": 2, "after": 0}
    assert left_out.summary()["unique"] == {"before": None, "after": 0}
