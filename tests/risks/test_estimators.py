"""Estimators of population uniqueness: by their definitions, and as ARX and sdcMicro answer."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import optimize

from naive import population as naive
from shoal.risks.estimators.beta_binomial import mean_inverses
from shoal.risks.estimators.by_name import BY_SIZES
from shoal.risks.estimators.class_sizes import ClassSizes, NoEstimate
from shoal.risks.estimators.dankar import dankar
from shoal.risks.estimators.negative_binomial import chance_unique as chance_by_weights
from shoal.risks.estimators.negative_binomial import mean_inverse
from shoal.risks.estimators.pitman import Process, chance_unique, fitted, pitman
from shoal.risks.estimators.snb import fitted as fitted_snb
from shoal.risks.estimators.snb import snb
from shoal.risks.estimators.sums import sums_to
from shoal.risks.estimators.zayatz import zayatz
from tiers import part, seeds

VECTORS = Path(__file__).parents[3] / "shared" / "spec" / "samples"
HISTOGRAMS = ("arx_population_uniqueness_adult.json", "arx_population_uniqueness_histograms.json")
WEIGHTS = VECTORS / "sdcmicro_small.json"


def classes(counts, n_population):
    sizes = sorted(counts)
    numbers = np.array([counts[size] for size in sizes], dtype=np.int64)
    return ClassSizes(np.array(sizes, dtype=np.int64), numbers, n_population)


def drawn(seed, n=60, values=25):
    """Classes of a sample in which some values are common and many rare."""
    rng = np.random.default_rng(seed)
    values = (rng.pareto(0.7, n) * values / 5).astype(int)
    _, sizes = np.unique(values, return_counts=True)
    different, counts = np.unique(sizes, return_counts=True)
    found = dict(zip(different.tolist(), counts.tolist(), strict=True))
    return found if {1, 2} <= found.keys() else drawn(seed + 1000, n)


def vectors():
    if not VECTORS.exists():
        return []
    files = [json.loads((VECTORS / name).read_text(encoding="utf-8")) for name in HISTOGRAMS]
    return [
        vector
        for file in files
        for vector in file["vectors"]
        if vector["population_size"] < 2**31  # ARX overflows above
        and vector["population_size"] > vector["records"] > 1
    ]


def of_vector(vector):
    counts = {int(size): n for size, n in vector["histogram"].items()}
    return classes(counts, vector["population_size"])


@pytest.mark.parametrize("vector", part(vectors(), 6), ids=lambda vector: vector["name"])
def test_zayatz_and_pitman_agree_with_arx_inside_the_model(vector):
    sizes = of_vector(vector)

    if sizes.n_of_size(1):
        assert zayatz(sizes).n_uniques == pytest.approx(vector["num_zayatz"], rel=1e-6)
    detail = vector.get("pitman_detail", {})
    inside = 0 <= detail.get("alpha", -1) < 1 and vector["num_pitman"] > 0
    if inside:
        counts = {int(size): n for size, n in vector["histogram"].items()}
        theirs = naive.pitman_log_likelihood(counts, detail["theta"], detail["alpha"])
        assert naive.pitman_log_likelihood(counts, *fitted(sizes)) >= theirs - 1e-9 * abs(theirs)
        # It stops where slopes are 1e-6; with few records that is far from the best place.
        if vector["records"] > 100:
            assert pitman(sizes).n_uniques == pytest.approx(vector["num_pitman"], rel=1e-6)


@pytest.mark.parametrize("seed", seeds(4, thorough=40))
def test_zayatz_is_that_of_exact_fractions(seed):
    counts = drawn(seed)
    n = sum(size * c for size, c in counts.items())

    found = zayatz(classes(counts, 3 * n))

    assert found.n_uniques == pytest.approx(naive.zayatz(counts, 3 * n), rel=1e-12)
    assert found.chance_unique == pytest.approx(found.n_uniques / counts[1] / 3, rel=1e-12)


@pytest.mark.parametrize("seed", seeds(4, thorough=40))
def test_no_other_process_is_more_likely_than_that_of_pitman(seed):
    counts = drawn(seed)

    theta, alpha = fitted(classes(counts, 1000))

    assert 0 <= alpha < 1
    assert theta > -alpha
    best = naive.pitman_log_likelihood(counts, theta, alpha)
    for other in np.linspace(0, 0.99, 40):
        least = optimize.minimize_scalar(
            lambda t, other=other: -naive.pitman_log_likelihood(counts, math.exp(t) - other, other),
            bounds=(-12, 12),
            method="bounded",
        )
        assert -least.fun <= best + 1e-9


@pytest.mark.parametrize(("theta", "alpha"), [(5.0, 0.3), (0.2, 0.0), (40.0, 0.8), (-0.2, 0.5)])
def test_the_risk_of_a_class_is_that_of_the_urns(theta, alpha):
    sizes = classes({1: 5, 2: 3, 7: 2, 60: 1}, 400)
    n = sizes.n_records

    found = mean_inverses(sizes, theta, alpha)

    urns = [naive.mean_inverse_of_class(f, n, 400, theta, alpha) for f in (1, 2, 7, 60)]
    assert found.tolist() == pytest.approx(urns, rel=1e-10)
    stays = math.prod(1 - (1 - alpha) / (theta + i) for i in range(n, 400))
    assert chance_unique(sizes, Process(theta, alpha)) == pytest.approx(stays, rel=1e-10)


@pytest.mark.parametrize("f", [1, 3, 20, 47])
def test_long_sums_of_a_class_are_those_of_all_terms(f):
    sizes, theta, alpha = classes({1: 200, f: 1, 48: 3}, 200_000), 30.0, 0.4
    n, n_others = sizes.n_records, 200_000 - sizes.n_records
    a, b = f - alpha, theta + n - f + alpha
    x = np.arange(n_others, dtype=float)
    steps = np.log((n_others - x) * (a + x) / ((x + 1) * (b + n_others - x - 1)))
    logs = np.concatenate([[0.0], np.cumsum(steps)])
    chances = np.exp(logs - logs.max())

    found = mean_inverses(sizes, theta, alpha)[sizes.sizes == f][0]

    mean = (chances / (f + np.arange(n_others + 1))).sum() / chances.sum()
    assert found == pytest.approx(mean, rel=1e-7)


@pytest.mark.parametrize("last", [1, 512, 513, 5000])
@pytest.mark.parametrize(("theta", "alpha"), [(3.0, 0.2), (-0.4, 0.5), (800.0, 0.0), (0.1, 1.0)])
def test_long_sums_are_those_of_all_terms(last, theta, alpha):
    terms = range(1, last + 1)

    found = sums_to(last, theta, alpha)

    assert found.reciprocals == pytest.approx(math.fsum(1 / (theta + i * alpha) for i in terms))
    assert found.ratios == pytest.approx(math.fsum(i / (theta + i * alpha) for i in terms))


@pytest.mark.parametrize("fraction", [0.3, 0.6, 0.95])
@pytest.mark.parametrize("seed", seeds(2, thorough=20))
def test_snb_expects_the_singles_and_pairs_of_the_sample(seed, fraction):
    counts = drawn(seed, n=300)
    sizes = classes(counts, round(300 / fraction))

    found, answer = fitted_snb(sizes), snb(sizes)

    assert found is not None
    once = naive.expected_classes(*found, sizes.fraction, 1)
    twice = naive.expected_classes(*found, sizes.fraction, 2)
    assert once == pytest.approx(counts[1], rel=1e-6)
    assert twice == pytest.approx(counts[2], rel=1e-6)
    assert answer.n_uniques == pytest.approx(found.k * found.b**found.a, rel=1e-12)


@pytest.mark.skipif(not VECTORS.exists(), reason="needs the reference values")
def test_snb_agrees_with_zayatz_on_adult_where_half_of_the_population_is_in_the_table():
    cases = [v for v in vectors() if v["records"] == 30162 and v["sampling_fraction"] >= 0.5]

    answers = [(snb(of_vector(v)), zayatz(of_vector(v))) for v in cases]

    assert len(answers) >= 8
    for by_snb, by_zayatz in answers:
        assert by_snb.n_uniques == pytest.approx(by_zayatz.n_uniques, rel=0.05, abs=15)


def test_the_rule_of_dankar_takes_pitman_first_and_the_smaller_of_two_above_a_tenth():
    counts = drawn(3, n=400)
    few, many = classes(counts, 4000), classes(counts, 3999)
    smaller = min(zayatz(many).n_uniques, snb(many).n_uniques)

    assert dankar(few).n_uniques == pitman(few).n_uniques
    assert dankar(many).n_uniques == smaller
    assert dankar(classes({1: 50}, 500)).method == "dankar (zayatz)"


@pytest.mark.parametrize(
    ("counts", "methods"),
    [
        ({1: 50}, ("pitman", "snb")),
        ({40: 1}, ("pitman", "zayatz", "snb", "dankar")),
        ({3: 20, 5: 2}, ("zayatz", "snb")),
    ],
    ids=["all unique", "all alike", "nobody unique"],
)
def test_a_method_that_cannot_answer_says_why(counts, methods):
    for method in methods:
        answer = BY_SIZES[method](classes(counts, 1000))

        assert isinstance(answer, NoEstimate)
        assert answer.method == method
        assert "record" in answer.why


@pytest.mark.parametrize("method", sorted(BY_SIZES))
def test_a_sample_that_is_the_population_has_its_uniques(method):
    sizes = classes({1: 7, 2: 4, 3: 2}, 21)

    answer = BY_SIZES[method](sizes)

    assert answer.n_uniques == pytest.approx(7)
    assert answer.chance_unique == pytest.approx(1)


def test_a_small_population_does_not_have_more_uniques_than_people():
    counts = {1: 900, 2: 50}

    answer = pitman(classes(counts, 1100))

    assert 0 < answer.n_uniques <= 1100


@pytest.mark.parametrize("f", [1, 2, 3, 12, 31, 32, 50])
@pytest.mark.parametrize("p", [0.004, 0.3, 0.4999, 0.5, 0.97])
def test_the_risk_by_weights_is_the_mean_of_its_definition(f, p):
    found = mean_inverse(np.array([f]), np.array([f / p]))[0]

    assert found == pytest.approx(naive.mean_inverse_of_weights(f, f / p), rel=1e-11)


@pytest.mark.parametrize("p", [1e-12, 1e-6, 0.1, 0.5, 1 - 1e-6, 1 - 1e-12, 1.0])
def test_the_risk_by_weights_stays_between_its_bounds(p):
    f = np.array([1, 2, 3, 10, 31, 32, 1000, 100_000])

    found = mean_inverse(f, f / p)

    assert (found <= 1 / f * (1 + 1e-12)).all()
    assert (found >= p / f * (1 - 1e-12)).all()
    assert (np.diff(found) < 0).all()
    unique = chance_by_weights(f, f / p)
    assert unique.tolist() == pytest.approx([p, *[0.0] * 7])


@pytest.mark.skipif(not WEIGHTS.exists(), reason="needs the reference values")
def test_the_risk_by_weights_is_that_of_sdcmicro_where_it_is_exact():
    cases = json.loads(WEIGHTS.read_text(encoding="utf-8"))
    n_compared = 0
    for name in ("s01_franc_nomissing", "s05_rand40_alpha0", "s07_indivrisk_grid"):
        given, found = cases[name]["input"], cases[name]["output"]
        f = np.array(found.get("fk", given.get("fk")), dtype=np.float64)
        n_people = np.array(found.get("Fk", given.get("Fk")), dtype=np.float64)
        theirs = np.array(found.get("risk_approx", found.get("approx")), dtype=np.float64)
        # Near p = 1 its difference of two large numbers loses digits.
        is_meant = (f == np.round(f)) & ((n_people == f) | (f / n_people < 0.999))
        ours = mean_inverse(f[is_meant].astype(np.int64), n_people[is_meant])
        is_exact = (f[is_meant] <= 2) | (n_people == f)[is_meant]
        n_compared += int(is_exact.sum())
        np.testing.assert_allclose(ours[is_exact], theirs[is_meant][is_exact], rtol=1e-9)
        # For larger classes it takes p / (f - 1 + p), at most 4 % above.
        above = theirs[is_meant][~is_exact] / ours[~is_exact]
        assert ((above >= 1 - 1e-9) & (above < 1.045)).all()
    assert n_compared > 20
