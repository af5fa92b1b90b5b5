"""Taxonomies that come with Shoal. Other packages agreed with their files."""

from __future__ import annotations

import duckdb
import polars as pl
import pytest

import shoal
from shoal.errors import HierarchyError, PolicyError, UnknownValues
from shoal.hierarchies._taxonomy import FOLDER, NAMES, taxonomy
from shoal.proposals.libraries import library_of
from shoal.proposals.propose import propose
from shoal.read.source import Source
from shoal.runs.anonymize import anonymize

PLACES = {
    "ages": {"0": ("0–4", "0–14"), "34": ("30–34", "25–44"), "101": ("85+", "65+")},
    "countries": {
        "DE": ("Western Europe", "Europe"),
        "germany": ("Western Europe", "Europe"),
        "DEU": ("Western Europe", "Europe"),
        "276": ("Western Europe", "Europe"),
        "4": ("Southern Asia", "Asia"),
        "NA": ("Southern Africa", "Africa"),
        "Côte d'Ivoire": ("Western Africa", "Africa"),
        "Turkey": ("Western Asia", "Asia"),
        "Peru": ("South America", "Americas"),
    },
    "icd-10": {
        "C50.9": ("C50", "C50–C50", "II Neoplasms (C00–D48)"),
        "c509": ("C50", "C50–C50", "II Neoplasms (C00–D48)"),
        "M1A.00X0": ("M1A", "M05–M14", "XIII Musculoskeletal system (M00–M99)"),
        "A10": ("A10", "A10", "I Infectious diseases (A00–B99)"),
        "X60": ("X60", "X60–X84", "XX External causes (V01–Y98)"),
        "S72.0": ("S72", "S70–S79", "XIX Injury and poisoning (S00–T98)"),
    },
    "icd-9": {
        "250.00": ("250", "249–259", "3 Endocrine, nutritional and metabolic diseases (240–279)"),
        "V270": ("V27", "V20–V29", "18 Health status and contact with health services (V01–V91)"),
        "E815.1": ("E815", "E810–E819", "19 External causes (E000–E999)"),
    },
    "isco-08": {
        "2211": ("221", "22", "2 Professionals"),
        "5": ("5", "5", "5 Service and sales workers"),
    },
    "languages": {
        "de": ("Germanic", "Indo-European"),
        "ger": ("Germanic", "Indo-European"),
        "Finnish": ("Finno-Ugric", "Uralic"),
        "zh": ("Chinese", "Sino-Tibetan"),
    },
    "months": {"Mar": ("Q1", "H1"), "9": ("Q3", "H2"), "december": ("Q4", "H2")},
    "nace": {
        "G47.11": ("47.1", "47", "G Trade"),
        "4711": ("47.1", "47", "G Trade"),
        "86": ("86", "86", "Q Human health and social work"),
        "q": ("Q", "Q", "Q Human health and social work"),
    },
    "us-states": {"TX": ("West South Central", "South"), "6": ("Pacific", "West")},
    "us-zip": {
        "02139": ("021**", "Massachusetts", "New England", "Northeast"),
        "02139-4307": ("021**", "Massachusetts", "New England", "Northeast"),
        "100": ("100**", "New York", "Middle Atlantic", "Northeast"),
        "09012": ("090**", "Military", "Military", "Military"),
    },
}  # fmt: skip
NO_PLACES = {
    "ages": ["131", "-1", "07", "3.5"],
    "countries": ["Atlantis", "", "XX", "999"],
    "icd-10": ["9", "C5", "Z", "flu", "C50.123456"],
    "icd-9": ["12", "E12", "1234567"],
    "isco-08": ["110", "22111", "nurse"],
    "languages": ["Klingon"],
    "months": ["0", "13", "Lent"],
    "nace": ["C47.11", "04", "471111", ""],
    "us-states": ["DE1", "Bavaria"],
    "us-zip": ["2139", "21390000", "00000", "021**"],
}


def test_every_library_is_tried():
    assert PLACES.keys() == NO_PLACES.keys() == set(NAMES)
    assert {path.stem for path in FOLDER.iterdir()} == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
def test_values_have_their_places(name):
    assert {value: taxonomy(name).above(value) for value in PLACES[name]} == PLACES[name]
    assert [value for value in NO_PLACES[name] if taxonomy(name).above(value) is not None] == []


@pytest.mark.parametrize("name", NAMES)
def test_a_library_says_its_source_and_its_levels(name):
    head = taxonomy(name).head

    assert len(head.source) > 10
    assert all(len(above) == len(head.levels) for above in PLACES[name].values())
    assert taxonomy(name).above(taxonomy(name).a_value)


