"""What every algorithm must do with every model, whatever it is; new ones are picked up here."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import shoal
from conformance.tables import HIERARCHIES, MODELS, patients, policy
from naive.patients import is_covered
from shoal.errors import CannotSatisfy
from shoal.policy.keys import algorithm_of, models_of
from shoal.read.files import read_file
from shoal.runs.anonymize import anonymize
from shoal.runs.check import check
from shoal.write.files import write_file
from tiers import part, seeds

QUASI = list(HIERARCHIES)
DETERMINISTIC = {"mondrian", "mstk", "datafly", "samarati", "improved-greedy", "incognito", "ola",
                 "flash"}  # fmt: skip


def class_sizes(frame: pl.DataFrame, columns: list[str]) -> Counter[tuple[object, ...]]:
    """Counting as a child would: equal published rows, one by one."""
    return Counter(frame.select(columns).rows())


def test_every_model_has_an_instance_here(model):
    assert model in MODELS, f"give {model} a mild instance in conftest.py"


@pytest.mark.parametrize("seed", seeds(1, thorough=2))
@pytest.mark.parametrize("k", [1, 2, 7])
def test_published_classes_have_k_records(algorithm, k, seed):
    release = policy(algorithm, options={"k": k}).anonymize(patients(60, seed))

    assert min(class_sizes(release.frame, QUASI).values()) >= k


@pytest.mark.parametrize("seed", seeds(1, thorough=1))
def test_every_model_holds_on_the_published_cells(algorithm, model, seed):
    rules = policy(algorithm, model)

    release = rules.anonymize(patients(80, seed))

    assert release.verdict.holds
    assert shoal.check(release.frame, rules).holds


@pytest.mark.parametrize("seed", seeds(1, thorough=1))
def test_several_models_hold_together(algorithm, seed):
    rules = shoal.Policy.of_roles(
        quasi=["age", "job"],
        sensitive=["disease"],
        drop=["name", "zip", "sex", "born", "pay", "visits"],
        privacy=[shoal.KAnonymity(4), shoal.DistinctLDiversity("disease", 3)],
        algorithm=algorithm,
    )

    release = rules.anonymize(patients(120, seed))

    classes = class_sizes(release.frame, ["age", "job"])
    values = {key: set() for key in classes}
    for *key, disease in release.frame.select("age", "job", "disease").rows():
        values[tuple(key)].add(disease)
    assert min(classes.values()) >= 4
    assert min(len(diseases) for diseases in values.values()) >= 3


def test_the_input_is_not_changed(algorithm):
    table = patients(50)
    before = table.clone()

    policy(algorithm).anonymize(table)

    assert_frame_equal(table, before)


def test_the_same_seed_gives_the_same_result(algorithm):
    table = patients(70)

    first = policy(algorithm, seed=3).anonymize(table)
    second = policy(algorithm, seed=3).anonymize(table)

    assert_frame_equal(first.frame, second.frame)
    assert first.groups.tolist() == second.groups.tolist()


def test_the_result_does_not_depend_on_the_order_of_the_input(algorithm, model):
    table = patients(90)
    shuffled = table.sample(fraction=1, shuffle=True, seed=1)

    first = policy(algorithm, model).anonymize(table)
    second = policy(algorithm, model).anonymize(shuffled)

    assert_frame_equal(first.frame, second.frame)


@pytest.mark.parametrize("model", part(["t-closeness", "k-anonymity"], 1))
def test_one_thread_and_two_agree(algorithm, model):
    is_searched = "sweep" in str(algorithm) or "Refined" in str(algorithm)  # and asks models often
    table = patients(400 if is_searched else 3000)
    several = [shoal.KAnonymity(3), {"model": model} | MODELS[model]]
    rules = replace(policy(algorithm), privacy=models_of(several))

    one = rules.anonymize(table, threads=1)
    two = rules.anonymize(table, threads=2)

    assert_frame_equal(one.frame, two.frame)


@pytest.mark.parametrize("seed", seeds(1, thorough=2))
def test_the_cells_of_every_record_cover_its_values(algorithm, seed):
    table = patients(300, seed, missing=0.02)

    release = policy(algorithm, order="input", options={"k": 2}).anonymize(table)

    pairs = [
        (name, cell, value)
        for name in QUASI
        for cell, value in zip(release.frame[name], table[name], strict=True)
    ]
    assert [pair for pair in pairs if not is_covered(*pair)] == []
    assert any(cell not in ("*", None) for _, cell, _ in pairs)


@pytest.mark.parametrize("share", [0.0, 0.1])
def test_suppression_stays_within_its_limit(algorithm, share):
    table = patients(100, missing=0.01)

    release = policy(
        algorithm, suppression=share, missing="suppress" if share else "category"
    ).anonymize(table)

    assert len(table) - len(release.frame) == np.sum(release.groups < 0) <= share * len(table)


def test_models_hold_with_records_suppressed_before_and_while_searching(algorithm, model):
    table, rules = patients(100, missing=0.01), policy(algorithm, model, suppression=0.3)

    release = replace(rules, missing="suppress").anonymize(table)

    n_suppressed = len(table) - len(release.frame)
    assert 0 < n_suppressed == np.sum(release.groups < 0) <= 30
    assert shoal.check(release.frame, rules).holds


def test_kept_and_sensitive_values_are_those_of_the_input(algorithm):
    table = patients(80)

    release = policy(algorithm).anonymize(table)

    columns = ["disease", "visits"]
    assert Counter(release.frame.select(columns).rows()) == Counter(table.select(columns).rows())
    assert "name" not in release.frame.columns


def test_one_record(algorithm):
    release = policy(algorithm, options={"k": 1}).anonymize(patients(1))

    assert len(release.frame) == 1


def test_equal_records_stay_ungeneralised(algorithm):
    table = pl.concat([patients(1, missing=0)] * 6)

    release = policy(algorithm).anonymize(table)

    assert release.measures["loss"] == 0
    assert release.verdict.n_groups == 1


def test_all_values_missing(algorithm):
    release = policy(algorithm).anonymize(patients(12, missing=1.0))

    assert release.measures["loss"] == 0
    assert release.frame.select(QUASI).null_count().row(0) == (12,) * len(QUASI)


def test_columns_of_one_value_cost_nothing(algorithm):
    table = patients(30).with_columns(age=pl.lit(40), sex=pl.lit("f"))

    release = policy(algorithm).anonymize(table)

    assert release.loss_by_column["age"] == release.loss_by_column["sex"] == 0
    assert any("'age' is constant" in note for note in release.notes)


def test_k_of_the_whole_table_gives_one_group(algorithm):
    release = policy(algorithm, options={"k": 20}).anonymize(patients(20))

    assert release.verdict.n_groups == 1


def test_k_larger_than_the_table_is_refused(algorithm):
    with pytest.raises(CannotSatisfy, match="at least 21 records"):
        policy(algorithm, options={"k": 21}).anonymize(patients(20))


def test_a_model_that_cannot_hold_is_refused_with_its_name(algorithm):
    rules = policy(algorithm, "distinct-l-diversity", options={"column": "disease", "l": 5})

    with pytest.raises(CannotSatisfy, match="distinct-l-diversity"):
        rules.anonymize(patients(40))


def test_what_was_written_passes_the_check_when_read_back(algorithm, model, tmp_path):
    data, target = tmp_path / "data.csv", tmp_path / "release.csv"
    patients(100).write_csv(data)
    rules = policy(algorithm, model)

    write_file(anonymize(read_file(data), rules).published, target)

    assert check(read_file(target), rules).holds


@pytest.mark.parametrize("ending", part(["parquet", "csv.gz", "tsv"], 1))
def test_all_kinds_of_files_are_read_back_as_they_were_written(algorithm, ending, tmp_path):
    data, target = tmp_path / "data.csv", tmp_path / f"release.{ending}"
    patients(100).write_csv(data)
    source, rules = read_file(data), policy(algorithm)
    release = anonymize(source, rules)

    write_file(release.published, target, delimiter="\t" if ending == "tsv" else ",")

    assert check(read_file(target), rules).holds
    assert read_file(target).frame.rows() == release.published.rows()


def test_another_seed_changes_nothing_where_an_algorithm_says_so(algorithm):
    rules = policy(algorithm, suppression=0.1)
    n_seeds = 1 if rules.algorithm.traits.seeded else 3

    frames = [replace(rules, seed=seed).anonymize(patients(60)).frame for seed in range(n_seeds)]

    for frame in frames[1:]:
        assert_frame_equal(frame, frames[0])


def test_algorithms_that_draw_nothing_say_so():
    names = shoal.catalog.names("algorithm")

    assert {name for name in names if not algorithm_of(name).traits.seeded} == DETERMINISTIC
