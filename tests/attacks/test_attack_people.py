"""Attacks on people who have several records, against counting one by one and against the truth."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from cases.visits import N_PATIENTS, rules, visits
from conformance.tables import patients
from conformance.tables import policy as rules_of_patients
from naive.attack import Original, attack_by_definition, attack_by_truth, guess, most_frequent
from shoal.attacks.known import draw_people
from shoal.errors import InputError
from shoal.read.columns import read_column
from tiers import examples, seeds

COLUMNS = ("age", "day")
RECORDS = st.lists(
    st.tuples(st.integers(0, 4), st.integers(0, 5), st.integers(0, 5), st.sampled_from("abc")),
    min_size=1,
    max_size=16,
)
KNOWN_RECORDS = st.sampled_from(["one", "all"])
WIDTHS = st.tuples(st.integers(1, 6), st.integers(1, 6))


def frame(records):
    return pl.DataFrame(records, schema=["who", *COLUMNS, "ill"], orient="row")


def policy(person="who"):
    return shoal.Policy.of_roles(
        identifiers=["who"],
        quasi=list(COLUMNS),
        sensitive=["ill"],
        privacy=[shoal.KAnonymity(2)],
        person=person,
    )


def released(table, widths):
    """Every record in a box of a grid, which is told apart from all others; with who it is."""

    def cell(name, width):
        low = pl.col(name) // width * width
        return pl.format("[{}, {}]", low, low + width - 1).alias(name)

    cells = [cell(name, width) for name, width in zip(COLUMNS, widths, strict=True)]
    return table.with_columns(cells).sort("ill", *COLUMNS)


def overlapping(table, widths):
    """Every record in a box around it."""
    cells = [
        pl.format("[{}, {}]", pl.col(name) - width + 1, pl.col(name) + width - 1).alias(name)
        for name, width in zip(COLUMNS, widths, strict=True)
    ]
    return table.with_columns(cells)


def fits(cell, value):
    low, high = cell.strip("[]").split(",")
    return int(low) <= value <= int(high)


def drawn(table, known_records, seed=0):
    """The people of the table in their order, and which records of each are known."""
    columns = {name: read_column(table[name]) for name in COLUMNS}
    found = draw_people(
        columns,
        table["who"].to_numpy().astype(np.int32),
        sample=len(table),
        known_records=known_records,
        rng=np.random.default_rng(seed),
    )
    return [
        (table["who"][int(found.records[start])], np.flatnonzero(found.is_known[start:end]))
        for start, end in zip(found.starts[:-1], found.starts[1:], strict=True)
    ]


def slowly(attack_one, table, release, known_records, **more):
    original = Original(table.drop("who").to_dicts(), table["who"].to_list())
    rows, common = release.to_dicts(), {"fits": fits, "columns": COLUMNS, "sensitive": "ill"}
    return [
        attack_one(person, known.tolist(), original, rows, **common, **more)
        for person, known in drawn(table, known_records)
    ]


def attack(table, release, known_records):
    return shoal.attack(
        release.drop("who"),
        original=table,
        policy=policy(),
        known_records=known_records,
        sample=len(table),
    )


def mean(numbers):
    return float(sum(map(Fraction, numbers)) / len(numbers))


def assert_agrees(found, people, release):
    """Every figure is that of these people."""
    present = [p for p in people if p.n_own]
    linkage = found.linkage
    assert linkage.n_people == len(people)
    assert linkage.n_unmatched == sum(p.n_matched == 0 for p in people)
    assert linkage.n_only_wrong == sum(p.n_matched > 0 == p.n_own for p in people)
    assert linkage.n_singled_out == sum(p.n_matched == p.n_own for p in present)
    assert linkage.n_unique == sum(p.n_alike == p.n_own_alike for p in people)
    assert linkage.smallest == min((p.n_matched for p in present), default=None)
    chances = [Fraction(p.n_own, p.n_matched or 1) for p in people]
    assert linkage.success.value == pytest.approx(mean(chances))
    alike = [Fraction(p.n_own_alike, p.n_alike) for p in people]
    assert linkage.in_original.value == pytest.approx(mean(alike))
    by_chance = mean([p.n_released for p in people]) / len(release)
    assert linkage.by_chance == pytest.approx(by_chance)

    overall = Counter(release["ill"])
    (same,), (skew,), (inferred,) = found.homogeneity, found.skewness, found.inference
    agreed = [p for p in people if len(p.values) == 1]
    assert same.same.value == pytest.approx(len(agreed) / len(people))
    right = sum(set(p.values) <= p.truth for p in agreed)
    assert same.right.value == pytest.approx(right / len(people))
    skews = []
    for p in people:
        top = most_frequent(p.values, overall)
        ahead = p.values[top] / p.n_matched - overall[top] / overall.total() if p.n_matched else 0
        skews.append(ahead)
    assert skew.skew.value == pytest.approx(np.mean(skews))
    assert inferred.matched.value == pytest.approx(
        mean([guess(p.values, overall) in p.truth for p in people])
    )
    assert inferred.without_person.value == pytest.approx(
        mean([guess(p.without, overall) in p.truth for p in people])
    )
    assert inferred.baseline.value == pytest.approx(
        mean([most_frequent(overall, overall) in p.truth for p in people])
    )


@given(RECORDS, WIDTHS, KNOWN_RECORDS)
@examples(15, thorough=150)
def test_every_figure_is_the_truth_where_boxes_do_not_overlap(records, widths, known_records):
    table = frame(records)
    release = released(table, widths)

    found = attack(table, release, known_records)

    people = slowly(attack_by_truth, table, release, known_records)
    assert_agrees(found, people, release)
    assert found.notes == ()


@given(RECORDS, WIDTHS, KNOWN_RECORDS, st.data())
@examples(15, thorough=150)
def test_every_figure_is_that_of_counting_one_by_one(records, widths, known_records, data):
    """With boxes that overlap and records that are left out; and none is below the truth."""
    table = frame(records)
    n_kept = data.draw(st.integers(1, len(table)))
    release = overlapping(table, widths).sample(n_kept, shuffle=True, seed=len(records))

    found = attack(table, release, known_records)

    people = slowly(attack_by_definition, table, release, known_records, unchanged=["ill"])
    assert_agrees(found, people, release)
    truth = slowly(attack_by_truth, table, release, known_records)
    assert all(p.n_own >= true.n_own for p, true in zip(people, truth, strict=True))


@pytest.mark.parametrize("algorithm", ["mondrian", "flash"])
@pytest.mark.parametrize("known_records", ["one", "all"])
@pytest.mark.parametrize("seed", seeds(2, thorough=6))
def test_people_of_one_record_each_give_the_figures_of_records(algorithm, known_records, seed):
    table = patients(120, seed)
    as_records = rules_of_patients(algorithm, suppression=0.2)
    as_people = replace(as_records, person=("name",))
    release = as_records.anonymize(table).frame

    records = shoal.attack(release, original=table, policy=as_records, sample=50, seed=seed)
    people = shoal.attack(
        release, original=table, policy=as_people, sample=50, seed=seed, known_records=known_records
    )

    assert replace(people, known_records=None, notes=()) == replace(records, notes=())
    told = people.as_dict()
    assert (told["counted"], told["known_records"]) == ("people", known_records)
    assert "counted" not in records.as_dict()


def test_a_group_of_one_patients_visits_singles_the_patient_out():
    table = frame([(1, 0, 0, "a")] * 5 + [(2, 5, 5, "b"), (3, 5, 5, "c")])
    release = released(table, (1, 1))

    as_people = attack(table, release, "one").linkage
    as_records = shoal.attack(release.drop("who"), original=table, policy=policy(person=()))

    assert (as_people.n_singled_out, as_records.linkage.n_singled_out) == (1, 0)
    assert as_people.success.value == pytest.approx((1 + 1 / 2 + 1 / 2) / 3)


def test_who_knows_all_records_looks_for_the_one_that_fewest_rows_match():
    table = frame([(1, 0, 0, "a"), (1, 5, 5, "b"), (2, 0, 0, "a"), (3, 0, 0, "a")])

    found = attack(table, released(table, (1, 1)), "all").linkage

    assert found.n_singled_out == 1  # by the second record
    assert found.success.value == pytest.approx((1 + 1 / 3 + 1 / 3) / 3)


def test_a_value_of_any_record_of_a_person_is_learnt():
    """The first patient's known record hides among cases of b, which is the illness of another."""
    table = frame([(1, 0, 0, "b"), (1, 5, 5, "a"), (2, 5, 5, "b"), (3, 5, 5, "b"), (4, 5, 5, "b")])
    release = released(table, (1, 1)).filter(pl.col("ill") == "b")

    found = attack(table, release, "all")

    assert found.homogeneity[0].right.value == found.inference[0].matched.value == 1


