"""`unknown: other`: values that a hierarchy does not have are one value below its root."""

from __future__ import annotations

import duckdb
import polars as pl
import pytest

import shoal
from shoal.errors import HierarchyError
from shoal.read.source import Source
from shoal.runs.anonymize import anonymize
from shoal.runs.attack import attack_release
from shoal.runs.check import check
from shoal.runs.risk import risk_of
from shoal.saved_recoding.recoding import Recoding

WORK = {"tree": {"care": ["nurse", "doctor"], "kitchen": ["cook", "baker"]}}
JOBS = ["nurse", "doctor", "cook", "cook", "poet", "clown"]


def policy(hierarchy=None, **settings):
    keys = {
        "columns": {"job": {"role": "quasi", "hierarchy": hierarchy or WORK}},
        "privacy": [{"model": "k-anonymity", "k": 2}],
        "unknown": "other",
    }
    return shoal.Policy.of_mapping({**keys, **settings})


def csv(values):
    return Source(pl.DataFrame({"job": values}), is_text=True)


def cells(release):
    return release.published["job"].to_list()


@pytest.mark.parametrize("algorithm", ["mondrian", "flash", "k-member"])
def test_unknown_values_are_one_value_whatever_the_algorithm(algorithm):
    rules = policy(algorithm={"name": algorithm})

    release = anonymize(csv(JOBS), rules)

    assert sorted(cells(release))[:2] == ["Other", "Other"]
    assert not {"poet", "clown"} & set(cells(release))
    assert check(Source(release.published), rules, original=csv(JOBS)).holds
    assert attack_release(Source(release.published), csv(JOBS), rules).linkage.n_people == 6


def test_a_group_that_mixes_them_with_others_is_the_root():
    release = anonymize(csv(["nurse", "nurse", "cook", "poet"]), policy())

    assert sorted(cells(release)) == ["*", "*", "nurse", "nurse"]


def test_the_one_value_counts_as_a_leaf_and_costs_nothing_by_itself():
    release = anonymize(csv(["poet", "clown", "nurse", "nurse"]), policy())

    assert sorted(cells(release)) == ["Other", "Other", "nurse", "nurse"]
    assert release.measures["loss"] == 0


def test_risk_takes_all_of_them_for_alike():
    found = risk_of(csv(JOBS), policy())

    assert found.data.prosecutor.highest == 1  # nurse and doctor
    assert risk_of(csv(["poet", "clown"]), policy()).data.prosecutor.highest == 0.5


def test_a_leaf_of_the_name_other_takes_them():
    tree = {"tree": {"care": ["nurse"], "rest": ["Other", "cook"]}}

    release = anonymize(csv(["nurse", "nurse", "cook", "poet"]), policy(tree))

    assert sorted(cells(release)) == ["nurse", "nurse", "rest", "rest"]


def test_a_node_of_the_name_other_is_refused():
    tree = {"tree": {"care": ["nurse"], "Other": ["cook"]}}

    with pytest.raises(HierarchyError, match="has a node 'Other', and `unknown: other`"):
        anonymize(csv(["nurse", "poet"]), policy(tree))


def test_numbers_that_are_no_leaves_join_them():
    tree = {"tree": {"low": ["1", "2.0"], "high": ["8"]}}
    frame = pl.DataFrame({"job": [1, 2, 77, 99]})

    release = policy(tree).anonymize(frame)

    assert sorted(release.frame["job"]) == ["Other", "Other", "low", "low"]


def test_later_records_and_sql_name_them_alike(tmp_path):
    rules = policy(algorithm={"name": "flash"})
    release = anonymize(csv(JOBS), rules)
    release.recoding.write(tmp_path / "recoding.json")
    recoding = Recoding.load(tmp_path / "recoding.json")
    later = pl.DataFrame({"job": ["pilot", "miner", "doctor", "nurse"]})

    applied = recoding.apply(later).frame["job"].to_list()

    assert sorted(applied) == ["Other", "Other", "care", "care"]
    with duckdb.connect() as connection:
        connection.register("data", later.to_arrow())
        assert sorted(connection.sql(recoding.sql()).pl()["job"]) == sorted(applied)


def test_a_population_counts_them_as_one_value(tmp_path):
    (tmp_path / "people.csv").write_text("job\nnurse\ndoctor\ncook\ncook\npoet\nclown\nmime\n")
    k_map = {"model": "k-map", "k": 3, "population": str(tmp_path / "people.csv")}
    rules = policy(privacy=[k_map])

    release = anonymize(csv(["poet", "clown"]), rules)

    assert cells(release) == ["Other", "Other"]
    assert check(Source(release.published), rules).holds


def test_sensitive_values_stay_and_are_judged_as_one_leaf():
    table = pl.DataFrame({"age": [1, 1, 2, 2], "job": ["nurse", "poet", "clown", "cook"]})
    closeness = {"model": "t-closeness", "column": "job", "t": 0.6, "distance": "hierarchical"}
    keys = {"columns": {"age": "quasi", "job": {"role": "sensitive", "hierarchy": WORK}},
            "privacy": [closeness], "unknown": "other"}  # fmt: skip
    rules = shoal.Policy.of_mapping(keys)

    release = rules.anonymize(table)

    assert sorted(release.frame["job"]) == ["clown", "cook", "nurse", "poet"]
    assert rules.check(release.frame, table).holds


def test_the_policy_is_written_and_read_back():
    rules = policy()

    assert rules.keys()["columns"]["job"]["hierarchy"] == WORK
    assert shoal.Policy.of_mapping(rules.keys()) == rules
    assert "unknown: other" in rules.text()
