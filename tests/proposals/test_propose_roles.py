"""Roles, hierarchies and reasons."""

from __future__ import annotations

import math
from datetime import timedelta
from uuid import UUID

import polars as pl
import pytest

from shoal.errors import InputError
from shoal.proposals.hierarchies import intervals_of
from shoal.proposals.profile import Profile
from shoal.proposals.propose import propose
from shoal.read.source import Source

N = 100


def spread(n: int = N, of: int = 7) -> list[int]:
    """Numbers that repeat, in no order."""
    return [i * 37 % of for i in range(n)]


def test_a_hospital_table_gets_the_roles_a_steward_would_give(hospital, propose_for):
    proposal = propose_for(hospital)

    assert {s.name: (s.role, s.hierarchy) for s in proposal.suggestions} == {
        "name": ("identifier", None),
        "patient_id": ("identifier", None),
        "dob": ("quasi", None),
        "zip": ("quasi", {"prefix": 5}),
        "sex": ("quasi", None),
        "diagnosis": ("sensitive", None),
        "note": ("drop", None),
        "visits": ("quasi", None),
    }
    assert {s.name: s.bounds for s in proposal.suggestions if s.bounds} == {
        "dob": {"grid": "month"}
    }
    assert proposal.privacy == (
        {"model": "k-anonymity", "k": 5},
        {"model": "distinct-l-diversity", "column": "diagnosis", "l": 2},
    )
    assert proposal.missing_values == ("", "?")


def test_a_table_like_adult_has_salary_sensitive_and_all_else_quasi(propose_for):
    names = ["sex", "race", "marital-status", "education", "native-country", "occupation"]
    columns = {name: [f"{name} {value}" for value in spread()] for name in names}
    columns["age"] = [str(17 + value) for value in spread(of=61)]
    columns["salary-class"] = [[">50K", "<=50K"][value % 2] for value in spread()]

    proposal = propose_for(columns)

    roles = {suggestion.name: suggestion.role for suggestion in proposal.suggestions}
    assert roles == dict.fromkeys([*names, "age"], "quasi") | {"salary-class": "sensitive"}
    assert proposal.suggestions[6].hierarchy is None
    assert any("needs one: age {intervals: [5, 10, 20, 40]}" in note for note in proposal.notes)


@pytest.mark.parametrize(
    "value_of",
    [
        lambda i: f"person{i % 90}@example.org",
        lambda i: str(UUID(int=i + 2**100)),
        lambda i: f"10.0.{i % 9}.7",
        lambda i: f"+49 30 {1_234_567 + i}",
        lambda i: f"(030) 98-{1_234 + i}",
        lambda i: f"DE{20 + i % 70}500105175407324931",
        lambda i: f"https://example.org/{i % 9}",
        lambda i: f"T{i * i}",
        lambda i: f"{i * 977 % 10_007:05}",
        lambda i: str(i),
        lambda i: str(N - i),
    ],
)
def test_contacts_codes_of_single_people_and_row_numbers_are_identifiers(value_of, suggest_for):
    assert suggest_for("x", [value_of(i) for i in range(N)]).role == "identifier"


def test_nearly_unique_numbers_are_dropped(suggest_for):
    suggestion = suggest_for("score", [str(math.sqrt(i)) for i in range(N)])

    assert suggestion.role == "drop"
    assert suggestion.reason.startswith("every value is different: unchanged it identifies records")


@pytest.mark.parametrize("name", ["x", "diagnosis"])
def test_long_free_text_is_dropped(name, suggest_for):
    texts = [
        f"On the {i}th day she told us that her knee hurt and that it rained" for i in range(N)
    ]

    assert suggest_for(name, texts).role == "drop"


def test_sensitive_numbers_that_are_nearly_unique_become_ranges_and_texts_are_dropped(suggest_for):
    income = suggest_for("income", [str(1_000 + i * i) for i in range(N)])

    assert (income.role, income.bounds) == ("quasi", "grid")
    charges = suggest_for("TotalCharges", [f"{1_000 + i * i}.25" for i in range(N)])
    assert (charges.role, charges.bounds) == ("quasi", "grid")
    assert suggest_for("protein", [f"{1_000 + i * i}.25" for i in range(N)]).role == "drop"
    assert suggest_for("diagnosis", [f"case {i}" for i in range(N)]).role == "drop"


