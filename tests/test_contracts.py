"""What algorithms, models and metrics declare is all that others ask of them."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from click.testing import CliRunner
from polars.testing import assert_frame_equal

import shoal
from added_entries import add_entries
from cases.without_words import WithoutWords
from conformance.tables import patients, policy
from conformance.wrapper import Wrapper
from shoal import catalog
from shoal.cli.lists import algorithms, metrics
from shoal.errors import PolicyError
from shoal.group.partition.mondrian import Mondrian
from shoal.metrics import in_every_summary, minimisable
from shoal.policy.keys import algorithm_of
from shoal.read.source import Source
from shoal.report.neighbours import neighbour_facts
from shoal.runs.anonymize import anonymize
from shoal.types.metric import Metric
from shoal.types.model import About
from shoal.types.outcome import Judged, JudgedNode
from shoal.types.privacy import Privacy

SOURCE = Path(shoal.__file__).parent

# What is asked for by name: things of imported modules, fields of a dataclass one by one, what
# other libraries may or may not have. No algorithm, model, metric or hierarchy.
MAY_ASK = {
    "shoal: getattr(importlib.import_module(_PLACES[name]), name)",
    "shoal.api.progress: hasattr(sys, 'ps1')",
    "shoal.catalog: getattr(importlib.import_module(module), attribute)",
    "shoal.types.named: getattr(thing, f.name)",
    "shoal.types.options: getattr(thing, field.name)",
    "shoal.policy.written: getattr(policy, f.name)",
    "shoal.read.source: getattr(self.native.to_native(), 'index', None)",
    "shoal.write.frames: hasattr(frame[name], 'cat')",
    "shoal.runs.stages: getattr(listener, 'tell', None)",
}


def asked_by_name():
    """Every `getattr` and `hasattr` of the source, with its module."""
    for path in sorted(SOURCE.rglob("*.py")):
        module = ".".join(path.relative_to(SOURCE.parent).with_suffix("").parts)
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("getattr", "hasattr"):
                yield f"{module.removesuffix('.__init__')}: {ast.unparse(node)}"


def test_nothing_is_asked_for_that_no_contract_declares():
    found = set(asked_by_name())

    assert "shoal.types.named: getattr(thing, f.name)" in found  # so it does find them
    assert found - MAY_ASK == set()


# Algorithms


@pytest.mark.parametrize("name", catalog.names("algorithm"))
def test_a_wrapper_releases_what_the_algorithm_inside_would(name):
    table = patients(60)

    plain = policy(name, suppression=0.1).anonymize(table)
    wrapped = policy(Wrapper(algorithm_of(name)), suppression=0.1).anonymize(table)

    assert_frame_equal(wrapped.frame, plain.frame)
    assert wrapped.notes == tuple(note.replace(name, "wrapper") for note in plain.notes)


def test_a_wrapper_shows_the_neighbours_that_the_algorithm_inside_would():
    source = Source.of_frame(patients(60))

    plain, wrapped = (
        anonymize(source, policy(algorithm), neighbours=True)
        for algorithm in ("flash", Wrapper(shoal.Flash()))
    )

    assert wrapped.neighbours == plain.neighbours != ()
    assert neighbour_facts(wrapped) == neighbour_facts(plain)


def test_a_wrapper_around_noise_is_refused_where_noise_is(tmp_path):
    noisy = Wrapper(shoal.TClustering(noise=0.1))

    with pytest.raises(PolicyError, match="noise"):
        policy(noisy, "k-map").anonymize(patients(60))


def test_what_only_has_a_method_of_that_name_is_not_taken_for_an_algorithm():
    class Grouper:
        def group(self, table, privacy, limits):
            raise AssertionError

    for wrong in (Grouper(), shoal.Mondrian):
        with pytest.raises(PolicyError, match=r"inherit from shoal.types.algorithm.Algorithm"):
            policy(wrong)


# Models


@dataclass(frozen=True)
class Pairs(WithoutWords):
    """Groups have at least `k` records, and an even number of them."""

    k: int
    is_local = survives_merging = True
    survives_growth = False

    @property
    def about(self):
        return About(k=self.k)

    @property
    def smallest(self):
        return self.k

    def holds(self, stats):
        return (stats.sizes >= self.k) & (stats.sizes % 2 == 0)


@dataclass(frozen=True)
class Graded(WithoutWords):
    """Looks at severities of a column."""

    ill: str
    is_local = survives_merging = survives_growth = True
    smallest = 1

    @property
    def about(self):
        return About(column=self.ill, needs=("severity",))

    def holds(self, stats):
        return np.isfinite(stats.counts(self.ill).counts.sum()) & (stats.sizes > 0)


def test_a_model_of_another_package_has_its_k_replaced(monkeypatch):
    add_entries(monkeypatch, "model", pairs=Pairs)
    rules = shoal.Policy.of_roles(quasi=["age"], privacy=[{"model": "pairs", "k": 2}])

    release = rules.with_k(4).anonymize(pl.DataFrame({"age": range(16)}))

    assert Privacy(rules.with_k(4).privacy).k == 4
    assert [len(group) for group in release.frame["age"].value_counts().rows()] == [2] * 4
    assert release.measures["cavg"] == 1


def test_a_model_of_another_package_is_about_its_column_whatever_its_field_is_called():
    rules = shoal.Policy.of_roles(
        quasi=["age"], sensitive={"ill": shoal.severity({"flu": 1})}, privacy=[Graded("ill")]
    )

    release = rules.anonymize(pl.DataFrame({"age": [1, 2], "ill": ["flu", "flu"]}))

    assert release.verdict.findings[0].column == "ill"
    with pytest.raises(PolicyError, match="needs a severity of the column 'ill'"):
        shoal.Policy.of_roles(quasi=["age"], sensitive=["ill"], privacy=[Graded("ill")])


# Metrics


@dataclass(frozen=True)
class Dearest(Metric[JudgedNode]):
    """The levels added up, those of one column times a factor."""

    needs = ("levels",)
    bound = "levels"
    column: int = 0
    factor: float = 100.0

    def measure(self, node):
        factors = np.ones(node.levels.shape[-1])
        factors[self.column] = self.factor
        return np.dot(node.levels, factors)


@dataclass(frozen=True)
class Groups(Metric[Judged]):
    """How many groups there are not."""

    bound = "groups"
    place_in_summary = 99

    def measure(self, judged):
        return judged.n_records - len(judged.sizes)


SQUARE = pl.DataFrame({"a": ["x", "x", "y", "y"], "b": ["u", "v", "u", "v"]})


def levels_by(metric):
    """Either column may be generalised; what the search minimises decides which."""
    release = shoal.anonymize(
        SQUARE,
        quasi=["a", "b"],
        privacy=[shoal.KAnonymity(2)],
        algorithm={"name": "flash", "metric": metric},
    )
    return release.summary()["levels"]


def test_a_metric_of_another_package_can_be_minimised(monkeypatch):
    add_entries(monkeypatch, "metric", dearest=Dearest)

    assert "dearest" in minimisable("levels")
    assert levels_by("dearest") == {"a": 0, "b": 1}


def test_a_metric_takes_options(monkeypatch):
    add_entries(monkeypatch, "metric", dearest=Dearest)

    assert levels_by({"name": "dearest", "column": 1}) == {"a": 1, "b": 0}
    assert levels_by(Dearest(column=1)) == {"a": 1, "b": 0}


def test_the_summary_names_a_metric_and_its_options(monkeypatch):
    add_entries(monkeypatch, "metric", dearest=Dearest)
    chosen = {"name": "dearest", "column": 1, "factor": 2.0}
    algorithms = [{"name": "flash", "metric": metric} for metric in ("dm_star", chosen)]

    plain, other = (
        shoal.anonymize(
            SQUARE, quasi=["a", "b"], privacy=[shoal.KAnonymity(2)], algorithm=algorithm
        ).summary()
        for algorithm in algorithms
    )

    assert plain["options"]["metric"] == "dm-star"
    assert other["options"]["metric"] == chosen


@pytest.mark.parametrize(
    ("metric", "message"),
    [
        ({"name": "dearest", "colum": 1}, "'colum' is unknown here; did you mean 'column'"),
        ({"name": "dearest", "column": "first"}, "whole number"),
        ({"name": "dear"}, "unknown metric 'dear'"),
        ({"column": 1}, "must be a name, or keys"),
        ("cavg", "metric must be one of"),
        ({"name": "cavg"}, "metric must be one of"),
        (7, "must be a name, or keys"),
    ],
)
def test_a_metric_that_makes_no_sense_is_refused(monkeypatch, metric, message):
    add_entries(monkeypatch, "metric", dearest=Dearest)

    with pytest.raises(PolicyError, match=message) as caught:
        levels_by(metric)

    assert caught.value.path[:2] == ("algorithm", "metric")


def test_a_metric_of_another_package_can_be_in_every_summary(monkeypatch):
    add_entries(monkeypatch, "metric", groups=Groups)

    release = shoal.anonymize(SQUARE, quasi=["a", "b"], privacy=[shoal.KAnonymity(2)])

    assert list(release.measures)[-2:] == ["precision", "groups"]
    assert release.measures["groups"] == 2
    assert "groups" in minimisable("groups")


def test_the_measures_of_every_summary_keep_their_order():
    assert in_every_summary() == ("loss", "ncp", "il", "iloss", "dm", "cavg", "precision")


@pytest.mark.parametrize("name", catalog.names("metric"))
def test_what_a_metric_declares_goes_together(name):
    metric = catalog.load("metric", name)

    assert metric.bound is None or "release" not in metric.needs  # a search has none yet
    assert metric.place_in_summary is None or "levels" not in metric.needs  # not all have levels


def test_the_list_says_which_metrics_can_be_minimised():
    listed = " ".join(CliRunner().invoke(metrics).stdout.split())

    assert listed.count("Can be minimised.") == len(minimisable()) == 10
    assert "1 is optimal. class-size" in listed  # cavg cannot


def test_the_list_says_what_a_metric_needs_and_which_way_is_better():
    listed = " ".join(CliRunner().invoke(metrics).stdout.split())

    of_fitness = "Needs severities of a sensitive column. Higher is better."
    assert f"detail lost. {of_fitness} highest-risk" in listed
    assert listed.count("Needs a sensitive column.") == 2  # c-l and protection
    assert listed.count("Higher is better.") == 2  # classification and fitness


# Names


@dataclass(frozen=True)
class Cutter(Mondrian):
    """Mondrian by another name."""

    aliases = ("sharpest", "knife")


@dataclass(frozen=True)
class Slicer(Mondrian):
    """Mondrian by a name that is taken."""

    aliases = ("sharpest",)


@dataclass(frozen=True)
class Taker(Mondrian):
    """Mondrian by the name of another algorithm."""

    aliases = ("flash",)


def plain(outcome):
    """Not a class, and no metric."""
    return 0


def test_an_entry_is_found_by_its_other_names(monkeypatch):
    add_entries(monkeypatch, "algorithm", cutter=Cutter)

    assert catalog.load("algorithm", "sharpest") is catalog.load("algorithm", "cutter") is Cutter
    assert "cutter" in catalog.names("algorithm")
    assert "sharpest" not in catalog.names("algorithm")
    assert policy("sharpest").algorithm == Cutter()


def test_other_names_are_listed_and_proposed(monkeypatch):
    add_entries(monkeypatch, "algorithm", cutter=Cutter)

    listed = CliRunner().invoke(algorithms).stdout

    assert "Mondrian by another name. Also called sharpest, knife." in listed
    with pytest.raises(PolicyError, match="did you mean 'knife'"):
        catalog.load("algorithm", "knive")


@pytest.mark.parametrize(
    ("added", "message"),
    [
        (
            {"cutter": Cutter, "slicer": Slicer},
            "'sharpest' means two algorithms, 'cutter' and 'slicer'",
        ),
        ({"taker": Taker}, "'flash' means two algorithms, 'flash' and 'taker'"),
    ],
)
def test_a_name_with_two_meanings_is_refused(monkeypatch, added, message):
    add_entries(monkeypatch, "algorithm", **added)

    with pytest.raises(PolicyError, match=message):
        catalog.load("algorithm", "sharpest")


@pytest.mark.parametrize("part", catalog.PARTS)
def test_no_name_has_two_meanings(part):
    for name in catalog.names(part):
        assert catalog.aliases(part, name) == catalog.load(part, name).aliases


def test_an_entry_that_keeps_no_contract_is_refused_with_what_it_must_be(monkeypatch):
    add_entries(monkeypatch, "metric", plain=plain)

    with pytest.raises(PolicyError, match=r"'plain'.*inherits from shoal.types.metric.Metric"):
        catalog.load("metric", "plain")
