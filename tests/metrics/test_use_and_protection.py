"""Measures of use and of protection, against the papers' examples and their definitions."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import polars as pl
import pytest

import shoal
from cases.handmade import grouped, quasi
from cases.oka_table import spec
from naive.queries import estimate, true_count
from naive.risk import risks
from shared_data import needs_shared
from shoal.errors import BadOption
from shoal.metrics._queries import Conditions, Queries, answers, draw, estimates
from shoal.metrics.c_l import CL
from shoal.metrics.fitness import Fitness
from shoal.metrics.protection import Protection
from shoal.metrics.query_error import QueryError
from shoal.metrics.severity_distance import SeverityDistance
from shoal.metrics.utility import Utility
from shoal.read.severities import severity
from tiers import seeds


def exact(figure):
    return float(Fraction(figure["exact"]))


def vector_of(name):
    return next(v for v in spec()["vectors"] if v["id"] == name)


JOBS = {"care": ["nurse", "doctor"], "else": ["cook", "maid", "pilot"]}
ALL_JOBS = [job for jobs in JOBS.values() for job in jobs]


@needs_shared
@pytest.mark.parametrize("vector", ["TGC-Table3", "TGC-Table4"])
def test_utility_and_protection_are_those_of_the_papers_tables(vector):
    table, given = spec()["tables"]["tgc_table2"], vector_of(vector)
    frame = pl.DataFrame(table["rows"], schema=["age", "height", "postcode", "pay"], orient="row")
    parts = given["inputs"]["partition_1based"]
    groups = [next(g for g, part in enumerate(parts) if i + 1 in part) for i in range(8)]
    columns = {"age": quasi(), "height": quasi(), "postcode": quasi(), "pay": "sensitive"}

    outcome = grouped(frame, columns, groups).outcome

    expected = given["recomputed"]
    assert Utility().measure(outcome) == pytest.approx(
        float(Fraction(expected["utility"]["exact"]))
    )
    assert Protection(r=given["inputs"]["r"]).measure(outcome) == pytest.approx(
        float(Fraction(expected["protection"]["exact"]))
    )


def test_utility_counts_leaves_and_leaves_out_a_column_of_one_value():
    frame = pl.DataFrame({"job": ["nurse", "doctor", "cook", "cook"], "same": ["x"] * 4})
    columns = {"job": quasi(shoal.tree(JOBS)), "same": quasi()}

    outcome = grouped(frame, columns, [0, 0, 1, 1]).outcome

    assert Utility().measure(outcome) == pytest.approx((2 / 5 + 1 / 5) / 2)


@needs_shared
@pytest.mark.parametrize("vector", ["TGC-CL-01", "TGC-CL-02", "TGC-CL-03"])
def test_c_and_l_are_those_of_the_paper(vector):
    given = vector_of(vector)
    values = given["inputs"]["values"]
    frame = pl.DataFrame({"age": [1] * len(values), "ill": values})

    outcome = grouped(frame, {"age": quasi(), "ill": "sensitive"}, [0] * len(values)).outcome

    assert CL(figure="l").measure(outcome) == given["recomputed"]["l"]
    assert CL().measure(outcome) == float(given["recomputed"]["c"])
    assert CL(figure="alone").measure(outcome) == (given["recomputed"]["l"] == 1)


@needs_shared
def test_the_severity_distance_is_that_of_the_papers_example():
    given = vector_of("KAY-KL")
    clusters = given["inputs"]["clusters"]
    name = {10: "Cancer", 4: "Allergy"}
    frame = pl.DataFrame(
        {
            "age": [g for g, cluster in enumerate(clusters) for _ in cluster],
            "ill": [name[s] for cluster in clusters for s in cluster],
        }
    )
    column = severity({"Cancer": 10, "Allergy": 4})
    release = shoal.anonymize(
        frame, quasi=["age"], sensitive={"ill": column}, privacy=[shoal.KAnonymity(4)]
    )

    mean = np.mean([cluster["phi"] for cluster in given["recomputed"]["clusters"]])
    assert release.measure("severity-distance") == pytest.approx(mean)
    assert release.measure("fitness") == pytest.approx(1 / given["recomputed"]["AS_D"])


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        (Protection(), "about a sensitive column"),
        (CL(), "about a sensitive column"),
        (SeverityDistance(), "about a sensitive column"),
        (Fitness("ill"), "about a sensitive column"),
    ],
)
def test_a_measure_of_protection_needs_a_sensitive_column(metric, message):
    outcome = grouped(pl.DataFrame({"age": [1, 1]}), {"age": quasi()}, [0, 0]).outcome

    with pytest.raises(BadOption, match=message):
        metric.measure(outcome)


def test_a_column_that_is_not_there_is_called_by_the_nearest_name():
    frame = pl.DataFrame({"age": [1, 1], "ill": ["a", "b"], "pay": ["c", "d"]})
    columns = {"age": quasi(), "ill": "sensitive", "pay": "sensitive"}
    outcome = grouped(frame, columns, [0, 0]).outcome

    with pytest.raises(BadOption, match="say which `column` of ill, pay"):
        CL().measure(outcome)
    with pytest.raises(BadOption, match=r"'il' is not a sensitive column.*'ill'"):
        CL("il").measure(outcome)
    with pytest.raises(BadOption, match="severity-distance needs severities"):
        SeverityDistance("ill").measure(outcome)
    with pytest.raises(BadOption, match=r"'agee' is not a quasi-identifier.*'age'"):
        QueryError(("agee",)).measure(outcome)


# queries


def people(seed, n=40):
    rng = np.random.default_rng(seed)
    return pl.DataFrame(
        {
            "age": [None if x == 0 else int(x) + 20 for x in rng.integers(0, 12, n)],
            "job": rng.choice(ALL_JOBS, n),
            "city": rng.choice(["Bonn", "Lima", "Oslo", "Rome"], n),
        }
    )


def release_of(frame, algorithm):
    return shoal.anonymize(
        frame,
        quasi={"age": None, "job": shoal.tree(JOBS), "city": None},
        privacy=[shoal.KAnonymity(3)],
        algorithm=algorithm,
        suppression=0.1,
    )


def plain(axes, drawn, i):
    """A query as the twin wants it: values by name, or a pair of numbers."""
    asked = {}
    for axis, asked_for, place in zip(axes, drawn.conditions, drawn.picked[i], strict=True):
        low, high = asked_for.low[place], asked_for.high[place]
        if axis.on_a_line:
            asked[axis.name] = (low, high)
        else:
            values = axis.leaves[int(low) : int(high)]
            asked[axis.name] = [*map(int, values)] if axis.name == "age" else list(values)
    return asked


@pytest.mark.parametrize("algorithm", ["mondrian", "k-member", "flash"])
@pytest.mark.parametrize("seed", seeds(3, thorough=30))
def test_queries_are_answered_and_estimated_as_record_by_record(algorithm, seed):
    frame = people(seed)
    release = release_of(frame, algorithm)
    outcome, axes = release.outcome, release.axes
    drawn = draw(outcome, (0, 1, 2), 0.5, 20, np.random.default_rng(seed))

    true, estimated = answers(outcome, drawn), estimates(outcome, drawn)

    leaves_of = {leaf: [leaf] for axis in axes for leaf in axis.leaves} | JOBS
    ages = [a for a in frame["age"] if a is not None]
    has_missing = frame["age"].null_count() > 0
    whole = [*sorted({str(a) for a in ages}), *[None] * has_missing]
    domains = {
        "age": (min(ages), max(ages)) if axes[0].on_a_line else whole,
        "job": ALL_JOBS,
        "city": sorted(set(frame["city"])),
    }
    rows = []
    for row in release.published.rows(named=True):
        job = row["job"]
        named = "*" if job == "*" else "{" + ", ".join(leaves_of[job]) + "}"
        rows.append(row | {"job": named})
    for i in range(drawn.n):
        query = plain(axes, drawn, i)
        assert true[i] == true_count(frame.rows(named=True), query)
        if axes[0].on_a_line:
            assert estimated[i] == pytest.approx(estimate(rows, query, domains))
        else:
            texts = query | {"age": [*map(str, query["age"])]}
            assert estimated[i] == pytest.approx(estimate(rows, texts, domains))


def test_the_estimate_of_the_papers_example_is_by_whole_numbers():
    frame = pl.DataFrame({"age": [10, 30, 30], "postcode": [20, 30, 25]})
    outcome = grouped(frame, {"age": quasi(), "postcode": quasi()}, [0, 0, 0]).outcome
    ranges = ((26.0, 30.0), (25.0, 30.0))
    conditions = tuple(Conditions.of_runs(np.array([a]), np.array([b])) for a, b in ranges)
    query = Queries((0, 1), conditions, np.zeros((1, 2), dtype=np.int32))

    assert estimates(outcome, query)[0] == pytest.approx(3 * (5 / 21) * (6 / 11))


def test_the_same_seed_asks_the_same_and_nothing_generalised_errs_nothing():
    frame = pl.DataFrame({"age": [20, 21, 22, 23] * 5, "city": ["Bonn", "Oslo"] * 10})
    release = shoal.anonymize(frame, quasi=["age", "city"], privacy=[shoal.KAnonymity(5)])
    coarse = shoal.anonymize(frame, quasi=["age", "city"], privacy=[shoal.KAnonymity(15)])

    assert release.measure("query-error", queries=50) == 0
    once, again = (coarse.measure("query-error", queries=50, seed=3) for _ in range(2))
    assert once == again > 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"selectivity": 0}, "selectivity must be"),
        ({"queries": 0}, "queries must be"),
    ],
)
def test_bad_options_of_queries_are_refused(options, message):
    with pytest.raises(BadOption, match=message):
        QueryError(**options)


@pytest.mark.parametrize("seed", seeds(5, thorough=60))
def test_risks_are_the_chance_of_picking_the_right_record(seed):
    rng = np.random.default_rng(seed)
    frame = pl.DataFrame({"age": rng.integers(0, 90, 60), "sex": rng.choice(["f", "m"], 60)})

    release = shoal.anonymize(frame, quasi=["age", "sex"], privacy=[shoal.KAnonymity(3)])

    chances = risks(release.frame.rows(), [0, 1])
    assert release.measure("average-risk") == pytest.approx(sum(chances) / len(chances))
    assert release.measure("highest-risk") == pytest.approx(max(chances))
