"""A watch hears how far every long run is, and cancels it."""

from __future__ import annotations

import pkgutil
import threading

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.errors import Cancelled
from shoal.types import watch as watch_module

N = 2000


@pytest.fixture(autouse=True)
def all_heard(monkeypatch):
    monkeypatch.setattr(watch_module, "EVERY", 0)


@pytest.fixture(scope="module")
def people():
    rng = np.random.default_rng(1)
    ages = {f"age {i}": rng.integers(0, 90, N) for i in range(5)}
    return pl.DataFrame({**ages, "ill": rng.choice(["flu", "gout"], N)})


@pytest.fixture(scope="module")
def policy(people, tmp_path_factory):
    population = tmp_path_factory.mktemp("people") / "population.parquet"
    people.drop("ill").write_parquet(population)
    return shoal.Policy.of_roles(
        quasi=people.columns[:-1],
        sensitive=["ill"],
        privacy=[
            shoal.KAnonymity(5),
            {"model": "k-map", "k": 5, "population": str(population)},
        ],
    )


@pytest.fixture(scope="module")
def release(people, policy):
    return policy.anonymize(people).frame


@pytest.fixture
def runs(people, policy, release):
    """What takes a watch, and what it counts."""
    return {
        "anonymize": (lambda watch: policy.anonymize(people, watch=watch), "records"),
        "check": (lambda watch: shoal.check(release, policy, watch=watch), "groups"),
        "risk": (lambda watch: shoal.risk(people, policy, watch=watch), "combinations"),
        "attack": (
            lambda watch: shoal.attack(release, original=people, policy=policy, watch=watch),
            "records",
        ),
    }


@pytest.mark.parametrize("name", ["anonymize", "check", "risk", "attack"])
def test_a_run_tells_how_far_it_is(name, runs):
    run, unit = runs[name]
    heard = []

    run(shoal.Watch(heard.append))

    assert unit in {progress.unit for progress in heard}
    assert all(0 <= progress.done <= progress.total for progress in heard)
    assert heard[-1].done == heard[-1].total


@pytest.mark.parametrize("name", ["anonymize", "check", "risk", "attack"])
def test_a_run_that_is_cancelled_says_no_more_and_leaves_no_thread(name, runs):
    run, unit = runs[name]
    heard, before = [], threading.enumerate()

    def hear(progress):
        heard.append(progress)
        if progress.unit == unit and progress.done:
            canceller = threading.Thread(target=watch.cancel)
            canceller.start()
            canceller.join()

    watch = shoal.Watch(hear)
    with pytest.raises(Cancelled):
        run(watch)

    assert 0 < heard[-1].done < heard[-1].total
    assert threading.enumerate() == before


def test_a_run_whose_watch_was_cancelled_before_does_not_begin(runs):
    watch = shoal.Watch()
    watch.cancel()

    for run, _ in runs.values():
        with pytest.raises(Cancelled):
            run(watch)


NOISE = {"name": "t-clustering", "t": 1, "noise": 0.1}


@pytest.mark.parametrize(
    ("algorithm", "step", "after"),
    [
        ("mondrian", "shoal.recode.recode.order_by_columns", "shoal.recode.recode._column_of"),
        ("mondrian", "shoal.runs.finish.place", "shoal.runs.finish.recode"),
        (NOISE, "shoal.runs.prepare.rows_by_quasi", "shoal.runs.prepare.order_by"),
        (NOISE, "shoal.runs.prepare.order_by", "shoal.runs.prepare.with_noise"),
        (NOISE, "shoal.runs.prepare.with_noise", "shoal.runs.prepare.encode"),
    ],
)
def test_a_stage_is_cancelled_between_its_steps(algorithm, step, after, people, monkeypatch):
    rules = shoal.Policy.of_roles(
        quasi=people.columns[:-1], privacy=[shoal.KAnonymity(5)], algorithm=algorithm
    )
    people, watch = people.drop("ill"), shoal.Watch()
    work = pkgutil.resolve_name(step)

    def work_and_cancel(*args, **kwargs):
        done = work(*args, **kwargs)
        watch.cancel()
        monkeypatch.setattr(after, None)  # what comes next would fail
        return done

    monkeypatch.setattr(step, work_and_cancel)
    with pytest.raises(Cancelled):
        rules.anonymize(people, watch=watch)