def test_an_unknown_column_is_quasi_and_never_kept(suggest_for):
    suggestion = suggest_for("shoe colour", [f"colour {value}" for value in spread()])

    assert (suggestion.role, suggestion.hierarchy) == ("quasi", None)
    assert suggestion.reason == "7 different texts; quasi to be safe"


@pytest.mark.parametrize("name", ["has e-mail", "phone known"])
def test_two_answers_about_an_identifier_are_none(name, suggest_for):
    assert suggest_for(name, [["yes", "no"][value % 2] for value in spread()]).role == "quasi"


@pytest.mark.parametrize("values", [["Zora"] * N, ["Zora", *[""] * N], ["Zora", "Quill"] * N])
def test_a_name_stays_an_identifier_however_often_it_repeats(values, suggest_for):
    assert suggest_for("name", values).role == "identifier"


def test_one_address_in_every_record_is_an_identifier(suggest_for):
    assert suggest_for("x", ["zora@example.org"] * N).role == "identifier"


def test_ids_that_repeat_much_number_groups_of_people(suggest_for):
    assert suggest_for("ward id", [f"W{value}" for value in spread()]).role == "quasi"
    assert suggest_for("ward id", [f"W{value}" for value in spread(of=50)]).role == "identifier"


def test_a_name_does_not_outweigh_what_the_values_are(suggest_for):
    assert suggest_for("note", [str(value) for value in spread()]).role == "quasi"  # school marks
    assert suggest_for("age", [str(1_000 + i * i) for i in range(N)]).role == "drop"
    assert suggest_for("diagnosis date", [f"2021-03-{1 + v:02}" for v in spread()]).role == "quasi"


@pytest.mark.parametrize(
    ("name", "value_of", "hierarchy"),
    [
        ("hours", lambda v: v, None),
        ("birth year", lambda v: 1_950 + v, None),
        ("age", lambda v: v, None),
        ("count", lambda v: v % 9, None),
        ("zip", lambda v: 10_000 + v, {"prefix": 5}),
        ("postcode", lambda v: f"AB{v} 1CD", {"prefix": 8}),
        ("district", lambda v: f"0{v + 100}", {"prefix": 4}),
        ("seen", lambda v: f"0000-01-{1 + v % 9:02}", None),  # no calendar has that year
    ],
)
def test_a_hierarchy_fits_the_kind_and_range_of_a_column(name, value_of, hierarchy, suggest_for):
    suggestion = suggest_for(name, [str(value_of(value)) for value in spread(of=41)])

    assert (suggestion.role, suggestion.hierarchy) == ("quasi", hierarchy)


@pytest.mark.parametrize(
    ("value_of", "unit"),
    [
        (lambda v: f"2021-03-{1 + v % 28:02}", "month"),
        (lambda v: f"2021-{1 + v % 9:02}-05 10:{v:02}", "month"),
        (lambda v: f"2021-03-{1 + v % 28:02} 10:{v:02}", "day"),
        (lambda v: f"2021-03-05 10:{v:02}", "hour"),
    ],
)
def test_ranges_of_dates_end_with_a_unit_and_at_nobodys_day(value_of, unit, suggest_for):
    suggestion = suggest_for("seen", [value_of(value) for value in spread(of=41)])

    assert (suggestion.role, suggestion.bounds) == ("quasi", {"grid": unit})


@pytest.mark.parametrize(
    ("name", "value_of", "widths"),
    [
        ("hours", lambda v: v, (2, 10)),
        ("gain", lambda v: v * 1_000, (1_000, 5_000, 10_000)),
        ("dose", lambda v: v / 100, (0.01, 0.05, 0.1)),
        ("birth year", lambda v: 1_950 + v, (5, 10, 20)),
        ("age", lambda v: v, (5, 10, 20, 40)),
        ("count", lambda v: v % 9, ()),
    ],
)
def test_intervals_fit_the_range_of_a_column(name, value_of, widths):
    values = [str(value_of(value)) for value in spread(of=41)]

    assert intervals_of(Profile(pl.Series(name, values), is_text=True)) == widths


