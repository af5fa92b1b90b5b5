"""What ARX 3.9.2 expects of its own tests, on the same data and hierarchies."""

import json
import re
from math import exp, factorial, floor, prod
from typing import NamedTuple

import numpy as np
import pytest

from cases.adult import NINE, adult_table
from shared_data import SHARED, needs_shared
from shoal import catalog
from shoal.group.lattice._checker import Checker
from shoal.group.lattice._judge import Groups
from shoal.group.lattice.flash import Flash
from shoal.group.parts.threads import spread_over
from shoal.metrics import metric_to_minimise
from shoal.privacy.delta_presence import DeltaPresence
from shoal.privacy.k_anonymity import KAnonymity
from shoal.types.algorithm import Limits
from shoal.types.privacy import Privacy
from tiers import part

pytestmark = needs_shared

# The metric of ARX -> ours. Its monotonic precision is ours with nothing suppressed.
METRICS = {
    ("Loss", None): "loss-geometric",
    ("AECS", None): "class-size",
    ("DM", False): "dm",
    ("DM*", True): "dm-star",
    ("Height", True): "level",
    ("NUEntropy", False): "entropy",
    ("NUEntropy", True): "entropy-monotone",
    ("Precision", False): "precision",
    ("Precision", True): "precision",
}
POPULATION = "adult.csv"

# The model of ARX -> ours, and our options from its. Where a case has a research subset, that is
# our table, and all of Adult is the population. ARX can also guess how many people of a country a
# record matches; what that comes to is a number of records in the data.
MODELS = {
    "KAnonymity": ("k-anonymity", lambda m: {"k": m["k"]}),
    "DistinctLDiversity": ("distinct-l-diversity", lambda m: of_column(m, l=m["l"])),
    "EntropyLDiversity": ("entropy-l-diversity", lambda m: of_column(m, l=m["l"])),
    "RecursiveCLDiversity": (
        "recursive-cl-diversity",
        lambda m: of_column(m, c=m["c"], l=m["l"]),
    ),
    "EqualDistanceTCloseness": (
        "t-closeness",
        lambda m: of_column(m, t=m["t"], distance="equal"),
    ),
    "OrderedDistanceTCloseness": (
        "t-closeness",
        lambda m: of_column(m, t=m["t"], distance="ordered"),
    ),
    "HierarchicalDistanceTCloseness": (
        "t-closeness",
        lambda m: of_column(m, t=m["t"], distance="hierarchical"),
    ),
    "BasicBLikeness": ("beta-likeness", lambda m: of_column(m, beta=m["beta"])),
    "KMap": ("k-map", lambda m: {"k": m["k"], "population": POPULATION}),
    "KMapOfCountry": ("k-anonymity", lambda m: {"k": records_for_people(m)}),
    "DPresence": (
        "delta-presence",
        lambda m: {"min": m["delta_min"], "max": m["delta_max"], "population": POPULATION},
    ),
}


PEOPLE = {"USA": 317_238_626}  # as ARX counts them
N_ADULT = 30_162


def of_column(model, **options):
    return {"column": model["attribute"], **options}


def records_for_people(model):
    """The k' records in the data that ARX takes for k people of a country.

    A group has so many people as a Poisson number that is not zero, of mean k times the share of
    the country that is in the data; k' is the least number that it stays below with the
    significance asked for.
    """
    mean = model["k"] * N_ADULT / PEOPLE[model["population"]]
    total, least = 0.0, 1
    while total < 1 - model["significance"] and least < model["k"]:
        total += exp(-mean) * mean**least / factorial(least) / (1 - exp(-mean))
        least += 1
    return least


class AsArx(Privacy):
    """Groups that fail are suppressed, and the others are not asked again: so it is in ARX."""

    def to_suppress(self, stats, limit=None):
        return ~self.holds(stats)


class PresenceOfMatched(DeltaPresence):
    """People whom no record matches do not count: so it is in ARX where another model bounds the
    size of groups, and where only the metric is asked for."""

    def _presence(self, stats):
        return super()._presence(stats)._replace(n_outside=0)


def cases(kind):
    path = SHARED / "spec" / "arx_cases.json"
    found = json.loads(path.read_text())["cases"] if path.exists() else []
    return [
        pytest.param(case, id=f"{case['test_class']}-{case['index_in_class']}")
        for case in found
        if case["kind"] == kind
    ]


class Setting(NamedTuple):
    table: object
    privacy: Privacy
    metric: str
    limits: Limits


