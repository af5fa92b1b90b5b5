"""People who have several records: each counts once, by the record that is easiest to find."""

from __future__ import annotations

from itertools import combinations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import shoal
from cases.visits import N_PATIENTS, rules, visits
from naive import risk as naive
from shoal.report.risk import print_risk
from tiers import examples, seeds

COLUMNS = ("a", "b", "c", "d")
PEOPLE = st.integers(0, 5)
VALUES = st.sampled_from(["x", "y", None])
ROWS = st.tuples(*[VALUES] * 4)


def records_of(rows):
    return st.lists(
        st.builds(lambda person, row: (person, *row), PEOPLE, rows), min_size=1, max_size=14
    )


# Few different rows, so that people whose records differ have company, or many.
FEW = st.lists(ROWS, min_size=1, max_size=3).flatmap(lambda rows: records_of(st.sampled_from(rows)))
RECORDS = FEW | records_of(ROWS)
THRESHOLDS = st.sampled_from([0.09, 0.25, 1 / 3, 0.5, 1.0])


def frame(records, names=("who", *COLUMNS)):
    return pl.DataFrame(records, schema=list(names), orient="row").with_columns(
        pl.col(COLUMNS).cast(pl.String)
    )


def policy(person="who"):
    return shoal.Policy.of_roles(
        identifiers=["who"], quasi=list(COLUMNS), privacy=[shoal.KAnonymity(2)], person=person
    )


def risk_of(records, **settings):
    return shoal.risk(frame(records), policy(), **settings)


def split(records):
    return [tuple(values) for _, *values in records], [person for person, *_ in records]


@given(RECORDS, THRESHOLDS)
@examples(10, thorough=60)
def test_every_figure_of_people_agrees_with_the_definition(tagged, threshold):
    data = risk_of(tagged, threshold=threshold).data

    records, people = split(tagged)
    risks = naive.risks(records, range(4), people)
    assert (data.n_records, data.n_people) == (len(records), len(set(people)))
    assert data.prosecutor.highest == float(max(risks))
    assert data.prosecutor.average == pytest.approx(float(sum(risks) / len(risks)), rel=1e-15)
    assert data.prosecutor.n_at_risk == naive.n_above(risks, threshold)
    assert data.n_unique == naive.n_unique(records, range(4), people)
    assert data.n_groups == len(naive.groups(records, range(4)))
    for combination in data.combinations:
        places = [COLUMNS.index(name) for name in combination.columns]
        risks = naive.risks(records, places, people)
        assert combination.n_unique == sum(risk == 1 for risk in risks)
        assert combination.n_at_risk == naive.n_above(risks, threshold)
        assert combination.average == pytest.approx(float(sum(risks) / len(risks)), rel=1e-15)
        assert combination.n_groups == len(naive.groups(records, places))
    assert len(data.combinations) == 14


@given(RECORDS)
@examples(10, thorough=60)
def test_what_a_column_adds_is_about_people_too(tagged):
    columns = {c.column: c for c in risk_of(tagged).data.columns}

    records, people = split(tagged)
    for place, name in enumerate(COLUMNS):
        others = [p for p in range(4) if p != place]
        wanted = naive.contribution(records, 4, place, 3, people)
        assert columns[name].contribution == pytest.approx(float(wanted), abs=1e-14)
        assert columns[name].left_out.n_unique == naive.n_unique(records, others, people)


@given(RECORDS, RECORDS, THRESHOLDS)
@examples(10, thorough=40)
def test_the_journalist_looks_for_the_record_that_fewest_people_fit(tagged, others, threshold):
    population = frame(others).drop("who")

    data = risk_of(tagged, population=population, threshold=threshold).data

    (records, people), register = split(tagged), split(others)[0]
    risks = naive.population_risks(records, register, people)
    assert data.journalist.highest == float(max(risks))
    assert data.journalist.average == pytest.approx(float(sum(risks) / len(risks)), rel=1e-15)
    assert data.journalist.n_at_risk == naive.n_above(risks, threshold)
    assert data.n_fewer_in_population == naive.n_fewer_in_population(records, register, people)


@given(RECORDS, st.randoms(use_true_random=False))
@examples(10, thorough=30)
def test_neither_order_nor_threads_nor_repeated_records_change_a_figure(tagged, random):
    found = risk_of(tagged, threads=1)

    assert found == risk_of(random.sample(tagged, len(tagged)), threads=3)
    doubled = risk_of(tagged + tagged).as_dict()
    doubled["data"]["rows"] //= 2
    assert doubled == found.as_dict()


@given(RECORDS)
@examples(10, thorough=60)
def test_knowing_more_never_lowers_the_risk_of_people(tagged):
    data = risk_of(tagged).data

    found = {c.columns: c for c in data.combinations}
    for columns, combination in found.items():
        for smaller in combinations(columns, len(columns) - 1):
            if smaller:
                assert found[smaller].n_unique <= combination.n_unique
                assert found[smaller].n_found <= combination.n_found
    assert all(c.contribution >= -1e-15 for c in data.columns)


def without_units(found):
    """The figures of a table, whatever was counted."""
    figures = str(found.as_dict()["data"]).replace("'counted': 'people', ", "")
    return figures.replace(f"'people': {found.data.n_people}, 'groups'", "'groups'").replace(
        "'people'", "'records'"
    )


@given(RECORDS)
@examples(10, thorough=60)
def test_people_of_one_record_each_are_counted_as_records_are(tagged):
    single = [(i, *values) for i, (_, *values) in enumerate(tagged)]

    as_people = shoal.risk(frame(single), policy())
    as_records = shoal.risk(frame(single), policy(person=()))

    assert without_units(as_people) == without_units(as_records)