def test_one_outlier_does_not_widen_the_intervals():
    values = [*(str(value) for value in spread(300, of=41)), "99999999"]

    assert intervals_of(Profile(pl.Series("x", values), is_text=True)) == (2, 10)


@pytest.mark.parametrize(
    ("value_of", "role", "says"),
    [
        (lambda v: f"{'EIJ'[v % 3]}{10 + v % 40}.{v % 10}", "sensitive", "ICD-10 codes"),
        (lambda v: f"{'EIJ'[v % 3]}{10 + v % 40}{'' if v % 2 else v % 9}", "sensitive", "ICD-10"),
        (lambda v: f"{v:03}.{v % 10}" if v % 3 else f"V{10 + v}", "sensitive", "ICD-9 codes"),
        (lambda v: f"{219 + v}-{10 + v % 80}-{1000 + v % 40}", "identifier", "US social security"),
        (lambda v: f"{12_345_000 + v}Z", "identifier", "Spanish identity numbers"),
        (lambda v: f"{v % 9 + 1}234AB", "quasi", "Dutch postcodes"),
        (lambda v: f"SW{v % 9}A {v % 10}AA", "quasi", "UK postcodes"),
        (lambda v: f"52.5{v % 10}, 13.4{v % 7}", "drop", "coordinates"),
    ],
)
def test_codes_are_recognised_by_their_values(suggest_for, value_of, role, says):
    suggestion = suggest_for("x", [value_of(value) for value in spread(n=300, of=60)])

    assert suggestion.role == role
    assert says in suggestion.reason


@pytest.mark.parametrize(
    "value_of",
    [lambda v: f"A{10 + v}", lambda v: f"{'ABC'[v % 3]}{10 + v % 40}", lambda v: f"{250 + v}"],
)
def test_codes_of_other_registers_are_not_diagnoses(suggest_for, value_of):
    suggestion = suggest_for("x", [value_of(value) for value in spread(n=300, of=60)])

    assert suggestion.role == "quasi"


@pytest.mark.parametrize("name", ["PrimaryDx", "diag", "dx2"])
def test_a_diagnosis_is_recognised_by_more_names(suggest_for, name):
    assert suggest_for(name, [f"ill {value}" for value in spread()]).role == "sensitive"


def test_coordinates_are_dropped_by_name_and_range(suggest_for):
    values = [f"{52 + value / 100}" for value in spread(n=300, of=60)]

    assert suggest_for("lat", values).role == "drop"
    assert suggest_for("latency", values).role == "quasi"


def test_a_category_of_rare_values_is_not_a_plain_quasi_identifier(suggest_for):
    mostly = suggest_for("town", ["big"] * 400 + [f"hamlet {i}" for i in range(60)])
    nearly_all = suggest_for("town", ["big"] * 40 + [f"hamlet {i % 60}" for i in range(120)])

    assert (mostly.role, mostly.hierarchy) == ("quasi", "flat")
    assert nearly_all.role == "drop"


@pytest.mark.parametrize(
    ("way", "format_"),
    [("{m}/{d}/1967", "MM/DD/YYYY"), ("{d:02}-{m:02}-1967", "DD-MM-YYYY"),
     ("1967{m:02}{d:02}", "YYYYMMDD"), ("{d}.{m}.1967", ""), ("1967-{m:02}-{d:02}T10:00Z", "")],
)  # fmt: skip
def test_a_date_is_recognised_however_it_is_written(suggest_for, way, format_):
    texts = [way.format(d=1 + value % 28, m=1 + value % 12) for value in spread(of=40)]
    suggestion = suggest_for("admitted", texts)

    assert (suggestion.role, suggestion.format) == ("quasi", format_)
    assert suggestion.bounds == {"grid": "month"}
    assert suggestion.reason.startswith("looks like a date")


@pytest.mark.parametrize("name", ["dob", "admitted"])
def test_dates_that_may_be_two_days_are_dropped_with_what_to_write(suggest_for, name):
    suggestion = suggest_for(name, [f"{1 + value % 12}/3/1967" for value in spread(of=12)])

    assert suggestion.role == "drop"
    assert "no day is above 12" in suggestion.reason
    assert "format: MM/DD/YYYY" in suggestion.reason


def test_dates_with_years_of_two_digits_are_never_told_one_by_one(suggest_for):
    suggestion = suggest_for("dob", [f"{1 + value % 28}.11.67" for value in spread(of=28)])

    assert suggestion.role == "drop"


