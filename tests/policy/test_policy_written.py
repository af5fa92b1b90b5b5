"""A policy written back as keys and as a file is the policy that it was."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from pathlib import Path

import polars as pl
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

import shoal
from shoal import catalog
from shoal.errors import OutputError
from shoal.policy.file import parse_policy
from shoal.policy.yaml_text import WIDTH
from shoal.saved_recoding.fixed import Fixed
from shoal.saved_recoding.given_levels import GivenLevels
from shoal.types.column import PUBLISH
from shoal.types.context import Context
from shoal.types.hierarchy import Hierarchy
from shoal.types.hierarchy_spec import HierarchySpec
from shoal.types.schema import ColumnSpec
from tiers import examples

K2 = {"model": "k-anonymity", "k": 2}
TABLE = "nurse;care;*\ncook;kitchen;*\n"

# Some options of every model and algorithm. One that is missing here fails the suite: add it.
MODELS = {
    "k-anonymity": {"k": 5},
    "distinct-l-diversity": {"column": "ill", "l": 2},
    "entropy-l-diversity": {"column": "ill", "l": 1.8},
    "recursive-cl-diversity": {"column": "ill", "c": 2.5, "l": 2},
    "alpha-k": {"column": "ill", "alpha": 0.6, "k": 3},
    "p-sensitive": {"column": "ill", "p": 2, "k": 3},
    "t-closeness": {"column": "ill", "t": 0.1, "distance": "hierarchical"},
    "s-diversity": {"column": "ill", "max": 0.8, "r": 0.5},
    "severity-closeness": {"column": "ill", "t": 1e-05},
    "delta-disclosure": {"column": "ill", "delta": 1.5},
    "beta-likeness": {"column": "ill", "beta": 1.2, "enhanced": True},
    "k-map": {"k": 20, "population": "people.csv"},
    "delta-presence": {"min": 0, "max": 0.5, "population": "people.csv"},
    "reidentification-risk": {"highest": 0.3, "average": 0.15, "at-risk": 0.1},
}
PARTS = {"size": 4000}
SEARCH = {"metric": "iloss", "seconds": 2.5}
ALGORITHMS = {
    "datafly": SEARCH,
    "flash": {**SEARCH, "checks": 7},
    "improved-greedy": {**SEARCH, "choice": "least-loss"},
    "incognito": {**SEARCH, "checks": 7},
    "auto": {"candidates": ["mondrian", "mstk"], "metric": "dm", "budget": 3.5},
    "k-member": {"prepartition": PARTS, "seeding": "oka-text"},
    "k-member-p": {"prepartition": PARTS},
    "mondrian": {"strict": False},
    "mstk": {"prepartition": PARTS, "merge-scope": "any"},
    "oka": {"prepartition": PARTS, "passes": 3, "suppress-small": True, "adjust": "least-loss",
            "order": "sorted"},
    "ola": {**SEARCH, "checks": 7},
    "samarati": {**SEARCH, "checks": 7},
    "sweep": {"effort": "full", "seconds": 1.5},
    "t-clustering": {"prepartition": PARTS, "t": 0.5, "balance": 0.25, "noise": 0.125},
    "tgc": {
        "weights": {"utility": 0.25, "protection": 0.75}, "r": 0.5, "s": 10, "delta": 0.1,
        "delta-prime": 0.2, "max-size": 0,
    },
}  # fmt: skip
SETTINGS = {
    "suppression": 0.01,
    "missing": "suppress",
    "missing_values": ["", "?", "~", "NO"],
    "unknown": "suppress",
    "order": "input",
    "decimal": ",",
    "thousands": "'",
    "seed": 7,
    "person": ["id", "age"],
    "population": {"fraction": 0.01},
    "utility": [{"measure": "loss", "at-most": 0.25}, {"measure": "c-l", "figure": "l"}],
    "context": {
        "title": "NO",
        "purpose": "care: now",
        "legal_basis": "art. 9",
        "recipient": "a #1",
        "recipient_holds": "two\nlines",
        "controls": ["a, b", "~"],
        "attackers": "neighbours",
        "utility": "trends",
        "threshold": 0.09,
        "threshold_reason": '"EMA"',
        "contact": "x@y",
        "expert": "Dr. Z",
        "acknowledged": [
            {"note": "n", "by": "me", "date": "2026-01-02"},
            {"note": "no date", "by": "me"},
        ],
    },
}
HIERARCHIES = {
    "intervals": shoal.intervals(0.5, 10, 20),
    "prefix": shoal.prefix(5),
    "date": shoal.dates("month", "year"),
    "levels": shoal.levels([("nurse", "care"), ("~", "care"), ("9th", "1.10")]),
    "tree": shoal.tree({"NO": ["9th", "*"], "yes": {"null": ["~", "1.10"]}}),
    "flat": shoal.flat(),
    "library": shoal.library("countries"),
}


def policy(**keys) -> shoal.Policy:
    ill = {"role": "sensitive", "hierarchy": "flat", "severity": {"Flu": 2, "": 0.5}}
    columns = {"id": "identifier", "age": "quasi", "ill": ill}
    return shoal.Policy.of_mapping({"columns": columns, "privacy": [K2], **keys})


def with_column(spec: ColumnSpec) -> shoal.Policy:
    plain = policy()
    return replace(plain, columns={**plain.columns, "x": spec})


def assert_comes_back(rules: shoal.Policy, folder: Path) -> str:
    """By keys and by file, which is plain YAML to others too."""
    path = folder / "written.yaml"
    rules.write(path)
    text = path.read_text(encoding="utf-8")

    assert shoal.Policy.of_mapping(rules.keys()) == rules
    assert shoal.Policy.load(path) == rules
    assert yaml.safe_load(text).keys() == rules.keys(folder).keys()
    return text


# every key


@pytest.mark.parametrize("name", catalog.names("model"))
def test_every_model_comes_back_with_all_its_options(name, tmp_path):
    options = MODELS[name]
    if "population" in options:
        options = {**options, "population": str(tmp_path / "people.csv")}
    rules = policy(privacy=[{"model": name, **options}])

    text = assert_comes_back(rules, tmp_path)

    assert {f.name.replace("_", "-") for f in fields(rules.privacy[0])} == options.keys()
    assert all(f"{option}: " in text for option in options)


@pytest.mark.parametrize("name", catalog.names("algorithm"))
def test_every_algorithm_comes_back_with_all_its_options(name, tmp_path):
    options = ALGORITHMS[name]
    rules = policy(algorithm={"name": name, **options})

    text = assert_comes_back(rules, tmp_path)

    assert {f.name.replace("_", "-") for f in fields(rules.algorithm)} == options.keys()
    assert all(f"{option}: " in text for option in options)
    assert_comes_back(policy(algorithm=name), tmp_path)


@pytest.mark.parametrize("name", catalog.names("hierarchy"))
@pytest.mark.parametrize("role", ["quasi", "sensitive"])
def test_every_kind_of_hierarchy_comes_back(name, role, tmp_path):
    rules = with_column(ColumnSpec(role, HIERARCHIES[name]))

    text = assert_comes_back(rules, tmp_path)

    assert name in text


@pytest.mark.parametrize("role", ["identifier", "quasi", "sensitive", "keep", "drop"])
def test_a_role_stands_alone(role, tmp_path):
    text = assert_comes_back(with_column(ColumnSpec(role)), tmp_path)

    assert f"\n  x: {role}\n" in text


@pytest.mark.parametrize("publish", PUBLISH)
def test_weight_and_way_of_publishing_come_back(publish, tmp_path):
    spec = ColumnSpec("quasi", shoal.intervals(5), weight=2.5, publish=publish)

    text = assert_comes_back(with_column(spec), tmp_path)

    assert f"weight: 2.5, publish: {publish}}}" in text


@pytest.mark.parametrize("name", SETTINGS)
def test_every_setting_comes_back(name, tmp_path):
    text = assert_comes_back(policy(**{name: SETTINGS[name]}), tmp_path)

    assert [other for other in SETTINGS if f"\n{other}:" in text] == [name]


def test_every_key_of_the_context_is_tried():
    assert SETTINGS["context"].keys() == {f.name for f in fields(Context)}
    assert policy(context=SETTINGS["context"]).keys()["context"] == SETTINGS["context"]


@pytest.mark.parametrize("role", ["identifier", "quasi", "sensitive", "keep", "drop", "weight"])
def test_a_reason_comes_back_with_any_role(role, tmp_path):
    text = assert_comes_back(with_column(ColumnSpec(role, reason="rare: #1")), tmp_path)

    assert f'x: {{role: {role}, reason: "rare: #1"}}' in text


def test_every_key_of_a_policy_is_tried():
    keys = {f.name for f in fields(shoal.Policy)} - {"columns", "privacy", "algorithm", "lines"}

    assert keys == SETTINGS.keys()


# files


@pytest.fixture
def files(tmp_path):
    """A folder with a policy and the files that it names."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "work.csv").write_text(TABLE)
    (tmp_path / "data" / "table").write_text(TABLE)
    (tmp_path / "data" / "grave.csv").write_text("Flu;2\nGout;3\n")
    (tmp_path / "data" / "policy.yaml").write_text(
        "columns:\n"
        "  work: {role: quasi, hierarchy: work.csv}\n"
        "  other: {role: quasi, hierarchy: {levels: table}}\n"
        "  ill: {role: sensitive, severity: grave.csv}\n"
        "privacy:\n"
        "  - {model: k-map, k: 2, population: people.csv}\n"
    )
    return tmp_path