@pytest.mark.parametrize("seed", seeds(3, thorough=10))
def test_patients_are_found_more_often_the_more_is_known_of_them(seed):
    table = visits(seed=seed)
    release = rules(person=()).anonymize(table).frame

    def success(known_records):
        found = shoal.attack(
            release, original=table, policy=rules(), seed=seed, known_records=known_records
        )
        assert found.n_people == N_PATIENTS
        assert found.linkage.n_only_wrong == found.linkage.n_unmatched == 0
        return found.linkage.success.value

    as_records = shoal.attack(release, original=table, policy=rules(person=()), seed=seed)
    assert as_records.linkage.success.value <= success("one") <= success("all")


def test_all_visits_of_a_patient_who_looks_the_same_match_the_same_rows():
    table, policy = visits(), rules(quasi=["sex", "born"])
    release = policy.anonymize(table).frame

    one, every = (
        shoal.attack(release, original=table, policy=policy, known_records=known).linkage
        for known in ("one", "all")
    )

    assert one == every
    assert one.success.value >= 1 / one.median  # five rows of each patient, not one


def test_a_known_record_is_drawn_among_all_of_a_person():
    table = frame([(1, age, 0, "a") for age in range(4)] * 25 + [(2, 9, 9, "b")])

    picks = [drawn(table, "one", seed)[0][1].tolist() for seed in range(60)]

    assert all(len(pick) == 1 for pick in picks)
    assert len({pick[0] for pick in picks}) > 30
    assert min(picks)[0] < 20
    assert max(picks)[0] >= 80


class TestRefused:
    table = frame([(1, 0, 0, "a"), (2, 0, 0, "b")])

    def test_all_records_of_people_who_are_not_known(self):
        with pytest.raises(InputError, match="does not say whose they are"):
            shoal.attack(
                released(self.table, (1, 1)).drop("who"),
                original=self.table,
                policy=policy(person=()),
                known_records="all",
            )

    def test_another_number_of_records(self):
        with pytest.raises(InputError, match="must be `one` or `all`"):
            attack(self.table, released(self.table, (1, 1)), "two")


def test_records_that_do_not_say_whose_they_are_are_noted():
    table = frame([(1, 0, 0, "a"), (None, 0, 0, "a"), (None, 0, 0, "a")])

    found = attack(table, released(table, (1, 1)), "all")

    assert found.n_people == 3
    assert any("2 records do not say whose they are" in note for note in found.notes)
