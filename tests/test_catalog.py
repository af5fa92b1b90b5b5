"""The catalog: what there is, by name."""

from __future__ import annotations

import polars as pl
import pytest
from click.testing import CliRunner

import shoal
from added_entries import add_entries
from shoal import catalog
from shoal.cli import cli
from shoal.errors import PolicyError


def test_what_interface_names_is_there():
    assert "mondrian" in catalog.names("algorithm")
    assert {"k-anonymity", "distinct-l-diversity"} <= set(catalog.names("model"))
    assert {"loss", "ncp", "il", "iloss", "dm", "cavg", "precision"} <= set(catalog.names("metric"))


@pytest.mark.parametrize("part", ["algorithm", "model", "metric", "hierarchy"])
def test_every_name_loads_and_says_what_it_is(part):
    assert len(catalog.names(part)) > 5
    for name in catalog.names(part):
        assert callable(catalog.load(part, name))
        assert catalog.summary(part, name).endswith(".")


@pytest.mark.parametrize("part", ["algorithm", "model", "metric", "hierarchy"])
def test_names_are_sorted_and_have_hyphens(part):
    names = catalog.names(part)

    assert list(names) == sorted(names)
    assert not any("_" in name or name != name.lower() for name in names)


def test_dates_have_two_names():
    assert catalog.load("hierarchy", "dates") is catalog.load("hierarchy", "date")
    assert "dates" not in catalog.names("hierarchy")


def test_underscores_pass_for_hyphens():
    assert catalog.load("model", "k_anonymity") is catalog.load("model", "k-anonymity")


@pytest.mark.parametrize(
    ("part", "name", "nearest"),
    [
        ("algorithm", "mondrain", "mondrian"),
        ("model", "k-anonimity", "k-anonymity"),
        ("metric", "precission", "precision"),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest(part, name, nearest):
    with pytest.raises(PolicyError) as caught:
        catalog.load(part, name)

    assert f"unknown {part} {name!r}; did you mean {nearest!r}?" in str(caught.value)
    assert f"`shoal {part}s`" in str(caught.value)


@pytest.mark.parametrize("name", ["", ".", "__init__", "..", "_threads", "mondrian:Mondrian", "os"])
def test_a_name_that_is_no_entry_is_never_imported(name):
    with pytest.raises(PolicyError):
        catalog.load("algorithm", name)


def test_classes_are_found_in_the_package_by_their_names():
    assert shoal.KAnonymity is catalog.load("model", "k-anonymity")
    assert shoal.DistinctLDiversity is catalog.load("model", "distinct-l-diversity")
    assert shoal.Mondrian is catalog.load("algorithm", "mondrian")
    assert shoal.DmStar is catalog.load("metric", "dm-star")


@pytest.mark.parametrize("name", ["KAnonimity", "anonymise", "_x"])
def test_the_package_has_no_other_attributes(name):
    with pytest.raises(AttributeError, match=name):
        getattr(shoal, name)


def test_what_another_package_adds_is_found(monkeypatch):
    add_entries(monkeypatch, "model", my_model=shoal.KAnonymity)

    assert "my-model" in catalog.names("model")
    assert catalog.load("model", "my_model") is shoal.KAnonymity
    assert "my-model" not in catalog.names("algorithm")


def test_what_another_package_adds_may_not_take_the_place_of_what_is_there(monkeypatch):
    add_entries(monkeypatch, "model", k_anonymity=shoal.KMap)

    with pytest.raises(PolicyError, match="two installed packages define the model"):
        catalog.names("model")


class Gone:
    """A class that is not where its entry point says."""


Gone.__module__ = "a_package_that_is_gone"
PEOPLE = pl.DataFrame({"age": [1, 2, 3, 4]})


@pytest.mark.parametrize("part", ["model", "metric", "algorithm"])
def test_an_entry_that_cannot_be_loaded_fails_only_when_it_is_asked_for(part, monkeypatch):
    add_entries(monkeypatch, part, broken=Gone)

    assert shoal.anonymize(PEOPLE, quasi=["age"], privacy=[shoal.KAnonymity(2)]).measures
    with pytest.raises(PolicyError, match=f"the {part} 'broken' .* cannot be loaded"):
        catalog.load(part, "broken")
    with pytest.raises(PolicyError, match=f"unknown {part} 'other'"):
        catalog.load(part, "other")
    listed = CliRunner().invoke(cli, [f"{part}s"])
    assert listed.exit_code == 0
    assert "Cannot be used" in listed.output


def test_a_search_says_why_its_metric_cannot_be_loaded(monkeypatch):
    add_entries(monkeypatch, "metric", broken=Gone)

    with pytest.raises(ValueError, match="cannot be loaded: ModuleNotFoundError"):
        shoal.Flash(metric="broken")
