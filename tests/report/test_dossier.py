"""The dossier: its sections, its JSON twin, and what neither of them may show."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from datetime import UTC, datetime
from html import unescape

import polars as pl
import pytest

import shoal
from report.secret_tables import SECRET, people, release_of
from report.test_report_html import Outline
from shoal.errors import InputError
from shoal.read.source import Source
from shoal.report import words
from shoal.report.dossier.embedded import read_dossier, twin
from shoal.report.dossier.external import external
from shoal.report.dossier.facts import dossier_facts
from shoal.report.dossier.known import FileFact, Known
from shoal.report.html import render
from shoal.runs.evidence import gather, threshold_of
from shoal.runs.public_policy import public_policy
from shoal.types.context import Acknowledged, Context
from shoal.types.schema import Schema

INPUT_HASH, RELEASE_HASH = "1" * 64, "2" * 64
SAID = Context(
    title="Clinic visits",
    purpose="Research on <b>waiting</b> times",
    recipient="A university",
    recipient_holds="the register of births",
    controls=("a contract", "a closed room"),
    attackers="Colleagues of patients.",
    threshold=0.25,
    threshold_reason="A trusted recipient.",
    contact="office@example.org",
    acknowledged=(Acknowledged("One version only", "Ann Archer", "2026-02-03"),),
)
ROWS = 48


def table() -> pl.DataFrame:
    """As `people`, with values in every column that only one person has."""
    frame = people(ROWS)
    rare = [f"{SECRET}-rare-{name}" for name in frame.columns]
    alone = {n: [rare[i], *frame[n][1:].to_list()] for i, n in enumerate(frame.columns)}
    alone["income"] = [None, 7_654_321, *frame["income"][2:]]
    return pl.DataFrame(alone)


@pytest.fixture(scope="module")
def release():
    """One record is left out, which has values that no other has."""
    work = [(f"{SECRET}-work-{i}", f"{SECRET}-field-{i % 2}") for i in range(4)]
    work.append((f"{SECRET}-rare-work", f"{SECRET}-field-0"))
    found = release_of(
        table(),
        quasi={"income": None, "born in": None, "work": shoal.levels(work)},
        context=SAID,
        suppression=0.1,
        missing="suppress",
        seed=987_654,
    )
    columns = {
        name: replace(spec, reason=f"because of {name}")
        for name, spec in found.schema.columns.items()
    }
    return replace(found, schema=Schema(columns))


@pytest.fixture(scope="module")
def known(release):
    return Known(
        output="out/release.csv",
        files=(
            FileFact("input", "patients-2026.csv", INPUT_HASH),
            FileFact("release", "release.csv", RELEASE_HASH),
        ),
        evidence=gather(Source(table()), release),
        public=public_policy(release),
        command="shoal anonymize patients-2026.csv",
        made_at=datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC),
    )


@pytest.fixture(scope="module")
def facts(release, known):
    return dossier_facts(release, known)


@pytest.fixture(scope="module")
def page(facts):
    return render(facts)


@pytest.fixture(scope="module")
def outside(facts):
    return render(external(facts))


def text_of(page: str) -> str:
    """What a reader sees: the page without the data that follow it."""
    return " ".join(Outline(page.partition("<script")[0] + "</body></html>").text.split())


def section(page: str, name: str) -> str:
    found = re.search(rf'<section aria-labelledby="{name}">(.*?)</section>', page, re.DOTALL)
    assert found is not None
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", found[1])).split())


# the page


def test_the_sections_are_in_the_order_of_the_regulators_form(page):
    assert re.findall(r'<section aria-labelledby="(\w+)"', page)[-16:] == [
        "context", "inventory", "variables", "attackers", "threshold", "risk", "techniques",
        "promises", "sizes", "told", "attacks", "kept", "acknowledged", "making", "limits",
        "conclusion",
    ]  # fmt: skip


def test_what_the_context_says_is_shown_as_text(page):
    said = section(page, "context")

    assert "<b>waiting</b>" in said
    for text in (SAID.recipient, SAID.recipient_holds, *SAID.controls, SAID.contact):
        assert text in said
    assert "Not stated: legal_basis under context" in said
    assert SAID.attackers in section(page, "attackers")
    assert "0.25" in section(page, "threshold")
    assert SAID.threshold_reason in section(page, "threshold")
    assert "One version only Ann Archer 2026-02-03" in section(page, "acknowledged")


def test_files_have_their_digests_and_the_run_its_moment(page):
    said = section(page, "inventory")

    assert f"input patients-2026.csv {INPUT_HASH}" in said
    assert f"release release.csv {RELEASE_HASH}" in said
    assert "2026-03-04T05:06:07Z" in said


def test_every_column_has_its_reason(page, facts):
    for entry in facts["columns"]:
        assert f"because of {entry['column']}" in section(page, "variables")


def test_the_figures_of_the_page_are_those_of_the_twin(page, facts):
    risk = section(page, "risk")
    for when in ("data", "release"):
        found = facts["risk"][when]["prosecutor"]
        assert words.share(found["highest"]) in risk
        assert words.share(found["average"]) in risk
    columns = section(page, "techniques")
    for entry in facts["distributions"]:
        for share in entry["shares"]:
            line = f"{words.share(share['before'])} {words.share(share['after'])}"
            assert f"{share['value']} {line}" in columns
    kept = section(page, "kept")
    for entry in facts["means"]:
        assert f"{words.number(entry['mean_before'])} {words.number(entry['mean_after'])}" in kept
    success = facts["attacks"]["linkage"]["success"]
    assert f"{words.share(success['value'])} ({words.share(success['low'])}" in section(
        page, "attacks"
    )
    assert facts["command"] in section(page, "making")
    assert "987654" in section(page, "making")


def test_every_attack_is_shown_with_its_intervals(page, facts):
    said = section(page, "attacks")

    for name in ("Linkage", "Homogeneity", "Skewness", "Inference"):
        assert name in said
    assert facts["attacks"]["linkage"]["says"] in said
    assert re.search(r"\d% \(\d+(\.\d)?% to \d", said)


def test_an_attack_of_later_versions_is_shown_too(facts):
    figures = {"value": 0.125, "low": 0.1, "high": 0.15}
    later = facts | {"attacks": facts["attacks"] | {"guessing": {"says": "Odd.", "cells": figures}}}

    assert "Guessing Odd. Figure Estimate (95% interval) cells 12.5% (10.0% to 15.0%)" in section(
        render(later), "attacks"
    )


def test_without_the_original_the_dossier_is_shorter(release):
    page = render(dossier_facts(release))

    ids = re.findall(r'<section aria-labelledby="(\w+)"', page)
    assert not {"risk", "techniques", "attacks"} & set(ids)
    assert "made by" in page.lower()


# the twin


def test_the_page_carries_its_twin(facts, page, tmp_path):
    (tmp_path / "dossier.html").write_text(page, encoding="utf-8")
    (tmp_path / "dossier.json").write_text(twin(facts), encoding="utf-8")

    assert read_dossier(tmp_path / "dossier.html") == facts
    assert read_dossier(tmp_path / "dossier.json") == facts
    assert render(read_dossier(tmp_path / "dossier.json")) == page


def test_no_text_can_end_the_twin_or_begin_an_element(release):
    named = Known(output="</script><script>alert(1)</script><!--.csv")

    page = render(dossier_facts(release, named))

    assert page.count("<script") == page.count("</script>") == 1
    assert "<!--" not in page.partition("<script")[2]


@pytest.mark.parametrize(
    "text", ["", "{}", "[]", '{"dossier": 1}', "<html></html>", "{" * 9, "{" * 99_999]
)
def test_other_files_are_refused(text, tmp_path):
    path = tmp_path / "other.html"
    path.write_text(text)

    with pytest.raises(InputError, match="is not a dossier"):
        read_dossier(path)


def test_binary_files_are_refused(tmp_path):
    (tmp_path / "x.html").write_bytes(b"\xff\xfe\x00")

    with pytest.raises(InputError, match="is not a dossier"):
        read_dossier(tmp_path / "x.html")


# what must not be there


def test_no_value_of_fewer_than_k_people_is_in_the_dossier(page, facts):
    for text in (page, json.dumps(facts)):
        assert f"{SECRET}-rare" not in text
        assert "7654321" not in text.replace(",", "")
        assert f"{SECRET}-name" not in text
        assert f"{SECRET}-note" not in text
        assert f"{SECRET}-field" not in text


def test_what_enough_people_have_is_shown_to_the_steward(page):
    assert f"{SECRET}-town-1" in section(page, "techniques")


def test_no_cell_is_in_the_external_dossier(outside):
    assert SECRET not in outside
    assert "771" not in outside


def test_what_helps_an_attacker_is_not_in_the_external_dossier(outside, facts):
    for secret in (
        INPUT_HASH, "patients-2026", "987654", "shoal anonymize patients", "because of",
        "Ann Archer", '"seed"', "Seed", '"column": "note"', '"column": "name"', "contribution",
        "numba",
    ):  # fmt: skip
        assert secret not in outside, secret
    assert RELEASE_HASH in outside
    inside = external(facts)
    assert inside["notes"] == inside["measures"] == inside["levels"] == []
    assert inside["neighbours"] is inside["command"] is None
    assert inside["risk"]["columns"] == []


def test_few_suppressed_records_are_not_counted_outside(facts):
    found = external(facts)

    assert facts["records"]["suppressed"] == 1
    assert found["records"]["read"] is found["records"]["suppressed"] is None
    assert "fewer than 3 were suppressed" in text_of(render(found))
    assert f"{ROWS}" not in section(render(found), "inventory").replace(f"{ROWS - 1}", "")


def test_columns_are_not_in_the_order_of_their_risk_outside(facts):
    order = [entry["column"] for entry in facts["columns"]]
    losses = [entry["column"] for entry in external(facts)["loss_by_column"]]

    assert losses == [name for name in order if name in losses]


def test_a_share_of_few_people_is_only_bounded_outside(facts):
    few = {"value": 0.001, "low": 0.0001, "high": 0.0071}
    attacks = {"people": 1000, "confidence": 0.95, "linkage": {"success": few, "says": "1 of 1000"}}

    found = external(facts | {"attacks": attacks})

    assert found["attacks"]["linkage"] == [
        {"column": None, "success": {"value": None, "low": None, "high": 0.01}}
    ]
    assert "at most 1.0%" in section(render(found), "attacks")


def test_a_fact_that_was_not_chosen_stays_inside(facts):
    later = facts | {"registry": "secret-registry", "run": facts["run"] | {"found": "secret-run"}}

    assert "secret-r" not in render(external(later))


def test_no_external_page_has_a_form_to_fill_in(outside):
    assert "under context in the policy" not in text_of(outside)
    assert "Signature" not in section(outside, "conclusion").replace("and signature", "")


# the threshold


@pytest.mark.parametrize(
    ("privacy", "context", "expected"),
    [
        ([shoal.KAnonymity(5)], Context(threshold=0.05), (0.05, "context")),
        ([shoal.KAnonymity(5), shoal.ReidentificationRisk(highest=0.1)], Context(), (0.1, "model")),
        ([shoal.KAnonymity(5)], Context(), (0.2, "k")),
        ([shoal.DistinctLDiversity("x", 2)], Context(), (0.09, "default")),
    ],
)
def test_the_threshold_says_where_it_comes_from(privacy, context, expected):
    policy = shoal.Policy.of_roles(quasi=["a"], sensitive=["x"], privacy=privacy, context=context)

    assert threshold_of(policy) == expected


def test_a_threshold_that_is_not_met_is_said(facts):
    strict = facts | {"threshold": facts["threshold"] | {"value": 0.01}}

    assert "NOT met" in section(render(strict), "conclusion")
