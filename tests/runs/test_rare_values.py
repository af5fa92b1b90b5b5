"""A set lists no value that too few people have: the cell is the root instead."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest

import shoal
from naive.cells import parse_set
from shoal.read.source import Source
from shoal.runs.anonymize import anonymize
from shoal.runs.check import check
from tiers import seeds

SET_ALGORITHMS = ["mondrian", "tgc"]  # verification looks for them after every other one


def policy(job="quasi", **settings):
    keys = {
        "columns": {"id": "identifier", "job": job, "age": "quasi"},
        "privacy": [{"model": "k-anonymity", "k": 3}],
        **settings,
    }
    return shoal.Policy.of_mapping(keys)


def staff(seed, n=60):
    """Some jobs are of many people, some of one or two, and some people have two records."""
    rng = np.random.default_rng(seed)
    jobs = ["cook", "nurse", "driver", *(f"rare {i}" for i in range(8))]
    job = rng.choice(jobs, n, p=[0.4, 0.3, 0.14, *[0.02] * 8])
    ids = [str(i) for i in rng.integers(0, n * 2 // 3, n)]
    return Source(pl.DataFrame({"id": ids, "job": job, "age": rng.integers(20, 60, n)}))


def people_with(source, records=None):
    """By value, how many different people of some records have it."""
    frame = source.frame if records is None else source.frame[records]
    return Counter(job for _, job in set(frame.select("id", "job").iter_rows()))


def listed_in(cells):
    return {value for cell in cells if cell[0] == "{" for value in parse_set(cell)}


@pytest.mark.parametrize("algorithm", SET_ALGORITHMS)
@pytest.mark.parametrize("seed", seeds(1, thorough=4))
def test_no_set_lists_a_value_that_too_few_released_people_have(algorithm, seed):
    source = staff(seed)
    rules = policy(algorithm={"name": algorithm}, suppression=0.1, person="id")
    release = anonymize(source, rules)

    released = np.flatnonzero(release.groups >= 0)
    n_people = people_with(source, released)
    listed = listed_in(release.published["job"])
    assert listed
    assert all(n_people[value] >= 3 for value in listed)


def test_what_is_measured_is_what_is_published():
    source = Source(pl.DataFrame({"id": list("abcdef"), "job": [*"xxxyyz"], "age": [1] * 6}))
    release = anonymize(source, policy())

    assert set(release.published["job"]) == {"*", "x"}  # y and z are rare
    assert release.loss_by_column["job"] == 0.5


def test_a_value_that_suppression_makes_rare_is_not_listed_either():
    jobs = [*"xxxxyyyz"]
    frame = pl.DataFrame({"id": [*"abcdefgh"], "job": jobs, "age": [1, 1, 1, 1, 1, 1, 9, 9]})
    release = anonymize(
        Source(frame), policy(algorithm={"name": "mondrian"}, suppression=0.3, unknown="suppress")
    )
    kept = [job for job, group in zip(jobs, release.groups, strict=True) if group >= 0]
    listed = listed_in(release.published["job"])

    assert all(kept.count(value) >= 3 for value in listed)


def test_a_policy_may_ask_for_rare_values():
    source = staff(0)
    listing = policy({"role": "quasi", "rare": "list"})

    cells = anonymize(source, listing).published["job"]
    n_people = people_with(source)
    listed = listed_in(cells)
    assert any(n_people[value] < 3 for value in listed)
    assert shoal.Policy.of_mapping(listing.keys()) == listing


def test_a_check_with_the_original_finds_listed_rare_values():
    source = staff(0)
    listing = policy({"role": "quasi", "rare": "list"})
    release = Source(anonymize(source, listing).published)

    (leak,) = check(release, policy(), original=source).leaks

    assert (leak.kind, leak.column) == ("rare value in a set", "job")
    assert leak.count > 0
    assert check(release, listing, original=source).holds


def test_a_set_that_hides_a_rare_value_matches_everybody_of_a_population(tmp_path):
    jobs = [*"xxxyyyzz"]
    people = pl.DataFrame({"job": [*jobs, "w"], "age": [1] * 9})
    people.write_csv(tmp_path / "people.csv")
    frame = pl.DataFrame({"id": [*"abcdefgh"], "job": jobs, "age": [1] * 8})
    model = {"model": "k-map", "k": 3, "population": str(tmp_path / "people.csv")}

    release = anonymize(Source(frame), policy(privacy=[model, {"model": "k-anonymity", "k": 3}]))

    assert release.verdict.holds
    assert release.verdict.findings[0].achieved >= 3