def test_files_are_named_relative_to_the_policy(files):
    rules = shoal.Policy.load(files / "data" / "policy.yaml")

    text = assert_comes_back(rules, files / "data")

    assert "hierarchy: work.csv}" in text
    assert "hierarchy: {levels: table}}" in text
    assert "severity: grave.csv}" in text
    assert "population: people.csv}" in text


@pytest.mark.parametrize("folder", ["out", "data/out", "."])
def test_a_policy_in_another_folder_finds_the_same_files(files, folder):
    rules = shoal.Policy.load(files / "data" / "policy.yaml")
    (files / folder).mkdir(exist_ok=True)

    rules.write(files / folder / "moved.yaml")
    moved = shoal.Policy.load(files / folder / "moved.yaml")

    assert str(files) not in (files / folder / "moved.yaml").read_text()
    assert moved.columns == rules.columns
    assert [path.resolve() for path in moved.files] == [path.resolve() for path in rules.files]


def test_a_link_to_a_folder_does_not_lead_astray(files):
    (files / "deep" / "down").mkdir(parents=True)
    (files / "link").symlink_to(files / "deep" / "down")
    rules = shoal.Policy.load(files / "data" / "policy.yaml")

    rules.write(files / "link" / "moved.yaml")

    assert shoal.Policy.load(files / "link" / "moved.yaml").columns == rules.columns