def setting_of(case, *, is_optimum):
    privacy = AsArx(tuple(model_of(model, is_optimum) for model in case["privacy_models"]))
    files = {model["subset"] for model in case["privacy_models"] if "subset" in model}
    (file,) = files or {case["dataset"]}
    population = POPULATION if files else None
    table = adult_table(tuple(case["qi_order"]), privacy.columns, file, population)
    metric = METRICS[case["metric"]["metric"], case["metric"].get("monotonic")]
    allowed = floor(case["suppression_limit"] * table.n_records)
    return Setting(table, privacy, metric, Limits(suppression=allowed))


def model_of(model, is_optimum):
    name = "KMapOfCountry" if "population" in model else model["model"]
    ours, options = MODELS[name]
    if ours == "delta-presence" and not is_optimum:
        return PresenceOfMatched(**options(model))
    return catalog.load("model", ours)(**options(model))


def outcome_at(node, setting, spread, *, is_suppressing=True):
    """A node with all failing groups suppressed, whatever the limit."""
    metric = metric_to_minimise(setting.metric)
    checker = Checker(setting.table, setting.privacy, setting.limits, metric=metric, spread=spread)
    (rows,) = checker.roll_up.at([node])
    first, stats = checker.stats(node, rows)
    fails = ~setting.privacy.holds(stats) & is_suppressing
    return checker.judge.at(node, Groups(rows, first, stats.sizes, fails))


def arx_value(outcome, metric):
    """The metric as ARX has it, which cuts the values of columns off after ten digits."""
    if metric == "loss-geometric":
        values = cut(outcome.totals(lambda cell: cell.share) / outcome.n_records)
        return prod(1 + value for value in values) ** (1 / len(values)) - 1
    if metric == "entropy-monotone":
        return float(sum(cut(outcome.entropies())))
    return float(metric_to_minimise(metric).measure(outcome))


def cut(values):
    return np.floor(values * 1e10) / 1e10


@pytest.mark.parametrize("case", part(cases("optimum"), 3, thorough=15))
def test_flash_finds_the_optimum_of_arx(case):
    setting = setting_of(case, is_optimum=True)
    expected = float(case["expected_loss"])

    grouping = Flash(metric=setting.metric).group(setting.table, setting.privacy, setting.limits)

    with spread_over(2) as spread:
        values = [
            arx_value(outcome_at(tuple(node), setting, spread), setting.metric)
            for node in (grouping.levels, case["expected_transformation"])
        ]
    assert grouping.trace["optimal"] is True
    if case["practical_monotonicity"] and values[0] < values[1]:
        # ARX was told to prune as if the models survived growth, and missed a better node.
        values[0] = expected
    assert values == pytest.approx([expected, expected], rel=1e-12)
    is_other = list(grouping.levels) != case["expected_transformation"]
    assert not is_other or values[0] == pytest.approx(values[1], rel=1e-12)
    assert grouping.n_suppressed == case["recomputed"]["suppressed"] or is_other


@pytest.mark.parametrize("case", cases("utility_metric_table"))
def test_a_metric_gives_every_node_the_value_of_arx(case):
    setting = setting_of(case, is_optimum=False)
    is_suppressing = (case["metric"]["metric"], case["metric"].get("monotonic")) != (
        "Precision",
        True,
    )

    with spread_over(2) as spread:
        found = [
            arx_value(
                outcome_at(
                    tuple(node["transformation"]), setting, spread, is_suppressing=is_suppressing
                ),
                setting.metric,
            )
            for node in case["expected"]
        ]

    assert found == pytest.approx([float(node["loss"]) for node in case["expected"]], abs=1e-8)


def anchors():
    """The rows of the table of ARX's optima: k, the share to be suppressed, and the loss."""
    path = SHARED / "anchors.md"
    text = path.read_text() if path.exists() else ""
    table = re.search(r"\| k \|.*?\n\n", text, re.DOTALL)
    rows = (
        [line.strip("| \n").split("|") for line in table[0].strip().splitlines()] if table else []
    )
    for row in rows[2:]:
        for percent, cell in zip((0, 1, 5, 100), row[1:], strict=True):
            k = int(row[0])
            if percent < 100 or k in (5, 100):  # suppressing all that one likes takes longest
                yield pytest.param(k, percent, cell.split("/")[2].strip(), id=f"{k}-{percent}%")


@pytest.mark.parametrize(("k", "percent", "expected"), part(list(anchors()), 6))
def test_the_optimum_of_nine_columns_is_that_of_arx(k, percent, expected):
    table = adult_table(NINE)
    limits = Limits(suppression=table.n_records * percent // 100)
    setting = Setting(table, Privacy((KAnonymity(k),)), "loss-geometric", limits)

    grouping = Flash(metric=setting.metric).group(table, setting.privacy, limits)

    with spread_over(2) as spread:
        value = arx_value(outcome_at(grouping.levels, setting, spread), setting.metric)
    assert f"{value:.4f}" == expected
    assert grouping.trace["optimal"] is True
