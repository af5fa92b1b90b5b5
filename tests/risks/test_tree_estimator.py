"""The estimator that looks at which values are rare together."""

from __future__ import annotations

import math

import numpy as np
import polars as pl
import pytest
from scipy import optimize, stats

import shoal
from naive import chow_liu as naive
from shoal.risks.estimators.chow_liu import (
    Edge,
    log_probabilities,
    neighbour_probabilities,
    spanning_tree,
)
from shoal.risks.estimators.class_sizes import NoEstimate
from shoal.risks.estimators.gamma_poisson import (
    SPREAD,
    START,
    Fit,
    chance_unique,
    fitted,
    mean_inverse,
)
from shoal.risks.estimators.intervals import OF_MEAN, OF_UNIQUES, interval_of
from shoal.risks.estimators.tree import tree, tree_intervals
from shoal.risks.rows import Rows
from tiers import seeds


def rows_of(records):
    different, first, counts = np.unique(records, axis=0, return_index=True, return_counts=True)
    columns = tuple(column.astype(np.int32) for column in different.T)
    n_codes = tuple(int(column.max()) + 1 for column in columns)
    return Rows(columns, n_codes, counts.astype(np.int64)), first


def people(seed, n):
    """Columns that depend on each other, with common and rare values."""
    rng = np.random.default_rng(seed)
    job = (rng.pareto(1.0, n) * 2).astype(int) % 40
    pay = (job + rng.integers(0, 4, n)) % 25
    sex = rng.integers(0, 2, n)
    age = rng.integers(0, 30, n)
    school = (age // 6 + rng.integers(0, 2, n)) % 6
    return np.stack([job, pay, sex, age, school], axis=1)


@pytest.mark.parametrize("seed", seeds(2, thorough=12))
@pytest.mark.parametrize("n_columns", [1, 2, 4])
def test_rows_are_as_likely_as_all_other_records_say(seed, n_columns):
    records = people(seed, 40)[:, :n_columns]
    rows, first = rows_of(records)

    found = log_probabilities(rows)

    listed = [tuple(record) for record in records.tolist()]
    by_others = naive.log_probabilities(listed)
    expected = [by_others[i] for i in first.tolist()]
    assert found.tolist() == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("seed", seeds(2, thorough=12))
def test_neighbours_are_records_that_differ_in_one_column(seed):
    records = people(seed, 60)[:, :3]
    rows, first = rows_of(records)

    found = neighbour_probabilities(rows)

    by_records = naive.neighbour_probabilities([tuple(record) for record in records.tolist()])
    assert found.tolist() == pytest.approx([by_records[i] for i in first.tolist()], rel=1e-12)
    assert found.max() > 0


def test_the_tree_takes_the_pairs_that_tell_most():
    told = {Edge(0, 1): 0.1, Edge(0, 2): 0.5, Edge(1, 2): 0.4, Edge(0, 3): 0.0, Edge(1, 3): 0.2}
    told |= {Edge(2, 3): 0.1}

    assert spanning_tree(4, told) == [Edge(2, 0), Edge(2, 1), Edge(1, 3)]


@pytest.mark.parametrize(("a", "b", "shape"), [(0.5, 0.9, 2.0), (1.0, 1.0, 0.5)])
def test_no_other_parameters_are_more_likely_than_the_fitted_ones(a, b, shape):
    rng = np.random.default_rng(3)
    log_x = rng.normal(2, 2, 4000)
    people = rng.poisson(rng.gamma(shape, np.exp(a + b * log_x) / shape))
    sizes = rng.binomial(people, 0.1)
    log_x, sizes = log_x[sizes > 0], sizes[sizes > 0]

    found = fitted(log_x, sizes, 0.1)

    def loss(point):
        mean, r = 0.1 * np.exp(point[0] + point[1] * log_x), np.exp(point[2])
        of_size = stats.nbinom.logpmf(sizes, r, r / (r + mean))
        seen = np.log1p(-stats.nbinom.pmf(0, r, r / (r + mean)))
        return -(of_size - seen).sum() + 0.5 * (((point - START) / SPREAD) ** 2).sum()

    best = optimize.minimize(loss, START, method="Nelder-Mead", options={"xatol": 1e-6})
    ours = np.array([found.a, found.b, math.log(found.shape)])
    assert loss(ours) <= best.fun + 0.01  # classes within a step of log x are taken for equal
    assert (found.a, found.b) == pytest.approx((a, b), abs=0.25)


@pytest.mark.parametrize("shape", [0.3, 2.0, 80.0])
@pytest.mark.parametrize("fraction", [0.01, 0.5])
@pytest.mark.parametrize("size", [1, 2, 7])
def test_risks_are_those_of_the_people_that_a_class_may_have(shape, fraction, size):
    fit, log_x, f = Fit(0.4, 0.9, shape), np.array([-2.0, 0.0, 3.0]), np.full(3, size)

    expected = mean_inverse(fit, log_x, f, fraction)
    unique = chance_unique(fit, log_x, f, fraction)

    for i, x in enumerate(log_x):
        ratio = shape / math.exp(0.4 + 0.9 * x)
        others = np.arange(30_000)
        chances = stats.nbinom.pmf(others, shape + size, (ratio + fraction) / (ratio + 1))
        assert expected[i] == pytest.approx((chances / (size + others)).sum(), rel=1e-8)
        assert unique[i] == pytest.approx(chances[0] if size == 1 else 0.0, rel=1e-10)


def test_it_knows_who_is_unique_in_a_known_population_and_its_intervals_hold_the_truth():
    population = people(1, 20_000)
    sample = np.random.default_rng(2).choice(20_000, 1_000, replace=False)
    _, number, counts = np.unique(population, axis=0, return_inverse=True, return_counts=True)
    truth = counts[number[sample]]
    frame = pl.DataFrame(population[sample], schema=list("abcde"))
    policy = shoal.Policy.of_roles(
        quasi=list("abcde"), privacy=[shoal.KAnonymity(2)], population={"size": 20_000}
    )

    found = shoal.risk(frame, policy)

    data, share, mean = found.estimates.data, float((truth == 1).mean()), float((1 / truth).mean())
    assert data.method == "tree"
    assert data.intervals["unique_share"][0] <= share <= data.intervals["unique_share"][1]
    assert data.intervals["average"][0] <= mean <= data.intervals["average"][1]
    alone = (found.records["group_size"] == 1).to_numpy()
    chance = found.records["unique_in_population"].to_numpy()[alone]
    is_unique = truth[alone] == 1
    right = stats.mannwhitneyu(chance[is_unique], chance[~is_unique]).statistic
    assert right / (is_unique.sum() * (~is_unique).sum()) > 0.75


@pytest.mark.parametrize("records", [[[i, i] for i in range(9)], [[1, 2]] * 9])
def test_it_says_so_where_class_sizes_tell_nothing(records):
    answer = tree(rows_of(np.array(records))[0], 100)

    assert isinstance(answer, NoEstimate)
    assert answer.method == "tree"


def test_the_order_of_records_changes_nothing():
    records = people(4, 300)
    again = np.random.default_rng(1).permutation(records)

    one, other = (tree(rows_of(table)[0], 3000) for table in (records, again))

    assert one.expected.tolist() == other.expected.tolist()
    rows = rows_of(records)[0]
    assert tree_intervals(one, rows, 3000) == tree_intervals(other, rows, 3000)


@pytest.mark.parametrize("errors", [OF_UNIQUES, OF_MEAN])
@pytest.mark.parametrize("share", [0.0, 1e-9, 0.2, 0.39, 0.4])
def test_intervals_hold_their_estimate_and_stay_below_what_the_table_has(share, errors):
    low, high = interval_of(share, n_records=500, fraction=0.01, errors=errors, highest=0.4)

    assert 0 <= low <= share <= high <= 0.4