def test_relative_paths_stay_relative(files, monkeypatch):
    monkeypatch.chdir(files)
    rules = shoal.Policy.load("data/policy.yaml")

    assert shoal.Policy.of_mapping(rules.keys()) == rules
    assert rules.keys()["columns"]["work"]["hierarchy"] == "data/work.csv"
    assert rules.keys("data")["columns"]["work"]["hierarchy"] == "work.csv"


# what it looks like


def test_a_policy_reads_as_people_write_it(tmp_path):
    rules = shoal.Policy.of_roles(
        identifiers=["name"],
        quasi={"age": shoal.intervals(5, 10), "edu": shoal.tree({"Higher": ["BA", "MA"]}),
               "home town": None},
        sensitive={"ill": shoal.severity({"Cancer": 10, "Flu": 2.5})},
        privacy=[shoal.KAnonymity(5), shoal.TCloseness("ill", 0.2)],
        algorithm={"name": "flash", "metric": "iloss"},
        missing_values=["", "?"],
        suppression=0.01,
    )  # fmt: skip

    assert assert_comes_back(rules, tmp_path) == (
        "columns:\n"
        "  name: identifier\n"
        "  age: {role: quasi, hierarchy: {intervals: [5, 10]}}\n"
        "  edu: {role: quasi, hierarchy: {tree: {Higher: [BA, MA]}}}\n"
        '  "home town": quasi\n'
        "  ill: {role: sensitive, severity: {Cancer: 10, Flu: 2.5}}\n"
        "privacy:\n"
        "  - {model: k-anonymity, k: 5}\n"
        "  - {model: t-closeness, column: ill, t: 0.2}\n"
        "algorithm: {name: flash, metric: iloss}\n"
        "suppression: 0.01\n"
        'missing_values: ["", "?"]\n'
    )


def test_what_is_long_is_broken_into_lines(tmp_path):
    wide = {f"region{i}": [f"town{i}{j}" for j in range(9)] for i in range(20)}

    text = assert_comes_back(with_column(ColumnSpec("quasi", shoal.tree(wide))), tmp_path)

    assert max(map(len, text.splitlines())) <= WIDTH
    assert "\n        region3: [town30, town31" in text


# any text


