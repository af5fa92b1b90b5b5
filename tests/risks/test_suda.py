"""Special uniques: by their definition, and as sdcMicro finds them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner

import shoal
from naive import suda as naive
from shoal.cli import cli
from shoal.errors import BadOption
from tiers import seeds

VECTORS = Path(__file__).parents[3] / "shared" / "spec" / "samples" / "sdcmicro_small.json"
NAMES = list("abcde")


def table(seed, n=25, missing=0.1):
    rng = np.random.default_rng(seed)
    drawn = {name: rng.integers(0, 2 + i, n).tolist() for i, name in enumerate(NAMES)}
    return pl.DataFrame(
        {
            name: [None if rng.random() < missing else str(value) for value in values]
            for name, values in drawn.items()
        }
    )


def policy(names=NAMES, **others):
    return shoal.Policy.of_roles(quasi=list(names), privacy=[shoal.KAnonymity(2)], **others)


@pytest.mark.parametrize("scale", ["factorial", "share"])
@pytest.mark.parametrize("size", [1, 3, 5])
@pytest.mark.parametrize("seed", seeds(2, thorough=20))
def test_scores_are_those_of_the_definition(seed, size, scale):
    frame = table(seed)
    records, m = frame.rows(), len(NAMES)

    found = shoal.suda(frame, policy(), size=size, scale=scale, share=0.2)

    uniques = naive.minimal_uniques(records, size)
    scores = [naive.score(own, m, scale) for own in uniques]
    assert found.scores.tolist() == pytest.approx(scores, rel=1e-12)
    assert found.dis.tolist() == pytest.approx(naive.dis(scores, records, m, 0.2), rel=1e-12)
    for i, name in enumerate(NAMES):
        of_column = [naive.contribution(own, i, m, scale) for own in uniques]
        total = sum(scores) or 1
        assert found.contributions[name] == pytest.approx(sum(of_column) / total, rel=1e-12)
        of_value = dict.fromkeys(frame[name].drop_nulls().unique().to_list(), 0.0)
        for record, part in zip(records, of_column, strict=True):
            if record[i] is not None:
                of_value[record[i]] += part / (sum(of_column) or 1)
        assert found.values(name) == pytest.approx(of_value, rel=1e-12)
    for n_columns, n in found.n_by_size.items():
        assert n == sum(any(len(c) == n_columns for c in own) for own in uniques)


@pytest.mark.parametrize("threads", [1, 3])
def test_the_number_of_threads_changes_nothing(threads):
    frame = table(7, n=300)

    found = shoal.suda(frame, policy(), size=4, threads=threads)

    again = shoal.suda(frame, policy(), size=4, threads=2)
    assert found.scores.tolist() == again.scores.tolist()
    assert found.as_dict() == again.as_dict()


def vectors():
    cases = json.loads(VECTORS.read_text(encoding="utf-8"))
    return {name: case for name, case in cases.items() if name.startswith("u")}


@pytest.mark.parametrize("name", sorted(vectors()) if VECTORS.exists() else [])
def test_scores_are_those_of_sdcmicro(name):
    case = vectors()[name]
    columns = {n: values for n, values in case["input"].items() if not n.endswith("_code")}
    missing = "9" if "missing=9" in case["call"] else ""
    frame = pl.DataFrame(
        {n: [None if v is None else str(v) for v in values] for n, values in columns.items()}
    )
    rules = policy(columns, missing_values=["", missing])

    found = shoal.suda(frame, rules, size=len(columns), share=0.01)

    wanted = case["output"]
    assert found.scores.tolist() == pytest.approx(wanted["score"], abs=1e-6)
    contributions = dict(zip(*wanted["attribute_contributions"].values(), strict=True))
    for column, percent in _of_copies_together(contributions).items():
        ours = _of_copies_together(found.contributions)[column]
        assert 100 * ours == pytest.approx(percent, abs=1e-6)
    if "NaN" not in wanted["disScore"]:  # with two columns sdcMicro divides by zero
        assert found.dis.tolist() == pytest.approx(wanted["disScore"], abs=1e-6)


def _of_copies_together(contributions):
    """a2 and a3 have the values of a under other names; sdcMicro counts most of theirs for a."""
    copies = sum(contributions[column] for column in ("a", "a2", "a3") if column in contributions)
    others = {c: share for c, share in contributions.items() if c not in ("a", "a2", "a3")}
    return others | ({"a": copies} if "a" in contributions else {})


def test_columns_that_are_copies_contribute_alike():
    frame = table(4).with_columns(copy=pl.col("c"))

    found = shoal.suda(frame, policy([*NAMES, "copy"]))

    assert found.contributions["copy"] == found.contributions["c"]


def test_records_of_people_who_have_several_are_refused():
    frame = table(1).with_columns(who=pl.Series(range(25)) // 2)

    with pytest.raises(BadOption, match="one record for each person"):
        shoal.suda(frame, policy(identifiers=["who"], person="who"))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"size": 0}, "whole number of columns"),
        ({"scale": "share-"}, "did you mean 'share'"),
        ({"share": 1}, "above 0 and below 1"),
    ],
)
def test_what_cannot_be_is_refused(settings, message):
    with pytest.raises(BadOption, match=message):
        shoal.suda(table(1), policy(), **settings)


def test_too_many_combinations_are_refused_before_any_work():
    names = [f"c{i}" for i in range(40)]
    frame = pl.DataFrame({name: ["x", "y"] for name in names})

    with pytest.raises(BadOption, match="Choose a smaller size"):
        shoal.suda(frame, policy(names), size=10)


@pytest.fixture
def files(tmp_path):
    table(3).write_csv(tmp_path / "people.csv")
    policy().write(tmp_path / "policy.yaml")
    return [str(tmp_path / "people.csv"), "-p", str(tmp_path / "policy.yaml")]


def test_the_command_names_columns_and_no_value_unless_it_is_asked_to(files):
    secret = CliRunner().invoke(cli, ["suda", *files, "--json"])
    shown = CliRunner().invoke(cli, ["suda", *files, "--values", "e"])

    figures = json.loads(secret.stdout)
    assert figures["special_uniques"] == shoal.suda(table(3), policy()).n_special
    assert "Values of e" in shown.stdout
    assert CliRunner().invoke(cli, ["suda", *files, "--json", "--values", "e"]).exit_code != 0
