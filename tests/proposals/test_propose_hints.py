"""What names of columns say."""

from __future__ import annotations

import pytest

from shoal.proposals.hints import hint_of


@pytest.mark.parametrize(
    ("name", "meaning"),
    [
        ("id", "person"),
        ("patientID", "person"),
        ("Patient No.", "person"),
        ("SSN", "person"),
        ("mrn", "person"),
        ("name", "person"),
        ("last_name", "person"),
        ("Geburtsname", "person"),
        ("birth name", "person"),
        ("e-mail", "person"),
        ("E-Mail 2", "person"),
        ("Téléphone", "person"),
        ("Straße", "person"),
        ("IBAN", "person"),
        ("zip", "postcode"),
        ("ZIPCode", "postcode"),
        ("code_postal", "postcode"),
        ("PLZ", "postcode"),
        ("age", "age"),
        ("ageAtDiagnosis", "age"),
        ("Ålder", "age"),
        ("sex", "sex"),
        ("Geschlecht", "sex"),
        ("Date of Birth", "birth"),
        ("Geburtsdatum", "birth"),
        ("ICD10", "sensitive"),
        ("Diagnosis name", "sensitive"),
        ("salary-class", "sensitive"),
        ("Religion", "sensitive"),
        ("diagnosis_note", "free text"),
        ("Bemerkungen", "free text"),
        ("marital-status", "known"),
        ("city name", "known"),
        ("ward id", "number"),
        ("brand name", "name"),
    ],
)
def test_a_name_says_what_the_column_means(name, meaning):
    hint = hint_of(name)

    assert hint is not None
    assert hint.meaning == meaning


@pytest.mark.parametrize(
    "name", ["message", "incident", "grid", "number of patients", "", "1", "é"]
)
def test_a_word_inside_another_says_nothing(name):
    assert hint_of(name) is None
