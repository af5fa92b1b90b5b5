"""Where a model cannot be met: which, how many groups and records fail, and what to relax."""

from __future__ import annotations

import re
from dataclasses import dataclass

import polars as pl
import pytest

import shoal
from cases.without_words import WithoutWords
from shoal import catalog
from shoal.errors import CannotSatisfy
from shoal.policy.fields import build

ALGORITHMS = catalog.names("algorithm")
N = 24
SEVERE = {"flu": 1, "gout": 5, "cold": 2, "rare": 9}

# Of every model one that no grouping of these records can meet, and the key that must give way.
IMPOSSIBLE = {
    "k-anonymity": ({"k": 30}, None),  # refused before the search: more records than there are
    "distinct-l-diversity": ({"column": "ill", "l": 5}, "l"),
    "entropy-l-diversity": ({"column": "ill", "l": 3.9}, "l"),
    "recursive-cl-diversity": ({"column": "ill", "c": 0.5, "l": 2}, "c"),
    "alpha-k": ({"column": "ill", "alpha": 0.2, "k": 2}, "alpha"),
    "p-sensitive": ({"column": "ill", "p": 5, "k": 5}, "p"),
    "t-closeness": ({"column": "ill", "t": 0.01}, "t"),
    "s-diversity": ({"column": "ill", "max": 0.3}, "max"),
    "severity-closeness": ({"column": "ill", "t": 0.00001}, "t"),
    "delta-disclosure": ({"column": "ill", "delta": 0.01}, "delta"),
    "beta-likeness": ({"column": "ill", "beta": 0.01}, "beta"),
    "k-map": ({"k": 1000, "population": "people"}, "k"),
    "delta-presence": ({"min": 0, "max": 0.1, "population": "people"}, "max"),
    "reidentification-risk": ({"highest": 0.01}, None),
}
# These compare with the input: only records suppressed beforehand make one group of all differ.
OF_THE_INPUT = ("t-closeness", "severity-closeness", "delta-disclosure", "beta-likeness")


@pytest.fixture
def people(tmp_path):
    file = tmp_path / "people.parquet"
    pl.DataFrame({"age": [*range(N)] * 2, "sex": ["f", "m"] * N}).write_parquet(file)
    return str(file)