TEXTS = st.text(min_size=1, max_size=20).filter(lambda t: t.isprintable() or t.strip()) | (
    st.sampled_from(["NO", "1.10", "9th", "*", "~", "null", "", " ", "'", '"', "a: b", "#", "- x",
                     "{", "]", "é", "漢字", "🐟", "\n", "\u2028", "\x85", "\ufeff", "yes", "? ",
                     "x" * 1200, "|", ">", "%", "@", "`", "&a", "!t", "0x1F", "1_000", "1e5"])
)  # fmt: skip
NAMES = TEXTS.filter(bool)


@examples(30, thorough=150)
@given(name=NAMES, leaves=st.lists(NAMES, min_size=1, max_size=6, unique=True),
       node=NAMES, missing=st.lists(TEXTS, min_size=1, max_size=4))  # fmt: skip
def test_any_text_survives(name, leaves, node, missing):
    rules = shoal.Policy.of_mapping(
        {
            "columns": {
                name: {"role": "quasi", "hierarchy": {"tree": {node: leaves}}},
                name + "2": {"role": "quasi", "hierarchy": {"levels": [[x, node] for x in leaves]}},
                name + "3": {"role": "sensitive", "severity": dict.fromkeys(["", *leaves], 1.5)},
            },
            "privacy": [K2, {"model": "distinct-l-diversity", "column": name + "3", "l": 2}],
            "missing_values": missing,
        }
    )

    assert shoal.Policy.of_mapping(rules.keys()) == rules
    assert shoal.Policy.of_mapping(parse_policy(rules.text()).content) == rules


@examples(25, thorough=100)
@given(
    share=st.floats(0, 1),
    weight=st.floats(1e-300, 1e6, exclude_min=True),
    t=st.floats(0, 1),
    seed=st.integers(-(10**20), 10**20),
    grave=st.floats(0, 1e12),
    width=st.floats(1e-9, 1e300),
)
def test_any_number_survives(share, weight, t, seed, grave, width):
    rules = shoal.Policy.of_mapping(
        {
            "columns": {
                "age": {"role": "quasi", "weight": weight, "hierarchy": {"intervals": [width]}},
                "ill": {"role": "sensitive", "severity": {"a": grave}},
            },
            "privacy": [{"model": "t-closeness", "column": "ill", "t": t}],
            "suppression": share,
            "seed": seed,
        }
    )

    assert shoal.Policy.of_mapping(parse_policy(rules.text()).content) == rules


TREES = st.recursive(
    st.just(None), lambda inner: st.lists(inner, min_size=1, max_size=3), max_leaves=12
)


@examples(30, thorough=150)
@given(TREES)
def test_any_tree_survives(shape):
    numbers = iter(range(1000))

    def named(shape):
        """Nodes and leaves with names of their own."""
        if shape is None:
            return {str(next(numbers)): None}
        return {f"node {next(numbers)}": [named(child) for child in shape]}

    tree = shoal.tree(named(shape))

    assert shoal.tree(tree.keys(None)["tree"]) == tree
    assert list(tree.listed.paths()) == list(Hierarchy.of_paths(tree.paths).paths())


# what cannot be written


@dataclass(frozen=True)
class Own(HierarchySpec):
    """A kind that no catalog knows."""

    height = 1

    def describe(self):
        return "own"

    def build(self, column):
        return Hierarchy.of_paths([(label, "*") for label in column.labels])


def test_what_the_catalog_does_not_have_is_refused(tmp_path):
    fixed = with_column(ColumnSpec("quasi", Fixed(shoal.flat(), "text")))
    own = with_column(ColumnSpec("quasi", Own()))
    given_levels = replace(policy(), algorithm=GivenLevels((1,)))

    for rules in (fixed, own, given_levels):
        with pytest.raises(OutputError, match="cannot be written down"):
            rules.write(tmp_path / "policy.yaml")
    assert list(tmp_path.iterdir()) == []


def test_a_written_policy_makes_the_same_release(tmp_path):
    frame = pl.DataFrame({"job": ["nurse", "cook"] * 4, "age": [31, 38, 52, 55, 41, 47, 33, 39]})
    rules = shoal.Policy.of_roles(
        quasi={"job": shoal.tree({"Care": ["nurse"], "Kitchen": ["cook"]}),
               "age": shoal.intervals(10)},
        privacy=[shoal.KAnonymity(3)], algorithm="flash", suppression=0.2,
    )  # fmt: skip

    rules.write(tmp_path / "policy.yaml")
    again = shoal.Policy.load(tmp_path / "policy.yaml")

    assert again.anonymize(frame).frame.equals(rules.anonymize(frame).frame)
