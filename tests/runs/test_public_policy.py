"""The public policy has what anybody can check, and what they then find is the same."""

from __future__ import annotations

import polars as pl
import pytest

import shoal
from shoal.errors import PolicyError
from shoal.runs.public_policy import public_policy

ILL = shoal.tree({"lung": ["flu", "asthma"], "skin": ["rash", "burn"]})
TABLE = pl.DataFrame(
    {
        "name": [f"p{i}" for i in range(40)],
        "age": [20 + i % 20 for i in range(40)],
        "zip": [f"1305{i % 3}" for i in range(40)],
        "ill": [("flu", "asthma", "rash", "burn")[i % 4] for i in range(40)],
    }
)


def release(*privacy, table=TABLE, **changes):
    roles = {
        "identifiers": ["name"],
        "quasi": {"age": shoal.intervals(5, 10, 20), "zip": shoal.prefix(5)},
        "sensitive": {
            "ill": shoal.severity({"flu": 1, "asthma": 3, "rash": 1, "burn": 2}, hierarchy=ILL)
        },
    }
    return shoal.anonymize(table, privacy=list(privacy), **(roles | changes))


def test_columns_have_their_role_and_nothing_else():
    keys = public_policy(release(shoal.KAnonymity(4))).keys()

    assert keys == {
        "columns": {"age": "quasi", "zip": "quasi", "ill": "sensitive"},
        "privacy": [{"model": "k-anonymity", "k": 4}],
    }


@pytest.mark.parametrize(
    "model",
    [
        shoal.DistinctLDiversity("ill", 2),
        shoal.EntropyLDiversity("ill", 1.5),
        shoal.RecursiveClDiversity("ill", 3, 2),
        shoal.AlphaK("ill", 0.8, 3),
        shoal.PSensitive("ill", 2, 3),
        shoal.TCloseness("ill", 0.6),
        shoal.TCloseness("ill", 0.6, "ordered"),
        shoal.BetaLikeness("ill", 3),
        shoal.DeltaDisclosure("ill", 4),
        shoal.ReidentificationRisk(highest=0.4),
    ],
)
def test_models_that_need_no_secret_can_be_checked_by_anybody(model):
    made = release(shoal.KAnonymity(3), model)

    found = public_policy(made)

    assert found.left_out == ()
    verdict = found.policy.check(made.frame)
    assert verdict.holds
    assert len(verdict.findings) == 2


@pytest.mark.parametrize(
    ("model", "name"),
    [
        (shoal.TCloseness("ill", 0.9, "hierarchical"), "t-closeness of 'ill'"),
        (shoal.SeverityCloseness("ill", 2.0), "severity-closeness of 'ill'"),
        (shoal.SDiversity("ill", 0.95, 0.5), "s-diversity of 'ill'"),
    ],
)
def test_models_that_need_a_secret_are_left_out_by_name(model, name):
    found = public_policy(release(shoal.KAnonymity(4), model))

    assert found.left_out == (name,)
    text = found.text(release="r.csv", policy="p.yaml")
    assert f"{name}." in text
    assert "model: k-anonymity" in text
    assert not [secret for secret in ("flu", "lung", "0.9", "2.0") if secret in text]


def test_a_model_about_people_is_left_out_where_rows_would_fail_it():
    """Ten people, one of them with ten records of the same illness."""
    visits = TABLE.head(10).with_columns(ill=pl.Series(["flu", "rash"] * 5), age=pl.lit(30),
                                         zip=pl.lit("13050"))  # fmt: skip
    visits = pl.concat([visits, *[visits.head(1)] * 20])
    made = release(shoal.KAnonymity(5), shoal.AlphaK("ill", 0.6, 5), table=visits, person="name")

    found = public_policy(made)

    assert found.left_out == ("alpha-k of 'ill'",)
    assert found.policy.person == ()
    assert found.policy.check(made.frame).holds


def test_pseudonyms_are_counted_as_people_by_anybody():
    visits = pl.concat([TABLE, TABLE])
    made = release(shoal.KAnonymity(3), table=visits, identifiers=[], pseudonyms=["name"])

    found = public_policy(made)

    assert found.keys()["columns"]["name"] == "pseudonym"
    assert found.policy.check(made.frame).n_people == made.verdict.n_people == 40


def test_nothing_to_check_is_said():
    found = public_policy(release(shoal.TCloseness("ill", 0.9, "hierarchical")))

    assert found.keys() is None
    with pytest.raises(PolicyError, match="nothing that anybody could check"):
        found.text(release="r.csv", policy="p.yaml")


def test_names_cannot_end_a_comment():
    found = public_policy(
        release(shoal.KAnonymity(4), shoal.TCloseness("ill", 0.9, "hierarchical"))
    )

    text = found.text(release="r\nprivacy: [].csv", policy="p.yaml")

    assert text.count("\nprivacy:") == 1