def records(*, gaps):
    """Records of which some, with gaps, will be suppressed beforehand."""
    frame = pl.DataFrame(
        {
            "age": [*range(N)],
            "sex": ["f", "m"] * (N // 2),
            "ill": ["flu"] * 14 + ["gout"] * 6 + ["cold"] * 4,
        }
    )
    some = {"age": [None] * 4, "sex": ["f"] * 4, "ill": ["gout", "gout", "cold", "cold"]}
    return pl.concat([frame, pl.DataFrame(some, schema=frame.schema)]) if gaps else frame


def attempt(model, options, people, algorithm="mondrian", *, gaps=None):
    gaps = model in OF_THE_INPUT if gaps is None else gaps
    options = options | ({"population": people} if "population" in options else {})
    table = records(gaps=gaps)
    rules = shoal.Policy.of_roles(
        quasi={"age": shoal.intervals(5, 10), "sex": None},
        sensitive={"ill": shoal.severity(SEVERE)},
        privacy=[{"model": model, **options}],
        algorithm=algorithm,
        missing="suppress" if gaps else "category",
        suppression=0.15 if gaps else 0,
    )
    return rules.anonymize(table)


def test_every_model_is_tried():
    assert IMPOSSIBLE.keys() == set(catalog.names("model"))


@pytest.mark.parametrize("model", IMPOSSIBLE)
@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_every_algorithm_says_what_cannot_be_met_and_what_to_relax(algorithm, model, people):
    options, key = IMPOSSIBLE[model]

    with pytest.raises(CannotSatisfy) as caught:
        attempt(model, options, people, algorithm)

    said = str(caught.value)
    assert caught.value.exit_code == 1
    assert said.startswith(model)
    if key is not None:
        assert f"1 group with {N} records fails" in said
        assert "may be suppressed" in said
        assert re.search(rf"^{model}: ask for an? {key} ", said, re.MULTILINE)
        assert said.endswith(", or leave it out.")


@pytest.mark.parametrize("model", [name for name, (_, key) in IMPOSSIBLE.items() if key])
def test_what_is_advised_can_be_met(model, people):
    options, key = IMPOSSIBLE[model]
    with pytest.raises(CannotSatisfy) as caught:
        attempt(model, options, people)
    (advised,) = re.findall(
        rf"ask for an? {key} (?:of at (?:least|most)|above) ([0-9.]+)", str(caught.value)
    )
    is_strict = "above" in str(caught.value)

    more = float(advised) + (1e-4 if is_strict else 0)
    typed = int(more) if more == int(more) else more

    assert attempt(model, options | {key: typed}, people).verdict.holds


@pytest.mark.parametrize(
    ("model", "options", "advice"),
    [
        (shoal.RecursiveClDiversity, {"column": "ill", "c": 2, "l": 9}, "an l of at most 3"),
        (shoal.BetaLikeness, {"column": "ill", "beta": 9, "enhanced": True}, "`enhanced: false`"),
        (shoal.DeltaDisclosure, {"column": "ill", "delta": 9}, "occur only in suppressed"),
        (shoal.DeltaPresence, {"min": 0.9, "max": 1}, "a min of at most 0.5"),
        (shoal.ReidentificationRisk, {"average": 0.01}, "an average of at least 0.04167"),
    ],
)
def test_advice_names_the_key_that_is_in_the_way(model, options, advice, people):
    name = model.__module__.rpartition(".")[2].replace("_", "-")
    assert build(model, options | ({"population": people} if "min" in options else {}), ())
    gaps = model in (shoal.BetaLikeness, shoal.DeltaDisclosure)
    options = options | ({"population": people} if "min" in options else {})
    if model is shoal.BetaLikeness:
        frame = pl.DataFrame({"age": [1] * 9 + [None], "ill": ["flu"] * 9 + ["gout"]})
    elif model is shoal.DeltaDisclosure:
        frame = pl.DataFrame({"age": [1] * 9 + [None], "ill": ["flu", *["cold"] * 8, "gout"]})
    else:
        frame = records(gaps=False).drop("sex" if "min" not in options else [])
    quasi = [name for name in frame.columns if name != "ill"]

    with pytest.raises(CannotSatisfy, match=re.escape(advice)):
        shoal.anonymize(
            frame, quasi=quasi, sensitive=["ill"], privacy=[{"model": name, **options}],
            missing="suppress" if gaps else "category", suppression=0.1 if gaps else 0,
        )  # fmt: skip


def test_a_model_without_advice_of_its_own_is_still_named():
    @dataclass(frozen=True)
    class Never(WithoutWords):
        is_local = survives_merging = survives_growth = True
        smallest = 1

        def holds(self, stats):
            return stats.sizes < 0

    with pytest.raises(CannotSatisfy, match="never: ask for less, or leave it out"):
        shoal.anonymize(records(gaps=False), quasi=["age", "sex"], keep=["ill"], privacy=[Never()])


def test_groups_are_merged_where_people_between_them_would_be_known_to_be_absent(tmp_path):
    """Mondrian asks about halves, and only the whole tells that nobody covers the ages between."""
    file = tmp_path / "people.parquet"
    pl.DataFrame({"age": [*range(95)]}).write_parquet(file)
    ages = [age for age in range(100) if age % 10 < 5]

    release = shoal.anonymize(
        pl.DataFrame({"age": ages}),
        quasi=["age"],
        privacy=[shoal.KAnonymity(3), shoal.DeltaPresence(0.05, 0.95, str(file))],
    )

    assert release.verdict.holds
    ranges = [map(int, cell.strip("[]").split(", ")) for cell in set(release.frame["age"])]
    covered = {age for low, high in ranges for age in range(low, high + 1)}
    assert covered == set(range(95))
    assert release.verdict.n_groups > 1
