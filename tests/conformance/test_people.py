"""What every algorithm must do with every model where people have several records."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import polars as pl
import pytest
from polars.testing import assert_frame_equal

import shoal
from conformance.tables import HIERARCHIES, KINDS, MODELS_OF_PEOPLE, patients, policy, visits
from naive.people import people_in
from shoal import catalog
from tiers import IS_THOROUGH, part

QUASI = list(HIERARCHIES)
ALGORITHMS = catalog.names("algorithm")
ONE_OF_A_KIND = ("mondrian", "flash", "k-member")
EVERY = [
    (name, model, list(KINDS)[(i + j) % 3])  # kinds in turn
    for i, name in enumerate(ALGORITHMS)
    for j, model in enumerate(MODELS_OF_PEOPLE)
]
# In the quick tier each algorithm with one model and each model with one algorithm, kinds in turn.
SOME = [(name, "k-anonymity", list(KINDS)[i % 3]) for i, name in enumerate(ALGORITHMS)] + [
    (ONE_OF_A_KIND[i % 3], model, list(KINDS)[1 + i % 2])
    for i, model in enumerate(MODELS_OF_PEOPLE)
]
of_some = pytest.mark.parametrize(("name", "promise", "kind"), EVERY if IS_THOROUGH else SOME)
of_every_algorithm = pytest.mark.parametrize("name", ALGORITHMS)
of_one_of_a_kind = pytest.mark.parametrize("name", part(ALGORITHMS, 3))


def of_people(name: str, model: str = "k-anonymity", **settings: Any) -> shoal.Policy:
    options = settings.pop("options", MODELS_OF_PEOPLE[model])
    return policy(name, model, options=options, person="name", **settings)


def everyone_counted(table: pl.DataFrame, release: shoal.Release) -> dict[int, set[str]]:
    """Counting as a child would: who has a record in which group of the release."""
    return people_in(table["name"].to_list(), release.groups.tolist())


def entries_by_group(table: pl.DataFrame, release: shoal.Release, columns: list[str]) -> Counter:
    """How many groups the records of each person, with the same of these columns, are in."""
    rows = table.select("name", *columns).rows()
    pairs = set(zip(rows, release.groups.tolist(), strict=True))
    return Counter(row for row, _ in pairs)


@of_some
def test_every_model_holds_for_people(name, promise, kind):
    table = visits(60, varying=KINDS[kind])

    release = of_people(name, promise, order="input").anonymize(table)

    assert release.verdict.holds
    assert release.verdict.n_people == 60
    sizes = Counter(map(len, everyone_counted(table, release).values()))
    assert sizes == Counter(release.verdict.group_sizes)
    if promise == "k-anonymity":
        assert min(sizes) >= MODELS_OF_PEOPLE[promise]["k"]
    assert set(entries_by_group(table, release, QUASI).values()) == {1}
    if kind == "constant":
        assert set(entries_by_group(table, release, []).values()) == {1}
    cells = {}
    for group, row in zip(release.groups.tolist(), release.frame.select(QUASI).rows(), strict=True):
        assert cells.setdefault(group, row) == row
    assert len(set(cells.values())) == len(cells)


@pytest.mark.parametrize(
    ("name", "promise"), dict.fromkeys(case[:2] for case in (EVERY[::2] if IS_THOROUGH else SOME))
)
def test_a_person_who_is_a_unique_number_gives_the_release_without_people(name, promise):
    table = patients(60)
    of_records = policy(name, promise, options=MODELS_OF_PEOPLE[promise])

    with_people, without = (
        rules.anonymize(table) for rules in (of_people(name, promise), of_records)
    )

    assert_frame_equal(with_people.frame, without.frame)
    assert with_people.groups.tolist() == without.groups.tolist()
    assert with_people.measures == without.measures
    assert with_people.n_unique_before == without.n_unique_before


@pytest.mark.parametrize("kind", KINDS)
@of_one_of_a_kind
def test_the_order_of_visits_does_not_matter(name, kind):
    table = visits(40, varying=KINDS[kind])
    shuffled = table.sample(fraction=1, shuffle=True, seed=1)

    first = of_people(name).anonymize(table)
    second = of_people(name).anonymize(shuffled)

    assert_frame_equal(first.frame, second.frame)


@of_one_of_a_kind
def test_visits_give_the_same_release_with_one_thread_and_two(name):
    table = visits(300)

    one, two = (of_people(name).anonymize(table, threads=n) for n in (1, 2))

    assert_frame_equal(one.frame, two.frame)


@pytest.mark.parametrize("kind", KINDS)
@of_one_of_a_kind
def test_no_more_entries_are_suppressed_than_may_be(name, kind):
    table = visits(60, varying=KINDS[kind])

    release = of_people(name, suppression=0.3, missing="suppress").anonymize(table)

    entries = table.select("name", *QUASI)
    n_suppressed = entries.filter(release.groups < 0).n_unique()
    assert 0 < n_suppressed <= 0.3 * entries.n_unique()
    assert min(map(len, everyone_counted(table, release).values())) >= 3


@of_every_algorithm
def test_somebody_with_most_of_the_rows_hides_among_people_as_all_others_do(name):
    few = patients(25, missing=0)
    often = patients(100, seed=5, missing=0).with_columns(name=pl.lit("often here"))
    table = pl.concat([few, often])

    release = of_people(name, order="input").anonymize(table)

    groups = everyone_counted(table, release)
    assert min(map(len, groups.values())) >= 3
    assert np.all(release.groups >= 0)


@of_one_of_a_kind
def test_kept_and_sensitive_values_of_visits_are_those_of_the_input(name):
    table = visits(40)

    release = of_people(name).anonymize(table)

    columns = ["disease", "visits"]
    assert Counter(release.frame.select(columns).rows()) == Counter(table.select(columns).rows())
    assert "name" not in release.frame.columns


@pytest.mark.parametrize(("name", "seed", "t"), [("mondrian", 11, 0.12), ("k-member", 16, 0.2)])
def test_groups_are_merged_until_they_are_close_to_what_is_released_in_the_end(name, seed, t):
    """People who meet count less often, so that merging moves what groups are compared with."""
    table = visits(14, seed, varying=["age", "sex", "job", "pay"])
    options = {"column": "disease", "t": t}

    release = of_people(name, "t-closeness", options=options).anonymize(table)

    assert release.verdict.n_records == len(table)
