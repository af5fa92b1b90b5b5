"""Why a release loses so much: every answer is what a run gives."""

from __future__ import annotations

import json
from dataclasses import replace

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import naive.utility as naive
import shoal
from shoal.cli.explain import explain as command
from shoal.errors import BadOption
from shoal.runs.explain import _gap
from shoal.types.explanation import Saving, in_order_of_worth
from tiers import seeds

JOBS = {"care": ["nurse", "doctor"], "else": ["cook", "maid", "pilot"]}


def people(n=120):
    rng = np.random.default_rng(4)
    return pl.DataFrame(
        {
            "age": rng.integers(20, 60, n),
            "zip": rng.integers(100, 999, n),  # what makes people unique
            "job": rng.choice([job for jobs in JOBS.values() for job in jobs], n),
        }
    )


def policy(k=5, **more):
    quasi = {"age": None, "zip": None, "job": shoal.tree(JOBS)}
    return shoal.Policy.of_roles(quasi=quasi, privacy=[shoal.KAnonymity(k)], **more)


@pytest.fixture(scope="module")
def found():
    return shoal.explain(people(), policy(), budget=40)


def savings(found, kind):
    return {one.line: one for one in found.savings if one.kind == kind}


def test_what_a_smaller_k_saves_is_what_a_run_with_it_saves(found):
    after = policy(4).anonymize(people()).measures["loss"]

    one = savings(found, "k")["- {model: k-anonymity, k: 4}"]

    assert one.loss == pytest.approx(after)
    assert one.saves == pytest.approx(found.loss - after)
    assert one.gives_up == pytest.approx(1 / 4 - 1 / 5)


def test_what_an_algorithm_saves_is_what_a_run_with_it_saves(found):
    for line, one in savings(found, "algorithm").items():
        name = line.removeprefix("algorithm: {name: ").removesuffix("}")
        after = policy(algorithm=name).anonymize(people()).measures["loss"]
        assert one.loss == pytest.approx(after)
        assert one.gives_up == 0


def test_what_a_column_costs_is_what_the_others_lose_less_without_it(found):
    base = policy().anonymize(people()).loss_by_column
    without = policy()
    without = replace(
        without, columns={**without.columns, "zip": replace(without.columns["zip"], role="drop")}
    )

    after = without.anonymize(people()).loss_by_column

    one = savings(found, "column")["columns.zip: drop"]
    others = sum(base[name] - after[name] for name in ("age", "job"))
    assert one.saves == pytest.approx(others / 3)
    assert one.gives_up == pytest.approx((1 - base["zip"]) / 3)


def test_publishing_sets_saves_what_a_run_that_does_saves(found):
    finer = policy()
    finer = replace(
        finer, columns={**finer.columns, "job": replace(finer.columns["job"], publish="set")}
    )

    one = savings(found, "finer")["columns.job.publish: set"]

    assert one.loss == pytest.approx(finer.anonymize(people()).measures["loss"])


def test_the_costliest_records_are_counted_and_never_shown(found):
    (one,) = savings(found, "records").values()

    assert one.price == "1 record out, furthest from the others of their groups"
    assert one.gives_up == pytest.approx(1 / 120)


def test_an_outlier_is_what_forces_the_loss():
    frame = pl.DataFrame({"age": [*range(20, 40)] * 5 + [1000] * 1, "sex": ["f"] * 101})
    rules = shoal.Policy.of_roles(quasi=["age", "sex"], privacy=[shoal.KAnonymity(5)])

    found = shoal.explain(frame, rules)

    (one,) = savings(found, "records").values()
    assert one.saves > 0
    assert one.loss == pytest.approx(0, abs=1e-3)


@pytest.mark.parametrize("seed", seeds(3, thorough=30))
def test_records_widen_their_groups_by_what_is_left_without_them(seed):
    rng = np.random.default_rng(seed)
    marks, groups = rng.random(30), rng.integers(0, 6, 30).astype(np.int32)

    gaps = _gap(marks, groups) + _gap(-marks, groups)

    of_group = np.bincount(groups)
    expected = naive.forced(marks.tolist(), groups.tolist())
    is_pair = of_group[groups] == 2  # both ends of a pair are as far from the other
    assert (gaps * of_group[groups])[~is_pair] == pytest.approx(np.array(expected)[~is_pair])
    assert (gaps[is_pair] > 0).all()


def test_changes_are_in_the_order_of_what_they_save_for_what_they_give_up():
    listed = [
        Saving("k", "a", 0.1, saves=0.2, gives_up=0.1, price=""),
        Saving("algorithm", "b", 0.1, saves=0.1, gives_up=0.0, price=""),
        Saving("column", "c", 0.1, saves=0.3, gives_up=0.1, price=""),
        Saving("algorithm", "d", 0.1, saves=0.2, gives_up=0.0, price=""),
        Saving("algorithm", "e", 0.1, saves=-0.2, gives_up=0.0, price=""),
    ]

    assert [one.line for one in in_order_of_worth(listed)] == ["d", "b", "c", "a", "e"]


def test_what_is_beyond_the_budget_is_counted_and_not_tried(found):
    short = shoal.explain(people(), policy(), budget=2)

    assert short.n_runs == 3
    assert {one.kind for one in short.savings} <= {"k", "suppression"}
    assert short.n_not_tried == found.n_runs - 3


def test_a_change_under_which_the_policy_cannot_be_kept_is_counted():
    frame = pl.DataFrame({"age": [20, 30, 40, 50], "ill": ["a", "a", "b", "b"]})
    rules = shoal.Policy.of_roles(
        quasi=["age"],
        sensitive=["ill"],
        privacy=[shoal.KAnonymity(4), shoal.DistinctLDiversity("ill", 2)],
    )

    assert shoal.explain(frame, rules).n_failed >= 1  # three records are no group of four


def test_a_budget_of_nothing_is_refused():
    with pytest.raises(BadOption, match="budget must be"):
        shoal.explain(people(), policy(), budget=0)


def test_the_command_prints_the_lines_to_change_and_no_cell(tmp_path):
    people().write_csv(tmp_path / "people.csv")
    policy().write(tmp_path / "policy.yaml")
    files = [str(tmp_path / "people.csv"), "-p", str(tmp_path / "policy.yaml"), "--budget", "9"]

    shown = CliRunner().invoke(command, [*files, "--quiet"], catch_exceptions=False)
    printed = CliRunner().invoke(command, [*files, "--json"], catch_exceptions=False)

    assert "of the detail is lost on average" in shown.stdout
    assert "columns.zip: drop" in shown.stdout
    facts = json.loads(printed.stdout)
    assert facts["runs"] == 10
    worth = [one for one in facts["savings"] if one["gives_up"] == 0]
    assert facts["savings"][: len([w for w in worth if w["saves"] > 0])] == [
        w for w in worth if w["saves"] > 0
    ]


def test_the_dossier_has_the_short_form(tmp_path):
    frame = people()
    release = policy().anonymize(frame)

    release.report(tmp_path / "dossier.html", original=frame)
    release.report(tmp_path / "outside.html", original=frame, external=True)

    page = (tmp_path / "dossier.html").read_text(encoding="utf-8")
    assert "What would save detail" in page
    assert "columns.zip: drop" in page
    assert "What would save detail" not in (tmp_path / "outside.html").read_text(encoding="utf-8")
