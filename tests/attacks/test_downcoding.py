"""Narrowing cells: every deduction against the original, and figures against counting."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import shoal
from conformance.tables import HIERARCHIES, patients, policy
from shoal.attacks.downcoding import columns_of, facts_of
from shoal.read.source import Source
from shoal.runs.attack_cells import cells_of
from shoal.runs.inputs import read_columns
from tiers import part, seeds

LOCAL = ["mondrian", "k-member", "k-member-p", "mstk", "oka", "t-clustering", "tgc"]


def deductions(release, table, rules):
    """For each column and group: what is told, and the values that the group truly has."""
    released = cells_of(Source.of_frame(release.frame), rules, release.schema.quasi)
    values = read_columns(Source.of_frame(table), rules, release.schema.quasi)
    for column in columns_of(released, values, release.schema.columns):
        facts, raw = facts_of(column), column.values
        labels = [*raw.labels, None]
        truth = [labels[code] for code in raw.codes]
        kept = [t for t, g in zip(truth, release.groups, strict=True) if g >= 0]
        cell_of_group = column.of_group
        # The release is in input order, so its rows are the kept records.
        for group in range(released.n_groups):
            members = [kept[row] for row in np.flatnonzero(released.group_of_row == group)]
            yield facts.occurring[cell_of_group[group]], members


@pytest.mark.parametrize("seed", seeds(2, thorough=20))
@pytest.mark.parametrize("missing", ["category", "suppress"])
@pytest.mark.parametrize("algorithm", part(LOCAL, 4))
def test_no_deduction_is_false_of_a_release(algorithm, missing, seed):
    table = patients(60, seed, missing=0.04)
    rules = policy(algorithm, options={"k": 2}, suppression=0.4, missing=missing, order="input")
    release = rules.anonymize(table)
    n_told = 0

    for told, members in deductions(release, table, rules):
        if told is not None:
            n_told += 1
            assert set(told.values) <= set(members)
            if told.exact_at == len(members):
                assert sorted(told.values) == sorted(members)
    assert n_told > 0


def test_figures_by_hand():
    table = pl.DataFrame({"age": [20, 26, 40, 44, 49]})
    rules = shoal.Policy.of_roles(quasi=["age"], privacy=[shoal.KAnonymity(2)])
    release = rules.anonymize(table)
    assert set(release.frame["age"]) == {"[20, 40]", "[44, 49]"}

    (found,) = shoal.attack(release.frame, original=table, policy=rules).downcoding

    assert (found.n_cells, found.n_narrowed, found.n_exact, found.n_people) == (5, 5, 2, 5)
    # Three of [20, 40]: 20 is right for one, and so is 44 for one of two.
    assert found.right.value == pytest.approx(2 / 5)
    assert found.by_chance.value == pytest.approx((3 * 1 / 3 + 2 * 1 / 2) / 5)
    assert found.gain.value == pytest.approx(0)


def test_the_ends_of_wide_ranges_are_better_guesses_than_chance():
    table = pl.DataFrame({"age": [*range(90)]})
    rules = shoal.Policy.of_roles(quasi=["age"], privacy=[shoal.KAnonymity(2)])
    pairs = [f"[{i}, {i + 1}]" for i in range(1, 89, 2)]
    frame = pl.DataFrame({"age": ["[0, 89]"] * 2 + pairs * 2})

    (found,) = shoal.attack(frame, original=table, policy=rules).downcoding

    assert found.n_exact == found.n_cells == 90
    assert found.right.value > found.by_chance.value


def test_cells_on_a_grid_tell_nothing_and_guessing_gains_nothing():
    rng = np.random.default_rng(0)
    table = pl.DataFrame({"age": rng.integers(0, 95, 200)})
    tight = {"columns": {"age": "quasi"}, "privacy": [{"model": "k-anonymity", "k": 3}]}
    grid = {**tight, "columns": {"age": {"role": "quasi", "bounds": "grid"}}}

    found = []
    for mapping in (tight, grid):
        rules = shoal.Policy.of_mapping(mapping)
        release = rules.anonymize(table)
        found += shoal.attack(release.frame, original=table, policy=rules).downcoding

    assert found[0].n_narrowed == found[0].n_cells > 0
    assert (found[1].n_narrowed, found[1].n_exact) == (0, 0)
    assert found[1].gain.value == pytest.approx(0)


def test_columns_that_the_adversary_does_not_know_are_guessed_too():
    table = patients(80, 1, missing=0)
    rules = policy("mondrian", options={"k": 2})
    release = rules.anonymize(table)

    found = shoal.attack(release.frame, original=table, policy=rules, known=["age", "sex"])

    everything = shoal.attack(release.frame, original=table, policy=rules)
    counts = {d.column: (d.n_cells, d.n_narrowed, d.n_exact) for d in everything.downcoding}
    assert {d.column: (d.n_cells, d.n_narrowed, d.n_exact) for d in found.downcoding} == counts
    assert set(counts) <= set(HIERARCHIES)


def test_a_full_domain_release_is_not_tried():
    table = patients(80, 1, missing=0)
    rules = policy("flash", suppression=0.2)
    release = rules.anonymize(table)

    found = shoal.attack(release.frame, original=table, policy=rules)

    assert found.downcoding == ()


def test_people_with_several_records_are_guessed_by_any_of_them():
    table = pl.DataFrame({"id": [1, 1, 2, 3], "age": [20, 20, 26, 30]})
    rules = shoal.Policy.of_roles(
        identifiers=["id"], quasi=["age"], person="id", privacy=[shoal.KAnonymity(3)]
    )
    release = rules.anonymize(table)

    (found,) = shoal.attack(release.frame, original=table, policy=rules).downcoding

    assert (found.n_people, found.n_cells) == (3, 4)
