"""Every algorithm tells how far it is, and ends soon after it was cancelled from another thread.

"Soon" is counted in steps, not in seconds: no report follows the cancel, and what was being counted
stays undone. Tables are so large that their work cannot be finished in between.
"""

from __future__ import annotations

import threading
from functools import cache

import numpy as np
import polars as pl
import pytest

import shoal
from cases.handmade import encoded, quasi
from shoal.catalog import names
from shoal.errors import Cancelled
from shoal.policy.keys import algorithm_of
from shoal.privacy.k_anonymity import KAnonymity
from shoal.privacy.reidentification_risk import ReidentificationRisk
from shoal.types import watch as watch_module
from shoal.types.algorithm import Limits
from shoal.types.privacy import Privacy
from shoal.types.schema import ColumnSpec, Severities
from shoal.types.watch import Watch
from tiers import IS_COMPILED, part

ALGORITHMS = names("algorithm")
MANY = 60_000 if IS_COMPILED else 400
ONE_PART = {"prepartition": {"size": 10**9}}
# Settings with which most of the work is one long call of a kernel; others work in short rounds.
LONG = {
    "k-member": {},
    "k-member-p": ONE_PART,
    "mstk": {},
    "oka": {"adjust": "least-loss"},
    "t-clustering": ONE_PART,
    "tgc": {"s": 10**9, "delta": 1.0, "delta-prime": 1.0},
}


@cache
def table_of(n, *, levels=False, n_columns=6):
    rng = np.random.default_rng(0)
    ages = {f"age {i}": rng.integers(0, 80 if levels else 10**6, n) for i in range(n_columns)}
    frame = pl.DataFrame({**ages, "ill": rng.choice(["flu", "gout"], n)})
    hierarchy = shoal.intervals(5, 10, 20, 40) if levels else None
    specs = {name: quasi(hierarchy) if levels else "quasi" for name in ages}
    ill = ColumnSpec("sensitive", severity=Severities({"flu": 1.0, "gout": 3.0}))
    return encoded(frame, {**specs, "ill": ill}).table


class Canceller:
    """Cancels from another thread when so many reports were heard."""

    def __init__(self, after):
        self.after, self.heard = after, []
        self.watch = Watch(self.hear)

    def hear(self, progress):
        self.heard.append(progress)
        if len(self.heard) == self.after:
            thread = threading.Thread(target=self.watch.cancel)
            thread.start()
            thread.join()


def is_lattice(name):
    return hasattr(algorithm_of(name), "metric")


@pytest.fixture
def all_heard(monkeypatch):
    monkeypatch.setattr(watch_module, "EVERY", 0)


@pytest.mark.parametrize("n_threads", part([2, 1], 1))
@pytest.mark.parametrize("name", ALGORITHMS)
def test_a_cancelled_algorithm_ends_in_the_midst_of_its_work(name, n_threads, all_heard):
    table = table_of(MANY, levels=is_lattice(name))
    algorithm = algorithm_of({"name": name, **LONG.get(name, {})})
    canceller, before = Canceller(after=3), threading.enumerate()
    limits = Limits(threads=n_threads, watch=canceller.watch)

    with pytest.raises(Cancelled):
        algorithm.group(table, Privacy((KAnonymity(5),)), limits)

    assert len(canceller.heard) == 3
    assert canceller.watch.progress.done < canceller.watch.progress.total
    assert threading.enumerate() == before


@pytest.mark.parametrize("name", ALGORITHMS)
def test_an_algorithm_tells_how_far_it_is_and_finds_the_same(name, all_heard):
    table = table_of(300, levels=is_lattice(name), n_columns=3)
    privacy, heard = Privacy((KAnonymity(5),)), []

    watched = algorithm_of(name).group(table, privacy, Limits(watch=Watch(heard.append)))

    alone = algorithm_of(name).group(table, privacy, Limits())
    assert heard
    assert all(0 <= progress.done <= progress.total for progress in heard)
    assert watched.labels.tolist() == alone.labels.tolist()
    assert watched.low.tolist() == alone.low.tolist()


def test_merging_what_fails_is_cancelled_too(all_heard):
    table = table_of(2000)
    before = threading.enumerate()

    def hear(progress):
        if progress.unit == "failing groups" and progress.done:
            watch.cancel()

    watch = Watch(hear)
    average = ReidentificationRisk(average=0.01)  # which only groups of a hundred keep

    with pytest.raises(Cancelled):
        shoal.KMember().group(table, Privacy((KAnonymity(2), average)), Limits(watch=watch))

    assert watch.progress.done < watch.progress.total
    assert threading.enumerate() == before


def test_an_error_of_whoever_listens_ends_the_threads():
    before = threading.enumerate()

    def hear(progress):
        if progress.done:
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        shoal.KMember().group(table_of(MANY), Privacy((KAnonymity(5),)), Limits(watch=Watch(hear)))

    assert threading.enumerate() == before