def test_values_of_a_library_that_it_does_not_have_are_counted():
    table = pl.DataFrame({"from": ["France", "Atlantis", "Atlantis"]})

    with pytest.raises(
        UnknownValues, match=r"1 value \(2 records\) is missing .*\n.*unknown: other"
    ):
        shoal.anonymize(table, quasi={"from": shoal.library("countries")},
                        privacy=[shoal.KAnonymity(1)])  # fmt: skip


@pytest.mark.parametrize("unknown", ["other", "suppress"])
def test_they_may_be_others_or_suppressed(unknown):
    table = pl.DataFrame({"from": ["France", "Spain", "Atlantis", "Oz"]})

    release = shoal.anonymize(table, quasi={"from": shoal.library("countries")}, unknown=unknown,
                              privacy=[shoal.KAnonymity(2)], suppression=0.5)  # fmt: skip

    rest = ["Other", "Other"] if unknown == "other" else []
    assert sorted(release.frame["from"]) == ["Europe", "Europe", *rest]


@pytest.mark.parametrize("unknown", ["other", "suppress"])
@pytest.mark.parametrize("level", [0, 1, 2, 3])
def test_sql_names_the_nodes_that_apply_names(unknown, level):
    spread = [["FR", "FR"], ["FR", "Austria"], ["FRA", "Spain"], ["FR", "Peru"]][level]
    policy = shoal.Policy.of_roles(
        quasi={"from": shoal.library("countries")}, privacy=[shoal.KAnonymity(2)],
        algorithm="flash", unknown=unknown, suppression=0.4,
    )  # fmt: skip
    recoding = policy.anonymize(pl.DataFrame({"from": spread})).recoding
    later = pl.DataFrame({"from": ["germany", "germany", "Chile", "Chile", "Oz", "Atlantis"]})

    applied = recoding.apply(later).frame["from"]

    assert recoding.levels["from"] == level
    with duckdb.connect() as connection:
        connection.register("data", later.to_arrow())
        assert sorted(connection.sql(recoding.sql()).pl()["from"]) == sorted(applied)


def test_a_rule_of_codes_is_not_written_as_sql():
    policy = shoal.Policy.of_roles(quasi={"dx": shoal.library("icd-10")}, algorithm="flash",
                                   privacy=[shoal.KAnonymity(2)])  # fmt: skip
    recoding = policy.anonymize(pl.DataFrame({"dx": ["C50.1", "C50.9"]})).recoding

    assert (
        recoding.apply(pl.DataFrame({"dx": ["C34.1", "C34.2"]})).frame["dx"].to_list()
        == ["C34"] * 2
    )
    with pytest.raises(shoal.ShoalError, match="cannot be written as SQL"):
        recoding.sql()


def test_an_unknown_library_is_refused_with_the_nearest():
    with pytest.raises(HierarchyError, match="did you mean 'countries'"):
        shoal.library("country")
    with pytest.raises(PolicyError, match="did you mean 'countries'"):
        shoal.Policy.of_mapping({
            "columns": {"x": {"role": "quasi", "hierarchy": {"library": "country"}}},
            "privacy": [{"model": "k-anonymity", "k": 2}],
        })  # fmt: skip


@pytest.mark.parametrize(
    ("name", "values", "library"),
    [
        ("from", ["Spain", "France", "Peru", "Chad", "Fiji"], "countries"),
        ("from", ["Spain", "France", "Peru", "Chad"], None),
        ("from", ["Spain", "France", "Peru", "Chad", "Oz"], None),
        ("x", ["DE", "AL", "AR", "CA", "ID"], None),
        ("home_state", ["DE", "AL", "AR", "CA", "ID"], "us-states"),
        ("Country", ["DE", "AL", "AR", "CA", "ID"], "countries"),
        ("spoken language", ["DE", "AR", "CA", "ID", "sq"], "languages"),
        ("code", ["2211", "3411", "5221", "7231", "9111"], None),
        ("ISCO", ["2211", "3411", "5221", "7231", "9111"], "isco-08"),
        ("months since visit", ["1", "2", "3", "4", "15"], None),
        ("birth month", ["Jan", "Feb", "Mar", "Apr", "Jun"], "months"),
    ],
)
def test_init_proposes_a_library_where_all_values_fit_one(name, values, library):
    assert library_of(name, values) == library


def test_a_proposed_library_is_written_with_its_reason_and_runs():
    values = ["Spain", "France", "Peru", "Chad", "Fiji"] * 20
    source = Source(pl.DataFrame({"from": values}), is_text=True)

    (suggestion,) = propose(source).suggestions

    assert suggestion.hierarchy == {"library": "countries"}
    assert suggestion.reason.endswith("all values have a place in the library countries")
    policy = shoal.Policy.of_mapping({
        "columns": {"from": {"role": "quasi", "hierarchy": suggestion.hierarchy}},
        "privacy": [{"model": "k-anonymity", "k": 5}],
    })  # fmt: skip
    assert anonymize(source, policy).verdict.holds
