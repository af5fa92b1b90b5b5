"""Whose record it is: which column a proposal takes for the one that tells people apart."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.policy.policy import Policy
from shoal.proposals.policy_text import policy_text
from shoal.proposals.propose import propose
from shoal.read.source import Source
from tiers import examples

N_PEOPLE, N_VISITS = 300, 5
N = N_PEOPLE * N_VISITS
PATIENT = [str(i // N_VISITS + 1) for i in range(N)]
TWO_EACH = [str(i // 2) for i in range(N)]
ROW = [str(i) for i in range(N)]
FIVE = [str(i % 5) for i in range(N)]


def visits(**columns: list[str]) -> dict[str, list[str]]:
    rng = np.random.default_rng(3)
    years = rng.integers(1930, 2010, N_PEOPLE)
    return columns | {
        "birth_year": [str(years[i // N_VISITS]) for i in range(N)],
        "diagnosis": rng.choice(["Lupus", "Scurvy", "Gout"], N).tolist(),
    }


def person_of(proposal) -> str | None:
    return proposal.person and proposal.person.column


def roles(proposal) -> dict[str, str]:
    return {suggestion.name: suggestion.role for suggestion in proposal.suggestions}


@pytest.mark.parametrize(
    "name",
    ["patient_id", "PatientID", "patient", "Subject", "person code", "mrn", "SSN", "client_no",
     "member id", "employee_id", "pid", "USUBJID", "Patientennummer", "Kundennummer", "mitglied",
     "Versichertennummer", "paciente", "id_cliente", "id_empleado", "personne", "malade_id",
     "individual", "individual_id"],
)  # fmt: skip
def test_a_number_of_people_that_repeats_is_an_identifier_and_the_person(name, propose_for):
    proposal = propose_for(visits(**{name: PATIENT}))

    assert roles(proposal)[name] == "identifier"
    assert person_of(proposal) == name
    assert proposal.person.doubt == ""
    assert proposal.person.n_people == N_PEOPLE


def test_numbers_that_are_numbers_in_the_table_are_recognised_as_well():
    columns = visits() | {"patient_id": [int(text) for text in PATIENT]}

    proposal = propose(Source(pl.DataFrame(columns)))

    assert roles(proposal)["patient_id"] == "identifier"
    assert person_of(proposal) == "patient_id"


@pytest.mark.parametrize(
    "others",
    [
        {"visit_id": ROW},
        {"visit_id": TWO_EACH},
        {"hospital_id": FIVE},
        {"patient_visit_id": TWO_EACH},
        {"employee_id": [str(i % 40) for i in range(N)]},
        {"last_name": [f"n{i // 10}" for i in range(N)]},
        {"patient_name": [f"n{i // 10}" for i in range(N)]},
        {"id": TWO_EACH},
        {"Fallnummer": TWO_EACH},
    ],
)
def test_of_several_identifiers_the_one_of_patients_is_the_person(others, propose_for):
    before = propose_for(visits(**others, patient_id=PATIENT))
    after = propose_for(visits(patient_id=PATIENT, **others))

    assert (person_of(before), person_of(after)) == ("patient_id", "patient_id")


def test_of_two_numbers_of_people_the_one_with_fewer_people_counts(propose_for):
    halves = [str(i // 2) if i % 3 else "" for i in range(N)]  # and many who are not known

    assert person_of(propose_for(visits(ssn=ROW, mrn=PATIENT))) == "mrn"
    assert person_of(propose_for(visits(ssn=halves, mrn=PATIENT))) == "mrn"


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("visit_id", PATIENT),
        ("patient_id", FIVE),
        ("last_name", [f"n{text}" for text in PATIENT]),
        ("household_id", PATIENT),
        ("doctor_id", PATIENT),
        ("name", [f"n{text}" for text in PATIENT]),
    ],
)
def test_what_hardly_numbers_people_is_left_to_the_reader(name, values, propose_for):
    proposal = propose_for(visits(**{name: values}))

    assert roles(proposal)[name] == "identifier"
    assert proposal.person is None
    (note,) = [note for note in proposal.notes if "`person: COLUMN`" in note]
    assert f"{name} ({len(set(values))} different values)" in note


def test_numbers_within_which_other_columns_never_differ_are_noted(propose_for):
    """As `nr` of the wage panels that econometricians use: 545 men in eight years each."""
    height = [str(150 + int(i) % 40) for i in PATIENT]

    (note,) = [n for n in propose_for(visits(nr=PATIENT, cm=height)).notes if "may number" in n]

    assert "nr may number people: it has 300 different values, and cm, birth_year never" in note
    assert "add `person: nr`" in note


@pytest.mark.parametrize("name", ["nr", "cm"])
def test_numbers_of_what_varies_or_has_one_such_column_are_not_taken_for_people(name, propose_for):
    table = visits(**{name: [str(i * 7 % 50) for i in range(N)]})

    assert not any("may number people" in note for note in propose_for(table).notes)


@pytest.mark.parametrize("name", ["id", "record_id", "case no", "email", "uuid"])
def test_what_may_number_people_is_proposed_with_a_doubt(name, propose_for):
    proposal = propose_for(visits(**{name: [f"q{i}" for i in PATIENT]}))

    text = policy_text(proposal, data_name="visits.csv")

    assert person_of(proposal) == name
    assert "# Not sure: check that it is the same in all records of a person" in text


def test_namesakes_count_as_one_person_and_the_policy_says_so(propose_for):
    proposal = propose_for(visits(name=[f"n{i % (N - 9)}" for i in range(N)]))

    assert person_of(proposal) == "name"
    assert "people of the same name count as one" in policy_text(proposal, data_name="a.csv")


def test_where_names_repeat_and_patients_do_not_every_row_is_another_person(propose_for):
    proposal = propose_for(visits(patient_id=ROW, last_name=[f"n{i}" for i in PATIENT]))

    assert person_of(proposal) == "patient_id"
    assert proposal.person.reason.endswith("every row is another person")


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("patients", PATIENT),
        ("patient score", PATIENT),
        ("number of patients", PATIENT),
        ("member", ["yes", "no"] * (N // 2)),
        ("subject", [f"{'abcdefghijklm'[i % 13]} maths" for i in range(N)]),
        ("user", FIVE),
    ],
)
def test_what_only_sounds_like_people_is_not_an_identifier(name, values, propose_for):
    proposal = propose_for(visits(**{name: values}))

    assert roles(proposal)[name] == "quasi"
    assert proposal.person is None


def test_the_policy_says_whose_record_it_is_and_why(propose_for, tmp_path):
    proposal = propose_for(visits(patient_id=PATIENT))
    path = tmp_path / "policy.yaml"
    path.write_text(policy_text(proposal, data_name="visits.csv"), encoding="utf-8")

    lines = path.read_text().splitlines()
    place = lines.index("person: patient_id")

    assert Policy.load(path).person == ("patient_id",)
    assert lines[place - 1] == (
        "# patient_id: 300 different values in 1,500 rows; people have up to 5 rows."
    )
    assert "Every person looks like at least 4 other people." in "\n".join(lines)


def test_records_without_a_number_count_as_people_of_their_own(propose_for):
    some = ["?" if i < 3 else text for i, text in enumerate(PATIENT)]

    proposal = propose_for(visits(patient_id=some))

    assert proposal.person.n_people == N_PEOPLE + 3
    assert proposal.person.reason.endswith("and 3 without a value count as 3 people")
    assert "?" in proposal.missing_values


def test_an_awkward_name_comes_back_as_it_was(propose_for, tmp_path):
    name = "patient: #\nid"
    path = tmp_path / "policy.yaml"

    path.write_text(
        policy_text(propose_for(visits(**{name: PATIENT})), data_name="a.csv"), encoding="utf-8"
    )

    assert Policy.load(path).person == (name,)


def test_k_is_not_more_than_there_are_people(propose_for):
    proposal = propose_for({"patient_id": list("aabbcc"), "age": list("123456")})

    assert proposal.k == 3
    assert "k is 3, because there are no more people; 5 is usual." in proposal.notes


def test_no_model_is_asked_to_hide_a_value_that_everybody_has(propose_for):
    columns = visits(patient_id=PATIENT)
    columns["diagnosis"] = ["Flu" if i % N_VISITS == 2 else "Gout" for i in range(N)]

    proposal = propose_for(columns)

    assert [model["model"] for model in proposal.privacy] == ["k-anonymity"]
    assert any("All people share a value of diagnosis" in note for note in proposal.notes)


VISIT = st.tuples(st.sampled_from("abcd?"), st.sampled_from("xyz"))


@examples(thorough=100)
@given(st.lists(VISIT, max_size=15), st.tuples(*[st.sampled_from("xyz")] * 3))
def test_as_one_group_the_people_of_the_table_keep_what_is_proposed(visits, values_of_two):
    """Counted slowly: the people of the whole table, and those who have each value."""
    visits = [*zip("aab", values_of_two, strict=True), *visits]
    patients, values = zip(*visits, strict=True)
    frame = pl.DataFrame({"patient_id": patients, "disease": values, "sex": ["f"] * len(values)})

    proposal = propose(Source(frame, is_text=True))

    people = [who if who != "?" else f"row {i}" for i, who in enumerate(patients)]
    who_has = {value: set() for value in values}
    for who, value in zip(people, values, strict=True):
        who_has[value].add(who)
    everyone_has = any(who == set(people) for who in who_has.values())
    assert proposal.person.n_people == len(set(people)) >= proposal.k
    assert (len(proposal.privacy) == 2) == (len(who_has) > 1 and not everyone_has)


@examples(thorough=80)
@given(
    st.integers(1, 40), st.sampled_from(["patient_id", "subject", "id", "name", "email", "ward"])
)
def test_where_no_identifier_repeats_no_person_is_proposed(n, name):
    frame = pl.DataFrame(
        {name: [f"q{i}" for i in range(n)], "sex": ["f", "m"] * (n // 2) + ["f"] * (n % 2)}
    )

    proposal = propose(Source(frame, is_text=True))

    assert proposal.person is None
    assert "\nperson:" not in policy_text(proposal, data_name="a.csv")
    assert not any("`person" in note for note in proposal.notes)
