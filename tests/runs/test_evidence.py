"""What a dossier shows besides the release itself."""

from __future__ import annotations

from dataclasses import replace

import polars as pl
import pytest

import shoal
from shoal.read.source import Source
from shoal.report.dossier.facts import dossier_facts
from shoal.report.dossier.known import Known
from shoal.report.html import render
from shoal.runs.beside import least_people
from shoal.runs.evidence import gather, gather_frame

VISITS = pl.DataFrame(
    {
        "patient": [f"p{i // 2}" for i in range(60)],
        "age": [20 + (i // 2) % 30 for i in range(60)],
        "born": [f"19{50 + (i // 2) % 30}-03-01" for i in range(60)],
        "ill": ["flu" if i % 2 else "gout" for i in range(60)],
        "cost": [i % 7 * 1.5 for i in range(60)],
        "tags": [["x"]] * 60,
    }
)


def policy(**changes) -> shoal.Policy:
    roles = {"identifiers": ["patient"], "quasi": ["age", "born"], "sensitive": ["ill"],
             "keep": ["cost", "tags"], "privacy": [shoal.KAnonymity(4)]}  # fmt: skip
    return shoal.Policy.of_roles(**(roles | changes))


@pytest.fixture(scope="module")
def of_people():
    rules = policy(person="patient")
    return gather_frame(VISITS, rules.anonymize(VISITS))


def test_people_are_counted_where_the_policy_names_them(of_people):
    assert of_people.risk.data.n_people == 30
    assert of_people.attacks.known_records == "one"


def test_columns_that_cannot_be_compared_are_left_out(of_people):
    assert [d.column for d in of_people.distributions] == ["age", "born", "ill", "cost"]
    assert [m.column for m in of_people.means] == ["age", "cost"]


def test_every_two_columns_but_kept_ones_are_compared(of_people):
    assert [a.columns for a in of_people.associations] == [
        ("age", "born"), ("age", "ill"), ("born", "ill"),
    ]  # fmt: skip


def test_an_unchanged_column_is_the_same_before_and_after(of_people):
    ill = of_people.distributions[2]

    assert {s.label: (s.before, s.after) for s in ill.shares} == {
        "flu": (0.5, 0.5),
        "gout": (0.5, 0.5),
    }
    assert (ill.told, ill.exact) == (1, 1)


def test_columns_that_publish_means_are_not_attacked_with():
    rules = policy()
    columns = {**rules.columns, "age": replace(rules.columns["age"], publish="mean")}
    only_age = {**columns, "born": replace(rules.columns["born"], publish="set")}

    found = gather_frame(VISITS, replace(rules, columns=only_age).anonymize(VISITS))

    assert found.attacks.known == ("born",)


def test_attacks_are_left_out_where_no_cell_can_be_read():
    table = VISITS.drop("born")
    rules = policy(quasi=["age"])
    columns = {**rules.columns, "age": replace(rules.columns["age"], publish="median")}

    found = gather_frame(table, replace(rules, columns=columns).anonymize(table))

    assert found.attacks is None
    assert found.means[0].told == 1


def test_a_csv_table_gives_the_same_evidence_as_a_frame(tmp_path):
    table = VISITS.drop("tags")
    table.write_csv(tmp_path / "visits.csv")
    text = pl.read_csv(tmp_path / "visits.csv", infer_schema=False)
    rules = policy(keep=["cost"])
    release = rules.anonymize(table)
    as_text = replace(release, published=release.published.cast(pl.String))

    of_frame, of_text = gather_frame(table, release), gather(Source(text, is_text=True), as_text)

    assert of_frame.means == of_text.means
    numbers = [d for d in of_frame.distributions if d.column in ("age", "cost")]
    assert numbers == [d for d in of_text.distributions if d.column in ("age", "cost")]


@pytest.mark.parametrize(
    ("models", "least"), [([shoal.KAnonymity(2)], 3), ([shoal.KAnonymity(9)], 9)]
)
def test_at_least_three_people_are_behind_every_figure(models, least):
    assert least_people(policy(privacy=models)) == least


def test_the_risk_of_people_is_not_taken_from_rows():
    """Two rows of each person make groups twice as large as they are."""
    release = policy(person="patient").anonymize(VISITS)
    facts = dossier_facts(release, Known(evidence=gather_frame(VISITS, release)))
    smallest = min(release.verdict.group_sizes)

    page = render(facts)

    assert facts["risk"]["release"]["unit"] == "records"
    assert facts["risk"]["release"]["prosecutor"]["highest"] == 1 / smallest / 2
    assert f"The highest risk of a released person is {1 / smallest:.4g}" in page
    assert f"the highest risk after is {100 / smallest:.1f}%" in page


def test_a_report_with_the_original_has_all_sections(tmp_path):
    release = policy(keep=["cost", "tags"]).anonymize(VISITS)

    release.report(tmp_path / "in.html", original=VISITS)
    release.report(tmp_path / "out.json", original=VISITS, external=True)

    assert 'id="attacks"' in (tmp_path / "in.html").read_text()
    assert '"audience": "external"' in (tmp_path / "out.json").read_text()