def test_few_numbers_of_eight_digits_are_not_dates(suggest_for):
    assert suggest_for("code", [f"1967110{value % 8 + 1}" for value in spread()]).format == ""


def test_columns_without_or_with_one_value_are_quasi_and_cost_nothing(suggest_for):
    assert suggest_for("x", [""] * N).reason.startswith("missing in every record")
    assert suggest_for("x", ["a"] * N).reason.startswith("constant")


@pytest.mark.parametrize(
    ("columns", "quasi", "hierarchy"),
    [
        ({"email": ["a", "b"], "note": ["c", "d"]}, "note", "flat"),
        ({"email": ["a", "b"], "diagnosis": ["c", "d"]}, "diagnosis", None),
        ({"name": ["a", "a"], "email": ["a", "b"]}, "email", "flat"),
        (
            {"name": [f"{i}" for i in range(40)], "score": [f"{i * i}" for i in range(40)]},
            "score",
            None,
        ),
    ],
)
def test_the_least_harmful_column_becomes_quasi_where_none_is(
    columns, quasi, hierarchy, propose_for
):
    suggestions = {s.name: s for s in propose_for(columns).suggestions}

    assert [s.name for s in suggestions.values() if s.role == "quasi"] == [quasi]
    assert suggestions[quasi].hierarchy == hierarchy
    assert "one column must be quasi" in suggestions[quasi].reason


@pytest.mark.parametrize(("n", "k"), [(1, 1), (3, 3), (5, 5), (50, 5)])
def test_k_is_five_or_the_number_of_records(n, k, propose_for):
    proposal = propose_for({"sex": ["f", "m"] * 25 if n == 50 else ["f"] * n})

    assert proposal.k == k
    assert proposal.privacy == ({"model": "k-anonymity", "k": k},)


def test_diversity_is_not_asked_of_a_column_with_one_value(propose_for):
    proposal = propose_for({"sex": ["f"] * N, "disease": ["Gout"] * N})

    assert proposal.suggestions[1].role == "sensitive"
    assert len(proposal.privacy) == 1
    assert (
        "disease is the same in every record, and no model can hide it. Drop it?" in proposal.notes
    )


def test_only_tokens_in_columns_that_are_read_stand_for_missing(propose_for):
    proposal = propose_for(
        {
            "email": ["null", "b", "c"],
            "age": ["31", "?", "40"],
            "job": [" ?", "NA", "cook"],
            "rhesus": ["+", "-", "+"],
        }
    )

    assert proposal.missing_values == ("", "?", "NA", " ?")
    assert any("needs one: age {intervals:" in note for note in proposal.notes)


def test_values_that_cannot_be_ordered_are_dropped():
    frame = pl.DataFrame({"tags": [[1], [2]], "x": [1.0, math.inf], "age": [30, 40]})

    assert [s.role for s in propose(Source(frame)).suggestions] == ["drop", "drop", "quasi"]
    with pytest.raises(InputError, match="No column can be ordered"):
        propose(Source(frame.select("tags")))


def test_a_table_without_records_is_refused():
    with pytest.raises(InputError, match="no records"):
        propose(Source(pl.DataFrame({"a": []})))


def test_a_sensitive_column_that_tells_a_quasi_identifier_is_one_too(propose_for):
    ages = spread(of=41)
    proposal = propose_for(
        {"age": [str(20 + v) for v in ages], "income": [str(1_000 * v) for v in ages]}
    )

    income = proposal.suggestions[1]
    assert income.role == "quasi"
    assert "but it tells age" in income.reason


@pytest.mark.parametrize(
    ("values", "what"),
    [
        ([timedelta(1), timedelta(2)], "durations, which could be numbers, such as days"),
        ([[1], [2]], "lists or other nested values"),
        ([float("inf"), 1.0], "infinite numbers"),
    ],
)
def test_a_column_that_cannot_be_read_says_what_it_holds(values, what):
    table = pl.DataFrame({"x": values, "age": [31, 47]})

    (suggestion, _) = propose(Source(table)).suggestions

    assert suggestion.role == "drop"
    assert suggestion.reason.endswith(f"generalised: {what}")