@pytest.mark.parametrize("seed", seeds(2, thorough=8))
def test_patients_who_look_the_same_at_every_visit_are_folded_to_one_row(seed):
    table = visits(seed=seed)
    once = table.unique("patient", maintain_order=True)

    by_visit = shoal.risk(table, rules(quasi=["sex", "born"]))
    by_patient = shoal.risk(once, rules(quasi=["sex", "born"], person=()))

    assert (by_visit.data.n_records, by_visit.data.n_people) == (1500, N_PATIENTS)
    assert without_units(by_visit).replace("1500", "300") == without_units(by_patient)


@pytest.mark.parametrize("seed", seeds(2, thorough=8))
def test_visits_on_different_days_agree_with_polars(seed):
    table = visits(seed=seed)

    data = shoal.risk(table, rules()).data

    for combination in data.combinations:
        people = pl.col("patient").n_unique().over(combination.columns)
        worst = table.select("patient", size=people).group_by("patient").agg(pl.min("size"))["size"]
        assert combination.n_unique == (worst == 1).sum()
        assert combination.n_at_risk == (worst < 12).sum()
        assert combination.average == pytest.approx((1 / worst).mean())


def test_a_group_of_one_patients_visits_hides_no_one():
    records = [(1, "x", "x", "x", "x")] * 5 + [(2, "y", "x", "x", "x"), (3, "y", "x", "x", "x")]

    data = risk_of(records).data

    assert (data.n_unique, data.prosecutor.highest) == (1, 1.0)
    assert data.prosecutor.average == pytest.approx(2 / 3)


def test_two_people_with_the_same_two_records_hide_each_other():
    records = [(who, value, *"xxx") for who in (1, 2) for value in "xy"]

    data = risk_of(records, threshold=0.4).data

    assert (data.n_groups, data.n_unique) == (2, 0)
    assert data.prosecutor.highest == data.prosecutor.average == data.marketer == 0.5
    assert data.prosecutor.n_at_risk == 2
    assert all(column.contribution == 0 for column in data.columns)  # any other is one of two too


def test_a_record_that_does_not_say_whose_it_is_is_a_person_and_is_noted():
    records = [(1, *"xxxx"), (None, *"xxxx"), (None, *"xxxx")]

    found = risk_of(records)

    assert found.data.n_people == 3
    assert any("2 records do not say whose they are" in note for note in found.notes)


class OfThree:
    """Three people, and a release of their four records."""

    @property
    def table(self):
        return frame([(1, *"xxxx"), (1, *"yxxx"), (2, *"xxxx"), (3, *"yyyy")])

    @property
    def cells(self):
        return self.table.drop("who").with_columns(a=pl.lit("*"))


class TestRelease(OfThree):
    def test_figures_of_a_release_without_people_count_records_and_say_so(self):
        found = shoal.risk(self.table, policy(), release=self.cells)

        assert found.release.n_people is None
        facts = found.as_dict()
        assert (facts["data"]["counted"], facts["release"]["counted"]) == ("people", "records")
        assert facts["data"]["unique"] == {"people": 2, "share": 2 / 3}
        assert facts["release"]["unique"] == {"records": 1, "share": 0.25}
        assert any("its figures count records" in note for note in found.notes)
        assert any("upper bounds for records" in note for note in found.notes)

    def test_a_release_with_pseudonyms_counts_people(self):
        names = pl.col("who").replace_strict({1: "p", 2: "q", 3: "r"})
        release = self.cells.with_columns(self.table["who"]).with_columns(names)

        found = shoal.risk(self.table, policy(), release=release)

        assert (found.release.n_people, found.release.n_unique) == (3, 1)
        assert found.as_dict()["release"]["counted"] == "people"
        assert not any("count records" in note for note in found.notes)

    def test_generalised_cells_do_not_tell_people_apart(self):
        rules = shoal.Policy.of_roles(
            drop=["who"], quasi=list(COLUMNS), privacy=[shoal.KAnonymity(2)], person=["a", "who"]
        )
        release = self.cells.with_columns(self.table["who"])

        found = shoal.risk(self.table, rules, release=release)

        assert (found.data.n_people, found.release.n_people) == (4, None)

    def test_without_a_person_nothing_is_said_about_what_is_counted(self):
        facts = shoal.risk(self.table, policy(person=()), release=self.cells).as_dict()

        assert "counted" not in facts["data"] | facts["release"]
        assert facts["data"]["unique"].keys() == {"records", "share"}


class TestText(OfThree):
    def printed(self, risk):
        from rich.console import Console

        console = Console(width=80, force_terminal=False)
        with console.capture() as capture:
            print_risk(risk, console)
        return " ".join(capture.get().split())

    def test_figures_of_people_speak_of_people(self):
        text = self.printed(shoal.risk(self.table, policy()))

        assert text.startswith("2 of 3 people (66.7%) are unique in 4 quasi-identifiers.")
        assert "Records 4 People 3 Unique people 2 (66.7%)" in text
        assert "people above 9% 3 (100%)" in text
        assert "people found, expected" in text
        assert "Unique people, by how many columns" in text

    def test_two_tables_that_count_differently_say_which_counts_what(self):
        text = self.printed(shoal.risk(self.table, policy(), release=self.cells))

        assert "In the release 1 record is." in text
        assert "data, people release, records" in text
        assert "People 3 unknown Unique 2 (66.7%) 1 (25.0%)" in text
        assert "Unique people (released: records), by how many columns" in text
