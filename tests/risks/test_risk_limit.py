"""Too many combinations: what is counted first, and that what is not is said."""

from __future__ import annotations

import math
import time
from dataclasses import replace
from itertools import combinations

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.read.source import Source
from shoal.risks.choice import choose
from shoal.risks.count import Counter
from shoal.risks.count_records import RecordCounter
from shoal.risks.rows import fold
from shoal.risks.survey import survey
from shoal.runs.inputs import read_columns
from shoal.runs.risk import risk_of
from shoal.runs.stages import Stages
from shoal.types.watch import Progress, Watch

NAMES = [f"c{i}" for i in range(9)]


@pytest.fixture(scope="module")
def people():
    """Nine columns; the later ones have more values, except that the first has most."""
    rng = np.random.default_rng(3)
    n_values = [60, 2, 3, 4, 5, 7, 9, 12, 20]
    drawn = zip(NAMES, n_values, strict=True)
    return pl.DataFrame({name: rng.integers(0, n, 200) for name, n in drawn})


@pytest.fixture(scope="module")
def policy():
    return shoal.Policy.of_roles(quasi=NAMES, privacy=[shoal.KAnonymity(2)])


def test_within_the_limit_all_are_counted_and_nothing_is_said(people, policy):
    risk = shoal.risk(people, policy, people)

    assert len(risk.data.combinations) == 9 + math.comb(9, 2) + math.comb(9, 3)
    assert (risk.left_out, risk.contribution_size) == ({2: 0, 3: 0}, 3)
    assert risk.notes == ()


def test_triples_are_left_out_first_and_counted(people, policy):
    risk = shoal.risk(people, policy, most_combinations=55)

    assert [len(risk.data.of_size(size)) for size in (1, 2, 3)] == [9, 36, 10]
    assert risk.left_out == {2: 0, 3: 74}
    assert risk.as_dict()["combinations"]["left_out"] == 74
    assert risk.contribution_size == 2  # all pairs are counted, not all triples
    # Ten are the triples of the five columns that add most.
    best = {c.column for c in risk.data.columns[:5]}
    assert {c.columns for c in risk.data.of_size(3)} == {
        tuple(name for name in NAMES if name in chosen) for chosen in combinations(best, 3)
    }
    assert any("74 triples of columns were not evaluated" in note for note in risk.notes)


def test_then_pairs_of_the_columns_that_tell_least_alone(people, policy):
    risk = shoal.risk(people, policy, most_combinations=12)

    assert {c.columns for c in risk.data.of_size(2)} == {("c0", "c7"), ("c0", "c8"), ("c7", "c8")}
    assert risk.left_out == {2: 33, 3: 84}
    assert risk.contribution_size == 1
    assert any("33 pairs and 84 triples" in note for note in risk.notes)


def test_single_columns_are_always_counted(people, policy):
    risk = shoal.risk(people, policy, most_combinations=1)

    assert len(risk.data.combinations) == 9
    assert risk.left_out == {2: 36, 3: 84}


def test_what_is_counted_does_not_depend_on_the_limit(people, policy):
    everything = {c.columns: c for c in shoal.risk(people, policy).data.combinations}

    for limit in (12, 46, 60):
        found = shoal.risk(people, policy, most_combinations=limit).data.combinations

        assert 0 < len(found) <= limit
        assert all(combination == everything[combination.columns] for combination in found)


def test_the_release_is_counted_in_the_same_combinations(people, policy):
    risk = shoal.risk(people, policy, release=people[:150], most_combinations=55)

    before, after = ([c.columns for c in t.combinations] for t in (risk.data, risk.release))
    assert before == after
    alone = shoal.risk(people[:150], policy).data
    everything = {c.columns: c for c in alone.combinations}
    assert all(everything[c.columns] == c for c in risk.release.combinations)


@pytest.mark.parametrize("limit", [2000, 50, 3])
def test_progress_ends_at_the_number_of_combinations(people, policy, limit):
    heard = []

    risk = risk_of(
        Source.of_frame(people),
        policy,
        release=Source.of_frame(people),
        most_combinations=limit,
        stages=Stages(watch=Watch(heard.append)),
    )

    n = 2 * len(risk.data.combinations)
    assert heard[-1] == Progress(n, n, "combinations")
    assert len(heard) >= 2


def test_a_thousand_columns_are_chosen_from_without_listing_all_triples():
    chosen = choose(3, list(range(1000)), 4)

    assert chosen.counted == [(0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)]
    assert chosen.n_left_out == math.comb(1000, 3) - 4


def test_what_has_not_begun_when_it_is_interrupted_does_not_begin(people, policy, monkeypatch):
    columns = read_columns(Source.of_frame(people), policy, NAMES)
    counter = RecordCounter(fold(list(columns.values())), safe=2)
    known = survey(counter, 1).found
    begun, count_children = [], Counter._count_children

    def slowly(self, task):
        begun.append(task)
        time.sleep(0.05)  # so that the interrupt comes before the next one
        return count_children(self, task)

    def interrupt(progress):
        raise KeyboardInterrupt

    monkeypatch.setattr(Counter, "_count_children", slowly)
    pairs = list(combinations(range(9), 2))
    with pytest.raises(KeyboardInterrupt):
        replace(counter, watch=Watch(interrupt)).count(pairs, known)
    n_begun = len(begun)
    counter.count(pairs, known)

    assert n_begun < (len(begun) - n_begun) / 2
